(** * Which numbers a best pairing can leave out: a barrier and odd cycles say exactly which. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Duels Require Import Games Chain.
Import ListNotations.

Section Grading.

Variable V : Type.
Variable V_dec : forall x y : V, {x = y} + {x <> y}.
Variable fits : V -> V -> bool.
Hypothesis fits_sym : forall x y, fits x y = fits y x.

Notation pairing := (pairing V fits).
Notation best := (best V fits).
Notation both := (both V).
Notation partners := (partners V).

(** ** Odd classes: whichever of their numbers is left out, the others pair up *)

Definition linked (C D : list V) : Prop :=
  exists a b, In a C /\ In b D /\ fits a b = true.

(** Classes in a row, each with a number that fits a number of the next. *)
Fixpoint row (Cs : list (list V)) : Prop :=
  match Cs with
  | C :: ((D :: _) as rest) => linked C D /\ row rest
  | _ => True
  end.

(** A class is one number, or an odd cycle of classes. *)
Inductive odd_class : list V -> Prop :=
| one v : odd_class [v]
| cycle C Cs : Nat.Even (length Cs) -> (forall D, In D (C :: Cs) -> odd_class D) ->
    row ((C :: Cs) ++ [C]) -> odd_class (concat (C :: Cs)).

(** All of l but v pairs up. *)
Definition all_but (l : list V) (v : V) : Prop :=
  exists M, pairing l M /\ ~ In v (both M) /\ 2 * length M + 1 = length l.

Lemma row_app A c B : row (A ++ [c]) -> row (c :: B) -> row (A ++ c :: B).
Proof.
  induction A as [|x A IH]; intros R S; [exact S|].
  destruct A as [|y A]; cbn in *; [tauto|]. split; [tauto|]. apply IH; tauto.
Qed.

Lemma row_tail A B : row (A ++ B) -> row B.
Proof.
  induction A as [|x A IH]; [auto|]. intros R. apply IH. cbn in R.
  destruct (A ++ B); [exact I | tauto].
Qed.

Lemma row_head A B : row (A ++ B) -> row A.
Proof.
  induction A as [|x A IH]; [easy|]. intros R. destruct A as [|y A]; [exact I|].
  cbn in *. split; [tauto | apply IH; tauto].
Qed.

Lemma NoDup_app_parts (A B : list V) :
  NoDup (A ++ B) -> NoDup A /\ NoDup B /\ forall x, In x A -> ~ In x B.
Proof.
  induction A as [|x A IH]; cbn; intros N; [repeat split; auto; constructor|].
  inversion N; subst. destruct IH as (P & Q & R); auto. rewrite in_app_iff in *.
  repeat split; [constructor; tauto | exact Q |]. intros y [<- | Y]; [tauto | auto].
Qed.

Lemma NoDup_app_join (A B : list V) :
  NoDup A -> NoDup B -> (forall x, In x A -> ~ In x B) -> NoDup (A ++ B).
Proof.
  intros P Q R. induction A as [|x A IH]; [exact Q|]. inversion P; subst. cbn. constructor.
  - rewrite in_app_iff. intros [I | I]; [auto | apply (R x); [now left | auto]].
  - apply IH; [auto|]. intros y Y. apply R. now right.
Qed.

(** An even row of classes pairs up completely. *)
Lemma row_pairs n : forall Cs, length Cs = 2 * n -> row Cs -> NoDup (concat Cs) ->
  (forall D v, In D Cs -> In v D -> all_but D v) ->
  exists M, pairing (concat Cs) M /\ 2 * length M = length (concat Cs).
Proof.
  induction n; intros Cs L R N A.
  { destruct Cs; [|cbn in L; lia]. exists []. split; [apply pairing_nil | reflexivity]. }
  destruct Cs as [|C [|D Cs]]; [cbn in L; lia | cbn in L; lia |].
  cbn in N. apply NoDup_app_parts in N. destruct N as (_ & N & X).
  apply NoDup_app_parts in N. destruct N as (_ & N & Y).
  destruct R as [(a & b & Ia & Ib & F) R].
  destruct (IHn Cs) as (M & P & E); [cbn in L; lia | apply (row_tail [D]); exact R | exact N | |].
  { intros D' v I J. apply A; cbn; auto. }
  destruct (A C a) as (M1 & P1 & N1 & E1); cbn; auto.
  destruct (A D b) as (M2 & P2 & N2 & E2); cbn; auto.
  assert (XD : forall x, In x C -> ~ In x D).
  { intros x I J. apply (X x I). apply in_or_app. now left. }
  assert (Q : pairing (C ++ D) ((a, b) :: M1 ++ M2)).
  { destruct (pairing_app V fits C D M1 M2 P1 P2 XD) as (Q1 & Q2 & Q3). split; [|split].
    - intros x y [K | K]; [now injection K as <- <- | auto].
    - intros x [<- | [<- | K]]; [apply in_or_app; auto | apply in_or_app; auto | auto].
    - change (NoDup (a :: b :: both (M1 ++ M2))). rewrite both_app in *.
      constructor; [|constructor; [|exact Q3]]; cbn; rewrite in_app_iff.
      + intros [K | [K | K]]; [subst; now apply (XD a) | auto |].
        destruct P2 as (_ & P2 & _). apply P2 in K. now apply (XD a).
      + intros [K | K]; [|auto]. destruct P1 as (_ & P1 & _). apply P1 in K. now apply (XD b). }
  exists (((a, b) :: M1 ++ M2) ++ M). split.
  - cbn [concat]. rewrite app_assoc. apply pairing_app; auto.
    intros x I. apply in_app_or in I. destruct I as [I | I]; [|auto].
    intros J. apply (X x I). apply in_or_app. now right.
  - cbn [concat]. rewrite !app_length in *. cbn [length]. rewrite app_length. lia.
Qed.

(** Whichever number of an odd class is left out, the others of the class pair up. *)
Theorem odd_class_all_but C : odd_class C -> NoDup C -> forall v, In v C -> all_but C v.
Proof.
  revert C. fix IH 2. intros _ [u | C Cs E O R] N v I.
  { exists []. split; [apply pairing_nil | split; [easy | reflexivity]]. }
  apply in_concat in I. destruct I as (D & ID & Iv).
  apply in_split in ID. destruct ID as (L1 & L2 & S).
  assert (ND : forall X, In X (C :: Cs) -> NoDup X).
  { intros X IX. apply in_split in IX. destruct IX as (A & B & EX). rewrite EX in N.
    rewrite concat_app in N. cbn in N. apply NoDup_app_parts in N. destruct N as (_ & N & _).
    now apply NoDup_app_parts in N. }
  assert (AB : forall X x, In X (C :: Cs) -> In x X -> all_but X x).
  { intros X x IX. exact (IH X (O X IX) (ND X IX) x). }
  clear IH. rewrite S in *.
  assert (RR : row (L2 ++ L1)).
  { assert (T : (L1 ++ D :: L2) ++ [C] = (L1 ++ [D]) ++ L2 ++ [C])
      by (rewrite <- !app_assoc; reflexivity).
    rewrite T in R. destruct L1 as [|C' L1].
    - apply row_tail in R. rewrite app_nil_r. now apply row_head in R.
    - cbn in S. injection S as <- _. pose proof (row_tail _ _ R) as R1.
      apply row_head in R. apply row_head in R. now apply row_app. }
  assert (Len : exists n, length (L2 ++ L1) = 2 * n).
  { destruct E as [n E]. exists n. apply (f_equal (@length _)) in S. rewrite app_length in *.
    cbn in S. lia. }
  destruct Len as [n Len].
  assert (P : Permutation (concat (L1 ++ D :: L2)) (D ++ concat (L2 ++ L1))).
  { rewrite !concat_app. cbn. rewrite Permutation_app_comm. rewrite <- app_assoc. reflexivity. }
  pose proof (Permutation_NoDup P N) as N'. apply NoDup_app_parts in N'.
  destruct N' as (_ & N' & X).
  destruct (row_pairs n (L2 ++ L1) Len RR N') as (M & Q & EM).
  { intros D' x ID'. apply AB. apply in_app_or in ID'. apply in_or_app. cbn. tauto. }
  destruct (AB D v) as (M' & Q' & Nv & EM'); [apply in_or_app; cbn; auto | exact Iv |].
  exists (M' ++ M). split; [|split].
  - apply pairing_incl with (D ++ concat (L2 ++ L1)); [|now apply pairing_app].
    intros x. apply Permutation_in. now symmetry.
  - rewrite both_app, in_app_iff. intros [J | J]; [auto|].
    destruct Q as (_ & Q & _). apply Q in J. now apply (X v).
  - rewrite (Permutation_length P), !app_length in *. lia.
Qed.

Lemma odd_class_odd C : odd_class C -> Nat.Odd (length C).
Proof.
  revert C. fix IH 2. intros _ [u | C Cs E O _]; [now exists 0|].
  assert (H : forall l : list (list V), (forall D, In D l -> Nat.Odd (length D)) ->
            (Nat.Even (length l) -> Nat.Even (length (concat l))) /\
            (Nat.Odd (length l) -> Nat.Odd (length (concat l)))).
  { clear. induction l as [|D l IHl]; intros H.
    - split; intros K; [now exists 0 | destruct K as [k K]; cbn in K; lia].
    - destruct (H D (or_introl eq_refl)) as [d Ed].
      destruct IHl as [I1 I2]; [intros; apply H; now right|].
      cbn [concat length]. rewrite app_length. split; intros [k K].
      + destruct I2 as [m I2]; [exists (k - 1); lia|]. exists (d + m + 1). lia.
      + destruct I1 as [m I1]; [exists k; lia|]. exists (d + m). lia. }
  apply H.
  - intros D I. exact (IH D (O D I)).
  - destruct E as [k E]. exists k. cbn. lia.
Qed.

(** ** Trees of classes that grow from the numbers left out *)

(** A root is a class in which one number is left out. A branch is a number a of the barrier, which
    fits a number x of an older class, and a new class with a number r that fits a. *)
Inductive forest : list (list V) -> list V -> nat -> Prop :=
| no_tree : forest [] [] 0
| root C Cs A k : odd_class C -> forest Cs A k -> forest (C :: Cs) A (S k)
| branch a x r C Cs A k : odd_class C -> In r C -> fits a r = true ->
    In x (concat Cs) -> fits a x = true -> forest Cs A k -> forest (C :: Cs) (a :: A) k.

Lemma forest_odd Cs A k : forest Cs A k -> forall C, In C Cs -> Nat.Odd (length C).
Proof. induction 1; [easy | |]; intros D [<- | I]; auto using odd_class_odd. Qed.

Lemma forest_count Cs A k : forest Cs A k -> length Cs = k + length A.
Proof. induction 1; cbn; lia. Qed.

(** The forest pairs up but for one number a root; v is one of the numbers left out. *)
Definition leaves_out (l : list V) (k : nat) (M : list (V * V)) : Prop :=
  pairing l M /\ 2 * length M + k = length l.

Lemma add_pair l M a b :
  pairing l M -> fits a b = true -> a <> b -> ~ In a (both M) -> ~ In b (both M) ->
  In a l -> In b l -> pairing l ((a, b) :: M).
Proof.
  intros (P & Q & R) F D Na Nb Ia Ib. split; [|split].
  - intros x y [K | K]; [now injection K as <- <- | auto].
  - intros x [<- | [<- | K]]; auto.
  - change (NoDup (a :: b :: both M)). constructor; [intros [K | K]; auto|]. now constructor.
Qed.

Lemma not_in_both l M x : pairing l M -> ~ In x l -> ~ In x (both M).
Proof. intros (_ & I & _) N J. auto. Qed.

(** Every number of every class of a forest can be left out. *)
Lemma forest_leaves_out Cs A k : forest Cs A k -> NoDup (concat Cs ++ A) ->
  (exists M, leaves_out (concat Cs ++ A) k M) /\
  (forall v, In v (concat Cs) -> exists M, leaves_out (concat Cs ++ A) k M /\ ~ In v (both M)).
Proof.
  induction 1 as [|C Cs A k O F IH|a x r C Cs A k O Ir Fr Ix Fx F IH]; intros N.
  - split; [|easy]. exists []. split; [apply pairing_nil | reflexivity].
  - cbn [concat] in *. rewrite <- app_assoc in *.
    apply NoDup_app_parts in N. destruct N as (NC & N & X).
    destruct (IH N) as [(M0 & P0 & E0) IHv].
    pose proof (odd_class_all_but C O NC) as AB.
    assert (Join : forall c M, In c C -> leaves_out (concat Cs ++ A) k M ->
      exists M', leaves_out (C ++ concat Cs ++ A) (S k) M' /\ ~ In c (both M') /\
        forall v, ~ In v C -> ~ In v (both M) -> ~ In v (both M')).
    { intros c M Ic [P E]. destruct (AB c Ic) as (M1 & P1 & N1 & E1). exists (M1 ++ M).
      split; [split|split].
      - now apply pairing_app.
      - rewrite !app_length in *. lia.
      - rewrite both_app, in_app_iff. intros [J | J]; [auto|].
        apply (not_in_both _ _ c P); auto.
      - intros v Nv Nm. rewrite both_app, in_app_iff. intros [J | J]; [|auto].
        apply (not_in_both _ _ v P1); auto. }
    destruct C as [|c C]; [apply odd_class_odd in O; destruct O as [m O]; cbn in O; lia|].
    split.
    + destruct (Join c M0) as (M' & L & _); [now left | now split | eauto].
    + intros v I. apply in_app_or in I. destruct I as [I | I].
      * destruct (Join v M0) as (M' & L & Nv & _); [exact I | now split | eauto].
      * destruct (IHv v I) as (M & L & Nv). destruct (Join c M) as (M' & L' & _ & K);
          [now left | exact L |]. exists M'. split; [exact L'|]. apply K; [|exact Nv].
        intros J. apply (X v J). apply in_or_app. now left.
  - cbn [concat] in *.
    assert (Pm : Permutation ((C ++ concat Cs) ++ a :: A) (a :: C ++ concat Cs ++ A)).
    { rewrite app_assoc. symmetry. apply Permutation_middle. }
    apply (Permutation_NoDup Pm) in N. inversion N as [|? ? Na N1]; subst. clear N.
    apply NoDup_app_parts in N1. destruct N1 as (NC & N & X).
    rewrite !in_app_iff in Na.
    destruct (IH N) as [(M0 & P0 & E0) IHv].
    pose proof (odd_class_all_but C O NC) as AB.
    (* a is paired with b, either the x that M leaves out or r; c is left out of the class *)
    assert (Join : forall b c M, In c C -> fits a b = true -> In b (C ++ concat Cs) ->
      leaves_out (concat Cs ++ A) k M -> (b = c \/ (In b (concat Cs) /\ ~ In b (both M))) ->
      exists M', leaves_out ((C ++ concat Cs) ++ a :: A) k M' /\
        forall v, (v = c \/ (~ In v C /\ ~ In v (both M))) -> v <> b -> v <> a ->
          ~ In v (both M')).
    { intros b c M Ic Fb Ib [P E] B. destruct (AB c Ic) as (M1 & P1 & N1 & E1).
      assert (Q : pairing (C ++ concat Cs ++ A) (M1 ++ M)) by now apply pairing_app.
      assert (Nv : forall v, (v = c \/ (~ In v C /\ ~ In v (both M))) -> ~ In v (both (M1 ++ M))).
      { intros v H J. rewrite both_app, in_app_iff in J. destruct J as [J | J].
        - destruct H as [-> | [H _]]; [auto | apply (not_in_both _ _ v P1); auto].
        - destruct H as [-> | [_ H]]; [|auto]. apply (not_in_both _ _ c P); auto. }
      exists ((a, b) :: M1 ++ M). split; [split|].
      - apply pairing_incl with (a :: C ++ concat Cs ++ A).
        { intros y. apply Permutation_in. now symmetry. }
        apply add_pair; auto.
        + revert Q. apply pairing_incl. intros y Y. now right.
        + intros ->. apply in_app_or in Ib. tauto.
        + apply (not_in_both _ _ a Q). rewrite !in_app_iff. tauto.
        + apply Nv. destruct B as [-> | [B1 B2]]; [now left | right]. split; [|exact B2].
          intros J. apply (X b J). apply in_or_app. now left.
        + now left.
        + right. apply in_or_app. apply in_app_or in Ib. rewrite in_app_iff. tauto.
      - rewrite (Permutation_length Pm). cbn [length]. rewrite !app_length in *. lia.
      - intros v H Db Da [J | [J | J]]; [auto | auto |]. now apply (Nv v H). }
    split.
    + destruct (Join r r M0) as (M' & L & _); auto; [apply in_or_app; auto | now split | eauto].
    + intros v I. apply in_app_or in I. destruct I as [I | I].
      * destruct (IHv x Ix) as (M & L & Nx).
        destruct (Join x v M) as (M' & L' & K); auto; [apply in_or_app; auto|].
        exists M'. split; [exact L'|]. apply K; [auto | |].
        -- intros ->. apply (X x I). apply in_or_app. now left.
        -- intros ->. tauto.
      * destruct (IHv v I) as (M & L & Nv).
        assert (NvC : ~ In v C) by (intros J; apply (X v J); apply in_or_app; now left).
        destruct (Join r r M) as (M' & L' & K); auto; [apply in_or_app; auto|].
        exists M'. split; [exact L'|]. apply K; [auto | |]; intros ->; tauto.
Qed.

(** ** The barrier *)

Section Barrier.

Variables (G : list V) (Cs : list (list V)) (A : list V).

(** Nothing is next to a class but itself and the barrier. *)
Definition closed : Prop :=
  forall C v w, In C Cs -> In v C -> In w G -> fits v w = true -> In w C \/ In w A.

Lemma decide_all (P Q : V -> Prop) l : (forall v, In v l -> P v \/ Q v) ->
  (exists v, In v l /\ P v) \/ (forall v, In v l -> Q v).
Proof.
  induction l as [|c l IH]; intros D; [now right|].
  destruct (D c (or_introl eq_refl)) as [H | H]; [left; exists c; split; [now left | auto]|].
  destruct IH as [(v & I & Pv) | H']; [intros v I; apply D; now right | |].
  - left. exists v. split; [now right | auto].
  - right. intros v [<- | I]; auto.
Qed.

(** Of each odd class a number is left out, or has its partner in the barrier. *)
Lemma class_gives C M :
  closed -> In C Cs -> NoDup C -> Nat.Odd (length C) -> pairing G M ->
  exists v, In v C /\ (~ In v (both M) \/ exists w, partners M v w /\ In w A /\ ~ In w C).
Proof.
  intros Cl IC ND Odd P.
  set (P' := fun v => ~ In v (both M) \/ exists w, partners M v w /\ In w A /\ ~ In w C).
  assert (Dec : forall v, In v C -> P' v \/ exists w, partners M v w /\ In w C).
  { intros v I. destruct (in_dec V_dec v (both M)) as [J | J]; [|left; now left].
    pose proof J as J'. apply in_both in J'. destruct J' as [w W].
    destruct (in_dec V_dec w C) as [K | K]; [eauto|]. left. right. exists w. split; [exact W|].
    split; [|exact K]. destruct P as (P1 & P2 & P3).
    destruct (Cl C v w IC I) as [K' | K']; [| |tauto | exact K'].
    - apply P2. apply in_both. exists v. destruct W; [now right | now left].
    - destruct W as [W | W]; [auto | rewrite fits_sym; auto]. }
  assert (All : (exists v, In v C /\ P' v) \/ forall v, In v C -> exists w, partners M v w /\ In w C).
  { now apply decide_all. }
  destruct All as [All | All]; [exact All|]. exfalso.
  (* Otherwise the class pairs up within itself. *)
  set (M' := filter (fun e => if in_dec V_dec (fst e) C then true else false) M).
  assert (IM : forall e, In e M' <-> In e M /\ In (fst e) C).
  { intros e. unfold M'. rewrite filter_In. destruct (in_dec V_dec (fst e) C); intuition easy. }
  destruct P as (P1 & P2 & P3).
  assert (N' : NoDup (both M')).
  { clear - P3. unfold M'. induction M as [|e M IH]; [constructor|].
    cbn [filter]. change (both (e :: M)) with ([fst e; snd e] ++ both M) in P3.
    apply NoDup_app_parts in P3. destruct P3 as (Q1 & Q2 & Q3).
    destruct (in_dec V_dec (fst e) C); [|now apply IH].
    match goal with |- NoDup (both (e :: ?m)) =>
      change (both (e :: m)) with ([fst e; snd e] ++ both m) end.
    apply NoDup_app_join; [exact Q1 | now apply IH |]. intros x Ix Jx. apply (Q3 x Ix).
    apply in_both in Jx. apply in_both. destruct Jx as [w [J | J]]; apply filter_In in J;
      exists w; [left | right]; apply J. }
  assert (U : forall a b c, partners M a b -> partners M a c -> b = c).
  { clear - P3. intros a b c Hb Hc. induction M as [|[x y] M IH]; [now destruct Hb|].
    change (both ((x, y) :: M)) with (x :: y :: both M) in P3.
    inversion P3 as [|? ? Nx N2]; subst. inversion N2 as [|? ? Ny N3]; subst.
    assert (Out : forall p q, partners M p q -> In p (both M)) by (intros p q H; apply in_both; eauto).
    assert (S : forall p q, partners ((x, y) :: M) p q ->
      (p = x /\ q = y) \/ (p = y /\ q = x) \/ partners M p q).
    { intros p q [[H | H] | [H | H]]; [injection H as <- <- | | injection H as <- <- |];
        unfold Chain.partners; auto. }
    cbn in Nx. destruct (S _ _ Hb) as [[-> ->] | [[-> ->] | Hb']];
      destruct (S _ _ Hc) as [[E1 E2] | [[E1 E2] | Hc']]; subst; auto;
      try (exfalso; match goal with
        | H : partners M ?p _ |- _ => apply Out in H; tauto end);
      try (exfalso; apply Nx; now left). }
  assert (EQ : length C = length (both M')).
  { apply Nat.le_antisymm; apply NoDup_incl_length; auto.
    - intros v I. destruct (All v I) as (w & [W | W] & J); apply in_both; exists w;
        [left | right]; apply IM; auto.
    - intros v I. apply in_both in I. destruct I as [w [I | I]]; apply IM in I; cbn in I;
        destruct I as [I J]; [exact J|].
      destruct (All w J) as (v' & W & J'). replace v with v'; [exact J'|].
      apply (U w); [exact W | now left]. }
  rewrite both_length in EQ. destruct Odd as [m Odd]. lia.
Qed.

(** Weak duality: no pairing leaves out fewer numbers than there are odd classes more than numbers
    of the barrier. *)
Theorem weak_duality M :
  closed -> NoDup (concat Cs) -> (forall C, In C Cs -> Nat.Odd (length C)) -> pairing G M ->
  exists X, NoDup X /\ incl X (concat Cs) /\ (forall x, In x X -> ~ In x (both M)) /\
    length Cs <= length X + length A.
Proof.
  intros Cl N Odd P.
  enough (H : forall Ds, incl Ds Cs -> NoDup (concat Ds) -> exists X Y,
    NoDup X /\ incl X (concat Ds) /\ (forall x, In x X -> ~ In x (both M)) /\
    NoDup Y /\ incl Y A /\ (forall y, In y Y -> exists d, In d (concat Ds) /\ partners M d y) /\
    length Ds = length X + length Y).
  { destruct (H Cs (incl_refl _) N) as (X & Y & H1 & H2 & H3 & H4 & H5 & _ & H7).
    exists X. repeat (split; auto). pose proof (NoDup_incl_length H4 H5). lia. }
  induction Ds as [|C Ds IH]; intros I ND.
  { exists [], []. repeat split; auto; try constructor; easy. }
  cbn in ND. apply NoDup_app_parts in ND. destruct ND as (NC & ND & Dis).
  destruct IH as (X & Y & H1 & H2 & H3 & H4 & H5 & H6 & H7); [intros D J; apply I; now right | auto|].
  assert (IC : In C Cs) by (apply I; now left).
  destruct (class_gives C M Cl IC NC (Odd C IC) P) as (v & Iv & [Nv | (w & W & Aw & NwC)]).
  - exists (v :: X), Y. repeat split; auto.
    + constructor; [|exact H1]. intros J. apply (Dis v Iv). auto.
    + intros x [<- | J]; cbn; apply in_or_app; auto.
    + intros x [<- | J]; auto.
    + intros y J. destruct (H6 y J) as (d & K & L). exists d. split; [|exact L].
      cbn. apply in_or_app. auto.
    + cbn. lia.
  - exists X, (w :: Y). repeat split; auto.
    + intros x J. cbn. apply in_or_app. auto.
    + constructor; [|exact H4]. intros J. destruct (H6 w J) as (d & K & L).
      assert (d = v); [|subst; now apply (Dis v Iv)].
      destruct P as (_ & _ & P3). clear - P3 W L. induction M as [|[x y] M IH]; [now destruct W|].
      change (both ((x, y) :: M)) with (x :: y :: both M) in P3.
      inversion P3 as [|? ? Nx N2]; subst. inversion N2 as [|? ? Ny N3]; subst.
      assert (Out : forall p q, partners M p q -> In q (both M)).
      { intros p q H. apply in_both. exists p. destruct H; [now right | now left]. }
      assert (S : forall p q, partners ((x, y) :: M) p q ->
        (p = x /\ q = y) \/ (p = y /\ q = x) \/ partners M p q).
      { intros p q [[H | H] | [H | H]]; [injection H as <- <- | | injection H as <- <- |];
          unfold Chain.partners; auto. }
      cbn in Nx. destruct (S _ _ W) as [[-> ->] | [[-> ->] | W']];
        destruct (S _ _ L) as [[E1 E2] | [[E1 E2] | L']]; subst; auto;
        try (exfalso; match goal with
          | H : partners M _ _ |- _ => apply Out in H; tauto end);
        try (exfalso; apply Nx; now left).
    + intros x [<- | J]; auto.
    + intros y [<- | J].
      * exists v. split; [cbn; apply in_or_app; auto | exact W].
      * destruct (H6 y J) as (d & K & L). exists d. split; [|exact L]. cbn. apply in_or_app. auto.
    + cbn. lia.
Qed.

(** ** Exact grading *)

Variable k : nat.
Variable R : list (V * V).
Hypothesis grown : forest Cs A k.
Hypothesis rest_pairs : forall a b, In (a, b) R -> fits a b = true.
Hypothesis apart : NoDup ((concat Cs ++ A) ++ both R).
Hypothesis whole : Permutation ((concat Cs ++ A) ++ both R) G.
Hypothesis is_closed : closed.

Lemma with_rest M v : leaves_out (concat Cs ++ A) k M ->
  leaves_out G k (M ++ R) /\ (In v (concat Cs) -> ~ In v (both M) -> ~ In v (both (M ++ R))).
Proof.
  destruct (NoDup_app_parts _ _ apart) as (N1 & N2 & N3).
  assert (PR : pairing (both R) R) by (repeat split; auto; now intros x).
  intros [P E]. split; [split|].
  - apply pairing_incl with ((concat Cs ++ A) ++ both R); [|now apply pairing_app].
    intros x. now apply Permutation_in.
  - rewrite <- (Permutation_length whole). rewrite (app_length M), (app_length _ (both R)).
    rewrite both_length. lia.
  - intros I Nv. rewrite both_app, in_app_iff. intros [K | K]; [auto|].
    apply (N3 v); [apply in_or_app; now left | exact K].
Qed.

(** Every pairing leaves out one number a root or more, in the classes. *)
Lemma left_out M : pairing G M ->
  exists X, NoDup (both M ++ X) /\ incl (both M ++ X) G /\ incl X (concat Cs) /\ k <= length X.
Proof.
  intros P. destruct (NoDup_app_parts _ _ apart) as (N1 & _ & _).
  destruct (NoDup_app_parts _ _ N1) as (N2 & _ & _).
  destruct (weak_duality M is_closed N2 (forest_odd _ _ _ grown) P) as (X & X1 & X2 & X3 & X4).
  rewrite (forest_count _ _ _ grown) in X4. exists X. repeat split; [| |exact X2 | lia].
  - apply NoDup_app_join; [apply P | exact X1 |]. intros x I J. now apply (X3 x).
  - intros x I. apply in_app_or in I. destruct I as [I | I]; [now apply P|].
    apply (Permutation_in _ whole). apply in_or_app. left. apply in_or_app. auto.
Qed.

(** With such a certificate, a pairing that leaves out one number a root is a best one. *)
Theorem certified_best M : pairing G M -> 2 * length M + k = length G -> best G M.
Proof.
  intros P E. split; [exact P|]. intros N Q. destruct (left_out N Q) as (X & X1 & X2 & _ & X4).
  pose proof (NoDup_incl_length X1 X2) as L. rewrite app_length, both_length in L. lia.
Qed.

(** Exact grading: the numbers that a best pairing can leave out are those of the classes. *)
Theorem exact_grading u :
  In u G -> ((exists M, best G M /\ ~ In u (both M)) <-> In u (concat Cs)).
Proof.
  intros I. destruct (NoDup_app_parts _ _ apart) as (N1 & _ & _).
  destruct (forest_leaves_out Cs A k grown N1) as [(M0 & L0) H]. split.
  - intros (M & [P B] & Nu). destruct (left_out M P) as (X & X1 & X2 & X3 & X4).
    destruct (in_dec V_dec u (concat Cs)) as [J | J]; [exact J|]. exfalso.
    assert (L : length (u :: both M ++ X) <= length G).
    { apply NoDup_incl_length.
      - constructor; [|exact X1]. rewrite in_app_iff. intros [K | K]; auto.
      - intros x [<- | K]; auto. }
    destruct (with_rest M0 u L0) as [[P0 E0] _]. apply B in P0.
    cbn in L. rewrite app_length, both_length in L. lia.
  - intros J. destruct (H u J) as (M & L & Nu). exists (M ++ R).
    destruct (with_rest M u L) as [[P E] K]. split; [now apply certified_best | auto].
Qed.

End Barrier.

End Grading.

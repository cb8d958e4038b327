(** * Chain games: pair up the numbers, and answer with partners.

    After Fraenkel, Scheinerman and Ullman (1993): undirected vertex geography. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Duels Require Import Games.
Import ListNotations.

Section Chain.

(** Numbers, or whatever is on the board, and which of them fit each other. *)
Variable V : Type.
Variable V_dec : forall x y : V, {x = y} + {x <> y}.
Variable fits : V -> V -> bool.
Hypothesis fits_sym : forall x y, fits x y = fits y x.
Variable opens : V -> bool.

(** A position is the unused numbers and the last one; there is none at the start. *)
Definition position := (list V * option V)%type.

Definition allowed (p : position) : list V :=
  filter (match snd p with Some v => fits v | None => opens end) (fst p).
Definition take (u : V) (p : position) : position := (remove V_dec u (fst p), Some u).
Definition next (p : position) : list position := map (fun u => take u p) (allowed p).
Definition who_moved_last_wins (p : position) : bool := true.

Notation Loses := (loses next who_moved_last_wins).
Notation Wins := (wins next who_moved_last_wins).

(** A pairing: pairs of numbers that fit, no number twice. *)
Definition both (M : list (V * V)) : list V := flat_map (fun e => [fst e; snd e]) M.
Definition pairing (G : list V) (M : list (V * V)) : Prop :=
  (forall a b, In (a, b) M -> fits a b = true) /\ incl (both M) G /\ NoDup (both M).
Definition best (G : list V) (M : list (V * V)) : Prop :=
  pairing G M /\ forall N, pairing G N -> length N <= length M.
Definition partners (M : list (V * V)) (a b : V) : Prop := In (a, b) M \/ In (b, a) M.

(** ** Lists *)

Lemma both_app M N : both (M ++ N) = both M ++ both N.
Proof. apply flat_map_app. Qed.

Lemma both_length M : length (both M) = 2 * length M.
Proof. unfold both. induction M; simpl in *; lia. Qed.

Lemma in_both M v : In v (both M) <-> exists w, partners M v w.
Proof.
  unfold both, partners. rewrite in_flat_map. split.
  - intros [[a b] [I [<- | [<- | []]]]]; cbn; eauto.
  - intros [w [I | I]]; [exists (v, w) | exists (w, v)]; cbn; auto.
Qed.

Lemma in_remove_iff x y l : In x (remove V_dec y l) <-> In x l /\ x <> y.
Proof. split; [apply in_remove | intros [? ?]; now apply in_in_remove]. Qed.

Lemma pairing_incl G H M : incl G H -> pairing G M -> pairing H M.
Proof. intros I (A & B & C). repeat split; auto. intros x X. auto. Qed.

Lemma pairing_nil G : pairing G [].
Proof. repeat split; [easy | easy | constructor]. Qed.

Lemma pairing_bound G M : pairing G M -> 2 * length M <= length G.
Proof. intros (_ & I & N). rewrite <- both_length. now apply NoDup_incl_length. Qed.

(** A pair is added. *)
Lemma pairing_cons G M a b :
  pairing G M -> fits a b = true -> a <> b -> ~ In a G -> ~ In b G ->
  pairing (a :: b :: G) ((a, b) :: M).
Proof.
  intros (A & I & N) F D Ia Ib. split; [|split].
  - intros x y [E | J]; [now injection E as <- <- | auto].
  - cbn. intros x [<- | [<- | J]]; cbn; auto.
  - cbn. constructor; [intros [E | J]; auto|]. constructor; auto.
Qed.

(** Two pairings of different numbers are one pairing. *)
Lemma pairing_app G H M N :
  pairing G M -> pairing H N -> (forall x, In x G -> ~ In x H) -> pairing (G ++ H) (M ++ N).
Proof.
  intros (A & I & D) (A' & I' & D') X. split; [|split].
  - intros a b J. apply in_app_or in J. destruct J; auto.
  - rewrite both_app. intros x J. apply in_or_app. apply in_app_or in J. destruct J; auto.
  - rewrite both_app. clear A A'. induction (both M) as [|x l IH]; [exact D'|].
    cbn. inversion D; subst. constructor.
    + rewrite in_app_iff. intros [J | J]; [auto|]. apply (X x); [apply I; now left | auto].
    + apply IH; [|assumption]. intros y Y. apply I. now right.
Qed.

(** A number of a pairing has a partner, and without the two it is a pairing of the rest. *)
Lemma unpair G M u :
  pairing G M -> In u (both M) ->
  exists w M', partners M u w /\ fits u w = true /\ w <> u /\ In w G /\
    pairing (remove V_dec w (remove V_dec u G)) M' /\ length M = S (length M') /\
    incl M' M /\ (forall x, In x (both M) -> x = u \/ x = w \/ In x (both M')).
Proof.
  intros (A & I & N) U. apply in_both in U. destruct U as [w P].
  assert (S : exists M1 M2 e, M = M1 ++ e :: M2 /\ (e = (u, w) \/ e = (w, u))).
  { destruct P as [P | P]; apply in_split in P; destruct P as (M1 & M2 & ->);
      exists M1, M2; eauto. }
  destruct S as (M1 & M2 & e & E & Ee).
  assert (X : Permutation (both M) (u :: w :: both (M1 ++ M2))).
  { rewrite E, !both_app. change (both (e :: M2)) with (fst e :: snd e :: both M2). symmetry.
    destruct Ee as [-> | ->]; [|eapply perm_trans; [apply perm_swap|]];
      (eapply perm_trans; [|apply Permutation_middle]); apply perm_skip, Permutation_middle. }
  pose proof (Permutation_NoDup X N) as N'. inversion N' as [|? ? Nu N'' Eu]; subst.
  inversion N'' as [|? ? Nw N3 Ew]; subst.
  exists w, (M1 ++ M2). repeat split.
  - exact P.
  - destruct P as [P | P]; [auto | rewrite fits_sym; auto].
  - intros ->. apply Nu. now left.
  - apply I. apply in_both. exists u. destruct P; [now right | now left].
  - intros a b J. apply A. apply in_app_or in J. apply in_or_app. cbn. tauto.
  - intros x J. rewrite !in_remove_iff.
    assert (K : In x (u :: w :: both (M1 ++ M2))) by (now right; right).
    apply (Permutation_in _ (Permutation_sym X)) in K. split; [split; [auto|] |].
    + intros ->. apply Nu. now right.
    + intros ->. auto.
  - exact N3.
  - rewrite !app_length. cbn. lia.
  - intros x J. apply in_app_or in J. apply in_or_app. cbn. tauto.
  - intros x J. apply (Permutation_in _ X) in J. cbn in J. destruct J as [<- | [<- | J]]; auto.
Qed.

(** Among finitely many there is a best: every board has a best pairing. *)
Lemma best_exists G : exists M, best G M.
Proof.
  (* By trying every partner of the first number. *)
  remember (length G) as n eqn:E. assert (L : length G <= n) by lia. clear E. revert G L.
  induction n; intros G L.
  - destruct G; [|cbn in L; lia]. exists []. split; [apply pairing_nil|].
    intros N Q. apply pairing_bound in Q. cbn in Q. lia.
  - destruct G as [|x H]; [exists []; split; [apply pairing_nil | intros N Q;
      apply pairing_bound in Q; cbn in Q; lia]|]. cbn in L.
    (* the best that leaves x out, or pairs it with one of ws *)
    set (H' := remove V_dec x H).
    assert (LH : length H' <= n)
      by (pose proof (remove_length_le V_dec H x); unfold H'; lia).
    assert (K : forall ws, exists M, pairing (x :: H) M /\
      (forall N, pairing H' N -> length N <= length M) /\
      (forall w N, In w ws -> In w H' -> fits x w = true ->
         pairing (remove V_dec w H') N -> S (length N) <= length M)).
    { induction ws as [|w ws (M & P & A & B)].
      - destruct (IHn H' LH) as (M & P & A). exists M. split; [|split; [exact A | easy]].
        revert P. apply pairing_incl. intros y Y. right. now apply in_remove in Y.
      - destruct (in_dec V_dec w H') as [I|I].
        2:{ exists M. repeat (split; auto). intros w' N [<- | J] K; [easy | eauto]. }
        destruct (fits x w) eqn:F.
        2:{ exists M. repeat (split; auto). intros w' N [<- | J] K F'; [congruence | eauto]. }
        destruct (IHn (remove V_dec w H')) as (M2 & P2 & A2).
        { pose proof (remove_length_lt V_dec H' w I). lia. }
        destruct (le_lt_dec (S (length M2)) (length M)) as [J | J].
        + exists M. split; [exact P|]. split; [exact A|].
          intros w' N [<- | K] I' F' Q; [apply A2 in Q; lia | eauto].
        + exists ((x, w) :: M2). assert (x <> w) by (intros ->; now apply remove_In in I).
          split; [|split; cbn].
          * apply pairing_incl with (x :: w :: remove V_dec w H').
            -- intros y [<- | [<- | Y]]; [now left | right; now apply in_remove in I |].
               right. apply in_remove in Y. now apply (in_remove V_dec H y x).
            -- apply pairing_cons; auto; [|apply remove_In].
               intros Y. apply in_remove in Y. destruct Y as [Y _]. now apply remove_In in Y.
          * intros N Q. apply A in Q. lia.
          * intros w' N [<- | K] I' F' Q; [apply A2 in Q; lia|].
            pose proof (B w' N K I' F' Q). lia. }
    destruct (K H) as (M & P & A & B). exists M. split; [exact P|]. intros N Q.
    destruct (in_dec V_dec x (both N)) as [I | I].
    + destruct (unpair _ _ _ Q I) as (w & N' & _ & F & D & Iw & Q' & -> & _).
      apply (B w N'); auto.
      * destruct Iw as [<- | Iw]; [easy | exact Iw].
      * apply in_remove_iff. split; [|exact D]. destruct Iw as [<- | Iw]; [easy | exact Iw].
      * revert Q'. apply pairing_incl. intros y Y. rewrite in_remove_iff in *.
        destruct Y as [Y Y']. split; [|exact Y']. cbn in Y. now destruct (V_dec x x) in Y.
    + apply A. destruct Q as (Q1 & Q2 & Q3). split; [auto | split; [|auto]].
      intros y Y. apply in_remove_iff. assert (y <> x) by (intros ->; auto).
      split; [|auto]. destruct (Q2 y Y); [now subst | auto].
Qed.

(** ** The theorem *)

(** u raises H if with u one more pair can be made. *)
Definition raises (H : list V) (u : V) : Prop :=
  exists M, pairing (u :: H) M /\ forall N, pairing H N -> length N < length M.

Definition raises_not (H : list V) (u : V) : Prop :=
  forall M, pairing (u :: H) M -> exists N, pairing H N /\ length M <= length N.

Lemma raises_or_not H u : raises H u \/ raises_not H u.
Proof.
  destruct (best_exists H) as (N & P & A). destruct (best_exists (u :: H)) as (M & Q & B).
  destruct (le_lt_dec (length M) (length N)) as [L | L].
  - right. intros M' Q'. exists N. split; [exact P|]. apply B in Q'. lia.
  - left. exists M. split; [exact Q|]. intros N' P'. apply A in P'. lia.
Qed.

Lemma in_next H u q :
  In q (next (H, Some u)) <->
  exists w, In w H /\ fits u w = true /\ q = (remove V_dec w H, Some w).
Proof.
  unfold next, allowed, take. cbn. rewrite in_map_iff. split.
  - intros (w & <- & I). apply filter_In in I. exists w. tauto.
  - intros (w & I & F & ->). exists w. split; [reflexivity|]. apply filter_In. tauto.
Qed.

(** After u, with H unused: who moves wins if u raises H, and loses otherwise. *)
Lemma geography n : forall H u, length H <= n -> ~ In u H ->
  (raises H u -> Wins (H, Some u)) /\ (raises_not H u -> Loses (H, Some u)).
Proof.
  induction n as [|n IH]; intros H u L Nu.
  { destruct H; [|cbn in L; lia]. split.
    - intros (M & P & A). specialize (A [] (pairing_nil _)). apply pairing_bound in P.
      cbn in P. lia.
    - intros _. constructor; [reflexivity | easy]. }
  assert (Step : forall w, In w H ->
    (raises (remove V_dec w H) w -> Wins (remove V_dec w H, Some w)) /\
    (raises_not (remove V_dec w H) w -> Loses (remove V_dec w H, Some w))).
  { intros w I. apply IH; [|apply remove_In]. pose proof (remove_length_lt V_dec H w I). lia. }
  split.
  - intros (M & P & A). destruct (in_dec V_dec u (both M)) as [I | I].
    2:{ assert (Q : pairing H M). { destruct P as (P1 & P2 & P3). split; [auto|split; [|auto]].
        intros x X. destruct (P2 x X); [now subst | auto]. } apply A in Q. lia. }
    destruct (unpair _ _ _ P I) as (w & M' & _ & F & D & Iw & P' & E & _).
    destruct Iw as [<- | Iw]; [easy|].
    apply wins_by_a_move with (remove V_dec w H, Some w).
    { apply in_next. exists w. auto. }
    apply Step; [exact Iw|]. intros N Q. exists M'. split.
    + revert P'. apply pairing_incl. intros y Y. rewrite in_remove_iff in *. destruct Y as [Y Y'].
      apply in_remove in Y. split; [|exact Y']. destruct Y as [[<- | Y] Z]; [easy | exact Y].
    + enough (length N < length M) by lia. apply A. revert Q. apply pairing_incl.
      intros y [<- | Y]; [exact Iw | now apply in_remove in Y].
  - intros R. constructor; [reflexivity|]. intros q Q. apply in_next in Q.
    destruct Q as (w & Iw & F & ->). apply Step; [exact Iw|].
    destruct (raises_or_not (remove V_dec w H) w) as [|R']; [assumption|]. exfalso.
    destruct (best_exists H) as (N & P & A).
    destruct (R' N) as (N' & P' & L').
    { revert P. apply pairing_incl. intros y Y. cbn. rewrite in_remove_iff.
      destruct (V_dec w y); [now left | right; split; auto]. }
    assert (u <> w) by (intros ->; auto).
    destruct (R ((u, w) :: N')) as (N'' & P'' & L'').
    { apply pairing_incl with (u :: w :: remove V_dec w H).
      - intros y [<- | [<- | Y]]; [now left | now right | right; now apply in_remove in Y].
      - apply pairing_cons; auto; [|apply remove_In]. intros Y. apply in_remove in Y. tauto. }
    apply A in P''. cbn in L''. lia.
Qed.

(** A number wins, when it is taken, if and only if some best pairing of the unused numbers
    leaves it out. *)
Theorem taking_wins G u :
  In u G -> (Loses (remove V_dec u G, Some u) <-> exists M, best G M /\ ~ In u (both M)).
Proof.
  intros I. set (H := remove V_dec u G).
  destruct (geography (length H) H u (le_n _) (remove_In V_dec G u)) as [W L].
  assert (GH : incl G (u :: H)).
  { intros y Y. cbn. unfold H. rewrite in_remove_iff. destruct (V_dec u y); auto. }
  assert (HG : incl (u :: H) G).
  { intros y [<- | Y]; [exact I | now apply in_remove in Y]. }
  split.
  - intros Lo. destruct (raises_or_not H u) as [R | R].
    { exfalso. eapply never_both; [apply W; exact R | exact Lo]. }
    destruct (best_exists H) as (M & P & A). exists M. split; [split|].
    + revert P. apply pairing_incl. intros y Y. now apply in_remove in Y.
    + intros N Q. destruct (R N (pairing_incl _ _ _ GH Q)) as (N' & P' & L').
      apply A in P'. lia.
    + destruct P as (_ & P & _). intros J. apply P in J. now apply remove_In in J.
  - intros (M & [P A] & N). apply L. intros M' Q. exists M. split.
    + destruct P as (P1 & P2 & P3). split; [auto | split; [|auto]]. intros y Y.
      apply in_remove_iff. split; [auto | intros ->; auto].
    + apply A. now apply (pairing_incl (u :: H)).
Qed.

(** ** Partners *)

(** Whoever has taken u and answers every number with its partner in M never runs out first. *)
Inductive partners_win (M : list (V * V)) : list V -> V -> Prop :=
| answer_with_partner H u :
    (forall w, In w H -> fits u w = true ->
       exists w', partners M w w' /\ In w' (remove V_dec w H) /\ fits w w' = true /\
         partners_win M (remove V_dec w' (remove V_dec w H)) w') ->
    partners_win M H u.

Lemma partners_win_from M n : forall M' H u, length H <= n -> ~ In u H ->
  incl M' M -> best (u :: H) M' -> ~ In u (both M') -> partners_win M H u.
Proof.
  induction n as [|n IH]; intros M' H u L Nu I [P A] Mu; constructor; intros w Iw F.
  { destruct H; [easy | cbn in L; lia]. }
  assert (D : u <> w) by (intros ->; auto).
  destruct (in_dec V_dec w (both M')) as [J | J].
  2:{ exfalso. assert (Q : pairing (u :: H) ((u, w) :: M')).
      { destruct P as (P1 & P2 & P3). split; [|split].
        - intros a b [E | K]; [now injection E as <- <- | auto].
        - cbn. intros x [<- | [<- | K]]; [now left | now right | auto].
        - cbn. constructor; [intros [E | K]; auto|]. now constructor. }
      apply A in Q. cbn in Q. lia. }
  destruct (unpair _ _ _ P J) as (w' & M2 & Pw & F' & D' & Iw' & P2 & E & I2 & C).
  assert (W' : w' <> u).
  { intros ->. apply Mu. apply in_both. exists w. destruct Pw; [now right | now left]. }
  assert (K : In w' (remove V_dec w H)).
  { apply in_remove_iff. split; [|exact D']. destruct Iw' as [<- | ?]; [easy | auto]. }
  exists w'. split; [|split; [exact K | split; [exact F'|]]].
  { destruct Pw; [left | right]; auto. }
  assert (Nw' : ~ In w' (both M2)).
  { intros X. destruct P2 as (_ & P2 & _). apply P2 in X. now apply remove_In in X. }
  apply (IH M2); auto.
  - pose proof (remove_length_lt V_dec H w Iw).
    pose proof (remove_length_lt V_dec _ w' K). lia.
  - apply remove_In.
  - intros x X. auto.
  - split.
    + destruct P2 as (Q1 & Q2 & Q3). split; [auto | split; [|auto]]. intros y Y.
      pose proof (Q2 y Y) as Z. rewrite !in_remove_iff in Z. right. rewrite !in_remove_iff.
      destruct Z as [[Z Z1] Z2]. repeat split; auto. destruct Z as [<- | Z]; [|auto].
      exfalso. apply Mu. apply in_both in Y. apply in_both. destruct Y as [z [Y | Y]];
        exists z; [left | right]; auto.
    + intros N Q. enough (X : pairing (u :: H) ((u, w) :: N)) by (apply A in X; cbn in X; lia).
      apply pairing_incl with (u :: w :: remove V_dec w H).
      { intros y [<- | [<- | Y]]; [now left | now right | right; now apply in_remove in Y]. }
      apply pairing_cons; auto; [|intros Y; apply in_remove in Y; tauto | apply remove_In].
      revert Q. apply pairing_incl. intros y [<- | Y]; [exact K | now apply in_remove in Y].
Qed.

(** The trick of partners: take a number that a best pairing leaves out, and from then on answer
    every number with its partner in that one pairing. You never run out first. *)
Theorem partner_strategy G M u :
  best G M -> In u G -> ~ In u (both M) -> partners_win M (remove V_dec u G) u.
Proof.
  intros [P A] I N. apply partners_win_from with (length (remove V_dec u G)) M; auto;
    [apply remove_In | now intros x | split].
  - revert P. apply pairing_incl. intros y Y. cbn. rewrite in_remove_iff.
    destruct (V_dec u y); auto.
  - intros M' Q. apply A. revert Q. apply pairing_incl.
    intros y [<- | Y]; [exact I | now apply in_remove in Y].
Qed.

(** Whoever can answer with partners wins, by the rules. *)
Theorem partners_really_win M H u : partners_win M H u -> Loses (H, Some u).
Proof.
  revert H u. fix IH 3. intros H u [H' u' A]. constructor; [reflexivity|]. intros q Q.
  apply in_next in Q. destruct Q as (w & I & F & ->).
  destruct (A w I F) as (w' & _ & I' & F' & P).
  apply wins_by_a_move with (remove V_dec w' (remove V_dec w H'), Some w').
  - apply in_next. exists w'. auto.
  - exact (IH _ _ P).
Qed.

(** A board of which every number opens the game is lost for the first player if and only if
    all its numbers pair up. *)
Theorem first_player_loses G :
  NoDup G -> (forall u, In u G -> opens u = true) ->
  (Loses (G, None) <-> exists M, pairing G M /\ 2 * length M = length G).
Proof.
  intros ND O. destruct (best_exists G) as (M & P & A). split.
  - intros L. exists M. split; [exact P|]. pose proof (pairing_bound _ _ P).
    destruct (le_lt_dec (length G) (2 * length M)) as [|K]; [lia|]. exfalso.
    assert (X : exists u, In u G /\ ~ In u (both M)).
    { destruct (Exists_dec (fun u => ~ In u (both M)) G) as [E | E].
      - intros u. destruct (in_dec V_dec u (both M)); [right | left]; auto.
      - apply Exists_exists in E. exact E.
      - exfalso. rewrite <- both_length in K. apply (Nat.lt_irrefl (length G)).
        apply Nat.le_lt_trans with (length (both M)); [|exact K].
        apply NoDup_incl_length; [exact ND|]. intros u I.
        destruct (in_dec V_dec u (both M)); [auto|]. exfalso. apply E. apply Exists_exists. eauto. }
    destruct X as (u & I & N). apply (never_both _ next who_moved_last_wins (G, None)); [|exact L].
    apply wins_by_a_move with (remove V_dec u G, Some u).
    + unfold next, allowed, take. cbn. apply in_map_iff. exists u. split; [reflexivity|].
      apply filter_In. auto.
    + apply taking_wins; [exact I|]. exists M. split; [now split | exact N].
  - intros (N & Q & E). constructor; [reflexivity|]. intros q I.
    unfold next, allowed, take in I. cbn in I. apply in_map_iff in I.
    destruct I as (u & <- & I). apply filter_In in I. destruct I as [I _].
    set (H := remove V_dec u G).
    destruct (geography (length H) H u (le_n _) (remove_In V_dec G u)) as [W _]. apply W.
    exists N. split.
    + revert Q. apply pairing_incl. intros y Y. cbn. unfold H. rewrite in_remove_iff.
      destruct (V_dec u y); auto.
    + intros N' Q'. apply pairing_bound in Q'. pose proof (remove_length_lt V_dec G u I).
      unfold H in *. lia.
Qed.

End Chain.

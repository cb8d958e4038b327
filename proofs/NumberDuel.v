(** * Number Duel with the rule book's criteria: who wins on every board from 14 numbers on. *)

From Coq Require Import List Arith Lia Bool NArith PArith.
From Duels Require Import Games Chain Rules.
Import ListNotations.
Open Scope N_scope.

Notation fit := (fits [Factor; Digit]).
Notation pairs_of := (Chain.pairing positive fit).

(** All numbers of a list can be paired. *)
Definition pairs_up (S : list positive) : Prop :=
  exists M, pairs_of S M /\ (2 * length M = length S)%nat.

(** ** Numbers that fit *)

Definition has_digit (c : N) (x : positive) : bool := existsb (N.eqb c) (digits (Npos x)).

Lemma one_fits x : x <> 1%positive -> fit 1 x = true.
Proof.
  intros D. unfold fits. apply andb_true_iff. split; [apply negb_true_iff, Pos.eqb_neq; congruence|].
  cbn [existsb meets]. unfold multiple_or_factor. rewrite N.mod_1_r. cbn. now rewrite orb_true_r.
Qed.

Lemma digit_fits c x y : x <> y -> has_digit c x = true -> has_digit c y = true -> fit x y = true.
Proof.
  intros D X Y. unfold fits. apply andb_true_iff. split; [now apply negb_true_iff, Pos.eqb_neq|].
  cbn [existsb meets]. rewrite orb_false_r. apply orb_true_iff. right.
  unfold share_a_digit, has_digit in *. apply existsb_exists in X. destruct X as (d & I & E).
  apply N.eqb_eq in E. subst d. apply existsb_exists. exists c. now split.
Qed.

(** The leading digit. *)
Definition lead (x : positive) : N := last (digits (Npos x)) 0.

Lemma size_bound x : Npos x < 2 ^ N.of_nat (Pos.size_nat x).
Proof.
  induction x; cbn [Pos.size_nat]; rewrite ?Nat2N.inj_succ, ?N.pow_succ_r'; lia.
Qed.

Lemma lead_of k : forall a, 1 <= a < 2 ^ N.of_nat k ->
  In (last (digits_of k a) 0) (digits_of k a) /\ 1 <= last (digits_of k a) 0 <= 9.
Proof.
  induction k as [|k IH]; intros a H; [cbn in H; lia|]. cbn [digits_of].
  destruct (a <? 10) eqn:E; [apply N.ltb_lt in E; cbn; split; [now left | lia]|].
  apply N.ltb_ge in E. rewrite Nat2N.inj_succ, N.pow_succ_r' in H.
  assert (B : 1 <= a / 10 < 2 ^ N.of_nat k).
  { split; [apply N.div_le_lower_bound; lia | apply N.div_lt_upper_bound; lia]. }
  destruct (IH _ B) as [I J]. destruct (digits_of k (a / 10)) as [|d l]; [easy|].
  change (last (a mod 10 :: d :: l) 0) with (last (d :: l) 0). split; [now right | exact J].
Qed.

Lemma lead_right x : has_digit (lead x) x = true /\ 1 <= lead x <= 9.
Proof.
  assert (B : 1 <= Npos x < 2 ^ N.of_nat (N.size_nat (Npos x))).
  { split; [lia | apply size_bound]. }
  destruct (lead_of _ _ B) as [I J]. split; [|exact J]. unfold has_digit.
  apply existsb_exists. exists (lead x). split; [exact I | apply N.eqb_refl].
Qed.

(** ** Classes of even size *)

Fixpoint by_twos (l : list positive) : list (positive * positive) :=
  match l with x :: y :: l => (x, y) :: by_twos l | _ => [] end.

Lemma clique_pairs_up k : forall l, (length l <= k)%nat -> NoDup l ->
  Nat.even (length l) = true -> (forall x y, In x l -> In y l -> x <> y -> fit x y = true) ->
  pairs_up l.
Proof.
  induction k as [|k IH]; intros [|x [|y l]] L N E F; cbn in L; try discriminate E;
    try (exists []; split; [apply Chain.pairing_nil | reflexivity]); try lia.
  inversion N as [|? ? Nx N']; subst. inversion N' as [|? ? Ny N'']; subst.
  destruct (IH l) as (M & P & S); [lia | exact N'' | exact E | intros; apply F; cbn; auto |].
  exists ((x, y) :: M). split; [|cbn; lia].
  apply Chain.pairing_cons; auto.
  - apply F; [now left | right; now left | intros ->; apply Nx; now left].
  - intros ->. apply Nx. now left.
  - intros I. apply Nx. now right.
Qed.

Section Classes.

Variable S : list positive.
Hypothesis distinct : NoDup S.
Variable class : positive -> N.
Hypothesis cliques :
  forall x y, In x S -> In y S -> x <> y -> class x = class y -> fit x y = true.

Definition members (c : N) : list positive := filter (fun x => class x =? c) S.
Definition members_of (cs : list N) : list positive :=
  filter (fun x => existsb (N.eqb (class x)) cs) S.

Lemma pairs_up_app k l : pairs_up k -> pairs_up l -> (forall x, In x k -> ~ In x l) ->
  pairs_up (k ++ l).
Proof.
  intros (M & P & A) (M' & P' & A') D. exists (M ++ M'). split; [now apply Chain.pairing_app|].
  rewrite !app_length. lia.
Qed.

Lemma pairs_up_same k l : pairs_up k -> incl k l -> length k = length l -> pairs_up l.
Proof.
  intros (M & P & A) I L. exists M. split; [now apply (Chain.pairing_incl _ _ k) | lia].
Qed.

Lemma split_length (f g : positive -> bool) :
  (forall x, In x S -> f x = true -> g x = false) ->
  length (filter (fun x => f x || g x) S) = (length (filter f S) + length (filter g S))%nat.
Proof.
  clear distinct cliques. induction S as [|x l IH]; intros D; [reflexivity|]. cbn.
  assert (IH' : length (filter (fun x => f x || g x) l) =
    (length (filter f l) + length (filter g l))%nat) by (apply IH; intros; apply D; [now right | auto]).
  specialize (D x (or_introl eq_refl)).
  destruct (f x), (g x); cbn; lia.
Qed.

Lemma members_pair_up cs : NoDup cs ->
  (forall c, In c cs -> Nat.even (length (members c)) = true) -> pairs_up (members_of cs).
Proof.
  induction cs as [|c cs IH]; intros N E.
  { unfold members_of. cbn. replace (filter (fun _ => false) S) with (@nil positive).
    - exists []. split; [apply Chain.pairing_nil | reflexivity].
    - clear. now induction S. }
  inversion N as [|? ? Nc N']; subst.
  assert (P : pairs_up (members c)).
  { apply clique_pairs_up with (length (members c)); auto.
    - now apply NoDup_filter.
    - apply E. now left.
    - intros x y X Y D. apply filter_In in X, Y. destruct X as [X Cx], Y as [Y Cy].
      apply N.eqb_eq in Cx, Cy. apply cliques; congruence. }
  assert (Q : pairs_up (members_of cs)) by (apply IH; [exact N' | intros; apply E; now right]).
  assert (D : forall x, In x S -> (class x =? c) = true -> existsb (N.eqb (class x)) cs = false).
  { intros x _ X. apply N.eqb_eq in X. apply not_true_iff_false. intros Y.
    apply existsb_exists in Y. destruct Y as (d & I & Y). apply N.eqb_eq in Y. congruence. }
  apply pairs_up_same with (members c ++ members_of cs).
  - apply pairs_up_app; auto. intros x X Y. apply filter_In in X, Y.
    destruct X as [X Cx], Y as [_ Cy]. rewrite (D x X Cx) in Cy. discriminate.
  - intros x X. apply in_app_or in X. unfold members_of. rewrite filter_In. cbn.
    unfold members, members_of in X. rewrite !filter_In in X. rewrite orb_true_iff. tauto.
  - rewrite app_length. unfold members_of. cbn. symmetry. apply split_length. exact D.
Qed.

(** If all classes but one are even, and so is the whole, everything can be paired. *)
Lemma all_pair_up c cs : NoDup (c :: cs) -> (forall x, In x S -> In (class x) (c :: cs)) ->
  (forall d, In d cs -> Nat.even (length (members d)) = true) ->
  Nat.even (length S) = true -> pairs_up S.
Proof.
  intros N A E W.
  assert (Q : pairs_up (members_of cs)).
  { inversion N; subst. now apply members_pair_up. }
  assert (T : filter (fun x => existsb (N.eqb (class x)) (c :: cs)) S = S).
  { clear - A. induction S as [|x l IH]; [reflexivity|]. cbn [filter].
    replace (existsb (N.eqb (class x)) (c :: cs)) with true.
    - f_equal. apply IH. intros y Y. apply A. now right.
    - symmetry. apply existsb_exists. exists (class x).
      split; [apply A; now left | apply N.eqb_refl]. }
  assert (L : length S = (length (members c) + length (members_of cs))%nat).
  { rewrite <- T at 1. cbn [existsb]. apply split_length. intros x _ X. apply N.eqb_eq in X.
    apply not_true_iff_false. intros Y. apply existsb_exists in Y. destruct Y as (d & I & Y).
    apply N.eqb_eq in Y. inversion N as [|? ? Nc _]; subst. congruence. }
  rewrite <- T. apply members_pair_up; [exact N|]. intros d [<- | I]; [|auto].
  destruct Q as (M & _ & H). rewrite L, <- H in W.
  rewrite Nat.even_add, Nat.even_mul in W. cbn in W. now destruct (Nat.even (length (members c))).
Qed.

End Classes.

(** ** Lists of numbers *)

Lemma count_one x l : NoDup l -> In x l ->
  length (filter (fun y => (x =? y)%positive) l) = 1%nat.
Proof.
  induction l as [|y l IH]; intros N I; [easy|]. inversion N as [|? ? Ny N']; subst. cbn.
  destruct (Pos.eqb_spec x y) as [-> | D].
  - cbn. f_equal. clear - Ny. induction l as [|z l IH]; [reflexivity|]. cbn.
    destruct (Pos.eqb_spec y z) as [-> | D]; [exfalso; apply Ny; now left|].
    apply IH. intros I. apply Ny. now right.
  - destruct I as [-> | I]; [easy | auto].
Qed.

Lemma nodup_from k : forall w, NoDup (from k w).
Proof.
  induction k as [|k IH]; intros w; cbn; constructor; auto. rewrite in_from, Pos2Nat.inj_succ. lia.
Qed.

Lemma nodup_remove (x : positive) l : NoDup l -> NoDup (remove Pos.eq_dec x l).
Proof.
  induction 1 as [|y l Ny N IH]; cbn; [constructor|].
  destruct (Pos.eq_dec x y); [exact IH|]. constructor; [|exact IH].
  intros I. apply in_remove in I. tauto.
Qed.

(** ** From 19 on: group by leading digit, and move a switch where a group is odd *)

Definition big : list N := [2; 3; 4; 5; 6; 7; 8; 9].
Arguments big : simpl never.

Section Switches.

Variables n v : positive.
Hypothesis large : (19 <= n)%positive.
Let S := remove Pos.eq_dec v (board n).

(** The numbers 12 to 19 fit two groups each; where v is missing, 1 takes its place. *)
Definition teen (c : N) : positive := match c with N0 => 10 | Npos p => 10 + p end.
Definition switch (c : N) : positive := if (v =? teen c)%positive then 1 else teen c.
Definition group (c : N) : list positive := filter (fun x => lead x =? c) S.
Definition moves_to (c : N) (x : positive) : bool :=
  (switch c =? x)%positive && Nat.odd (length (group c)).
Definition class (x : positive) : N :=
  match find (fun c => moves_to c x) big with Some c => c | None => lead x end.

Ltac each_digit I := unfold big in I; cbn in I; decompose [or] I; subst; try easy; clear I.

Lemma teen_digit c : In c big -> has_digit c (teen c) = true /\ lead (teen c) = 1 /\
  (11 <= teen c <= 19)%positive.
Proof. intros I. each_digit I; (split; [reflexivity | split; [reflexivity | cbn; lia]]). Qed.

Lemma in_S x : In x S <-> (x <= n)%positive /\ x <> v.
Proof. unfold S. rewrite Chain.in_remove_iff, in_board. tauto. Qed.

Lemma switch_in c : In c big -> In (switch c) S /\ lead (switch c) = 1.
Proof.
  intros I. destruct (teen_digit c I) as (_ & L & B). unfold switch. rewrite in_S.
  destruct (v =? teen c)%positive eqn:E.
  - apply Pos.eqb_eq in E. split; [split; lia | reflexivity].
  - apply Pos.eqb_neq in E. repeat split; auto. lia.
Qed.

Lemma switch_distinct c d : In c big -> In d big -> switch c = switch d -> c = d.
Proof.
  intros I J. unfold switch. destruct (teen_digit c I) as (_ & _ & B), (teen_digit d J) as (_ & _ & B').
  assert (T : teen c = teen d -> c = d).
  { clear B B'. intros T. each_digit I; each_digit J. }
  destruct (Pos.eqb_spec v (teen c)), (Pos.eqb_spec v (teen d)); intros E; try lia; apply T; congruence.
Qed.

Lemma class_digit x : has_digit (class x) x = true \/ x = 1%positive.
Proof.
  unfold class. destruct (find _ big) as [c|] eqn:F; [|left; apply lead_right].
  apply find_some in F. destruct F as [I F]. apply andb_true_iff in F. destruct F as [F _].
  apply Pos.eqb_eq in F. subst x. unfold switch.
  destruct (v =? teen c)%positive; [now right | left]. now apply teen_digit.
Qed.

Lemma class_of_big c x : In c big ->
  (class x =? c) = (lead x =? c) || moves_to c x.
Proof.
  intros I. unfold class. destruct (find _ big) as [d|] eqn:F.
  - apply find_some in F. destruct F as [J F]. pose proof F as F'.
    apply andb_true_iff in F. destruct F as [F O]. apply Pos.eqb_eq in F. subst x.
    destruct (switch_in d J) as [_ L]. rewrite L.
    assert (X : (1 =? c) = false) by (clear - I; apply N.eqb_neq; intros <-; each_digit I).
    rewrite X. cbn [orb]. destruct (N.eqb_spec d c) as [-> | D]; [now rewrite F'|].
    symmetry. unfold moves_to. apply andb_false_iff. left. apply Pos.eqb_neq.
    intros E. apply switch_distinct in E; auto.
  - rewrite (find_none _ _ F c I). now rewrite orb_false_r.
Qed.

Lemma distinct_S : NoDup S.
Proof. apply nodup_remove, nodup_from. Qed.

Lemma class_even c : In c big -> Nat.even (length (members S class c)) = true.
Proof.
  intros I. unfold members. rewrite (filter_ext _ _ (fun x => class_of_big c x I)).
  destruct (switch_in c I) as [W L]. rewrite split_length.
  2:{ intros x _ X. unfold moves_to. apply andb_false_iff. left. apply Pos.eqb_neq.
      intros <-. rewrite L in X. clear - I X. apply N.eqb_eq in X. subst c. each_digit I. }
  unfold moves_to. fold (group c). destruct (Nat.odd (length (group c))) eqn:O.
  - rewrite (filter_ext _ (fun x => (switch c =? x)%positive)) by (intros; apply andb_true_r).
    rewrite count_one by (auto using distinct_S). rewrite Nat.add_1_r, Nat.even_succ. exact O.
  - rewrite (filter_ext _ (fun _ => false)) by (intros; apply andb_false_r).
    replace (filter (fun _ => false) S) with (@nil positive) by (clear; now induction S).
    rewrite Nat.add_0_r, <- Nat.negb_odd, O. reflexivity.
Qed.

Lemma large_pairs_up : Nat.even (length S) = true -> pairs_up S.
Proof.
  apply all_pair_up with class 1 big.
  - apply distinct_S.
  - intros x y _ _ D E. destruct (class_digit x) as [X | ->]; [|now apply one_fits; congruence].
    destruct (class_digit y) as [Y | ->].
    + rewrite E in X. now apply digit_fits with (class y).
    + rewrite fits_symmetric. now apply one_fits.
  - unfold big. repeat constructor; cbn; intuition discriminate.
  - intros x _. unfold class. destruct (find _ big) as [c|] eqn:F; [right; now apply find_some in F|].
    destruct (lead_right x) as [_ B]. unfold big. cbn [In]. lia.
  - exact class_even.
Qed.

End Switches.

(** ** From 14 to 18: by computation *)

Fixpoint some (f : positive -> bool) (l : list positive) : bool :=
  match l with
  | [] => false
  | y :: l => if f y then true else some f l
  end.

Fixpoint can_pair (k : nat) (l : list positive) : bool :=
  match l with
  | [] => true
  | x :: l =>
      match k with
      | O => false
      | S k => some (fun y => if fit x y then can_pair k (remove Pos.eq_dec y l) else false) l
      end
  end.

Lemma some_exists f l : some f l = true -> exists y, In y l /\ f y = true.
Proof.
  induction l as [|y l IH]; cbn; [discriminate|]. destruct (f y) eqn:E; [eauto|].
  intros H. destruct (IH H) as (z & I & Z). eauto.
Qed.

Lemma can_pair_right k : forall l, NoDup l -> can_pair k l = true -> pairs_up l.
Proof.
  induction k as [|k IH]; intros [|x l] N H; try discriminate;
    try (exists []; split; [apply Chain.pairing_nil | reflexivity]).
  cbn [can_pair] in H. apply some_exists in H. destruct H as (y & I & H).
  destruct (fit x y) eqn:F; [|discriminate]. inversion N as [|? ? Nx N']; subst.
  destruct (IH _ (nodup_remove y l N') H) as (M & P & A).
  apply pairs_up_same with (x :: y :: remove Pos.eq_dec y l).
  - exists ((x, y) :: M). split; [|cbn; lia]. apply Chain.pairing_cons; auto.
    + intros ->. now apply Nx.
    + intros J. apply in_remove in J. tauto.
    + apply remove_In.
  - intros z [<- | [<- | Z]]; [now left | now right | right; now apply in_remove in Z].
  - cbn. f_equal. clear - N' I. induction N' as [|z l Nz N IH]; [easy|]. cbn.
    destruct (Pos.eq_dec y z) as [-> | D].
    + rewrite notin_remove; auto.
    + cbn. destruct I as [-> | I]; [easy|]. now rewrite IH.
Qed.

Lemma small_pair_up :
  forallb (fun n => can_pair 9 (board n)) [14; 16; 18]%positive &&
  forallb (fun n => forallb (fun v => can_pair 9 (remove Pos.eq_dec v (board n))) (board n))
    [15; 17]%positive = true.
Proof. vm_compute. reflexivity. Qed.

(** ** The theorem *)

Lemma length_board n : length (board n) = Pos.to_nat n.
Proof.
  unfold board. generalize 1%positive. induction (Pos.to_nat n); intros w; cbn; auto.
Qed.

Lemma length_without n v : (v <= n)%positive ->
  S (length (remove Pos.eq_dec v (board n))) = Pos.to_nat n.
Proof.
  intros L. rewrite <- length_board. assert (I : In v (board n)) by now apply in_board.
  pose proof (nodup_from (Pos.to_nat n) 1) as N. fold (board n) in N. revert I N.
  induction (board n) as [|x l IH]; intros I N; [easy|]. inversion N as [|? ? Nx N']; subst. cbn.
  destruct (Pos.eq_dec v x) as [-> | D]; [now rewrite notin_remove|].
  destruct I as [-> | I]; [easy|]. cbn. now rewrite IH.
Qed.

Lemma parity n : Nat.even (Pos.to_nat n) = match n with xO _ => true | _ => false end.
Proof.
  destruct n as [m | m |].
  - rewrite Pos2Nat.inj_xI, Nat.even_succ, <- Nat.negb_even, Nat.even_mul. reflexivity.
  - rewrite Pos2Nat.inj_xO, Nat.even_mul. reflexivity.
  - reflexivity.
Qed.

Lemma even_boards_pair_up n : (14 <= n)%positive -> Nat.even (Pos.to_nat n) = true ->
  pairs_up (board n).
Proof.
  intros B E. destruct (Pos.leb_spec 19 n) as [L | L].
  - rewrite <- (notin_remove Pos.eq_dec (board n) (Pos.succ n)) by (rewrite in_board; lia).
    apply large_pairs_up; [exact L|].
    rewrite notin_remove by (rewrite in_board; lia). now rewrite length_board.
  - pose proof small_pair_up as H. apply andb_true_iff in H. destruct H as [H _].
    rewrite forallb_forall in H. apply can_pair_right with 9%nat; [apply nodup_from | apply H].
    rewrite parity in E. clear H. assert (X : (n = 14 \/ n = 15 \/ n = 16 \/ n = 17 \/ n = 18)%positive)
      by lia. cbn. decompose [or] X; subst; auto; discriminate.
Qed.

Lemma odd_boards_pair_up n v : (14 <= n)%positive -> Nat.even (Pos.to_nat n) = false ->
  (v <= n)%positive -> pairs_up (remove Pos.eq_dec v (board n)).
Proof.
  intros B E V. destruct (Pos.leb_spec 19 n) as [L | L].
  - apply large_pairs_up; [exact L|]. pose proof (length_without n v V) as W. rewrite <- W in E.
    rewrite Nat.even_succ, <- Nat.negb_even in E. now apply negb_false_iff in E.
  - pose proof small_pair_up as H. apply andb_true_iff in H. destruct H as [_ H].
    rewrite forallb_forall in H. apply can_pair_right with 9%nat; [apply nodup_remove, nodup_from|].
    assert (I : In n [15; 17]%positive).
    { rewrite parity in E. clear H.
      assert (X : (n = 14 \/ n = 15 \/ n = 16 \/ n = 17 \/ n = 18)%positive) by lia.
      cbn. decompose [or] X; subst; auto; discriminate. }
    specialize (H n I). rewrite forallb_forall in H. apply H. now apply in_board.
Qed.

Notation duel_next := (Chain.next positive Pos.eq_dec fit (fun _ => true)).
Notation duel_last := (Chain.who_moved_last_wins positive).

(** Number Duel, factor and digit, n at least 14 and even: Player 2 wins. *)
Theorem number_duel_even n : (14 <= n)%positive -> Nat.even (Pos.to_nat n) = true ->
  loses duel_next duel_last (board n, None).
Proof.
  intros B E. destruct (even_boards_pair_up n B E) as (M & P & A).
  constructor; [reflexivity|]. intros q I. apply in_map_iff in I. destruct I as (u & <- & I).
  apply filter_In in I. destruct I as [I _]. unfold Chain.take. cbn [fst].
  destruct (Chain.geography positive Pos.eq_dec fit (fits_symmetric _) (fun _ => true) _
    (remove Pos.eq_dec u (board n)) u (le_n _) (remove_In _ _ _)) as [W L].
  destruct (Chain.raises_or_not positive Pos.eq_dec fit (fits_symmetric _) (fun _ => true)
    (remove Pos.eq_dec u (board n)) u) as [R | R]; [now apply W|]. exfalso. apply L in R. clear L.
  rename R into L.
  apply (Chain.taking_wins positive Pos.eq_dec fit (fits_symmetric _)) in L; [|exact I].
  destruct L as (M' & [P' A'] & N).
  assert (F : (length (board n) <= length (u :: Chain.both positive M'))%nat).
  { apply A' in P. cbn. rewrite Chain.both_length. lia. }
  destruct P' as (_ & I' & D').
  assert (T : incl (board n) (Chain.both positive M')).
  { apply NoDup_length_incl; auto. rewrite Chain.both_length. apply A' in P. lia. }
  apply N, T, I.
Qed.

(** Number Duel, factor and digit, n at least 14 and odd: every opening wins. *)
Theorem number_duel_odd n u : (14 <= n)%positive -> Nat.even (Pos.to_nat n) = false ->
  (u <= n)%positive -> loses duel_next duel_last (remove Pos.eq_dec u (board n), Some u).
Proof.
  intros B E U. destruct (odd_boards_pair_up n u B E U) as (M & P & A).
  assert (I : In u (board n)) by now apply in_board.
  apply (Chain.taking_wins positive Pos.eq_dec fit (fits_symmetric _) (fun _ => true) _ _ I).
  exists M. split; [split|].
  - revert P. apply Chain.pairing_incl. intros x X. now apply in_remove in X.
  - intros N Q. apply Chain.pairing_bound in Q. rewrite length_board in Q.
    pose proof (length_without n u U). lia.
  - intros J. destruct P as (_ & P & _). apply P in J. now apply remove_In in J.
Qed.

(** * Divisor Duel for every divisor: who wins from the start, and nearly everywhere else. *)

From Coq Require Import List Arith Lia Bool NArith.
From Duels Require Import Games Divisor.
Import ListNotations.
Open Scope N_scope.

Definition nine : list N := [1; 2; 3; 4; 5; 6; 7; 8; 9].
Arguments nine : simpl never.

(** The digits that are left. Nine are left at the start, so Player 1 moves when their number is
    odd, and Player 2 when it is even. *)
Definition left (p : position) : list N :=
  filter (fun d => negb (existsb (N.eqb d) (fst p))) nine.
Definition second_to_move (p : position) : bool := Nat.even (length (left p)).

Definition finishes (d : N) (p : position) (e : N) : bool := divisible d (put e p).

Lemma in_left p e : In e (left p) <-> In e nine /\ ~ In e (fst p).
Proof.
  unfold left. rewrite filter_In, negb_true_iff. split; intros [I H]; split; auto.
  - intros J. enough (existsb (N.eqb e) (fst p) = true) by congruence.
    apply existsb_exists. exists e. split; [exact J | apply N.eqb_refl].
  - apply not_true_iff_false. intros X. apply existsb_exists in X. destruct X as (x & J & E).
    apply N.eqb_eq in E. now subst.
Qed.

Lemma nodup_nine : NoDup nine.
Proof. unfold nine. repeat constructor; cbn; intuition discriminate. Qed.

Lemma nodup_left p : NoDup (left p).
Proof. apply NoDup_filter, nodup_nine. Qed.

Lemma left_put p e : In e (left p) -> length (left p) = S (length (left (put e p))).
Proof.
  intros I. change (S (length (left (put e p)))) with (length (e :: left (put e p))).
  assert (N : NoDup (e :: left (put e p))).
  { constructor; [|apply nodup_left]. rewrite in_left. cbn. tauto. }
  apply Nat.le_antisymm; (apply NoDup_incl_length; [auto using nodup_left | intros x X]).
  - destruct (N.eq_dec x e) as [-> | D]; [now left | right]. rewrite in_left in *. cbn. intuition.
  - destruct X as [<- | X]; [exact I|]. rewrite in_left in *. cbn in X. intuition.
Qed.

Lemma allowed_left d p : over d p = false -> allowed d p = left p.
Proof. unfold allowed. now intros ->. Qed.

Lemma over_put d p e : over d (put e p) = finishes d p e.
Proof. reflexivity. Qed.

(** ** When Player 2 always has a safe digit *)

(** A digit of R is safe if it finishes, or if no other digit of R finishes after it. *)
Definition safe (d : N) (R : list N) (x p : N) : bool :=
  if (10 * x + p) mod d =? 0 then true
  else forallb (fun q => if q =? p then true else negb ((100 * x + 10 * p + q) mod d =? 0)) R.

(** Whatever even number of digits is left, at least two, one of them is safe. *)
Definition calm (d : N) : Prop :=
  forall f x, let R := filter f nine in
  Nat.even (length R) = true -> R <> [] -> exists p, In p R /\ safe d R x p = true.

Lemma finish_loses d p e : finishes d p e = true ->
  loses (next d) (last_wins d) (put e p).
Proof.
  intros F. constructor.
  - intros _. exact F.
  - unfold next, allowed. rewrite over_put, F. easy.
Qed.

Lemma finish_wins d p e : over d p = false -> In e (left p) -> finishes d p e = true ->
  wins (next d) (last_wins d) p.
Proof.
  intros O I F. apply wins_by_a_move with (put e p); [|now apply finish_loses].
  apply in_next. now rewrite allowed_left.
Qed.

Lemma no_finish_after d p e : safe d (left p) (snd p) e = true -> In e (left p) ->
  finishes d p e = false ->
  forall q, In q (left (put e p)) -> finishes d (put e p) q = false.
Proof.
  unfold safe, finishes, divisible, put. cbn [snd fst]. intros S I F q J. rewrite F in S.
  rewrite forallb_forall in S. rewrite in_left in J. cbn in J.
  assert (K : In q (left p)) by (apply in_left; tauto). specialize (S q K).
  destruct (q =? e) eqn:E; [apply N.eqb_eq in E; subst; tauto|].
  apply negb_true_iff in S.
  replace (10 * (10 * snd p + e) + q) with (100 * snd p + 10 * e + q) by lia. exact S.
Qed.

Lemma calm_game d : calm d -> forall n p, length (left p) = n -> over d p = false ->
  (second_to_move p = true -> wins (next d) (last_wins d) p) /\
  (second_to_move p = false ->
     (forall e, In e (left p) -> finishes d p e = false) -> loses (next d) (last_wins d) p).
Proof.
  intros C n. induction n as [|n IH]; intros p L O; unfold second_to_move; rewrite L.
  { split; [intros _ | discriminate]. apply wins_at_the_end.
    - unfold next. rewrite allowed_left by exact O. now destruct (left p).
    - unfold last_wins. unfold over in O. destruct p as [[|u us] x]; [discriminate L | exact O]. }
  assert (Step : forall e, In e (left p) -> length (left (put e p)) = n).
  { intros e I. apply left_put in I. lia. }
  split; intros E.
  - destruct (C (fun d => negb (existsb (N.eqb d) (fst p))) (snd p)) as (e & I & S).
    { fold (left p). now rewrite L. } { fold (left p). now destruct (left p). }
    fold (left p) in I, S. destruct (finishes d p e) eqn:F; [now apply finish_wins with e|].
    apply wins_by_a_move with (put e p); [apply in_next; now rewrite allowed_left|].
    apply IH; [auto | now rewrite over_put | |].
    + unfold second_to_move. rewrite (Step e I). rewrite Nat.even_succ in E.
      rewrite <- Nat.negb_odd, E. reflexivity.
    + exact (no_finish_after d p e S I F).
  - intros A. apply loses_if; rewrite allowed_left by exact O.
    + intros Z. now rewrite Z in L.
    + intros e I. apply IH; [auto | rewrite over_put; auto|].
      unfold second_to_move. rewrite (Step e I). rewrite Nat.even_succ in E.
      rewrite <- Nat.negb_odd, E. reflexivity.
Qed.

(** *** Large divisors: two different digits cannot both be answered. *)

Lemma nine_bounds x : In x nine -> 1 <= x <= 9.
Proof. unfold nine. cbn. intuition lia. Qed.

Lemma too_close d a b : 87 <= d -> a mod d = 0 -> b mod d = 0 -> a < b -> b - a <= 86 -> False.
Proof.
  intros D A B L S. apply N.mod_divide in A, B; [|lia|lia].
  assert (X : (d | b - a)) by (apply N.divide_sub_r; assumption).
  apply N.divide_pos_le in X; lia.
Qed.

Lemma unsafe d R x p : safe d R x p = false ->
  exists q, In q R /\ q <> p /\ (100 * x + 10 * p + q) mod d = 0.
Proof.
  unfold safe. destruct (_ =? 0); [discriminate|].
  induction R as [|q R IH]; cbn [forallb]; [discriminate|]. intros H.
  destruct (q =? p) eqn:E.
  - destruct (IH H) as (r & I & Z). exists r. split; [now right | exact Z].
  - destruct ((100 * x + 10 * p + q) mod d =? 0) eqn:F.
    + exists q. apply N.eqb_eq in F. apply N.eqb_neq in E. split; [now left | auto].
    + destruct (IH H) as (r & I & Z). exists r. split; [now right | exact Z].
Qed.

(** Divisor Duel, d at least 87: at most one digit of Player 2 lets Player 1 finish at once. *)
Theorem one_digit_to_avoid d x p q p' q' :
  87 <= d -> In p nine -> In q nine -> In p' nine -> In q' nine -> q <> p -> q' <> p' ->
  (100 * x + 10 * p + q) mod d = 0 -> (100 * x + 10 * p' + q') mod d = 0 -> p = p'.
Proof.
  intros D P Q P' Q' N N' A B. apply nine_bounds in P, Q, P', Q'.
  destruct (N.lt_trichotomy p p') as [L | [E | L]]; [exfalso | exact E | exfalso].
  - apply (too_close d (100 * x + 10 * p + q) (100 * x + 10 * p' + q')); auto; lia.
  - apply (too_close d (100 * x + 10 * p' + q') (100 * x + 10 * p + q)); auto; lia.
Qed.

Lemma large_calm d : 87 <= d -> calm d.
Proof.
  intros D f x R E N.
  destruct R as [|p [|p' R']] eqn:ER; [easy | discriminate|].
  assert (I : forall y, In y (p :: p' :: R') -> In y nine).
  { intros y Y. rewrite <- ER in Y. now apply filter_In in Y. }
  destruct (safe d (p :: p' :: R') x p) eqn:S; [exists p; split; [now left | exact S]|].
  destruct (safe d (p :: p' :: R') x p') eqn:S'; [exists p'; split; [right; now left | exact S']|].
  exfalso. apply unsafe in S, S'.
  destruct S as (q & Iq & Nq & Zq), S' as (q' & Iq' & Nq' & Zq').
  assert (X : p = p') by (apply (one_digit_to_avoid d x p q p' q'); auto; apply I; cbn; auto).
  subst p'. pose proof (NoDup_filter f nodup_nine) as U. fold R in U. rewrite ER in U.
  inversion U as [|? ? U1 U2]. apply U1. now left.
Qed.

(** *** Small divisors: all residues and all sets of digits are tried. *)

Fixpoint sublists (l : list N) : list (list N) :=
  match l with
  | [] => [[]]
  | x :: l => let s := sublists l in s ++ map (cons x) s
  end.

Lemma filter_sublist f l : In (filter f l) (sublists l).
Proof.
  induction l as [|x l IH]; cbn; [now left|]. apply in_or_app.
  destruct (f x); [right; now apply in_map | now left].
Qed.

Fixpoint has_safe (d : N) (R : list N) (x : N) (ps : list N) : bool :=
  match ps with
  | [] => false
  | p :: ps => if safe d R x p then true else has_safe d R x ps
  end.

(** Digits that are safe whatever else is left need no trying. *)
Definition risky (d x : N) : list N := filter (fun p => negb (safe d nine x p)) nine.

Definition try (d x : N) : bool :=
  forallb (fun R => match R with
    | [] => true
    | _ => if Nat.even (length R) then has_safe d R x R else true end) (sublists (risky d x)).

Fixpoint below (n : nat) : list N :=
  match n with O => [] | S n => N.of_nat n :: below n end.

Definition try_all (d : N) : bool := forallb (try d) (below (N.to_nat d)).

Lemma has_safe_exists d R x ps :
  has_safe d R x ps = true -> exists p, In p ps /\ safe d R x p = true.
Proof.
  induction ps as [|p ps IH]; cbn [has_safe]; [discriminate|]. destruct (safe d R x p) eqn:S.
  - exists p. split; [now left | exact S].
  - intros H. destruct (IH H) as (q & I & Q). exists q. split; [now right | exact Q].
Qed.

Lemma in_below n x : x < N.of_nat n -> In x (below n).
Proof.
  induction n as [|n IH]; [lia|]. intros L. cbn.
  destruct (N.eq_dec x (N.of_nat n)) as [-> | D]; [now left | right; apply IH; lia].
Qed.

Lemma residue d a x b : d <> 0 -> (a * x + b) mod d = (a * (x mod d) + b) mod d.
Proof.
  intros D. rewrite <- (N.add_mod_idemp_l (a * x)), <- (N.add_mod_idemp_l (a * (x mod d))) by exact D.
  now rewrite N.mul_mod_idemp_r.
Qed.

Lemma safe_residue d R x p : d <> 0 -> safe d R x p = safe d R (x mod d) p.
Proof.
  intros D. unfold safe. rewrite <- residue by exact D.
  destruct (_ =? 0); [reflexivity|]. induction R as [|q R IH]; cbn [forallb]; [reflexivity|].
  rewrite IH. destruct (q =? p); [reflexivity|].
  rewrite <- !N.add_assoc, <- residue by exact D. reflexivity.
Qed.

Lemma safe_fewer d R x p : incl R nine -> safe d nine x p = true -> safe d R x p = true.
Proof.
  intros I. unfold safe. destruct (_ =? 0); [trivial|]. intros H. rewrite forallb_forall in *. auto.
Qed.

Lemma filter_filter (f g : N -> bool) l :
  filter f (filter g l) = filter (fun x => if f x then g x else false) l.
Proof.
  induction l as [|x l IH]; cbn; [reflexivity|].
  destruct (g x) eqn:G; cbn; destruct (f x); rewrite ?G; rewrite IH; reflexivity.
Qed.

Lemma exists_safe_or_none d R x :
  (exists p, In p R /\ safe d R x p = true) \/ forall p, In p R -> safe d R x p = false.
Proof.
  assert (H : forall ps, (exists p, In p ps /\ safe d R x p = true) \/
    forall p, In p ps -> safe d R x p = false).
  { induction ps as [|p ps IH]; [right; easy|]. destruct (safe d R x p) eqn:S.
    - left. exists p. split; [now left | exact S].
    - destruct IH as [(q & I & Q) | A]; [left; exists q; split; [now right | exact Q]|].
      right. intros q [<- | I]; auto. }
  apply H.
Qed.

Lemma try_all_calm d : d <> 0 -> try_all d = true -> calm d.
Proof.
  intros D T f x R E N. destruct (exists_safe_or_none d R (x mod d)) as [(p & I & S) | A].
  { exists p. split; [exact I|]. now rewrite safe_residue. }
  exfalso. unfold try_all in T. rewrite forallb_forall in T.
  assert (L : In (x mod d) (below (N.to_nat d))).
  { apply in_below. rewrite N2Nat.id. now apply N.mod_lt. }
  specialize (T _ L). unfold try in T. rewrite forallb_forall in T.
  assert (X : R = filter f (risky d (x mod d))).
  { unfold risky. rewrite filter_filter. apply filter_ext_in. intros p I.
    destruct (f p) eqn:F; [|reflexivity]. symmetry. apply negb_true_iff.
    apply not_true_iff_false. intros S.
    assert (J : In p R) by (apply filter_In; now split).
    specialize (A p J). rewrite (safe_fewer d R) in A; [discriminate | | exact S].
    intros y Y. now apply filter_In in Y. }
  specialize (T R). rewrite X in T at 1. specialize (T (filter_sublist _ _)).
  destruct R as [|p R']; [easy|]. rewrite E in T. apply has_safe_exists in T.
  destruct T as (q & I & S). rewrite A in S; [discriminate | exact I].
Qed.

(** ** Who wins from the start *)

(** A search, for the few divisors that are not calm. *)
Fixpoint some_lost (wins : N -> bool) (es : list N) : bool :=
  match es with
  | [] => false
  | e :: es => if wins e then some_lost wins es else true
  end.

Fixpoint solve (d : N) (n : nat) (p : position) : bool :=
  match n with
  | O => negb (last_wins d p)
  | S n =>
      match allowed d p with
      | [] => negb (last_wins d p)
      | es => some_lost (fun e => solve d n (put e p)) es
      end
  end.

Lemma solve_right d n : forall p, (length (left p) <= n)%nat ->
  if solve d n p then wins (next d) (last_wins d) p else loses (next d) (last_wins d) p.
Proof.
  assert (Over : forall p, allowed d p = [] -> if negb (last_wins d p)
    then wins (next d) (last_wins d) p else loses (next d) (last_wins d) p).
  { intros p E. destruct (last_wins d p) eqn:W; cbn.
    - apply loses_if; [trivial | now rewrite E].
    - apply wins_at_the_end; [now apply next_nil | exact W]. }
  induction n as [|n IH]; intros p L; cbn [solve].
  { apply Over. destruct (over d p) eqn:O; [unfold allowed; now rewrite O|].
    rewrite allowed_left by exact O. destruct (left p); [reflexivity | cbn in L; lia]. }
  destruct (allowed d p) as [|e0 es0] eqn:E; [now apply Over|].
  assert (P : forall e, In e (e0 :: es0) -> In e (allowed d p) /\
    if solve d n (put e p) then wins (next d) (last_wins d) (put e p)
    else loses (next d) (last_wins d) (put e p)).
  { intros e I. rewrite <- E in I. split; [exact I|]. apply IH.
    destruct (over d p) eqn:O; [unfold allowed in I; now rewrite O in I|].
    rewrite allowed_left in I by exact O. apply left_put in I. lia. }
  assert (Q : forall es, incl es (e0 :: es0) ->
    if some_lost (fun e => solve d n (put e p)) es
    then wins (next d) (last_wins d) p
    else forall e, In e es -> wins (next d) (last_wins d) (put e p)).
  { induction es as [|e es IHes]; intros I; [easy|]. cbn [some_lost].
    destruct (P e) as [A B]; [apply I; now left|]. destruct (solve d n (put e p)).
    - assert (I' : incl es (e0 :: es0)) by (intros x X; apply I; now right).
      specialize (IHes I'). destruct (some_lost _ es); [exact IHes|].
      intros x [<- | X]; auto.
    - apply wins_by_a_move with (put e p); [now apply in_next | exact B]. }
  specialize (Q (e0 :: es0) (incl_refl _)). destruct (some_lost _ (e0 :: es0)); [exact Q|].
  apply loses_if; rewrite E; [discriminate | exact Q].
Qed.

(** The divisors from 10 on that make an interesting game. *)
Definition interesting : list N := [12; 13; 14; 18; 21; 27; 36; 54; 63].

Lemma small_calm : forallb (fun d => if existsb (N.eqb d) interesting then true else try_all d)
  (map (N.add 10) (below 77)) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma calm_from_10 d : 10 <= d -> ~ In d interesting -> calm d.
Proof.
  intros D N. destruct (N.le_gt_cases 87 d) as [L | L]; [now apply large_calm|].
  apply try_all_calm; [lia|]. pose proof small_calm as S. rewrite forallb_forall in S.
  specialize (S d). destruct (existsb (N.eqb d) interesting) eqn:E.
  - exfalso. apply N. apply existsb_exists in E. destruct E as (e & I & E).
    apply N.eqb_eq in E. now subst.
  - apply S. replace d with (10 + (d - 10)) by lia. apply in_map, in_below. cbn. lia.
Qed.

(** Divisor Duel, d at least 10 and none of nine divisors, any position: with Player 2 to move,
    Player 2 wins. With Player 1 to move, Player 1 wins if and only if some digit finishes at once. *)
Theorem who_wins_divisor_duel d p :
  10 <= d -> ~ In d interesting -> over d p = false ->
  if second_to_move p then wins (next d) (last_wins d) p
  else if existsb (finishes d p) (left p) then wins (next d) (last_wins d) p
  else loses (next d) (last_wins d) p.
Proof.
  intros D N O. destruct (calm_game d (calm_from_10 d D N) _ p eq_refl O) as [W L].
  destruct (second_to_move p); [auto|]. destruct (existsb (finishes d p) (left p)) eqn:E.
  - apply existsb_exists in E. destruct E as (e & I & F). now apply finish_wins with e.
  - apply L; [reflexivity|]. intros e I. apply not_true_iff_false. intros F.
    enough (existsb (finishes d p) (left p) = true) by congruence.
    apply existsb_exists. eauto.
Qed.

(** After these moves Player 2 is to move, and loses. *)
Definition traps : list (N * list N) :=
  [(12, [3; 5; 6; 7; 9]); (13, [5; 3; 7]); (14, [3; 5; 6; 7; 9]); (18, [1; 3; 5; 6; 7; 8; 9]);
   (21, [2; 3; 4; 9; 5; 7; 6]); (27, [2; 3; 5; 6; 7; 9; 8]); (36, [1; 3; 5; 7; 9; 6; 2]);
   (54, [1; 3; 4; 5; 6; 9; 7]); (63, [2; 3; 4; 5; 7; 9; 6])].

Definition is_trap (d : N) (moves : list N) : bool :=
  match play d moves start with
  | None => false
  | Some p => negb (over d p) && second_to_move p && negb (solve d 9 p)
  end.

Lemma traps_found : forallb (fun t => is_trap (fst t) (snd t)) traps = true.
Proof. vm_compute. reflexivity. Qed.

Lemma left_at_most_nine p : (length (left p) <= 9)%nat.
Proof.
  apply (NoDup_incl_length (l' := nine) (nodup_left p)). intros x X. now apply in_left in X.
Qed.

(** Divisor Duel with each of the nine: a game leads to a position that Player 2, to move, loses. *)
Theorem interesting_divisors d : In d interesting ->
  exists moves p, play d moves start = Some p /\ over d p = false /\ second_to_move p = true /\
    loses (next d) (last_wins d) p.
Proof.
  change interesting with (map fst traps). intros I. apply in_map_iff in I.
  destruct I as ([e moves] & <- & I). cbn [fst]. pose proof traps_found as T.
  rewrite forallb_forall in T. specialize (T _ I). unfold is_trap in T. cbn [fst snd] in T.
  destruct (play e moves start) as [p|] eqn:P; [|discriminate]. exists moves, p.
  rewrite !andb_true_iff, !negb_true_iff in T. destruct T as [[O Q] L].
  pose proof (solve_right e 9 p (left_at_most_nine p)) as H. rewrite L in H. auto.
Qed.

Lemma interesting_starts :
  forallb (fun d => eqb (solve d 9 start) (d =? 12)) interesting = true.
Proof. vm_compute. reflexivity. Qed.

(** Divisor Duel, d at least 2: Player 1 wins from the start with 2 to 9 and 12, and with no other. *)
Theorem first_player_wins_divisor_duel d : 2 <= d ->
  if (d <=? 9) || (d =? 12) then wins (next d) (last_wins d) start
  else loses (next d) (last_wins d) start.
Proof.
  intros D. destruct (d <=? 9) eqn:S; cbn [orb].
  { apply N.leb_le in S. apply finish_wins with d.
    - reflexivity.
    - apply in_left. split; [|easy]. unfold nine.
      assert (X : d = 2 \/ d = 3 \/ d = 4 \/ d = 5 \/ d = 6 \/ d = 7 \/ d = 8 \/ d = 9) by lia.
      cbn. intuition.
    - unfold finishes, divisible, put. cbn [snd start]. apply N.eqb_eq.
      replace (10 * 0 + d) with d by lia. apply N.mod_same. lia. }
  apply N.leb_gt in S. destruct (existsb (N.eqb d) interesting) eqn:E.
  - apply existsb_exists in E. destruct E as (e & I & E). apply N.eqb_eq in E. subst e.
    pose proof interesting_starts as T. rewrite forallb_forall in T. specialize (T d I).
    apply eqb_prop in T. rewrite <- T. apply solve_right, left_at_most_nine.
  - assert (N : ~ In d interesting).
    { intros I. enough (existsb (N.eqb d) interesting = true) by congruence.
      apply existsb_exists. exists d. split; [exact I | apply N.eqb_refl]. }
    destruct (d =? 12) eqn:T; [apply N.eqb_eq in T; subst; exfalso; apply N; cbn; auto|].
    assert (D10 : 10 <= d) by lia.
    pose proof (who_wins_divisor_duel d start D10 N eq_refl) as H.
    change (second_to_move start) with false in H. cbn iota in H.
    replace (existsb (finishes d start) (left start)) with false in H; [exact H|].
    symmetry. apply not_true_iff_false. intros X. apply existsb_exists in X.
    destruct X as (e & I & F). apply in_left in I. destruct I as [I _]. apply nine_bounds in I.
    unfold finishes, divisible, put in F. cbn [snd start] in F. apply N.eqb_eq in F.
    rewrite N.mod_small in F; lia.
Qed.

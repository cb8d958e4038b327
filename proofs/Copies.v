(** * Copies of a small board inside a large one.

    The neighbours of a number are its factors and multiples. For a prime p between n/(j+1) and n/j
    the numbers p, 2p ... jp are a copy of the board 1 to j, and a copy is joined to the rest only
    through the numbers 1 to j. *)

From Coq Require Import List Arith Lia Bool NArith PArith ZArith Znumtheory.
From Duels Require Import Games Chain Rules NumberDuel Primes.
Import ListNotations.
Open Scope positive_scope.

Notation fit := (fits [Factor]).
Notation pairs_of := (Chain.pairing positive fit).
Notation best_of := (Chain.best positive fit).
Notation both := (Chain.both positive).
Notation partners := (Chain.partners positive).

(** ** Neighbours *)

Definition adjacent (x y : positive) : Prop := x <> y /\ ((x | y) \/ (y | x)).

Lemma fit_adjacent x y : fit x y = true <-> adjacent x y.
Proof.
  unfold fits, adjacent. rewrite andb_true_iff, negb_true_iff, Pos.eqb_neq. cbn [existsb].
  rewrite orb_false_r, factor_means.
  assert (D : forall a b, (N.pos a | N.pos b)%N <-> (a | b)).
  { intros a b. split; intros [c E].
    - destruct c as [|c]; [discriminate | exists c]. now injection E.
    - exists (N.pos c). now rewrite E. }
  now rewrite !D.
Qed.

Lemma prime_times p a b : is_prime p -> (p | a * b) -> (p | a) \/ (p | b).
Proof.
  intros P D. rewrite <- !Pos2Z.inj_divide in *. rewrite Pos2Z.inj_mul in D. now apply prime_mult.
Qed.

Lemma gauss p y k : is_prime p -> ~ (p | y) -> (y | k * p) -> (y | k).
Proof.
  intros P N D. rewrite <- !Pos2Z.inj_divide in *. rewrite Pos2Z.inj_mul, Z.mul_comm in D.
  apply Gauss with (Zpos p); [exact D|]. apply rel_prime_sym. now apply prime_rel_prime.
Qed.

Lemma prime_large p : is_prime p -> 1 < p.
Proof. intros [H _]. lia. Qed.

Lemma divide_le a b : (a | b) -> a <= b.
Proof. intros [c ->]. nia. Qed.

Lemma adjacent_scaled k l p : adjacent (k * p) (l * p) <-> adjacent k l.
Proof.
  assert (D : forall a b, (a * p | b * p) <-> (a | b)).
  { intros a b. split; intros [c E]; exists c; [|nia]. apply (Pos.mul_reg_r _ _ p). lia. }
  unfold adjacent. rewrite !D. split; intros [N A]; (split; [|exact A]); intros E.
  - subst. now apply N.
  - apply Pos.mul_reg_r in E. auto.
Qed.

Lemma adjacent_outside p k y :
  is_prime p -> ~ (p | y) -> adjacent (k * p) y -> (y | k).
Proof.
  intros P N [_ [D | D]]; [|now apply gauss with p].
  exfalso. apply N. destruct D as [c ->]. exists (c * k). lia.
Qed.

Lemma outside_adjacent q k y : ~ (q | y) -> (y | k) -> adjacent (k * q) y.
Proof.
  intros N [c ->]. split; [|right; exists (c * q); lia].
  intros E. apply N. rewrite <- E. exists (c * y). lia.
Qed.

(** ** Partners *)

Lemma partner_unique M x x' y :
  NoDup (both M) -> partners M x y -> partners M x' y -> x = x'.
Proof.
  induction M as [|[a b] M IH]; intros N; [intros [[]|[]]|].
  cbn in N. inversion N as [|? ? Na N']; subst. inversion N' as [|? ? Nb N'']; subst.
  assert (B : forall u w, partners M u w -> In u (both M) /\ In w (both M)).
  { intros u w P. split; apply Chain.in_both; [exists w; exact P|]. exists u.
    destruct P; [now right | now left]. }
  assert (C : forall u w, partners ((a, b) :: M) u w ->
    (u = a /\ w = b) \/ (u = b /\ w = a) \/ partners M u w).
  { intros u w [[E | I] | [E | I]]; try (injection E as <- <-; auto); right; right;
      [now left | now right]. }
  intros P Q. apply C in P, Q. cbn in Na.
  destruct P as [[-> ->] | [[-> ->] | P]], Q as [[-> E] | [[-> E] | Q]]; subst; auto;
    try (exfalso; apply Na; now left);
    try (apply B in P; tauto); try (apply B in Q; tauto).
Qed.

Lemma choose (P : positive -> positive -> Prop) qs :
  NoDup qs -> (forall q, In q qs -> exists y, P q y) ->
  (forall q q' y, In q qs -> In q' qs -> P q y -> P q' y -> q = q') ->
  exists ys, length ys = length qs /\ NoDup ys /\ forall y, In y ys -> exists q, In q qs /\ P q y.
Proof.
  induction qs as [|q qs IH]; intros N E U; [exists []; repeat split; [constructor | easy]|].
  inversion N as [|? ? Nq N']; subst.
  destruct IH as (ys & L & D & A); [exact N' | firstorder | intros; eapply U; eauto; now right |].
  destruct (E q) as [y Y]; [now left|]. exists (y :: ys). repeat split.
  - cbn. now rewrite L.
  - constructor; [|exact D]. intros I. destruct (A y I) as (q' & I' & Y').
    assert (q = q') by (eapply U; eauto; [now left | now right]). now subst.
  - intros z [<- | I]; [exists q; split; [now left | exact Y]|].
    destruct (A z I) as (q' & I' & Z). exists q'. split; [now right | exact Z].
Qed.

Lemma both_map f M : both (map (fun e => (f (fst e), f (snd e))) M) = map f (both M).
Proof.
  unfold Chain.both. induction M as [|[a b] M IH]; [reflexivity|].
  cbn [map flat_map app fst snd]. now rewrite IH.
Qed.

Lemma in_both_pair M x : In x (both M) -> exists e, In e M /\ (x = fst e \/ x = snd e).
Proof.
  unfold Chain.both. intros I. apply in_flat_map in I. destruct I as (e & J & [<- | [<- | []]]); eauto.
Qed.

Lemma nodup_both_filter f M : NoDup (both M) -> NoDup (both (filter f M)).
Proof.
  induction M as [|[a b] M IH]; intros N; [constructor|]. cbn in N.
  inversion N as [|? ? Na N']; subst. inversion N' as [|? ? Nb N'']; subst.
  assert (I : incl (both (filter f M)) (both M)).
  { intros x X. apply in_both_pair in X. destruct X as (e & J & X). apply filter_In in J.
    unfold Chain.both. apply in_flat_map. exists e. split; [tauto|]. destruct X; subst; cbn; auto. }
  cbn. destruct (f (a, b)); [|auto]. cbn. constructor; [|constructor; auto].
  - intros [E | X]; [apply Na; now left | apply Na; right; auto].
Qed.

Lemma filter_split {A} (f : A -> bool) l :
  length l = (length (filter f l) + length (filter (fun x => negb (f x)) l))%nat.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. destruct (f x); cbn; lia. Qed.

(** ** The copies of a small board inside a large one *)

Section Copies.

Variables n j : positive.
Variable ps : list positive.
Hypothesis distinct : NoDup ps.
Hypothesis enough : (Pos.to_nat j < length ps)%nat.
Hypothesis primes : forall p, In p ps -> is_prime p /\ n < (j + 1) * p /\ j * p <= n.

Definition copy (p : positive) : list positive := map (fun k => k * p) (board j).

Lemma larger p : In p ps -> j < p.
Proof.
  intros I. assert (Q : exists q, In q ps /\ q <> p).
  { destruct ps as [|a [|b l]]; [easy | cbn in enough; pose proof (Pos2Nat.is_pos j); lia|].
    inversion distinct as [|? ? Na _]; subst. destruct (Pos.eq_dec a p) as [-> | D].
    - exists b. split; [right; now left|]. intros ->. apply Na. now left.
    - exists a. split; [now left | exact D]. }
  destruct Q as (q & J & D). destruct (primes p I) as (_ & A & B), (primes q J) as (_ & A' & B').
  destruct (Pos.lt_total p q) as [L | [L | L]]; [nia | congruence | nia].
Qed.

Lemma in_copy p x : In x (copy p) <-> exists k, k <= j /\ x = k * p.
Proof.
  unfold copy. rewrite in_map_iff. split.
  - intros (k & <- & I). apply in_board in I. eauto.
  - intros (k & L & ->). exists k. split; [reflexivity | now apply in_board].
Qed.

Lemma in_copy_divides p x : In p ps -> x <= n -> (In x (copy p) <-> (p | x)).
Proof.
  intros I L. rewrite in_copy. split; [intros (k & _ & ->); now exists k|].
  intros [k ->]. exists k. split; [|reflexivity]. destruct (primes p I) as (_ & A & _). nia.
Qed.

Lemma copy_board p x : In p ps -> In x (copy p) -> x <= n /\ j < x.
Proof.
  intros I X. apply in_copy in X. destruct X as (k & L & ->). pose proof (larger p I).
  destruct (primes p I) as (_ & _ & B). split; nia.
Qed.

Lemma copies_apart p q x : In p ps -> In q ps -> In x (copy p) -> In x (copy q) -> p = q.
Proof.
  intros I J X Y. assert (L : x <= n) by now apply (copy_board p).
  apply in_copy in Y. destruct Y as (k & K & ->). apply in_copy_divides in X; auto.
  destruct (primes p I) as (P & _), (primes q J) as (Q & _).
  apply prime_times in X; [|exact P]. pose proof (larger p I). destruct X as [X | X].
  - apply divide_le in X. lia.
  - rewrite <- Pos2Z.inj_divide in X. apply prime_div_prime in X; auto. now injection X.
Qed.

(** A neighbour of a copy outside it is at most j. *)
Lemma neighbour p x y : In p ps -> In x (copy p) -> y <= n -> ~ In y (copy p) -> fit x y = true ->
  y <= j.
Proof.
  intros I X L Y F. rewrite in_copy_divides in Y by auto. apply in_copy in X.
  destruct X as (k & K & ->). apply fit_adjacent in F.
  apply adjacent_outside in F; [|now apply primes | exact Y]. apply divide_le in F. lia.
Qed.

Definition inside (q : positive) (x : positive) : bool :=
  if in_dec Pos.eq_dec x (copy q) then true else false.

Lemma inside_in q x : inside q x = true <-> In x (copy q).
Proof. unfold inside. destruct (in_dec _ _ _); intuition discriminate. Qed.

(** A pairing leaves some copy to itself. *)
Definition alone (M : list (positive * positive)) (q : positive) : Prop :=
  forall e, In e M -> inside q (fst e) = inside q (snd e).

Lemma alone_or_entered M q : alone M q \/
  exists x y, partners M x y /\ In x (copy q) /\ ~ In y (copy q).
Proof.
  induction M as [|[a b] M IH]; [left; intros e []|].
  destruct IH as [A | (x & y & P & X & Y)].
  2:{ right. exists x, y. repeat split; auto. destruct P; [left | right]; now right. }
  destruct (in_dec Pos.eq_dec a (copy q)) as [Ia | Ia], (in_dec Pos.eq_dec b (copy q)) as [Ib | Ib].
  - left. intros e [<- | I]; [|auto]. cbn. apply inside_in in Ia, Ib. congruence.
  - right. exists a, b. repeat split; auto. left. now left.
  - right. exists b, a. repeat split; auto. right. now left.
  - left. intros e [<- | I]; [|auto]. cbn. rewrite <- inside_in in Ia, Ib.
    apply not_true_iff_false in Ia, Ib. congruence.
Qed.

Lemma some_alone M : pairs_of (board n) M -> exists q, In q ps /\ alone M q.
Proof.
  intros (F & I & N).
  assert (D : forall qs, (exists q, In q qs /\ alone M q) \/ forall q, In q qs ->
    exists y, exists x, partners M x y /\ In x (copy q) /\ ~ In y (copy q)).
  { induction qs as [|q qs IH]; [right; easy|]. destruct (alone_or_entered M q) as [A | (x & y & E)].
    - left. exists q. split; [now left | exact A].
    - destruct IH as [(r & J & A) | A]; [left; exists r; split; [now right | exact A]|].
      right. intros r [<- | J]; eauto. }
  destruct (D ps) as [A | A]; [exact A|]. exfalso.
  destruct (choose (fun q y => exists x, partners M x y /\ In x (copy q) /\ ~ In y (copy q)) ps)
    as (ys & L & U & Y); [exact distinct | exact A | |].
  { intros q q' y J J' (x & P & X & _) (x' & P' & X' & _).
    rewrite (partner_unique M x x' y N P P') in X. now apply (copies_apart q q' x'). }
  assert (B : incl ys (board j)).
  { intros y Iy. destruct (Y y Iy) as (q & J & x & P & X & Z). apply in_board.
    assert (Ly : y <= n).
    { apply in_board, I, Chain.in_both. exists x. destruct P; [now right | now left]. }
    apply (neighbour q x y); auto. destruct P as [P | P]; [auto | rewrite fits_symmetric; auto]. }
  apply NoDup_incl_length in B; [|exact U]. rewrite length_board in B. lia.
Qed.

(** A pairing inside a copy is a pairing of the small board. *)
Lemma shrink q M : incl (both M) (copy q) ->
  exists M', M = map (fun e => (fst e * q, snd e * q)) M' /\ incl (both M') (board j).
Proof.
  induction M as [|[a b] M IH]; intros I; [exists []; split; [reflexivity | easy]|].
  destruct IH as (M' & -> & I'); [intros x X; apply I; right; now right|].
  assert (A : In a (copy q)) by (apply I; now left).
  assert (B : In b (copy q)) by (apply I; right; now left).
  apply in_copy in A, B. destruct A as (k & K & ->), B as (l & L & ->).
  exists ((k, l) :: M'). split; [reflexivity|]. cbn.
  intros x [<- | [<- | X]]; [now apply in_board | now apply in_board | auto].
Qed.

Variable a : positive.
Hypothesis small : a <= j.
Variable N : list (positive * positive).
Hypothesis N_best : best_of (board j) N.
Hypothesis N_leaves : ~ In a (both N).

Definition scaled (q : positive) : list (positive * positive) :=
  map (fun e => (fst e * q, snd e * q)) N.

Lemma scaled_both q : both (scaled q) = map (fun k => k * q) (both N).
Proof. apply (both_map (fun k => k * q)). Qed.

Lemma scaled_pairing q : pairs_of (copy q) (scaled q).
Proof.
  destruct N_best as [(F & I & D) _]. split; [|split].
  - intros x y J. unfold scaled in J. apply in_map_iff in J. destruct J as ([k l] & E & J).
    cbn in E. injection E as <- <-. apply fit_adjacent, adjacent_scaled, fit_adjacent. auto.
  - rewrite scaled_both. unfold copy. now apply incl_map.
  - rewrite scaled_both. apply FinFun.Injective_map_NoDup; [|exact D].
    intros k l E. now apply Pos.mul_reg_r in E.
Qed.

Definition outer (q : positive) (M : list (positive * positive)) : list (positive * positive) :=
  filter (fun e => negb (inside q (fst e))) M.

(** The copy that is left to itself is paired anew, so that a times its prime is left out. *)
Lemma rematch M q : best_of (board n) M -> In q ps -> alone M q ->
  best_of (board n) (scaled q ++ outer q M) /\
  ~ In (a * q) (both (scaled q ++ outer q M)) /\
  (forall x, In x (both (scaled q ++ outer q M)) -> In x (copy q) \/ In x (both M)).
Proof.
  intros [(F & I & D) B] J A.
  assert (O : forall x, In x (both (outer q M)) -> ~ In x (copy q) /\ In x (both M)).
  { intros x X. apply in_both_pair in X. destruct X as (e & K & X). apply filter_In in K.
    destruct K as [K E]. apply negb_true_iff in E. split.
    - rewrite <- inside_in. destruct X; subst; [|rewrite <- (A e K)]; congruence.
    - unfold Chain.both. apply in_flat_map. exists e. split; [exact K|]. destruct X; subst; cbn; auto. }
  assert (P : pairs_of (board n) (scaled q ++ outer q M)).
  { apply (Chain.pairing_incl positive fit (copy q ++ filter (fun x => negb (inside q x)) (board n))).
    { intros x X. apply in_app_or in X. destruct X as [X | X]; [|now apply filter_In in X].
      apply in_board. now apply (copy_board q). }
    apply Chain.pairing_app; [apply scaled_pairing | |].
    - split; [|split].
      + intros x y K. apply filter_In in K. apply F. tauto.
      + intros x X. apply O in X. apply filter_In. split; [apply I; tauto|].
        apply negb_true_iff, not_true_iff_false. rewrite inside_in. tauto.
      + now apply nodup_both_filter.
    - intros x X Y. apply filter_In in Y. destruct Y as [_ Y]. apply negb_true_iff in Y.
      apply inside_in in X. congruence. }
  assert (L : (length M <= length (scaled q ++ outer q M))%nat).
  { rewrite app_length. unfold scaled. rewrite map_length.
    rewrite (filter_split (fun e => inside q (fst e)) M). fold (outer q M).
    apply Nat.add_le_mono_r.
    destruct (shrink q (filter (fun e => inside q (fst e)) M)) as (M' & E & I').
    { intros x X. apply in_both_pair in X. destruct X as (e & K & X). apply filter_In in K.
      destruct K as [K E]. apply inside_in. destruct X; subst; [exact E|]. now rewrite <- (A e K). }
    rewrite E, map_length. apply N_best. split; [|split; [exact I'|]].
    - intros k l K. apply fit_adjacent. apply (adjacent_scaled k l q). apply fit_adjacent. apply F.
      assert (In (k * q, l * q) (filter (fun e => inside q (fst e)) M)).
      { rewrite E. apply in_map_iff. exists (k, l). now split. }
      now apply filter_In in H.
    - apply (nodup_both_filter (fun e => inside q (fst e))) in D. rewrite E in D.
      rewrite (both_map (fun k => k * q)) in D. now apply NoDup_map_inv in D. }
  split; [split; [exact P|] | split].
  - intros Q PQ. apply B in PQ. lia.
  - rewrite Chain.both_app, in_app_iff, scaled_both, in_map_iff.
    intros [(k & E & K) | X].
    + apply Pos.mul_reg_r in E. subst. now apply N_leaves.
    + apply O in X. apply X. apply in_copy. eauto.
  - intros x X. rewrite Chain.both_app, in_app_iff in X. destruct X as [X | X].
    + left. destruct (scaled_pairing q) as (_ & S & _). auto.
    + right. now apply O.
Qed.

(** The opening a loses: no best pairing leaves it out. *)
Lemma small_is_never_left_out M : best_of (board n) M -> In a (both M).
Proof.
  intros B. destruct (in_dec Pos.eq_dec a (both M)) as [I | X]; [exact I|]. exfalso.
  destruct (some_alone M (proj1 B)) as (q & J & A).
  destruct (rematch M q B J A) as ((P & B') & L & O).
  assert (Na : ~ In a (both (scaled q ++ outer q M))).
  { intros Y. apply O in Y. destruct Y as [Y | Y]; [|auto]. apply (copy_board q) in Y; [lia | auto]. }
  destruct (primes q J) as (Q & A1 & A2). pose proof (prime_large q Q) as Lq.
  assert (Z : pairs_of (board n) ((a, a * q) :: scaled q ++ outer q M)).
  { destruct P as (F & I & D). split; [|split].
    - intros x y [E | K]; [|auto]. injection E as <- <-. apply fit_adjacent.
      split; [nia | left; exists q; lia].
    - cbn. intros x [<- | [<- | K]]; [apply in_board; nia | apply in_board; nia | auto].
    - cbn. constructor; [|constructor; auto]. intros [E | K]; [nia | auto]. }
  apply B' in Z. cbn in Z. lia.
Qed.

(** *** Two copies can be exchanged *)

Section Exchange.

Variables p q : positive.
Hypothesis Ip : In p ps.
Hypothesis Iq : In q ps.
Hypothesis apart : p <> q.

Definition times (x u w : positive) : positive := Z.to_pos (Zpos x / Zpos u * Zpos w).
Definition swap (x : positive) : positive :=
  if inside p x then times x p q else if inside q x then times x q p else x.

Lemma times_right k u w : times (k * u) u w = k * w.
Proof.
  unfold times. rewrite Pos2Z.inj_mul, Z.div_mul by discriminate. rewrite <- Pos2Z.inj_mul. reflexivity.
Qed.

Lemma swap_p k : k <= j -> swap (k * p) = k * q.
Proof.
  intros L. unfold swap. replace (inside p (k * p)) with true; [apply times_right|].
  symmetry. apply inside_in, in_copy. eauto.
Qed.

Lemma not_inside_p k : k <= j -> inside p (k * q) = false.
Proof.
  intros L. apply not_true_iff_false. rewrite inside_in. intros X. apply apart.
  apply (copies_apart p q (k * q)); auto. apply in_copy. eauto.
Qed.

Lemma swap_q k : k <= j -> swap (k * q) = k * p.
Proof.
  intros L. unfold swap. rewrite not_inside_p by exact L.
  replace (inside q (k * q)) with true; [apply times_right|].
  symmetry. apply inside_in, in_copy. eauto.
Qed.

(** A number of the board is in the copy of p, in the copy of q, or in neither. *)
Lemma three_kinds x : x <= n -> (exists k, k <= j /\ x = k * p) \/ (exists k, k <= j /\ x = k * q) \/
  (~ (p | x) /\ ~ (q | x) /\ swap x = x).
Proof.
  intros L. destruct (inside p x) eqn:P; [left; now apply in_copy, inside_in|].
  destruct (inside q x) eqn:Q; [right; left; now apply in_copy, inside_in|].
  right. right. unfold swap. rewrite P, Q.
  rewrite <- (in_copy_divides p x Ip L), <- (in_copy_divides q x Iq L), <- !inside_in. intuition congruence.
Qed.

Lemma swap_board x : x <= n -> swap x <= n.
Proof.
  destruct (primes p Ip) as (_ & _ & A), (primes q Iq) as (_ & _ & B).
  intros L. destruct (three_kinds x L) as [(k & K & ->) | [(k & K & ->) | (_ & _ & ->)]];
    rewrite ?swap_p, ?swap_q by exact K; nia.
Qed.

Lemma swap_twice x : x <= n -> swap (swap x) = x.
Proof.
  intros L. destruct (three_kinds x L) as [(k & K & ->) | [(k & K & ->) | (_ & _ & E)]].
  - now rewrite swap_p, swap_q.
  - now rewrite swap_q, swap_p.
  - now rewrite E.
Qed.

Lemma never_across k l : k <= j -> l <= j -> ~ adjacent (k * p) (l * q).
Proof.
  intros K L A. destruct (primes p Ip) as (P & _). 
  assert (X : (l * q | k)).
  { apply adjacent_outside with p; auto. intros D. apply prime_times in D; [|exact P].
    pose proof (larger p Ip). destruct D as [D | D]; [apply divide_le in D; lia|].
    rewrite <- Pos2Z.inj_divide in D. destruct (primes q Iq) as (Q & _).
    apply prime_div_prime in D; auto. injection D as D. auto. }
  apply divide_le in X. pose proof (larger q Iq). nia.
Qed.

Lemma adjacent_sym x y : adjacent x y -> adjacent y x.
Proof. unfold adjacent. intuition. Qed.

Lemma swap_adjacent x y : x <= n -> y <= n -> adjacent x y -> adjacent (swap x) (swap y).
Proof.
  intros X Y A. destruct (primes p Ip) as (P & _), (primes q Iq) as (Q & _).
  destruct (three_kinds x X) as [(k & K & ->) | [(k & K & ->) | (Px & Qx & Ex)]],
    (three_kinds y Y) as [(l & L & ->) | [(l & L & ->) | (Py & Qy & Ey)]];
    rewrite ?swap_p, ?swap_q, ?Ex, ?Ey by assumption; auto.
  - apply adjacent_scaled. now apply adjacent_scaled in A.
  - exfalso. now apply (never_across k l).
  - apply outside_adjacent; [exact Qy|]. now apply adjacent_outside with p.
  - exfalso. apply (never_across l k); auto. now apply adjacent_sym.
  - apply adjacent_scaled. now apply adjacent_scaled in A.
  - apply outside_adjacent; [exact Py|]. now apply adjacent_outside with q.
  - apply adjacent_sym, outside_adjacent; [exact Qx|]. apply adjacent_outside with p; auto.
    now apply adjacent_sym.
  - apply adjacent_sym, outside_adjacent; [exact Px|]. apply adjacent_outside with q; auto.
    now apply adjacent_sym.
Qed.

Lemma exchange M k : k <= j -> best_of (board n) M -> ~ In (k * q) (both M) ->
  exists M', best_of (board n) M' /\ ~ In (k * p) (both M').
Proof.
  intros K [(F & I & D) B] O. exists (map (fun e => (swap (fst e), swap (snd e))) M).
  assert (Le : forall x, In x (both M) -> x <= n) by (intros x X; apply in_board; auto).
  split; [split; [split; [|split]|]|].
  - intros x y J. apply in_map_iff in J. destruct J as ([u w] & E & J). cbn in E. injection E as <- <-.
    apply fit_adjacent, swap_adjacent; [| | apply fit_adjacent; auto]; apply Le, Chain.in_both;
      [exists w; now left | exists u; now right].
  - rewrite both_map. intros x X. apply in_map_iff in X. destruct X as (y & <- & Y).
    apply in_board, swap_board. auto.
  - rewrite both_map. clear - D Le Ip Iq apart primes distinct enough.
    induction (both M) as [|x l IH]; [constructor|]. inversion D as [|? ? Nx D']; subst. cbn.
    constructor; [|apply IH; [exact D' | intros; apply Le; now right]].
    intros X. apply in_map_iff in X. destruct X as (y & E & Y). apply Nx.
    rewrite <- (swap_twice x), <- E, swap_twice; [exact Y | |]; apply Le; [now right | now left].
  - intros Q PQ. rewrite map_length. now apply B.
  - rewrite both_map. intros X. apply in_map_iff in X. destruct X as (y & E & Y).
    apply O. rewrite <- (swap_p k K), <- E, swap_twice; [exact Y | auto].
Qed.

End Exchange.

Lemma left_out p : In p ps -> exists M, best_of (board n) M /\ ~ In (a * p) (both M).
Proof.
  intros I. destruct (Chain.best_exists positive Pos.eq_dec fit (fits_symmetric _) (fun _ => true) (board n))
    as [M B]. destruct (some_alone M (proj1 B)) as (q & J & A).
  destruct (rematch M q B J A) as (B' & L & _).
  destruct (Pos.eq_dec p q) as [-> | D]; [eauto|]. now apply (exchange p q I J D (scaled q ++ outer q M)).
Qed.

End Copies.

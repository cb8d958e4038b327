(** * The rules: when a number may follow another. *)

From Coq Require Import List Arith Lia Bool NArith PArith ZArith Znumtheory.
Import ListNotations.
Open Scope N_scope.

Definition multiple_or_factor (a b : N) : bool := (a mod b =? 0) || (b mod a =? 0).

(** The decimal digits, the last one first; no number has more digits than bits. *)
Fixpoint digits_of (most : nat) (a : N) : list N :=
  match most with
  | O => []
  | S most => if a <? 10 then [a] else a mod 10 :: digits_of most (a / 10)
  end.
Definition digits (a : N) : list N := digits_of (N.size_nat a) a.

Definition share_a_digit (a b : N) : bool :=
  existsb (fun d => existsb (N.eqb d) (digits b)) (digits a).
Definition same_digit_sum (a b : N) : bool :=
  fold_right N.add 0 (digits a) =? fold_right N.add 0 (digits b).
(** See [prime_factor_means] below. *)
Definition share_a_prime (a b : N) : bool := negb (N.gcd a b =? 1).
Definition next_to (a b : N) : bool := (N.succ a =? b) || (N.succ b =? a).
Definition together_a_square (a b : N) : bool :=
  let root := N.sqrt (a + b) in root * root =? a + b.

Inductive criterion := Factor | Digit | DigitSum | PrimeFactor | Neighbour | SquareSum.

Definition meets (c : criterion) : N -> N -> bool :=
  match c with
  | Factor => multiple_or_factor
  | Digit => share_a_digit
  | DigitSum => same_digit_sum
  | PrimeFactor => share_a_prime
  | Neighbour => next_to
  | SquareSum => together_a_square
  end.

(** A number fits another one if it meets at least one of the criteria. *)
Definition fits (cs : list criterion) (a b : positive) : bool :=
  negb (a =? b)%positive && existsb (fun c => meets c (Npos a) (Npos b)) cs.

(** Whatever the criteria: if a fits b, then b fits a. *)
Theorem fits_symmetric cs a b : fits cs a b = fits cs b a.
Proof.
  unfold fits. rewrite (Pos.eqb_sym a b). f_equal.
  induction cs as [|c cs IH]; [reflexivity|]. cbn [existsb]. rewrite IH. f_equal. clear.
  generalize (Npos a), (Npos b). intros m n. destruct c; cbn [meets].
  - apply orb_comm.
  - unfold share_a_digit. apply eq_iff_eq_true. rewrite !existsb_exists.
    split; intros (d & I & E); apply existsb_exists in E; destruct E as (e & J & E);
      apply N.eqb_eq in E; subst; exists e; split; auto; apply existsb_exists; exists e;
      split; auto; apply N.eqb_refl.
  - apply N.eqb_sym.
  - unfold share_a_prime. now rewrite N.gcd_comm.
  - apply orb_comm.
  - unfold together_a_square. now rewrite N.add_comm.
Qed.

(** The first criterion in the words of the rule book: one is a multiple of the other. *)
Theorem factor_means a b :
  meets Factor (Npos a) (Npos b) = true <-> (Npos a | Npos b) \/ (Npos b | Npos a).
Proof.
  cbn. unfold multiple_or_factor. rewrite orb_true_iff, !N.eqb_eq.
  rewrite !N.mod_divide by discriminate. tauto.
Qed.

Lemma prime_divisor (n : Z) : (1 < n)%Z -> exists p, prime p /\ (p | n)%Z.
Proof.
  induction n as [n IH] using (well_founded_induction (Z.lt_wf 0)). intros L.
  destruct (prime_dec n) as [P | P]; [exists n; split; [exact P | apply Z.divide_refl]|].
  destruct (not_prime_divide n L P) as (m & B & D).
  destruct (IH m) as (p & Q & E); [lia | lia |]. exists p. split; [exact Q|].
  now apply Z.divide_trans with m.
Qed.

(** Numbers share a prime factor if a prime divides both. *)
Theorem prime_factor_means a b :
  meets PrimeFactor (Npos a) (Npos b) = true <->
  exists p, prime p /\ (p | Zpos a)%Z /\ (p | Zpos b)%Z.
Proof.
  cbn [meets]. unfold share_a_prime. rewrite negb_true_iff, N.eqb_neq.
  assert (E : Z.of_N (N.gcd (Npos a) (Npos b)) = Z.gcd (Zpos a) (Zpos b)) by reflexivity.
  split.
  - intros H. destruct (prime_divisor (Z.gcd (Zpos a) (Zpos b))) as (p & P & D).
    + assert (Z.gcd (Zpos a) (Zpos b) <> 0)%Z by (intros Z; apply Z.gcd_eq_0_l in Z; discriminate).
      pose proof (Z.gcd_nonneg (Zpos a) (Zpos b)). lia.
    + exists p. split; [exact P|]. split; eapply Z.divide_trans; eauto;
        [apply Z.gcd_divide_l | apply Z.gcd_divide_r].
  - intros (p & P & Da & Db) H. rewrite H in E.
    pose proof (Z.gcd_greatest _ _ _ Da Db) as D. rewrite <- E in D. cbn in D.
    apply Z.divide_1_r_nonneg in D; [|destruct P; lia]. destruct P. lia.
Qed.

(** Numbers add up to a square if their sum is some number times itself. *)
Theorem square_sum_means a b :
  meets SquareSum a b = true <-> exists root, root * root = a + b.
Proof.
  cbn [meets]. unfold together_a_square. rewrite N.eqb_eq. split; [eauto|].
  intros [root <-]. now rewrite N.sqrt_square.
Qed.

(** The numbers 1, 2, 3 ... *)
Fixpoint from (k : nat) (v : positive) : list positive :=
  match k with O => [] | S k => v :: from k (Pos.succ v) end.
Definition board (n : positive) : list positive := from (Pos.to_nat n) 1.

Lemma in_from k : forall v x,
  In x (from k v) <-> (Pos.to_nat v <= Pos.to_nat x < Pos.to_nat v + k)%nat.
Proof.
  induction k as [|k IH]; intros v x; cbn; [lia|]. rewrite IH, Pos2Nat.inj_succ. split.
  - intros [<- | H]; lia.
  - intros H. destruct (Pos.eq_dec v x) as [|D]; [auto | right].
    assert (Pos.to_nat v <> Pos.to_nat x) by (intros E; now apply Pos2Nat.inj in E). lia.
Qed.

Lemma in_board n x : In x (board n) <-> (x <= n)%positive.
Proof. unfold board. rewrite in_from, Pos2Nat.inj_le. pose proof (Pos2Nat.is_pos x). lia. Qed.

(** All pairs of a board that fit by factors, each found once, by adding. *)
Fixpoint multiples (most : nat) (v w n : positive) : list positive :=
  match most with
  | O => []
  | S most => if (w <=? n)%positive then w :: multiples most v (w + v) n else []
  end.

Definition all_by_multiples (n : positive) (good : positive -> positive -> bool) : bool :=
  let most := Pos.to_nat n in
  forallb (fun v => forallb (fun w => good v w && good w v) (multiples most v (v + v) n)) (board n).

Lemma in_multiples most : forall v w n x j,
  (Pos.to_nat x = Pos.to_nat w + j * Pos.to_nat v)%nat -> (x <= n)%positive -> (j < most)%nat ->
  In x (multiples most v w n).
Proof.
  induction most as [|most IH]; intros v w n x j E L J; [lia|]. cbn.
  assert (W : (w <=? n)%positive = true) by (apply Pos.leb_le; lia). rewrite W.
  destruct j as [|j].
  - left. apply Pos2Nat.inj. lia.
  - right. apply (IH _ _ _ _ j); [rewrite Pos2Nat.inj_add; cbn in E; lia | exact L | lia].
Qed.

Lemma all_by_multiples_right n good :
  all_by_multiples n good = true -> forall v w, (v <= n)%positive -> (w <= n)%positive ->
  fits [Factor] v w = true -> good v w = true.
Proof.
  intros H v w Lv Lw F. unfold fits in F. cbn [existsb] in F.
  rewrite andb_true_iff, negb_true_iff, Pos.eqb_neq, orb_false_r, factor_means in F.
  destruct F as [D F]. unfold all_by_multiples in H. rewrite forallb_forall in H.
  assert (K : forall a b, (a <= n)%positive -> (b <= n)%positive -> a <> b ->
    (Npos a | Npos b) -> good a b = true /\ good b a = true).
  { intros a b La Lb Dab [q Q]. apply in_board in La. specialize (H a La).
    rewrite forallb_forall in H. apply andb_true_iff. apply H.
    apply (f_equal N.to_nat) in Q. rewrite N2Nat.inj_mul in Q. cbn in Q.
    assert (B : Pos.to_nat a <> Pos.to_nat b) by (intros E; now apply Pos2Nat.inj in E).
    destruct (N.to_nat q) as [|[|j]] eqn:Eq; [pose proof (Pos2Nat.is_pos b); lia | lia |].
    apply (in_multiples _ _ _ _ _ j); [rewrite Pos2Nat.inj_add; lia | exact Lb |].
    apply Pos2Nat.inj_le in Lb. pose proof (Pos2Nat.is_pos a). nia. }
  destruct F as [F | F]; [apply (K v w) | apply (K w v)]; auto.
Qed.

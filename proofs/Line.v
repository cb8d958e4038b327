(** * The number line: what each run counts, balance, and the period from 71 on. *)

From Coq Require Import List Arith Lia Bool NArith FinFun.
From Duels Require Import Games.
Import ListNotations.

Ltac xor := apply N.bits_inj; intro; rewrite ?N.lxor_spec, ?N.bits_0;
  repeat match goal with |- context [N.testbit ?x ?k] => destruct (N.testbit x k) end; reflexivity.

(** ** What a run counts: the least value that no move leaves *)

Definition has (l : list N) (x : N) : bool := existsb (N.eqb x) l.
Fixpoint least_from (most : nat) (x : N) (l : list N) : N :=
  match most with
  | O => x
  | S most => if has l x then least_from most (N.succ x) l else x
  end.
Definition least_not_in (l : list N) : N := least_from (length l) 0 l.

Lemma has_right l x : has l x = true <-> In x l.
Proof.
  unfold has. rewrite existsb_exists. split.
  - intros (y & I & E). apply N.eqb_eq in E. now subst.
  - intros I. exists x. split; [exact I | apply N.eqb_refl].
Qed.

Lemma least_from_right most : forall x l, let r := least_from most x l in
  (forall y, (x <= y < r)%N -> In y l) /\ (~ In r l \/ r = (x + N.of_nat most)%N).
Proof.
  induction most as [|most IH]; intros x l; cbn [least_from].
  - split; [intros y; lia | right; lia].
  - destruct (has l x) eqn:H.
    + apply has_right in H. destruct (IH (N.succ x) l) as [A B]. split.
      * intros y Y. destruct (N.eq_dec x y) as [<- | D]; [exact H | apply A; lia].
      * destruct B; [now left | right; lia].
    + split; [intros y; lia | left]. intros I. apply has_right in I. congruence.
Qed.

Lemma least_right l : ~ In (least_not_in l) l /\ forall y, (y < least_not_in l)%N -> In y l.
Proof.
  unfold least_not_in. destruct (least_from_right (length l) 0 l) as [A B].
  split; [|intros y Y; apply A; lia]. destruct B as [B | B]; [exact B|]. intros I.
  assert (X : (length (map N.of_nat (seq 0 (S (length l)))) <= length l)%nat).
  { apply NoDup_incl_length.
    - apply Injective_map_NoDup; [intros a b; apply Nat2N.inj | apply seq_NoDup].
    - intros y Y. apply in_map_iff in Y. destruct Y as (k & <- & K). apply in_seq in K.
      destruct (Nat.eq_dec k (length l)) as [-> | D].
      + replace (N.of_nat (length l)) with (least_from (length l) 0 l) by lia. exact I.
      + apply A. lia. }
  rewrite map_length, seq_length in X. lia.
Qed.

(** The counts of the first lengths, the longest first. A move takes one or two of a run and leaves
    two parts, which may be empty. *)
Definition both_parts (cs : list N) : list N :=
  map (fun e => N.lxor (fst e) (snd e)) (combine (rev cs) cs).
Fixpoint counts (n : nat) : list N :=
  match n with
  | O => []
  | S n => let cs := counts n in least_not_in (both_parts cs ++ both_parts (tl cs)) :: cs
  end.
Definition count (n : nat) : N := hd 0%N (counts (S n)).

(** A run of n can be split so that its parts count x together. *)
Definition leaves (n : nat) (x : N) : Prop :=
  exists a b t, (t = 1 \/ t = 2) /\ a + b + t = n /\ x = N.lxor (count a) (count b).

Lemma counts_rev n : rev (counts n) = map count (seq 0 n).
Proof.
  induction n; [reflexivity|]. rewrite seq_S, map_app. cbn [counts rev]. rewrite IHn. reflexivity.
Qed.

Lemma in_both_parts n x :
  In x (both_parts (counts n)) <-> exists a b, S (a + b) = n /\ x = N.lxor (count a) (count b).
Proof.
  unfold both_parts. rewrite <- (rev_involutive (counts n)) at 2. rewrite counts_rev.
  set (l := map count (seq 0 n)). assert (L : length l = n) by (unfold l; now rewrite map_length, seq_length).
  assert (Nth : forall i, i < n -> nth i l 0%N = count i).
  { intros i I. unfold l. rewrite nth_indep with (d' := count 0) by (now rewrite map_length, seq_length).
    rewrite map_nth, seq_nth; [reflexivity | exact I]. }
  assert (NthR : forall i, i < n -> nth i (rev l) 0%N = count (n - S i)).
  { intros i I. rewrite rev_nth by lia. rewrite L. apply Nth. lia. }
  assert (LC : length (combine l (rev l)) = n) by (rewrite combine_length, rev_length; lia).
  rewrite in_map_iff. split.
  - intros ([u v] & <- & I). apply (In_nth _ _ (0%N, 0%N)) in I. destruct I as (i & Li & E).
    rewrite combine_nth in E by (now rewrite rev_length). injection E as <- <-.
    exists i, (n - S i). rewrite Nth, NthR by lia. split; [lia | reflexivity].
  - intros (a & b & E & ->). exists (count a, count b). split; [reflexivity|].
    replace (count a, count b) with (nth a (combine l (rev l)) (0%N, 0%N)).
    + apply nth_In. lia.
    + rewrite combine_nth by (now rewrite rev_length). rewrite Nth, NthR by lia.
      do 2 f_equal. lia.
Qed.

(** No move leaves what the run counts, and every smaller value can be left. *)
Theorem count_right n :
  ~ leaves n (count n) /\ forall y, (y < count n)%N -> leaves n y.
Proof.
  assert (H : forall x, In x (both_parts (counts n) ++ both_parts (tl (counts n))) <-> leaves n x).
  { intros x. rewrite in_app_iff, in_both_parts. unfold leaves. destruct n as [|n].
    - cbn. split; [intros [(a & b & E & _) | []]; lia | intros (a & b & t & T & E & _); lia].
    - cbn [counts tl]. rewrite in_both_parts. split.
      + intros [(a & b & E & ->) | (a & b & E & ->)];
          [exists a, b, 1 | exists a, b, 2]; repeat split; auto; lia.
      + intros (a & b & t & [-> | ->] & E & ->); [left | right]; exists a, b; split; auto; lia. }
  unfold count. cbn [counts hd]. destruct (least_right (both_parts (counts n) ++ both_parts (tl (counts n)))) as [A B].
  split; [intros L; apply A; now apply H | intros y Y; now apply H, B].
Qed.

Lemma count_0 : count 0 = 0%N.
Proof. reflexivity. Qed.

Lemma same_count m n : (forall x, leaves m x <-> leaves n x) -> count m = count n.
Proof.
  intros H. destruct (count_right m) as [A B]. destruct (count_right n) as [A' B'].
  destruct (N.lt_trichotomy (count m) (count n)) as [L | [E | L]]; [|exact E|].
  - exfalso. apply A. apply H. auto.
  - exfalso. apply A'. apply H. auto.
Qed.

(** Counts that repeat for long enough repeat for ever: for n from n0 to 2 n0 + p + 2. *)
Theorem period n0 p :
  (forall n, n0 <= n < 2 * n0 + p + 2 -> count (n + p) = count n) ->
  forall n, n0 <= n -> count (n + p) = count n.
Proof.
  intros H n. induction n as [n IH] using lt_wf_ind. intros L.
  destruct (le_lt_dec (2 * n0 + p + 2) n) as [G | G]; [|now apply H].
  apply same_count. intros x. split; intros (a & b & t & T & E & ->).
  - destruct (le_lt_dec (n0 + p) a) as [Ga | Ga].
    + exists (a - p), b, t. repeat split; [exact T | lia |].
      rewrite <- (IH (a - p)) by lia. do 2 f_equal. lia.
    + exists a, (b - p), t. repeat split; [exact T | lia |].
      rewrite <- (IH (b - p)) by lia. do 2 f_equal. lia.
  - destruct (le_lt_dec n0 a) as [Ga | Ga].
    + exists (a + p), b, t. repeat split; [exact T | lia |]. rewrite (IH a) by lia. reflexivity.
    + exists a, (b + p), t. repeat split; [exact T | lia |]. rewrite (IH b) by lia. reflexivity.
Qed.

Definition table : list N := Eval vm_compute in rev (counts 168).

Lemma table_right i : i < 168 -> nth i table 0%N = count i.
Proof.
  intros I. replace table with (rev (counts 168)) by (vm_compute; reflexivity).
  rewrite counts_rev. rewrite nth_indep with (d' := count 0) by (now rewrite map_length, seq_length).
  rewrite map_nth, seq_nth; [reflexivity | exact I].
Qed.

(** From length 71 on the counts repeat every 12. *)
Theorem kayles_period n : 71 <= n -> count (n + 12) = count n.
Proof.
  apply period. intros m M.
  assert (H : forallb (fun i => N.eqb (nth (i + 12) table 0%N) (nth i table 0%N)) (seq 71 85) = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in H. specialize (H m). rewrite in_seq in H.
  rewrite N.eqb_eq, !table_right in H by lia. apply H. lia.
Qed.

(** So a look into the table gives the count of a run of any length. *)
Definition quick_count (n : N) : N :=
  nth (N.to_nat (if (n <? 71)%N then n else 71 + (n - 71) mod 12)) table 0%N.

Theorem quick_count_right n : quick_count (N.of_nat n) = count n.
Proof.
  unfold quick_count. destruct (N.ltb_spec (N.of_nat n) 71) as [L | L].
  - rewrite Nat2N.id. apply table_right. lia.
  - assert (M : ((N.of_nat n - 71) mod 12 < 12)%N) by (apply N.mod_lt; discriminate).
    pose proof (N.div_mod (N.of_nat n - 71) 12) as D.
    set (r := ((N.of_nat n - 71) mod 12)%N) in *. set (q := ((N.of_nat n - 71) / 12)%N) in *.
    rewrite table_right by lia.
    assert (E : n = N.to_nat (71 + r) + N.to_nat q * 12) by lia. rewrite E. clear.
    induction (N.to_nat q) as [|k IH]; [f_equal; lia|].
    rewrite <- (kayles_period (N.to_nat (71 + r) + k * 12)) in IH by lia. rewrite IH. f_equal. lia.
Qed.

(** ** The game on a line with holes *)

(** True where a number is left. A move is named by how many places are before it, and whether it
    takes two. *)
Fixpoint crossings (i : nat) (l : list bool) : list ((nat * bool) * list bool) :=
  match l with
  | [] => []
  | true :: l' =>
      ((i, false), false :: l') ::
      (match l' with true :: l2 => [((i, true), false :: false :: l2)] | _ => [] end) ++
      map (fun e => (fst e, true :: snd e)) (crossings (S i) l')
  | false :: l' => map (fun e => (fst e, false :: snd e)) (crossings (S i) l')
  end.
Definition next (l : list bool) : list (list bool) := map snd (crossings 0 l).
Definition who_moved_last_wins (l : list bool) : bool := true.
Notation Wins := (wins next who_moved_last_wins).
Notation Loses := (loses next who_moved_last_wins).

(** The runs of a line of which c numbers have been passed, and what they count together. *)
Fixpoint runs (c : nat) (l : list bool) : list nat :=
  match l with
  | [] => [c]
  | true :: l => runs (S c) l
  | false :: l => c :: runs 0 l
  end.
Fixpoint value (c : nat) (l : list bool) : N :=
  match l with
  | [] => count c
  | true :: l => value (S c) l
  | false :: l => N.lxor (count c) (value 0 l)
  end.

Lemma value_runs l : forall c, value c l = fold_right N.lxor 0%N (map count (runs c l)).
Proof.
  induction l as [|[] l IH]; intros c; cbn [value runs map fold_right].
  - now rewrite N.lxor_0_r.
  - apply IH.
  - now rewrite IH.
Qed.

Fixpoint lead (l : list bool) : nat := match l with true :: l => S (lead l) | _ => 0 end.
Fixpoint beyond (l : list bool) : N :=
  match l with [] => 0%N | true :: l => beyond l | false :: l => value 0 l end.

Lemma value_lead l : forall c, value c l = N.lxor (count (c + lead l)) (beyond l).
Proof.
  induction l as [|[] l IH]; intros c; cbn [value lead beyond].
  - now rewrite N.lxor_0_r, Nat.add_0_r.
  - rewrite IH. do 2 f_equal. lia.
  - now rewrite Nat.add_0_r.
Qed.

Lemma lxor_same a x y : N.lxor a x = N.lxor a y -> x = y.
Proof.
  intros H. replace x with (N.lxor a (N.lxor a x)) by xor. rewrite H. xor.
Qed.

(** Every move changes what the line counts. *)
Lemma crossing_changes l : forall i m r c, In (m, r) (crossings i l) -> value c r <> value c l.
Proof.
  assert (T : forall a b t x, t = 1 \/ t = 2 ->
    N.lxor (count a) (N.lxor (count b) x) <> N.lxor (count (a + b + t)) x).
  { intros a b t x T H. apply (proj1 (count_right (a + b + t))). exists a, b, t.
    repeat split; [exact T|].
    replace (N.lxor (count a) (count b)) with (N.lxor (N.lxor (count a) (N.lxor (count b) x)) x) by xor.
    rewrite H. xor. }
  induction l as [|[] l IH]; intros i m r c I; [easy | |].
  - cbn [crossings] in I. destruct I as [E | I].
    + injection E as <- <-. cbn [value]. rewrite (value_lead l 0), (value_lead l (S c)).
      replace (S c + lead l) with (c + lead l + 1) by lia. apply T. auto.
    + apply in_app_or in I. destruct I as [I | I].
      * destruct l as [|[] l]; try easy. destruct I as [E | []]. injection E as <- <-.
        cbn [value]. rewrite (value_lead l 0), (value_lead l (S (S c))), count_0, N.lxor_0_l.
        replace (S (S c) + lead l) with (c + lead l + 2) by lia. apply T. auto.
      * apply in_map_iff in I. destruct I as ([m' r'] & E & I). injection E as <- <-.
        cbn [value]. now apply (IH (S i) m').
  - cbn [crossings] in I. apply in_map_iff in I. destruct I as ([m' r'] & E & I).
    injection E as <- <-. cbn [value snd]. intros H. apply lxor_same in H.
    now apply (IH (S i) m' r' 0 I).
Qed.

Lemma crossings_app p : forall i j l m r,
  In (m, r) (crossings j l) -> exists m' : nat * bool, In (m', p ++ r) (crossings i (p ++ l)).
Proof.
  assert (Shift : forall l j k m r, In (m, r) (crossings j l) ->
    exists m', In (m', r) (crossings k l)).
  { induction l as [|[] l IH]; intros j k m r I; cbn [crossings] in *; [easy | |].
    - destruct I as [E | I]; [injection E as <- <-; exists (k, false); now left|].
      apply in_app_or in I. destruct I as [I | I].
      + destruct l as [|[] l]; try easy. destruct I as [E | []]. injection E as <- <-.
        exists (k, true). right. now left.
      + apply in_map_iff in I. destruct I as ([m' r'] & E & I). injection E as <- <-.
        destruct (IH _ (S k) _ _ I) as [m2 I2]. exists m2. right. apply in_or_app. right.
        apply in_map_iff. now exists (m2, r').
    - apply in_map_iff in I. destruct I as ([m' r'] & E & I). injection E as <- <-.
      destruct (IH _ (S k) _ _ I) as [m2 I2]. exists m2. apply in_map_iff. now exists (m2, r'). }
  induction p as [|[] p IH]; intros i j l m r I; cbn [app crossings].
  - now apply (Shift l j i m).
  - destruct (IH (S i) _ _ _ _ I) as [m' I']. exists m'. right. apply in_or_app. right.
    apply in_map_iff. now exists (m', p ++ r).
  - destruct (IH (S i) _ _ _ _ I) as [m' I']. exists m'. apply in_map_iff. now exists (m', p ++ r).
Qed.

Lemma value_repeat c : forall d l, value d (repeat true c ++ l) = value (d + c) l.
Proof.
  induction c as [|c IH]; intros d l; cbn; [now rewrite Nat.add_0_r|].
  rewrite IH. f_equal. lia.
Qed.

(** A run is split as one likes. *)
Lemma split_a_run a b t l : t = 1 \/ t = 2 ->
  exists m r, In (m, r) (crossings 0 (repeat true (a + b + t) ++ l)) /\
    value 0 r = N.lxor (count a) (value b l).
Proof.
  intros T.
  assert (E : repeat true (a + b + t) ++ l = repeat true a ++ repeat true t ++ repeat true b ++ l).
  { replace (a + b + t) with (a + (t + b)) by lia. rewrite !repeat_app, <- !app_assoc. reflexivity. }
  rewrite E. destruct T as [-> | ->].
  - destruct (crossings_app (repeat true a) 0 0 (true :: repeat true b ++ l) (0, false)
      (false :: repeat true b ++ l)) as [m I]; [now left|].
    exists m, (repeat true a ++ false :: repeat true b ++ l). split; [exact I|].
    rewrite value_repeat. cbn [value]. now rewrite value_repeat.
  - destruct (crossings_app (repeat true a) 0 0 (true :: true :: repeat true b ++ l) (0, true)
      (false :: false :: repeat true b ++ l)) as [m I]; [right; now left|].
    exists m, (repeat true a ++ false :: false :: repeat true b ++ l). split; [exact I|].
    rewrite value_repeat. cbn [value]. rewrite value_repeat, count_0, N.lxor_0_l. reflexivity.
Qed.

Lemma change_a_run l : forall c n x, In n (runs c l) -> leaves n x ->
  exists m r, In (m, r) (crossings 0 (repeat true c ++ l)) /\
    value 0 r = N.lxor (N.lxor (value c l) (count n)) x.
Proof.
  induction l as [|[] l IH]; intros c n x I L; cbn [runs] in I.
  - destruct I as [<- | []]. destruct L as (a & b & t & T & <- & ->).
    destruct (split_a_run a b t [] T) as (m & r & J & E). exists m, r. split; [exact J|].
    rewrite E. cbn [value]. xor.
  - destruct (IH (S c) n x I L) as (m & r & J & E). exists m, r. split; [|exact E].
    replace (repeat true c ++ true :: l) with (repeat true (S c) ++ l); [exact J|].
    replace (S c) with (c + 1) by lia. rewrite repeat_app, <- app_assoc. reflexivity.
  - destruct I as [<- | I].
    + destruct L as (a & b & t & T & <- & ->).
      destruct (split_a_run a b t (false :: l) T) as (m & r & J & E). exists m, r.
      split; [exact J|]. rewrite E. cbn [value]. xor.
    + destruct (IH 0 n x I L) as (m & r & J & E). cbn [repeat app] in J.
      destruct (crossings_app (repeat true c ++ [false]) 0 0 l m r J) as [m' J'].
      rewrite <- !app_assoc in J'. exists m', (repeat true c ++ false :: r). split; [exact J'|].
      rewrite value_repeat. cbn [value Nat.add]. rewrite E. xor.
Qed.

(** If the counts are not balanced, one of them is too large. *)
Lemma too_large l : let x := fold_right N.lxor 0%N l in
  x <> 0%N -> exists e, In e l /\ (N.lxor e x < e)%N.
Proof.
  intros x X. set (k := N.log2 x).
  assert (B : N.testbit x k = true) by (now apply N.bit_log2).
  assert (I : exists e, In e l /\ N.testbit e k = true).
  { unfold x in B. clear X. clearbody k. clear x. induction l as [|e l IH].
    - discriminate B.
    - cbn in B. rewrite N.lxor_spec in B. destruct (N.testbit e k) eqn:E.
      + exists e. split; [now left | exact E].
      + rewrite xorb_false_l in B. destruct (IH B) as (f & I & Ef).
        exists f. split; [now right | exact Ef]. }
  destruct I as (e & I & E). exists e. split; [exact I|].
  assert (Hi : N.shiftr (N.lxor e x) (N.succ k) = N.shiftr e (N.succ k)).
  { rewrite N.shiftr_lxor. rewrite (N.shiftr_eq_0 x (N.succ k)); [apply N.lxor_0_r|].
    unfold k. lia. }
  destruct (N.lt_ge_cases (N.lxor e x) e) as [|Ge]; [assumption|]. exfalso.
  assert (Hk : forall y, N.shiftr y k = (2 * N.shiftr y (N.succ k) + N.b2n (N.testbit y k))%N).
  { intros y. rewrite <- N.add_1_r, <- N.shiftr_shiftr.
    rewrite (N.div2_odd (N.shiftr y k)) at 1. rewrite <- N.div2_spec.
    rewrite <- N.bit0_odd, N.shiftr_spec', N.add_0_l. reflexivity. }
  assert (Le : (N.shiftr e k <= N.shiftr (N.lxor e x) k)%N).
  { rewrite !N.shiftr_div_pow2. apply N.div_le_mono; [apply N.pow_nonzero; discriminate | exact Ge]. }
  rewrite !Hk, Hi, N.lxor_spec, E, B in Le. cbn in Le. lia.
Qed.

Definition left (l : list bool) : nat := length (filter (fun b => b) l).

Lemma crossing_left l : forall i m r, In (m, r) (crossings i l) -> left r < left l.
Proof.
  unfold left. induction l as [|[] l IH]; intros i m r I; cbn [crossings] in I; [easy | |].
  - destruct I as [E | I]; [injection E as <- <-; cbn; lia|].
    apply in_app_or in I. destruct I as [I | I].
    + destruct l as [|[] l]; try easy. destruct I as [E | []]. injection E as <- <-. cbn. lia.
    + apply in_map_iff in I. destruct I as ([m' r'] & E & I). injection E as <- <-.
      apply IH in I. cbn. lia.
  - apply in_map_iff in I. destruct I as ([m' r'] & E & I). injection E as <- <-.
    apply IH in I. cbn. lia.
Qed.

(** The trick of balance: a line is lost for who has to move if and only if the counts of its runs
    cancel out. *)
Theorem balance l : (value 0 l = 0%N -> Loses l) /\ (value 0 l <> 0%N -> Wins l).
Proof.
  remember (left l) as n eqn:E. revert l E. induction n as [n IH] using lt_wf_ind.
  intros l ->. split; intros V.
  - constructor; [reflexivity|]. intros q I. apply in_map_iff in I.
    destruct I as ([m r] & <- & I). cbn [snd].
    apply (IH (left r) (crossing_left _ _ _ _ I) r eq_refl).
    rewrite <- V. now apply (crossing_changes l 0 m r 0).
  - rewrite value_runs in V. destruct (too_large _ V) as (e & I & L).
    rewrite <- value_runs in L. apply in_map_iff in I. destruct I as (n & <- & I).
    destruct (change_a_run l 0 n (N.lxor (count n) (value 0 l)) I) as (m & r & J & E).
    { now apply count_right. }
    cbn [repeat app] in J. apply wins_by_a_move with r.
    + apply in_map_iff. now exists (m, r).
    + apply (IH (left r) (crossing_left _ _ _ _ J) r eq_refl). rewrite E. xor.
Qed.

Theorem lost_iff_balanced l : Loses l <-> value 0 l = 0%N.
Proof.
  split; [|apply balance]. intros L. destruct (N.eq_dec (value 0 l) 0) as [E | E]; [exact E|].
  exfalso. exact (never_both _ _ _ _ (proj2 (balance l) E) L).
Qed.

(** ** The checker *)

(** One pass: on the way there what the runs before count, on the way back what those behind do.
    It gives the winning moves, the length of the run ahead, what is beyond it, and what counts
    behind the first number if that is free. *)
Fixpoint scan (i : nat) (before c : N) (l : list bool) : list (nat * bool) * N * N * option N :=
  match l with
  | [] => ([], 0, 0, None)
  | true :: l =>
      let '(ws, ahead, far, behind) := scan (S i) before (N.succ c) l in
      let here := N.lxor before (quick_count c) in
      let one := N.lxor (quick_count ahead) far in
      (((if N.eqb here one then [(i, false)] else []) ++
        (match behind with
         | Some two => if N.eqb here two then [(i, true)] else []
         | None => []
         end) ++ ws), N.succ ahead, far, Some one)
  | false :: l =>
      let '(ws, ahead, far, _) := scan (S i) (N.lxor before (quick_count c)) 0 l in
      (ws, 0, N.lxor (quick_count ahead) far, None)
  end%N.
Definition winning_moves (l : list bool) : list (nat * bool) :=
  let '(ws, _, _, _) := scan 0 0 0 l in ws.

Lemma lxor_zero x y : N.lxor x y = 0%N <-> x = y.
Proof. apply N.lxor_eq_0_iff. Qed.

Lemma scan_right l : forall i before c,
  let '(ws, ahead, far, behind) := scan i before (N.of_nat c) l in
  ahead = N.of_nat (lead l) /\ far = beyond l /\
  behind = match l with true :: l' => Some (value 0 l') | _ => None end /\
  forall m, In m ws <-> exists r, In (m, r) (crossings i l) /\ N.lxor before (value c r) = 0%N.
Proof.
  induction l as [|[] l IH]; intros i before c; cbn [scan].
  - do 3 (split; [reflexivity|]). intros m. split; [easy | intros (r & [] & _)].
  - specialize (IH (S i) before (S c)). rewrite Nat2N.inj_succ in IH.
    destruct (scan (S i) before (N.succ (N.of_nat c)) l) as [[[ws ahead] far] behind].
    destruct IH as (-> & -> & -> & W).
    assert (V : N.lxor (quick_count (N.of_nat (lead l))) (beyond l) = value 0 l).
    { rewrite quick_count_right, value_lead. reflexivity. }
    rewrite V, quick_count_right. split; [|split; [|split]]; try reflexivity.
    { cbn [lead]. lia. }
    assert (Z : forall y, N.eqb (N.lxor before (count c)) y = true <->
              N.lxor before (N.lxor (count c) y) = 0%N).
    { intros y. rewrite N.eqb_eq, <- N.lxor_assoc, lxor_zero. tauto. }
    intros m. rewrite !in_app_iff, W. cbn [crossings]. split.
    + intros [J | [J | (r & J & E)]].
      * destruct (N.eqb _ _) eqn:E in J; [|easy]. destruct J as [<- | []].
        exists (false :: l). split; [now left|]. cbn [value]. now apply Z.
      * destruct l as [|[] l]; try easy. destruct (N.eqb _ _) eqn:E in J; [|easy].
        destruct J as [<- | []]. exists (false :: false :: l). split; [right; now left|].
        cbn [value]. rewrite count_0, N.lxor_0_l. now apply Z.
      * exists (true :: r). split; [|exact E]. right. apply in_or_app. right.
        apply in_map_iff. now exists (m, r).
    + intros (r & [J | J] & E).
      * injection J as <- <-. left. cbn [value] in E. apply Z in E. rewrite E. now left.
      * apply in_app_or in J. destruct J as [J | J].
        -- destruct l as [|[] l]; try easy. destruct J as [J | []]. injection J as <- <-.
           right. left. cbn [value] in E. rewrite count_0, N.lxor_0_l in E. apply Z in E.
           rewrite E. now left.
        -- apply in_map_iff in J. destruct J as ([m' r'] & J & K). injection J as <- <-.
           right. right. exists r'. split; [exact K | exact E].
  - specialize (IH (S i) (N.lxor before (quick_count (N.of_nat c))) 0).
    cbn [N.of_nat] in IH.
    destruct (scan (S i) (N.lxor before (quick_count (N.of_nat c))) 0 l) as [[[ws ahead] far] behind].
    destruct IH as (-> & -> & _ & W).
    split; [reflexivity|]. split.
    { rewrite quick_count_right. cbn [beyond]. rewrite value_lead. reflexivity. }
    split; [reflexivity|]. intros m. split.
    + intros J. apply W in J. destruct J as (r & J & E). exists (false :: r). split.
      * apply in_map_iff. now exists (m, r).
      * cbn [value]. rewrite quick_count_right, N.lxor_assoc in E. exact E.
    + intros (r & J & E). apply in_map_iff in J. destruct J as ([m' r'] & J & K).
      injection J as <- <-. apply W. exists r'. split; [exact K|].
      cbn [value snd] in E. rewrite quick_count_right, N.lxor_assoc. exact E.
Qed.

(** Exactly these moves win. *)
Theorem winning_moves_right l m :
  In m (winning_moves l) <-> exists r, In (m, r) (crossings 0 l) /\ Loses r.
Proof.
  unfold winning_moves. pose proof (scan_right l 0 0 0) as H. cbn [N.of_nat] in H.
  destruct (scan 0 0 0 l) as [[[ws ahead] far] behind]. destruct H as (_ & _ & _ & H).
  rewrite H. split; intros (r & I & E); exists r; split; auto.
  - rewrite N.lxor_0_l in E. now apply lost_iff_balanced.
  - rewrite N.lxor_0_l. now apply lost_iff_balanced.
Qed.

(** One move, without looking at all of them. *)
Fixpoint cross (i : nat) (two : bool) (l : list bool) : option (list bool) :=
  match i, l with
  | O, true :: l =>
      if two then match l with true :: l => Some (false :: false :: l) | _ => None end
      else Some (false :: l)
  | S i, x :: l => match cross i two l with Some r => Some (x :: r) | None => None end
  | _, _ => None
  end.

Lemma cross_right two l : forall k i r,
  cross k two l = Some r <-> In ((i + k, two), r) (crossings i l).
Proof.
  assert (Later : forall l i j b r, In ((j, b), r) (crossings i l) -> i <= j).
  { clear. induction l as [|[] l IH]; intros i j b r I; cbn [crossings] in I; [easy | |].
    - destruct I as [E | I]; [injection E as <- _ _; lia|]. apply in_app_or in I.
      destruct I as [I | I].
      + destruct l as [|[] l]; try easy. destruct I as [E | []]. injection E as <- _ _. lia.
      + apply in_map_iff in I. destruct I as ([[j' b'] r'] & E & I). injection E as <- <- <-.
        apply IH in I. lia.
    - apply in_map_iff in I. destruct I as ([[j' b'] r'] & E & I). injection E as <- <- <-.
      apply IH in I. lia. }
  induction l as [|x l IH]; intros k i r.
  { split; [destruct k; discriminate | easy]. }
  destruct k as [|k]; cbn [cross].
  - rewrite Nat.add_0_r. destruct x; cbn [crossings].
    + assert (No : ~ In (i, two, r)
        (map (fun e : nat * bool * list bool => (fst e, true :: snd e)) (crossings (S i) l))).
      { intros I. apply in_map_iff in I. destruct I as ([[j b] r'] & E & I).
        injection E as -> -> <-. apply Later in I. lia. }
      cbn [In]. rewrite in_app_iff. destruct two.
      * destruct l as [|[] l]; cbn [In]; (split; [intros H | intros [H | [H | H]]]); try discriminate;
          try easy; try (injection H as <-; auto); try (destruct H as [H | []]; injection H as <-; auto).
      * split; [intros H; injection H as <-; auto|].
        intros [H | [H | H]]; [now injection H as <- | | easy].
        destruct l as [|[] l]; try easy. now destruct H.
    + split; [discriminate|]. intros I. apply in_map_iff in I.
      destruct I as ([[j b] r'] & E & I). injection E as -> -> <-. apply Later in I. lia.
  - assert (H : match cross k two l with Some r => Some (x :: r) | None => None end = Some r <->
      In (i + S k, two, r)
        (map (fun e : nat * bool * list bool => (fst e, x :: snd e)) (crossings (S i) l))).
    { rewrite in_map_iff. split.
      - destruct (cross k two l) as [r'|] eqn:E; [|discriminate]. intros H. injection H as <-.
        exists (i + S k, two, r'). split; [reflexivity|]. apply (IH k (S i)) in E.
        now replace (i + S k) with (S i + k) by lia.
      - intros ([[j b] r'] & E & I). injection E as -> -> <-.
        replace (i + S k) with (S i + k) in I by lia. apply (IH k (S i)) in I. now rewrite I. }
    rewrite H. destruct x; cbn [crossings]; [|tauto]. cbn [In]. rewrite in_app_iff.
    split; [auto|]. intros [E | [E | E]]; [| |exact E].
    + injection E as E _ _. lia.
    + destruct l as [|[] l]; try easy. destruct E as [E | []]. injection E as E _ _. lia.
Qed.

(** * Primes, recognised by trial division. *)

From Coq Require Import List Arith Lia Bool NArith PArith ZArith Znumtheory.
Open Scope N_scope.

Definition is_prime (p : positive) : Prop := prime (Zpos p).

(** No number from d on, in steps of two, with a square of at most p divides p. *)
Fixpoint no_divisor (fuel : nat) (d p : N) : bool :=
  match fuel with
  | O => false
  | S fuel => if p <? d * d then true else if p mod d =? 0 then false else no_divisor fuel (d + 2) p
  end.

Definition enough_steps : nat := N.to_nat 10000.
Definition prime_by_trial (p : positive) : bool :=
  match p with
  | xI _ => (3 <=? Npos p) && no_divisor enough_steps 3 (Npos p)
  | _ => (p =? 2)%positive
  end.

Lemma no_divisor_right p fuel : forall d, no_divisor fuel d p = true ->
  forall m, d <= m -> m * m <= p -> (exists k, m = d + 2 * k) -> p mod m <> 0.
Proof.
  induction fuel as [|fuel IH]; intros d H m L S (k & E); [discriminate|]. cbn [no_divisor] in H.
  destruct (p <? d * d) eqn:B; [apply N.ltb_lt in B; nia|].
  destruct (p mod d =? 0) eqn:Z; [discriminate|]. apply N.eqb_neq in Z.
  destruct (N.eq_dec m d) as [-> | D]; [exact Z|].
  apply (IH (d + 2)); auto; [lia|]. exists (k - 1). lia.
Qed.

Opaque enough_steps.
Lemma prime_by_trial_right p : prime_by_trial p = true -> is_prime p.
Proof.
  unfold prime_by_trial, is_prime. destruct p as [q | q |].
  2:{ intros E. apply Pos.eqb_eq in E. rewrite E. exact prime_2. }
  2:{ discriminate. }
  set (p := xI q). intros H. apply andb_true_iff in H. destruct H as [G H]. apply N.leb_le in G.
  destruct (prime_dec (Zpos p)) as [P | P]; [exact P|]. exfalso.
  destruct (not_prime_divide (Zpos p)) as (m & B & m' & E); [lia | exact P|].
  (* the smaller of the two factors is odd, at least 3, and its square is at most p *)
  assert (K : exists r, (1 < r)%Z /\ (r * r <= Zpos p)%Z /\ (r | Zpos p)%Z).
  { destruct (Z.le_gt_cases m m') as [L | L].
    - exists m. repeat split; [lia | nia | exists m'; lia].
    - exists m'. repeat split; [nia | nia | exists m; lia]. }
  destruct K as (r & R & S & D).
  assert (O : exists x, (r = 2 * x + 1)%Z).
  { destruct D as [c E']. exists (r / 2)%Z.
    pose proof (Z.mod_pos_bound r 2 eq_refl). pose proof (Z.div_mod r 2 ltac:(discriminate)).
    destruct (Z.eq_dec (r mod 2) 0) as [X | X]; [|lia]. exfalso. unfold p in E'.
    rewrite Pos2Z.inj_xI in E'. nia. }
  destruct O as [x X].
  apply (no_divisor_right (Npos p) enough_steps 3 H (Z.to_N r)).
  - lia.
  - apply N2Z.inj_le. rewrite N2Z.inj_mul, Z2N.id by lia. exact S.
  - exists (Z.to_N (x - 1)). lia.
  - apply N2Z.inj. rewrite N2Z.inj_mod, Z2N.id by lia. apply Z.mod_divide; [lia | exact D].
Qed.

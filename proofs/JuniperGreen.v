(** * Sequence Duel: openings that win on every large board, with any opening or an even one. *)

From Coq Require Import List Arith Lia Bool NArith PArith ZArith.
From Duels Require Import Games Chain Rules Primes Copies.
Import ListNotations.
Open Scope positive_scope.

(** ** The theorem *)

Section Openings.

Variable opens : positive -> bool.
Notation next := (Chain.next positive Pos.eq_dec fit opens).
Notation last := (Chain.who_moved_last_wins positive).

(** Taking u first wins on the board 1 to n. *)
Definition opening_wins (n u : positive) : Prop :=
  loses next last (remove Pos.eq_dec u (board n), Some u).
Definition opening_loses (n u : positive) : Prop :=
  wins next last (remove Pos.eq_dec u (board n), Some u).

Lemma opening_wins_left_out n u : u <= n ->
  (opening_wins n u <-> exists M, best_of (board n) M /\ ~ In u (both M)).
Proof.
  intros L. apply (Chain.taking_wins positive Pos.eq_dec fit (fits_symmetric _)). now apply in_board.
Qed.

Lemma one_or_the_other n u : opening_wins n u \/ opening_loses n u.
Proof.
  destruct (Chain.geography positive Pos.eq_dec fit (fits_symmetric _) opens _
    (remove Pos.eq_dec u (board n)) u (le_n _) (remove_In _ _ _)) as [W L].
  destruct (Chain.raises_or_not positive Pos.eq_dec fit (fits_symmetric _) opens
    (remove Pos.eq_dec u (board n)) u) as [R | R]; [right; now apply W | left; now apply L].
Qed.

(** Sequence Duel: let there be more than j primes above n/(j+1) and up to n/j. If the opening a
    wins on the board 1 to j, then on the board 1 to n the opening a times any of these primes wins,
    and the opening a loses. *)
Theorem multiples_of_large_primes n j ps a :
  NoDup ps -> (Pos.to_nat j < length ps)%nat ->
  (forall p, In p ps -> is_prime p /\ n < (j + 1) * p /\ j * p <= n) ->
  a <= j -> opening_wins j a ->
  (forall p, In p ps -> opening_wins n (a * p)) /\ opening_loses n a.
Proof.
  intros D E P A W. apply opening_wins_left_out in W; [|exact A]. destruct W as (N & B & O). split.
  - intros p I. apply opening_wins_left_out; [destruct (P p I); nia|].
    now apply (left_out n j ps D E P a A N).
  - destruct (one_or_the_other n a) as [X | X]; [|exact X]. exfalso.
    assert (L : a <= n).
    { destruct ps as [|p l]; [cbn in E; lia|]. destruct (P p) as (_ & _ & Y); [now left | nia]. }
    apply opening_wins_left_out in X; [|exact L]. destruct X as (M & BM & OM). apply OM.
    now apply (small_is_never_left_out n j ps D E P a A N).
Qed.

(** ** Three copies: twice a prime between a quarter and a third *)

Lemma two_wins_on_three : opening_wins 3 2.
Proof.
  apply opening_wins_left_out; [lia|]. exists [(1, 3)]. split; [split; [split; [|split]|]|].
  - intros x y [E | []]. now injection E as <- <-.
  - intros x X. cbn in X. destruct X as [<- | [<- | []]]; apply in_board; lia.
  - repeat constructor; cbn; intuition discriminate.
  - intros M P. apply Chain.pairing_bound in P. change (length (board 3)) with 3%nat in P. cbn [length]. lia.
  - cbn. intuition discriminate.
Qed.

Definition four_primes (n : positive) : Prop :=
  exists ps, NoDup ps /\ length ps = 4%nat /\
    forall p, In p ps -> is_prime p /\ n < 4 * p /\ 3 * p <= n.

(** Sequence Duel: if four primes lie between a quarter and a third of n, twice any of them wins. *)
Theorem twice_a_prime n p : four_primes n -> is_prime p -> n < 4 * p -> 3 * p <= n ->
  opening_wins n (2 * p).
Proof.
  intros (ps & D & L & A) P Q T.
  destruct (in_dec Pos.eq_dec p ps) as [I | I].
  - apply (multiples_of_large_primes n 3 ps 2); auto using two_wins_on_three; [|lia].
    rewrite L. cbn. lia.
  - apply (multiples_of_large_primes n 3 (p :: ps) 2); auto using two_wins_on_three.
    + now constructor.
    + cbn [length]. rewrite L. cbn. lia.
    + intros r [<- | J]; auto.
    + lia.
    + now left.
Qed.

End Openings.

(** ** Boards with four such primes *)

Open Scope N_scope.

(** Four primes serve every board from three times the largest to four times the smallest. *)
Definition four := (positive * positive * positive * positive)%type.

Definition serves (f : four) (low : positive) : bool :=
  let '(p, q, r, s) := f in
  prime_by_trial p && prime_by_trial q && prime_by_trial r && prime_by_trial s &&
  (p <? q)%positive && (q <? r)%positive && (r <? s)%positive && (3 * s <=? low)%positive.

Fixpoint serve_all (fs : list four) (low high : positive) : bool :=
  match fs with
  | [] => (high <? low)%positive
  | f :: fs => serves f low && serve_all fs (let '(p, _, _, _) := f in 4 * p)%positive high
  end.

Lemma serves_right f low n : serves f low = true ->
  (low <= n)%positive -> (n < let '(p, _, _, _) := f in 4 * p)%positive -> four_primes n.
Proof.
  destruct f as [[[p q] r] s]. unfold serves. rewrite !andb_true_iff, !Pos.ltb_lt, Pos.leb_le.
  intros (((((((P & Q) & R) & S) & L) & L') & L'') & B) U V. exists [p; q; r; s]. split; [|split].
  - repeat constructor; cbn; lia.
  - reflexivity.
  - intros x X. cbn in X.
    decompose [or] X; subst; try easy; (split; [now apply prime_by_trial_right | lia]).
Qed.

Lemma serve_all_right fs : forall low high n, serve_all fs low high = true ->
  (low <= n <= high)%positive -> four_primes n.
Proof.
  induction fs as [|f fs IH]; intros low high n H B; cbn [serve_all] in H.
  - apply Pos.ltb_lt in H. lia.
  - apply andb_true_iff in H. destruct H as [H K].
    destruct (Pos.ltb_spec n (let '(p, _, _, _) := f in 4 * p)%positive) as [L | L].
    + now apply (serves_right f low n H).
    + apply (IH _ high n K). lia.
Qed.

Definition certificate : list four := [
   (59, 61, 67, 71);
   (61, 67, 71, 73);
   (67, 71, 73, 79);
   (73, 79, 83, 89);
   (79, 83, 89, 97);
   (89, 97, 101, 103);
   (103, 107, 109, 113);
   (113, 127, 131, 137);
   (131, 137, 139, 149);
   (157, 163, 167, 173);
   (191, 193, 197, 199);
   (233, 239, 241, 251);
   (281, 283, 293, 307);
   (353, 359, 367, 373);
   (457, 461, 463, 467);
   (593, 599, 601, 607);
   (761, 769, 773, 787);
   (991, 997, 1009, 1013);
   (1303, 1307, 1319, 1321);
   (1709, 1721, 1723, 1733);
   (2251, 2267, 2269, 2273);
   (2969, 2971, 2999, 3001);
   (3929, 3931, 3943, 3947);
   (5227, 5231, 5233, 5237);
   (6949, 6959, 6961, 6967);
   (9227, 9239, 9241, 9257);
   (12277, 12281, 12289, 12301);
   (16349, 16361, 16363, 16369);
   (21757, 21767, 21773, 21787);
   (28949, 28961, 28979, 29009);
   (38561, 38567, 38569, 38593);
   (51361, 51383, 51407, 51413);
   (68447, 68449, 68473, 68477);
   (91237, 91243, 91249, 91253);
   (121621, 121631, 121633, 121637);
   (162091, 162109, 162119, 162143);
   (216103, 216107, 216113, 216119);
   (288077, 288089, 288109, 288137);
   (384061, 384067, 384079, 384089);
   (512011, 512021, 512047, 512059);
   (682637, 682657, 682673, 682679);
   (910139, 910141, 910171, 910177);
   (1213469, 1213481, 1213483, 1213517);
   (1617923, 1617929, 1617943, 1617949);
   (2157173, 2157187, 2157209, 2157229);
   (2876161, 2876171, 2876207, 2876221);
   (3834829, 3834833, 3834841, 3834851);
   (5113063, 5113093, 5113099, 5113103);
   (6817331, 6817379, 6817381, 6817387);
   (9089711, 9089719, 9089737, 9089767);
   (12119519, 12119557, 12119573, 12119599);
   (16159259, 16159303, 16159309, 16159321);
   (21545609, 21545621, 21545653, 21545663);
   (28727357, 28727407, 28727417, 28727459);
   (38303117, 38303123, 38303129, 38303131);
   (51070753, 51070757, 51070777, 51070807);
   (68094263, 68094269, 68094277, 68094337);
   (90792311, 90792319, 90792341, 90792349);
   (121056379, 121056389, 121056407, 121056409);
   (161408389, 161408407, 161408449, 161408497);
   (215211121, 215211131, 215211151, 215211181);
   (286948099, 286948139, 286948141, 286948147)
]%positive.

Lemma four_primes_exist n : (213 <= n <= 1000000000)%positive -> four_primes n.
Proof. apply (serve_all_right certificate). vm_compute. reflexivity. Qed.

(** Sequence Duel, n from 213 to 1,000,000,000: twice any prime between a quarter and a third of n
    wins, and there is such a prime. *)
Theorem twice_a_prime_wins opens n : (213 <= n <= 1000000000)%positive ->
  (exists p, is_prime p /\ (n < 4 * p)%positive /\ (3 * p <= n)%positive) /\
  forall p, is_prime p -> (n < 4 * p)%positive -> (3 * p <= n)%positive -> opening_wins opens n (2 * p).
Proof.
  intros B. pose proof (four_primes_exist n B) as F. split; [|intros; now apply twice_a_prime].
  destruct F as ([|p ps] & _ & L & A); [discriminate | exists p; apply A; now left].
Qed.

(** Sequence Duel with an even first number, n from 213 to 1,000,000,000: Player 1 wins. *)
Theorem juniper_green_is_won n : (213 <= n <= 1000000000)%positive ->
  wins (Chain.next positive Pos.eq_dec fit (fun u => match u with xO _ => true | _ => false end))
    (Chain.who_moved_last_wins positive) (board n, None).
Proof.
  intros B. destruct (twice_a_prime_wins (fun u => match u with xO _ => true | _ => false end) n B)
    as [(p & P & Q & T) W].
  apply wins_by_a_move with (remove Pos.eq_dec (2 * p)%positive (board n), Some (2 * p)%positive).
  - apply in_map_iff. exists (2 * p)%positive. split; [reflexivity|]. apply filter_In. cbn [fst snd].
    assert (L : (2 * p <= n)%positive) by (clear W B; lia).
    split; [apply (proj2 (in_board n _)); exact L | reflexivity].
  - now apply W.
Qed.

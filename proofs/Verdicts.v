(** * Verdicts: what the checker accepts is true, for every kind of proof.

    These are the functions that are extracted: each takes the game, the moves that were made, the
    claim (the winning moves, and who wins) and the proof. *)

From Coq Require Import List Arith Lia Bool NArith PArith FMapPositive.
From Duels Require Games Chain Grading Rules ChainCheck Divisor Line.
Import ListNotations.

(** If after every move somebody wins, then the player to move wins exactly if a move wins. *)
Lemma who_wins {P} (next : P -> list P) last p (wins : bool) :
  next p <> [] -> (forall q, In q (next p) -> Games.wins next last q \/ Games.loses next last q) ->
  (wins = true <-> exists q, In q (next p) /\ Games.loses next last q) ->
  if wins then Games.wins next last p else Games.loses next last p.
Proof.
  intros N A W. destruct wins.
  - destruct W as [W _]. destruct (W eq_refl) as (q & I & L).
    now apply Games.wins_by_a_move with q.
  - constructor; [easy|]. intros q I. destruct (A q I) as [|L]; [assumption|].
    destruct W as [_ W]. discriminate W. eauto.
Qed.

(** The claim is what was found, move by move, and says "wins" exactly if there is such a move. *)
Definition claims {M} (dec : forall x y : M, {x = y} + {x <> y})
    (found claimed : list M) (wins : bool) : bool :=
  (if list_eq_dec dec found claimed then true else false) &&
  Bool.eqb wins (match found with [] => false | _ => true end).

Lemma claims_right {M} dec (found claimed : list M) wins :
  claims dec found claimed wins = true -> found = claimed /\ (wins = true <-> exists m, In m found).
Proof.
  unfold claims. rewrite andb_true_iff, Bool.eqb_true_iff.
  destruct (list_eq_dec dec found claimed) as [E|]; [|easy]. intros [_ ->]. split; [exact E|].
  destruct found as [|m l]; split; try easy; [now intros [m H] | exists m; now left].
Qed.

Definition nonempty {A} (l : list A) : bool := match l with [] => false | _ => true end.

Lemma nonempty_right {A} (l : list A) : nonempty l = true -> l <> [].
Proof. now destruct l. Qed.

(** ** Chain games *)

Section ChainGames.

Import Rules.
Variables (criteria : list criterion) (numbers : positive) (even_opening : bool).

Definition opens (u : positive) : bool :=
  if even_opening then match u with xO _ => true | _ => false end else true.

Notation fit := (fits criteria).
Notation chain_allowed := (Chain.allowed positive fit opens).
Notation chain_take := (Chain.take positive Pos.eq_dec).
Notation chain_next := (Chain.next positive Pos.eq_dec fit opens).
Notation chain_last := (Chain.who_moved_last_wins positive).

Fixpoint chain_play (moves : list positive) (p : Chain.position positive) :
    option (Chain.position positive) :=
  match moves with
  | [] => Some p
  | u :: moves =>
      if existsb (Pos.eqb u) (chain_allowed p) then chain_play moves (chain_take u p) else None
  end.
Definition chain_start : Chain.position positive := (board numbers, None).

(** All pairs of the board that fit: with factors alone, there is a fast way to find them. *)
Definition all_that_fit (good : positive -> positive -> bool) : bool :=
  match criteria with
  | [Factor] => all_by_multiples numbers good
  | _ => let all := board numbers in
         forallb (fun v => forallb (fun w => if good v w then true else negb (fit v w)) all) all
  end.

Lemma all_that_fit_right good : all_that_fit good = true -> forall v w,
  (v <=? numbers)%positive = true -> (w <=? numbers)%positive = true ->
  fit v w = true -> good v w = true.
Proof.
  intros H v w Lv Lw F. apply Pos.leb_le in Lv, Lw.
  assert (K : (let all := board numbers in
    forallb (fun v => forallb (fun w => if good v w then true else negb (fit v w)) all) all) = true ->
    good v w = true).
  { intros A. cbn zeta in A. rewrite forallb_forall in A. apply in_board in Lv, Lw.
    specialize (A v Lv). rewrite forallb_forall in A. specialize (A w Lw).
    destruct (good v w); [reflexivity|]. now rewrite F in A. }
  unfold all_that_fit in H. destruct criteria as [|[] [|]]; auto.
  exact (all_by_multiples_right _ _ H v w Lv Lw F).
Qed.

(** The move that the proof tells to begin with wins, and the pairs leave it out. *)
Definition begins (move : option positive) (winning : list positive)
    (pairs : list (positive * positive)) : bool :=
  match move with
  | None => negb (nonempty winning)
  | Some u => existsb (Pos.eqb u) winning && negb (existsb (Pos.eqb u) (Chain.both positive pairs))
  end.

Definition accept_chain (moves claimed : list positive) (wins : bool) (move : option positive)
    (c : ChainCheck.certificate) : bool :=
  match chain_play moves chain_start with
  | None => false
  | Some p =>
      match ChainCheck.winning_by_pairs fit opens all_that_fit
              (fun v => (v <=? numbers)%positive) p c with
      | None => false
      | Some found =>
          nonempty (chain_allowed p) && claims Pos.eq_dec found claimed wins &&
          begins move found (ChainCheck.pairs c)
      end
  end.

(** Number Duel, Sequence Duel, Number Chain Duel: after these moves exactly the claimed numbers
    win; who is claimed to win does; and who takes the named number and answers with partners in the
    proof's pairs never runs out first. *)
Theorem accept_chain_right moves claimed wins move c :
  accept_chain moves claimed wins move c = true ->
  exists p, chain_play moves chain_start = Some p /\
    (forall u, In u claimed <->
       In u (chain_allowed p) /\ Games.loses chain_next chain_last (chain_take u p)) /\
    (if wins then Games.wins chain_next chain_last p else Games.loses chain_next chain_last p) /\
    (forall u, move = Some u -> Chain.partners_win positive Pos.eq_dec fit (ChainCheck.pairs c)
       (fst (chain_take u p)) u).
Proof.
  unfold accept_chain. destruct (chain_play moves chain_start) as [p|]; [|discriminate].
  destruct (ChainCheck.winning_by_pairs _ _ _ _ p c) as [found|] eqn:W; [|discriminate].
  rewrite !andb_true_iff. intros [[N C] B]. apply claims_right in C. destruct C as [<- C].
  apply ChainCheck.winning_by_pairs_right in W;
    [|exact (fits_symmetric criteria) | exact all_that_fit_right].
  destruct W as [W Best]. exists p. split; [reflexivity|]. split; [exact W|]. split.
  - apply who_wins.
    + apply nonempty_right in N. unfold Chain.next. now destruct (chain_allowed p).
    + intros q I. apply in_map_iff in I. destruct I as (u & <- & I). apply filter_In in I.
      unfold Chain.take.
      destruct (Chain.geography positive Pos.eq_dec fit (fits_symmetric criteria) opens
        (length (remove Pos.eq_dec u (fst p))) (remove Pos.eq_dec u (fst p)) u (le_n _)
        (remove_In Pos.eq_dec (fst p) u)) as [A B'].
      destruct (Chain.raises_or_not positive Pos.eq_dec fit (fits_symmetric criteria) opens
        (remove Pos.eq_dec u (fst p)) u) as [R | R]; [left; exact (A R) | right; exact (B' R)].
    + rewrite C. split.
      * intros [u I]. apply W in I. destruct I as [I L]. exists (chain_take u p).
        split; [|exact L]. apply in_map_iff. eauto.
      * intros (q & I & L). apply in_map_iff in I. destruct I as (u & <- & I). exists u.
        apply W. auto.
  - intros u ->. cbn in B. rewrite andb_true_iff, negb_true_iff in B. destruct B as [I B].
    apply existsb_exists in I. destruct I as (u' & I & E). apply Pos.eqb_eq in E. subst u'.
    apply (Chain.partner_strategy positive Pos.eq_dec fit (fits_symmetric criteria) opens).
    + exact Best.
    + apply W in I. destruct I as [I _]. now apply filter_In in I.
    + intros J. assert (X : existsb (Pos.eqb u) (Chain.both positive (ChainCheck.pairs c)) = true).
      { apply existsb_exists. exists u. split; [exact J | apply Pos.eqb_refl]. }
      congruence.
Qed.

End ChainGames.

(** ** Number Line Duel *)

Fixpoint line_play (moves : list (nat * bool)) (l : list bool) : option (list bool) :=
  match moves with
  | [] => Some l
  | (i, two) :: moves =>
      match Line.cross i two l with Some r => line_play moves r | None => None end
  end.
Definition line_start (numbers : nat) : list bool := repeat true numbers.

Definition move_dec : forall x y : nat * bool, {x = y} + {x <> y}.
Proof. decide equality; [apply Bool.bool_dec | apply Nat.eq_dec]. Defined.

(** The runs as the proof tells them: first number, last number, count. *)
Fixpoint told_runs (i c : N) (l : list bool) : list (N * N * N) :=
  let here := if (c =? 0)%N then [] else [(i - c, N.pred i, Line.quick_count c)%N] in
  match l with
  | [] => here
  | true :: l => told_runs (N.succ i) (N.succ c) l
  | false :: l => here ++ told_runs (N.succ i) 0 l
  end.
Fixpoint told_counts (i : N) (cs : list N) : bool :=
  match cs with [] => true | c :: cs => (c =? Line.quick_count i)%N && told_counts (N.succ i) cs end.
Definition run_dec : forall x y : N * N * N, {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

Definition accept_line (numbers : nat) (moves claimed : list (nat * bool)) (wins : bool)
    (runs : list (N * N * N)) (counts : list N) : bool :=
  match line_play moves (line_start numbers) with
  | None => false
  | Some l =>
      existsb (fun b => b) l && claims move_dec (Line.winning_moves l) claimed wins &&
      (if list_eq_dec run_dec (told_runs 1 0 l) runs then true else false) && told_counts 0 counts
  end.

(** Number Line Duel: after these moves exactly the claimed moves win, and who is claimed to. *)
Theorem accept_line_right numbers moves claimed wins runs counts :
  accept_line numbers moves claimed wins runs counts = true ->
  exists l, line_play moves (line_start numbers) = Some l /\
    (forall i two, In (i, two) claimed <->
       exists r, Line.cross i two l = Some r /\ Games.loses Line.next Line.who_moved_last_wins r) /\
    (if wins then Games.wins Line.next Line.who_moved_last_wins l
     else Games.loses Line.next Line.who_moved_last_wins l).
Proof.
  unfold accept_line. destruct (line_play moves _) as [l|]; [|discriminate].
  rewrite !andb_true_iff. intros [[[N C] _] _]. exists l. split; [reflexivity|].
  apply claims_right in C. destruct C as [<- C]. split.
  - intros i two. rewrite Line.winning_moves_right. split; intros (r & I & L); exists r; split; auto.
    + apply (Line.cross_right two l i 0). exact I.
    + apply (Line.cross_right two l i 0) in I. exact I.
  - apply who_wins.
    + apply existsb_exists in N. destruct N as (b & I & ->). unfold Line.next. clear C.
      generalize 0 as i. induction l as [|[] l IH]; intros i; [easy | easy |].
      destruct I as [|I]; [discriminate|]. specialize (IH I (S i)). cbn.
      destruct (Line.crossings (S i) l); [easy | discriminate].
    + intros q _. destruct (Line.balance q) as [A B].
      destruct (N.eq_dec (Line.value 0 q) 0); auto.
    + rewrite C. split.
      * intros [m I]. apply Line.winning_moves_right in I. destruct I as (r & I & L).
        exists r. split; [|exact L]. apply in_map_iff. now exists (m, r).
      * intros (q & I & L). apply in_map_iff in I. destruct I as ([m r] & <- & I).
        exists m. apply Line.winning_moves_right. eauto.
Qed.

(** ** Divisor Duel *)

Definition accept_divisor (divisor : N) (moves claimed : list N) (wins : bool)
    (js : list Divisor.judgement) : bool :=
  match Divisor.play divisor moves Divisor.start with
  | None => false
  | Some p =>
      match Divisor.judge divisor p (Divisor.allowed divisor p) js with
      | None => false
      | Some found => nonempty (Divisor.allowed divisor p) && claims N.eq_dec found claimed wins
      end
  end.

(** Divisor Duel: after these moves exactly the claimed digits win, and who is claimed to. *)
Theorem accept_divisor_right divisor moves claimed wins js :
  accept_divisor divisor moves claimed wins js = true ->
  exists p, Divisor.play divisor moves Divisor.start = Some p /\
    (forall d, In d claimed <-> In d (Divisor.allowed divisor p) /\
       Games.loses (Divisor.next divisor) (Divisor.last_wins divisor) (Divisor.put d p)) /\
    (if wins then Games.wins (Divisor.next divisor) (Divisor.last_wins divisor) p
     else Games.loses (Divisor.next divisor) (Divisor.last_wins divisor) p).
Proof.
  unfold accept_divisor. destruct (Divisor.play divisor moves Divisor.start) as [p|] eqn:P; [|discriminate].
  destruct (Divisor.judge divisor p _ js) as [found|] eqn:J; [|discriminate].
  rewrite andb_true_iff. intros [N C]. apply claims_right in C. destruct C as [<- C].
  exists p. split; [reflexivity|].
  assert (W : forall d, In d found <-> In d (Divisor.allowed divisor p) /\
    Games.loses (Divisor.next divisor) (Divisor.last_wins divisor) (Divisor.put d p)).
  { destruct (Divisor.winning_digits_right divisor moves js found) as (p' & P' & W).
    - unfold Divisor.winning_digits. now rewrite P.
    - rewrite P in P'. injection P' as <-. exact W. }
  split; [exact W|]. apply who_wins.
  - apply nonempty_right in N. unfold Divisor.next. now destruct (Divisor.allowed divisor p).
  - intros q I. apply in_map_iff in I. destruct I as (d & <- & I).
    exact (Divisor.judge_all divisor p js _ _ J d I).
  - rewrite C. split.
    + intros [d I]. apply W in I. destruct I as [I L]. exists (Divisor.put d p). split; [|exact L].
      apply in_map_iff. eauto.
    + intros (q & I & L). apply in_map_iff in I. destruct I as (d & <- & I). exists d. apply W. auto.
Qed.

(** ** Any other game, given by the table of its positions *)

(** Of each position: whether who moved last has won if it is the end, and what may come next.
    Moves are named 1, 2, 3 ... in their order. *)
Definition table := PositiveMap.t (bool * list positive).

Fixpoint named (i : positive) (ps : list positive) : list (positive * positive) :=
  match ps with [] => [] | p :: ps => (i, p) :: named (Pos.succ i) ps end.
Definition table_moves (t : table) (p : positive) : list (positive * positive) :=
  match PositiveMap.find p t with Some (_, ps) => named 1 ps | None => [] end.
Definition table_last (t : table) (p : positive) : bool :=
  match PositiveMap.find p t with Some (b, _) => b | None => true end.

Definition accept_table (t : table) (p : positive) (claimed : list positive) (wins : bool)
    (lost : list positive) : bool :=
  match Games.winning_by_answers (table_moves t) (table_last t) lost p with
  | None => false
  | Some found => nonempty (table_moves t p) && claims Pos.eq_dec found claimed wins
  end.

(** Any game: in the game of this table exactly the claimed moves win. *)
Theorem accept_table_right t p claimed wins lost :
  accept_table t p claimed wins lost = true ->
  (forall m, In m claimed <-> exists q, In (m, q) (table_moves t p) /\
     Games.loses (Games.after (table_moves t)) (table_last t) q) /\
  (if wins then Games.wins (Games.after (table_moves t)) (table_last t) p
   else Games.loses (Games.after (table_moves t)) (table_last t) p).
Proof.
  unfold accept_table. destruct (Games.winning_by_answers _ _ lost p) as [found|] eqn:F; [|discriminate].
  rewrite andb_true_iff. intros [N C]. apply claims_right in C. destruct C as [<- C].
  pose proof (Games.winning_by_answers_right _ _ _ _ _ F) as W. split; [exact W|].
  apply who_wins.
  - apply nonempty_right in N. unfold Games.after. now destruct (table_moves t p).
  - exact (Games.all_decided _ _ _ _ _ F).
  - rewrite C. split.
    + intros [m I]. apply W in I. destruct I as (q & I & L). exists q. split; [|exact L].
      apply in_map_iff. now exists (m, q).
    + intros (q & I & L). apply in_map_iff in I. destruct I as ([m q'] & <- & I). exists m.
      apply W. eauto.
Qed.

(** * Games: who wins, what a certificate of a loss is, and a checker for it. *)

From Coq Require Import List Arith Lia Bool PArith FMapPositive.
Import ListNotations.

Section Game.

(** A game is what may come after a position, and, for positions after which nothing comes,
    whether who moved last has won. *)
Variable position : Type.
Variable next : position -> list position.
Variable last_wins : position -> bool.

(** The player to move wins if a move leads to a position that is lost for the other, or if the
    game is over and who moved last has not won. Otherwise, if every move leads to a win of the
    other, the player to move loses. *)
Inductive wins : position -> Prop :=
| wins_by_a_move p q : In q (next p) -> loses q -> wins p
| wins_at_the_end p : next p = [] -> last_wins p = false -> wins p
with loses : position -> Prop :=
| loses_always p :
    (next p = [] -> last_wins p = true) ->
    (forall q, In q (next p) -> wins q) -> loses p.

Scheme wins_induction := Minimality for wins Sort Prop
with loses_induction := Minimality for loses Sort Prop.

(** Nobody both wins and loses. *)
Theorem never_both p : wins p -> loses p -> False.
Proof.
  revert p. apply (wins_induction (fun p => loses p -> False) (fun p => wins p -> False)).
  - intros p q I _ IH L. destruct L as [p _ A]. auto.
  - intros p E F L. destruct L as [p Z _]. rewrite (Z E) in F. discriminate.
  - intros p Z _ IH W. destruct W as [p q I L | p E F]; [eauto|].
    rewrite (Z E) in F. discriminate.
Qed.

(** In a game that must end there are no draws: somebody wins. *)
Theorem no_draws p : Acc (fun q p => In q (next p)) p -> wins p \/ loses p.
Proof.
  induction 1 as [p _ IH].
  assert (H : (exists q, In q (next p) /\ loses q) \/ (forall q, In q (next p) -> wins q)).
  { revert IH. induction (next p) as [|q l IHl]; intros IH; [right; easy|].
    destruct (IH q (or_introl eq_refl)) as [W | L].
    - destruct IHl as [[r [I L]] | A]; [firstorder | left; exists r; firstorder |].
      right. intros r [<- | I]; auto.
    - left. exists q. firstorder. }
  destruct H as [[q [I L]] | A]; [left; econstructor; eauto|].
  destruct (next p) as [|q l] eqn:E.
  - destruct (last_wins p) eqn:F; [right | left; now constructor].
    constructor; [trivial | rewrite E; easy].
  - right. constructor; [rewrite E; discriminate | rewrite E; exact A].
Qed.

(** If every position can be measured, and each move makes the measure smaller, the game ends. *)
Theorem smaller_ends (size : position -> nat) :
  (forall p q, In q (next p) -> size q < size p) ->
  forall p, Acc (fun q p => In q (next p)) p.
Proof.
  intros S p. remember (size p) as n eqn:E. assert (size p <= n) by lia. clear E. revert p H.
  induction n; intros p H; constructor; intros q I; apply S in I; [lia | apply IHn; lia].
Qed.

(** A position is answered by a set if it is over and won, or has a move into the set. *)
Definition answered (lost : position -> Prop) (p : position) : Prop :=
  (next p = [] /\ last_wins p = false) \/ exists q, In q (next p) /\ lost q.

(** A list in which each position has all its moves answered by positions further down: the list
    that [duels solve --proof] writes, from its end. *)
Inductive closed_under_answers : list position -> Prop :=
| closed_nil : closed_under_answers []
| closed_cons p ps :
    (next p = [] -> last_wins p = true) ->
    (forall q, In q (next p) -> answered (fun r => In r ps) q) ->
    closed_under_answers ps -> closed_under_answers (p :: ps).

(** Whoever leaves a position of such a list can go on leaving one, and wins. *)
Theorem certificate ps : closed_under_answers ps -> forall p, In p ps -> loses p.
Proof.
  induction 1 as [|p ps E A C IH]; intros r; [easy|]. intros [<- | I]; [|auto].
  constructor; [exact E|]. intros q I.
  destruct (A q I) as [[N F] | [r [J L]]]; [now apply wins_at_the_end|].
  apply wins_by_a_move with r; auto.
Qed.

End Game.

Arguments wins {position}.
Arguments loses {position}.

(** ** The checker, for a game whose positions are counted 1, 2, 3 ... *)

Section Checker.

(** The moves from a position, each with its name and the position after it. *)
Variable moves : positive -> list (positive * positive).
Variable last_wins : positive -> bool.

Definition after (p : positive) : list positive := map snd (moves p).
Definition lost_set := PositiveMap.t unit.
Definition is_lost (s : lost_set) (p : positive) : bool :=
  match PositiveMap.find p s with Some _ => true | None => false end.

Definition is_answered (s : lost_set) (p : positive) : bool :=
  match after p with
  | [] => negb (last_wins p)
  | qs => existsb (is_lost s) qs
  end.

Definition is_loss (s : lost_set) (p : positive) : bool :=
  match after p with
  | [] => last_wins p
  | qs => forallb (is_answered s) qs
  end.

(** The list is read from its top, each position with those above it. *)
Fixpoint read_lost (ps : list positive) (s : lost_set) : option lost_set :=
  match ps with
  | [] => Some s
  | p :: ps => if is_loss s p then read_lost ps (PositiveMap.add p tt s) else None
  end.

(** Which moves win, by name, if the list shows it for every move. *)
Definition winning_by_answers (lost : list positive) (p : positive) : option (list positive) :=
  match read_lost lost (PositiveMap.empty unit) with
  | None => None
  | Some s =>
      if forallb (fun q => is_lost s q || is_answered s q) (after p)
      then Some (map fst (filter (fun m => is_lost s (snd m)) (moves p)))
      else None
  end.

Definition all_lost (s : lost_set) : Prop :=
  forall p, is_lost s p = true -> loses after last_wins p.

Lemma answered_wins s p :
  all_lost s -> is_answered s p = true -> wins after last_wins p.
Proof.
  intros A. unfold is_answered. destruct (after p) as [|r rs] eqn:E; intros H.
  - apply wins_at_the_end; [exact E | now apply negb_true_iff].
  - apply existsb_exists in H. destruct H as [q [I L]].
    apply wins_by_a_move with q; [now rewrite E | now apply A].
Qed.

Lemma read_lost_right ps : forall s s',
  all_lost s -> read_lost ps s = Some s' -> all_lost s'.
Proof.
  induction ps as [|p ps IH]; cbn; intros s s' A H; [now injection H as <-|].
  destruct (is_loss s p) eqn:L; [|discriminate]. refine (IH _ _ _ H). intros q Q.
  unfold is_lost in Q. destruct (Pos.eq_dec q p) as [-> | N].
  - unfold is_loss in L. constructor.
    + intros E. now rewrite E in L.
    + intros r I. apply answered_wins with s; [exact A|].
      destruct (after p); [easy|]. rewrite forallb_forall in L. now apply L.
  - rewrite PositiveMap.gso in Q by exact N. now apply A.
Qed.

(** What the checker says of a list of lost positions is true: exactly these moves win. *)
Theorem winning_by_answers_right lost p winning :
  winning_by_answers lost p = Some winning ->
  forall m, In m winning <->
    exists q, In (m, q) (moves p) /\ loses after last_wins q.
Proof.
  unfold winning_by_answers.
  destruct (read_lost lost _) as [s|] eqn:R; [|discriminate].
  apply read_lost_right in R.
  2:{ intros q. unfold is_lost. rewrite PositiveMap.gempty. discriminate. }
  destruct (forallb _ (after p)) eqn:F; [|discriminate]. intros H. injection H as <-.
  rewrite forallb_forall in F. intros m. rewrite in_map_iff. split.
  - intros [[m' q] [<- I]]. apply filter_In in I. exists q. split; [apply I | now apply R].
  - intros [q [I L]]. exists (m, q). split; [reflexivity|]. apply filter_In. split; [exact I|].
    assert (J : In q (after p)) by (apply in_map_iff; exists (m, q); now split).
    specialize (F q J). apply orb_prop in F. destruct F as [F | F]; [exact F|].
    exfalso. eapply never_both; [eapply answered_wins|]; eauto.
Qed.

Lemma all_decided lost p winning :
  winning_by_answers lost p = Some winning ->
  forall q, In q (after p) -> wins after last_wins q \/ loses after last_wins q.
Proof.
  unfold winning_by_answers.
  destruct (read_lost lost _) as [s|] eqn:R; [|discriminate]. apply read_lost_right in R.
  2:{ intros q. unfold is_lost. rewrite PositiveMap.gempty. discriminate. }
  destruct (forallb _ (after p)) eqn:F; [|discriminate]. intros _ q I.
  rewrite forallb_forall in F. specialize (F q I). apply orb_prop in F.
  destruct F as [F | F]; [right; now apply R | left; now apply answered_wins with s].
Qed.

End Checker.

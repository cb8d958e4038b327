(** * Divisor Duel: a strategy tree that the checker accepts wins. *)

From Coq Require Import List Arith Lia Bool NArith.
From Duels Require Import Games.
Import ListNotations.
Open Scope N_scope.

Section Divisor.

Variable divisor : N.

(** A position is the digits used, and the number that they make. *)
Definition position := (list N * N)%type.
Definition start : position := ([], 0).

(** Nobody moves after a divisible number, nor when all nine digits are used. *)
Definition divisible (p : position) : bool := snd p mod divisor =? 0.
Definition over (p : position) : bool :=
  match fst p with [] => false | _ => divisible p end.
Definition allowed (p : position) : list N :=
  if over p then [] else
  filter (fun d => negb (existsb (N.eqb d) (fst p))) [1; 2; 3; 4; 5; 6; 7; 8; 9].
Definition put (d : N) (p : position) : position := (d :: fst p, 10 * snd p + d).
Definition next (p : position) : list position := map (fun d => put d p) (allowed p).
(** Who makes the number divisible wins; who uses the last digit without it loses. *)
Definition last_wins (p : position) : bool := divisible p.

Notation Wins := (wins next last_wins).
Notation Loses := (loses next last_wins).

(** A strategy: the game is won already, or a digit, and a strategy after each answer to it. *)
Inductive strategy :=
| Won
| Play (d : N) (rest : answers)
with answers :=
| NoMore
| Answer (d : N) (s : strategy) (more : answers).

Fixpoint check_wins (s : strategy) (p : position) : bool :=
  match s with
  | Won => match allowed p with [] => negb (last_wins p) | _ => false end
  | Play d rest =>
      existsb (N.eqb d) (allowed p) &&
      match allowed (put d p) with
      | [] => last_wins (put d p) && check_answers rest (put d p) []
      | ds => check_answers rest (put d p) ds
      end
  end
(** One strategy for each of the digits, in this order. *)
with check_answers (a : answers) (p : position) (ds : list N) : bool :=
  match a, ds with
  | NoMore, [] => true
  | Answer d s more, d' :: ds =>
      (d =? d') && check_wins s (put d p) && check_answers more p ds
  | _, _ => false
  end.

Definition check_loses (a : answers) (p : position) : bool :=
  match allowed p with
  | [] => last_wins p && check_answers a p []
  | ds => check_answers a p ds
  end.

Scheme strategy_induction := Induction for strategy Sort Prop
with answers_induction := Induction for answers Sort Prop.

Lemma next_nil p : allowed p = [] -> next p = [].
Proof. unfold next. now intros ->. Qed.

Lemma in_next d p : In d (allowed p) -> In (put d p) (next p).
Proof. intros I. apply in_map_iff. eauto. Qed.

Lemma loses_if p :
  (allowed p = [] -> last_wins p = true) ->
  (forall d, In d (allowed p) -> Wins (put d p)) -> Loses p.
Proof.
  intros E A. constructor.
  - intros N. apply E. unfold next in N. now destruct (allowed p).
  - intros q I. apply in_map_iff in I. destruct I as (d & <- & I). auto.
Qed.

Lemma strategies_right :
  (forall s p, check_wins s p = true -> Wins p).
Proof.
  apply (strategy_induction (fun s => forall p, check_wins s p = true -> Wins p)
    (fun a => forall p ds, check_answers a p ds = true -> forall d, In d ds -> Wins (put d p))).
  - intros p H. cbn in H. destruct (allowed p) eqn:E; [|discriminate].
    apply wins_at_the_end; [now apply next_nil | now apply negb_true_iff].
  - intros d rest IH p H. cbn [check_wins] in H. apply andb_prop in H. destruct H as [I H].
    apply existsb_exists in I. destruct I as (d' & I & E). apply N.eqb_eq in E. subst d'.
    apply wins_by_a_move with (put d p); [now apply in_next|].
    apply loses_if; destruct (allowed (put d p)) eqn:E; try easy.
    + intros _. now apply andb_prop in H.
    + intros e J. exact (IH _ _ H e J).
  - intros p [|d ds] H e I; [easy | discriminate].
  - intros d s IHs more IHm p [|d' ds] H e I; [easy|]. cbn [check_answers] in H.
    apply andb_prop in H. destruct H as [H Hm]. apply andb_prop in H. destruct H as [E Hs].
    apply N.eqb_eq in E. subst d'. destruct I as [<- | I]; [auto | exact (IHm _ _ Hm e I)].
Qed.

Lemma answers_right a : forall p ds,
  check_answers a p ds = true -> forall d, In d ds -> Wins (put d p).
Proof.
  induction a as [|d s more IH]; intros p [|d' ds] H e I; try easy. cbn [check_answers] in H.
  apply andb_prop in H. destruct H as [H Hm]. apply andb_prop in H. destruct H as [E Hs].
  apply N.eqb_eq in E. subst d'.
  destruct I as [<- | I]; [now apply strategies_right with s | exact (IH _ _ Hm e I)].
Qed.

Lemma check_loses_right a p : check_loses a p = true -> Loses p.
Proof.
  unfold check_loses. intros H. apply loses_if.
  - intros E. rewrite E in H. now apply andb_prop in H.
  - intros d I. destruct (allowed p) eqn:E; [easy|]. exact (answers_right _ _ _ H d I).
Qed.

(** ** The checker *)

(** After each digit, either a strategy for the other player, or answers to the other's moves. *)
Inductive judgement := Bad (s : strategy) | Good (a : answers).

Fixpoint judge (p : position) (ds : list N) (js : list judgement) : option (list N) :=
  match ds, js with
  | [], [] => Some []
  | d :: ds, Bad s :: js => if check_wins s (put d p) then judge p ds js else None
  | d :: ds, Good a :: js =>
      if check_loses a (put d p) then
        match judge p ds js with Some l => Some (d :: l) | None => None end
      else None
  | _, _ => None
  end.

Fixpoint play (ds : list N) (p : position) : option position :=
  match ds with
  | [] => Some p
  | d :: ds => if existsb (N.eqb d) (allowed p) then play ds (put d p) else None
  end.

(** The digits that win after these moves, if the strategies show it for every digit. *)
Definition winning_digits (moves : list N) (js : list judgement) : option (list N) :=
  match play moves start with
  | Some p => judge p (allowed p) js
  | None => None
  end.

Lemma judge_right p js : forall ds winning, NoDup ds ->
  judge p ds js = Some winning ->
  forall d, In d winning <-> In d ds /\ Loses (put d p).
Proof.
  induction js as [|j js IH]; intros [|d ds] winning N H e; cbn in H; try discriminate;
    [injection H as <-; easy|].
  inversion N as [|? ? Nd N']; subst. destruct j as [s | a].
  - destruct (check_wins s (put d p)) eqn:W; [|discriminate]. apply strategies_right in W.
    rewrite (IH _ _ N' H e). split; [intros [I L]; split; [now right | auto]|].
    intros [[<- | I] L]; [|auto]. exfalso. exact (never_both _ _ _ _ W L).
  - destruct (check_loses a (put d p)) eqn:L; [|discriminate]. apply check_loses_right in L.
    destruct (judge p ds js) as [l|] eqn:J; [|discriminate]. injection H as <-.
    specialize (IH _ _ N' J). split.
    + intros [<- | I]; [split; [now left | auto]|]. apply IH in I. split; [now right | tauto].
    + intros [[<- | I] K]; [now left | right; apply IH; auto].
Qed.

Lemma judge_all p js : forall ds winning, judge p ds js = Some winning ->
  forall d, In d ds -> Wins (put d p) \/ Loses (put d p).
Proof.
  induction js as [|j js IH]; intros [|d ds] winning H e I; cbn in H; try easy.
  destruct j as [s | a].
  - destruct (check_wins s (put d p)) eqn:W; [|discriminate].
    destruct I as [<- | I]; [left; now apply strategies_right with s | eauto].
  - destruct (check_loses a (put d p)) eqn:L; [|discriminate].
    destruct (judge p ds js) eqn:J; [|discriminate].
    destruct I as [<- | I]; [right; now apply check_loses_right with a | eauto].
Qed.

(** What the checker says of the strategy trees is true: exactly these digits win. *)
Theorem winning_digits_right moves js winning :
  winning_digits moves js = Some winning ->
  exists p, play moves start = Some p /\
    forall d, In d winning <-> In d (allowed p) /\ Loses (put d p).
Proof.
  unfold winning_digits. destruct (play moves start) as [p|]; [|discriminate]. intros H.
  exists p. split; [reflexivity|]. apply (judge_right p js (allowed p)); [|exact H].
  unfold allowed. destruct (over p); [constructor|]. apply NoDup_filter.
  repeat constructor; cbn; intuition discriminate.
Qed.

End Divisor.

(** * Facts: what is true of the games as they are usually played. *)

From Coq Require Import List Arith NArith PArith Bool.
From Duels Require Games Chain Line.
From Duels Require Import Rules ChainCheck Divisor Verdicts Certificates.
Import ListNotations.

Section Chains.

Variables (criteria : list criterion) (numbers : positive) (even_opening : bool).
Let next := Chain.next positive Pos.eq_dec (fits criteria) (opens even_opening).
Let last := Chain.who_moved_last_wins positive.

Definition first_player_wins_chain : Prop := Games.wins next last (chain_start numbers).
Definition first_player_loses_chain : Prop := Games.loses next last (chain_start numbers).

(** Exactly these first numbers win. *)
Definition winning_openings (winning : list positive) : Prop :=
  forall u, In u winning <->
    In u (Chain.allowed positive (fits criteria) (opens even_opening) (chain_start numbers)) /\
    Games.loses next last (Chain.take positive Pos.eq_dec u (chain_start numbers)).

Lemma chain_fact claimed wins move c :
  accept_chain criteria numbers even_opening [] claimed wins move c = true ->
  winning_openings claimed /\
  if wins then first_player_wins_chain else first_player_loses_chain.
Proof.
  intros H. apply accept_chain_right in H. destruct H as (p & E & W & V & _).
  injection E as <-. now split.
Qed.

End Chains.

(** Number Duel with the numbers 1 to 100 is lost for the first player. *)
Theorem number_duel_100_is_lost : first_player_loses_chain [Factor; Digit] 100 false.
Proof.
  apply (chain_fact [Factor; Digit] 100 false [] false None number_duel_100).
  vm_compute. reflexivity.
Qed.

(** Juniper Green with the numbers 1 to 100 (the first number is even) is won by the first player,
    with exactly these 38 numbers. *)
Theorem juniper_green_100_is_won :
  first_player_wins_chain [Factor] 100 true /\
  winning_openings [Factor] 100 true
    [4; 6; 8; 10; 12; 14; 16; 18; 20; 22; 24; 26; 28; 30; 32; 34; 36; 38; 40; 42; 44; 46; 48; 50;
     54; 56; 58; 60; 62; 64; 66; 72; 80; 84; 88; 90; 96; 100]%positive.
Proof.
  destruct (chain_fact [Factor] 100 true juniper_green_100_winning true juniper_green_100_move
    juniper_green_100) as [W V]; [vm_compute; reflexivity | now split].
Qed.

(** Number Chain Duel with the numbers 1 to 9 is won by the first player, with 5 and 7 only. *)
Theorem number_chain_9_is_won :
  first_player_wins_chain [Factor] 9 false /\ winning_openings [Factor] 9 false [5; 7]%positive.
Proof.
  destruct (chain_fact [Factor] 9 false number_chain_9_winning true number_chain_9_move
    number_chain_9) as [W V]; [vm_compute; reflexivity | now split].
Qed.

(** Number Line Duel from 1 to 10 is won by the first player, with 2, 3, 4, 5-6, 7, 8 and 9 only.
    (A move is named by how many numbers are before it, and whether it takes two.) *)
Theorem number_line_10_is_won :
  Games.wins Line.next Line.who_moved_last_wins (line_start 10) /\
  forall i two,
    In (i, two) [(1, false); (2, false); (3, false); (4, true); (6, false); (7, false);
      (8, false)]%nat <->
    exists r, Line.cross i two (line_start 10) = Some r /\
      Games.loses Line.next Line.who_moved_last_wins r.
Proof.
  match goal with |- _ /\ forall i two, In _ ?won <-> _ =>
    destruct (accept_line_right 10 [] won true (told_runs 1 0 (line_start 10)) [])
      as (l & E & W & V); [vm_compute; reflexivity|] end.
  injection E as <-. now split.
Qed.

(** Divisor Duel with 13 is lost for the first player. *)
Theorem divisor_duel_13_is_lost :
  Games.loses (Divisor.next 13%N) (Divisor.last_wins 13%N) Divisor.start.
Proof.
  destruct (accept_divisor_right 13%N [] [] false divisor_duel_13) as (p & E & _ & L);
    [vm_compute; reflexivity|].
  injection E as <-. exact L.
Qed.

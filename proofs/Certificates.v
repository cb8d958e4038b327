(** * The proofs behind Facts.v, written by certificates.py; Coq checks them there. *)

From Coq Require Import List NArith PArith.
From Duels Require Import ChainCheck Divisor.
Import ListNotations.

Definition number_duel_100_winning : list positive := []%positive.
Definition number_duel_100_move : option positive := (None)%positive.
Definition number_duel_100 : certificate := ({| pairs := [(1, 2); (3, 12); (4, 56); (5, 90); (6,
86); (7, 87); (8, 89); (9, 93); (10, 91); (11, 100); (13, 36); (14, 16); (15, 21); (17, 34); (18,
28); (19, 38); (20, 82); (22, 92); (23, 52); (24, 45); (25, 72); (26, 46); (27, 32); (29, 58); (30,
83); (31, 63); (33, 99); (35, 57); (37, 79); (39, 49); (40, 84); (41, 64); (42, 48); (43, 54); (44,
94); (47, 78); (50, 85); (51, 65); (53, 75); (55, 95); (59, 69); (60, 76); (61, 81); (62, 68); (66,
96); (67, 74); (70, 80); (71, 73); (77, 97); (88, 98)]; items := []; rest := [(1, 2); (3, 12); (4,
56); (5, 90); (6, 86); (7, 87); (8, 89); (9, 93); (10, 91); (11, 100); (13, 36); (14, 16); (15, 21);
(17, 34); (18, 28); (19, 38); (20, 82); (22, 92); (23, 52); (24, 45); (25, 72); (26, 46); (27, 32);
(29, 58); (30, 83); (31, 63); (33, 99); (35, 57); (37, 79); (39, 49); (40, 84); (41, 64); (42, 48);
(43, 54); (44, 94); (47, 78); (50, 85); (51, 65); (53, 75); (55, 95); (59, 69); (60, 76); (61, 81);
(62, 68); (66, 96); (67, 74); (70, 80); (71, 73); (77, 97); (88, 98)] |})%positive.
Definition juniper_green_100_winning : list positive := [4; 6; 8; 10; 12; 14; 16; 18; 20; 22; 24;
26; 28; 30; 32; 34; 36; 38; 40; 42; 44; 46; 48; 50; 54; 56; 58; 60; 62; 64; 66; 72; 80; 84; 88; 90;
96; 100]%positive.
Definition juniper_green_100_move : option positive := (Some 62)%positive.
Definition juniper_green_100 : certificate := ({| pairs := [(1, 53); (2, 58); (3, 48); (4, 96); (5,
85); (6, 60); (7, 77); (8, 24); (9, 54); (10, 30); (11, 55); (12, 84); (13, 91); (14, 42); (15, 45);
(16, 80); (17, 51); (18, 90); (19, 95); (20, 40); (21, 63); (22, 66); (23, 69); (25, 75); (26, 52);
(27, 81); (28, 56); (29, 87); (31, 93); (32, 64); (33, 99); (34, 68); (35, 70); (36, 72); (37, 74);
(38, 76); (39, 78); (41, 82); (43, 86); (44, 88); (46, 92); (47, 94); (49, 98); (50, 100)]; items :=
[{| ops := [One 57]; hangs := None |}; {| ops := [One 59]; hangs := None |}; {| ops := [One 61];
hangs := None |}; {| ops := [One 62]; hangs := None |}; {| ops := [One 65]; hangs := None |}; {| ops
:= [One 67]; hangs := None |}; {| ops := [One 71]; hangs := None |}; {| ops := [One 73]; hangs :=
None |}; {| ops := [One 79]; hangs := None |}; {| ops := [One 83]; hangs := None |}; {| ops := [One
89]; hangs := None |}; {| ops := [One 97]; hangs := None |}; {| ops := [One 53]; hangs := Some (1,
57, 53) |}; {| ops := [One 21; One 27; One 33; One 15; One 75; One 25; One 42; One 10; One 50; One
100; One 9; One 22; One 18; One 60; One 24; One 84; One 80; One 40; One 56; One 64; One 72; One 88;
One 96; One 4; One 48; Cycle [(48, 4); (4, 96); (96, 48)]; One 44; Cycle [(44, 4); (4, 88); (88,
44)]; One 36; Cycle [(36, 4); (4, 72); (72, 36)]; One 32; Cycle [(32, 4); (4, 64); (64, 32)]; One
28; Cycle [(28, 4); (4, 56); (56, 28)]; One 20; Cycle [(20, 4); (4, 40); (40, 20)]; One 16; Cycle
[(16, 4); (4, 80); (80, 16)]; One 12; Cycle [(12, 4); (4, 84); (84, 12)]; One 8; Cycle [(8, 4); (4,
24); (24, 8)]; One 6; Cycle [(6, 48); (4, 60); (60, 6)]; One 90; Cycle [(90, 6); (36, 18); (18,
90)]; One 66; Cycle [(66, 6); (44, 22); (22, 66)]; One 54; Cycle [(54, 6); (36, 9); (9, 54)]; One
30; Cycle [(30, 6); (4, 100); (100, 50); (50, 10); (10, 30)]; One 14; Cycle [(14, 28); (6, 42); (42,
14)]; One 45; Cycle [(45, 90); (50, 25); (25, 75); (75, 15); (15, 45)]; One 99; Cycle [(99, 9); (66,
33); (33, 99)]; One 81; Cycle [(81, 9); (54, 27); (27, 81)]; One 63; Cycle [(63, 9); (84, 21); (21,
63)]]; hangs := Some (3, 57, 48) |}; {| ops := [One 95]; hangs := Some (19, 57, 95) |}; {| ops :=
[One 58]; hangs := Some (2, 62, 58) |}; {| ops := [One 93]; hangs := Some (31, 62, 93) |}; {| ops :=
[One 85]; hangs := Some (5, 65, 85) |}; {| ops := [One 91]; hangs := Some (13, 65, 91) |}; {| ops :=
[One 77]; hangs := Some (7, 14, 77) |}; {| ops := [One 55]; hangs := Some (11, 22, 55) |}; {| ops :=
[One 26]; hangs := Some (52, 4, 26) |}; {| ops := [One 34]; hangs := Some (68, 4, 34) |}; {| ops :=
[One 35]; hangs := Some (70, 10, 35) |}; {| ops := [One 38]; hangs := Some (76, 4, 38) |}; {| ops :=
[One 39]; hangs := Some (78, 6, 39) |}; {| ops := [One 46]; hangs := Some (92, 4, 46) |}; {| ops :=
[One 49]; hangs := Some (98, 14, 49) |}; {| ops := [One 87]; hangs := Some (29, 58, 87) |}; {| ops
:= [One 51]; hangs := Some (17, 85, 51) |}; {| ops := [One 69]; hangs := Some (23, 46, 69) |}]; rest
:= [(37, 74); (41, 82); (43, 86); (47, 94)] |})%positive.
Definition number_chain_9_winning : list positive := [5; 7]%positive.
Definition number_chain_9_move : option positive := (Some 7)%positive.
Definition number_chain_9 : certificate := ({| pairs := [(1, 5); (2, 6); (3, 9); (4, 8)]; items :=
[{| ops := [One 7]; hangs := None |}; {| ops := [One 5]; hangs := Some (1, 7, 5) |}]; rest := [(2,
6); (3, 9); (4, 8)] |})%positive.
Definition divisor_duel_13 : list judgement := [Bad (Play 3 NoMore); Bad (Play 6 NoMore); Bad (Play
9 NoMore); Bad (Play 3 (Answer 1 (Play 6 NoMore) (Answer 2 (Play 9 NoMore) (Answer 5 (Play 1 (Answer
2 (Play 7 (Answer 6 (Play 8 NoMore) (Answer 8 (Play 6 (Answer 9 Won NoMore)) (Answer 9 (Play 6
(Answer 8 Won NoMore)) NoMore)))) (Answer 6 (Play 2 NoMore) (Answer 7 (Play 2 (Answer 6 (Play 8
(Answer 9 Won NoMore)) (Answer 8 (Play 6 (Answer 9 Won NoMore)) (Answer 9 (Play 6 (Answer 8 Won
NoMore)) NoMore)))) (Answer 8 (Play 2 (Answer 6 (Play 7 NoMore) (Answer 7 (Play 6 (Answer 9 Won
NoMore)) (Answer 9 (Play 6 (Answer 7 Won NoMore)) NoMore)))) (Answer 9 (Play 2 (Answer 6 (Play 8
NoMore) (Answer 7 (Play 6 (Answer 8 Won NoMore)) (Answer 8 (Play 6 (Answer 7 Won NoMore)) NoMore))))
NoMore)))))) (Answer 6 (Play 8 NoMore) (Answer 7 (Play 2 (Answer 1 (Play 6 NoMore) (Answer 5 (Play 9
(Answer 1 (Play 6 NoMore) (Answer 6 (Play 8 NoMore) (Answer 8 (Play 1 NoMore) NoMore)))) (Answer 6
(Play 8 NoMore) (Answer 8 (Play 1 NoMore) (Answer 9 (Play 1 (Answer 5 (Play 6 (Answer 8 Won NoMore))
(Answer 6 (Play 5 (Answer 8 Won NoMore)) (Answer 8 (Play 5 (Answer 6 Won NoMore)) NoMore))))
NoMore)))))) (Answer 8 (Play 1 NoMore) (Answer 9 (Play 1 (Answer 2 (Play 7 NoMore) (Answer 5 (Play 2
(Answer 6 (Play 7 (Answer 8 Won NoMore)) (Answer 7 (Play 6 (Answer 8 Won NoMore)) (Answer 8 (Play 7
NoMore) NoMore)))) (Answer 6 (Play 2 (Answer 5 (Play 7 (Answer 8 Won NoMore)) (Answer 7 (Play 5
NoMore) (Answer 8 (Play 5 (Answer 7 Won NoMore)) NoMore)))) (Answer 7 (Play 5 (Answer 2 (Play 6
(Answer 8 Won NoMore)) (Answer 6 (Play 2 NoMore) (Answer 8 (Play 2 (Answer 6 Won NoMore)) NoMore))))
(Answer 8 (Play 2 (Answer 5 (Play 6 (Answer 7 Won NoMore)) (Answer 6 (Play 5 (Answer 7 Won NoMore))
(Answer 7 (Play 5 (Answer 6 Won NoMore)) NoMore)))) NoMore)))))) NoMore)))))))); Bad (Play 2
NoMore); Bad (Play 5 NoMore); Bad (Play 8 NoMore); Bad (Play 2 (Answer 1 (Play 6 NoMore) (Answer 3
(Play 4 (Answer 1 (Play 5 (Answer 6 (Play 7 (Answer 9 Won NoMore)) (Answer 7 (Play 6 (Answer 9 Won
NoMore)) (Answer 9 (Play 7 NoMore) NoMore)))) (Answer 5 (Play 9 NoMore) (Answer 6 (Play 1 (Answer 5
(Play 7 (Answer 9 Won NoMore)) (Answer 7 (Play 5 (Answer 9 Won NoMore)) (Answer 9 (Play 5 (Answer 7
Won NoMore)) NoMore)))) (Answer 7 (Play 1 (Answer 5 (Play 6 (Answer 9 Won NoMore)) (Answer 6 (Play 5
(Answer 9 Won NoMore)) (Answer 9 (Play 5 (Answer 6 Won NoMore)) NoMore)))) (Answer 9 (Play 5 (Answer
1 (Play 6 (Answer 7 Won NoMore)) (Answer 6 (Play 1 (Answer 7 Won NoMore)) (Answer 7 (Play 1 (Answer
6 Won NoMore)) NoMore)))) NoMore)))))) (Answer 4 (Play 1 (Answer 3 (Play 5 NoMore) (Answer 5 (Play 3
(Answer 6 (Play 7 (Answer 9 Won NoMore)) (Answer 7 (Play 6 (Answer 9 Won NoMore)) (Answer 9 (Play 7
(Answer 6 Won NoMore)) NoMore)))) (Answer 6 (Play 3 (Answer 5 (Play 7 (Answer 9 Won NoMore)) (Answer
7 (Play 5 (Answer 9 Won NoMore)) (Answer 9 (Play 5 (Answer 7 Won NoMore)) NoMore)))) (Answer 7 (Play
3 (Answer 5 (Play 6 (Answer 9 Won NoMore)) (Answer 6 (Play 5 (Answer 9 Won NoMore)) (Answer 9 (Play
5 (Answer 6 Won NoMore)) NoMore)))) (Answer 9 (Play 5 (Answer 3 (Play 6 (Answer 7 Won NoMore))
(Answer 6 (Play 3 (Answer 7 Won NoMore)) (Answer 7 (Play 6 (Answer 3 Won NoMore)) NoMore))))
NoMore)))))) (Answer 5 (Play 1 (Answer 3 (Play 6 NoMore) (Answer 4 (Play 9 NoMore) (Answer 6 (Play 3
(Answer 4 (Play 7 (Answer 9 Won NoMore)) (Answer 7 (Play 4 (Answer 9 Won NoMore)) (Answer 9 (Play 4
(Answer 7 Won NoMore)) NoMore)))) (Answer 7 (Play 3 (Answer 4 (Play 6 (Answer 9 Won NoMore)) (Answer
6 (Play 4 (Answer 9 Won NoMore)) (Answer 9 (Play 6 NoMore) NoMore)))) (Answer 9 (Play 4 (Answer 3
(Play 7 NoMore) (Answer 6 (Play 3 NoMore) (Answer 7 (Play 6 NoMore) NoMore)))) NoMore)))))) (Answer
6 (Play 3 (Answer 1 (Play 9 NoMore) (Answer 4 (Play 5 NoMore) (Answer 5 (Play 1 (Answer 4 (Play 7
(Answer 9 Won NoMore)) (Answer 7 (Play 4 (Answer 9 Won NoMore)) (Answer 9 (Play 4 (Answer 7 Won
NoMore)) NoMore)))) (Answer 7 (Play 1 NoMore) (Answer 9 (Play 7 NoMore) NoMore)))))) (Answer 7 (Play
3 (Answer 1 (Play 4 (Answer 5 (Play 6 (Answer 9 Won NoMore)) (Answer 6 (Play 5 (Answer 9 Won
NoMore)) (Answer 9 (Play 6 (Answer 5 Won NoMore)) NoMore)))) (Answer 4 (Play 6 NoMore) (Answer 5
(Play 9 NoMore) (Answer 6 (Play 1 (Answer 4 (Play 5 (Answer 9 Won NoMore)) (Answer 5 (Play 4 (Answer
9 Won NoMore)) (Answer 9 (Play 4 (Answer 5 Won NoMore)) NoMore)))) (Answer 9 (Play 6 (Answer 1 (Play
4 (Answer 5 Won NoMore)) (Answer 4 (Play 1 (Answer 5 Won NoMore)) (Answer 5 (Play 1 (Answer 4 Won
NoMore)) NoMore)))) NoMore)))))) (Answer 9 (Play 4 NoMore) NoMore)))))))); Bad (Play 1 NoMore)]%N.

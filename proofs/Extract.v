(** * The checker as an OCaml program: only what the theorems of Verdicts.v speak of. *)

From Coq Require Import Extraction ExtrOcamlBasic NArith.
From Duels Require Import Rules ChainCheck Divisor Line Verdicts.

Extraction Language OCaml.
Extraction "build/checker.ml" accept_chain accept_line accept_divisor accept_table
  Rules.fits Divisor.allowed Divisor.divisible Line.winning_moves
  BinNat.N.mul BinNat.N.add BinNat.N.of_nat PositiveMap.add PositiveMap.empty.

(** * The checker as an OCaml program: only what the theorems of Verdicts.v speak of. *)

From Coq Require Import Extraction ExtrOcamlBasic NArith FMapPositive.
From Duels Require Import Rules ChainCheck Divisor Line Verdicts.

Extraction Language OCaml.
Extraction "build/checker.ml" accept_chain accept_line accept_divisor accept_table
  Rules.fits Divisor.play Divisor.allowed Divisor.start Line.cross
  BinNat.N.mul BinNat.N.add PositiveMap.add PositiveMap.empty.

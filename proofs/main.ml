(* Reads proofs as rearrange.py writes them, one after the other, and asks the extracted checker.
   Nothing is judged here: this is only the parser, and the loop. See docs/explanation/theory.md. *)

open Checker

(* Numbers *)

let rec positive k =
  if k < 1 then failwith "not a positive number"
  else if k = 1 then XH
  else if k land 1 = 1 then XI (positive (k / 2))
  else XO (positive (k / 2))

let natural k = if k = 0 then N0 else Npos (positive k)

let rec nat_above acc k = if k = 0 then acc else nat_above (S acc) (k - 1)
let nat k = if k < 0 then failwith "negative" else nat_above O k

(* Words: all are natural numbers in decimal, but for the first one of a proof. *)

let word () = Scanf.scanf " %s" (fun s -> s)
let int () = Scanf.scanf " %u" (fun k -> k)

(* A number of any length, digit by digit. *)
let large () =
  let ten = natural 10 in
  String.fold_left
    (fun sum digit -> N.add (N.mul ten sum) (natural (Char.code digit - Char.code '0')))
    N0 (word ())

let list read =
  let rec go k read_so_far =
    if k = 0 then List.rev read_so_far else let x = read () in go (k - 1) (x :: read_so_far)
  in
  let k = int () in
  go k []

let number () = positive (int ())
let bool () = int () = 1
let pair () = let a = number () in let b = number () in (a, b)
let option read = if bool () then Some (read ()) else None

(* Proofs *)

let criterion () =
  match int () with
  | 0 -> Factor | 1 -> Digit | 2 -> DigitSum | 3 -> PrimeFactor | 4 -> Neighbour | 5 -> SquareSum
  | _ -> failwith "no such criterion"

let op () = if bool () then Cycle (list pair) else One (number ())

let item () =
  let ops = list op in
  let hangs = option (fun () ->
    let a = number () in let x = number () in let r = number () in ((a, x), r)) in
  { ops; hangs }

let chain () =
  let criteria = list criterion in
  let numbers = number () in
  let even = bool () in
  let moves = list number in
  let claimed = list number in
  let wins = bool () in
  let move = option number in
  let pairs = list pair in
  let items = list item in
  let rest = list pair in
  accept_chain criteria numbers even moves claimed wins move { pairs; items; rest }

let line_move () = let i = int () in let two = bool () in (nat (i - 1), two)

let line () =
  let numbers = nat (int ()) in
  let moves = list line_move in
  let claimed = list line_move in
  let wins = bool () in
  let run () =
    let a = natural (int ()) in let b = natural (int ()) in let c = natural (int ()) in ((a, b), c) in
  let runs = list run in
  let counts = list (fun () -> natural (int ())) in
  accept_line numbers moves claimed wins runs counts

let rec strategy () =
  if bool () then let d = natural (int ()) in Play (d, answers ()) else Won
and answers () =
  let answer () = let d = natural (int ()) in let s = strategy () in (d, s) in
  List.fold_right (fun (d, s) more -> Answer (d, s, more)) (list answer) NoMore

let divisor () =
  let divisor = large () in
  let moves = list (fun () -> natural (int ())) in
  let claimed = list (fun () -> natural (int ())) in
  let wins = bool () in
  let judgement () = if bool () then Good (answers ()) else Bad (strategy ()) in
  accept_divisor divisor moves claimed wins (list judgement)

let table () =
  let state () = let last = bool () in let next = list number in (last, next) in
  let states = list state in
  let _, table =
    List.fold_left (fun (i, t) s -> (i + 1, PositiveMap.add (positive i) s t))
      (1, PositiveMap.empty) states in
  let here = number () in
  let claimed = list number in
  let wins = bool () in
  accept_table table here claimed wins (list number)

(* The rules, to be compared with those of the games *)

let rule () =
  let criterion = criterion () in
  let highest = int () in
  for a = 1 to highest do
    print_endline (String.init highest (fun b ->
      if fits [ criterion ] (positive a) (positive (b + 1)) then '1' else '0'))
  done

let rec int_of_positive = function
  | XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> 2 * int_of_positive p + 1
let int_of = function N0 -> 0 | Npos p -> int_of_positive p

let digits () =
  let divisor = large () in
  let moves = list (fun () -> natural (int ())) in
  print_endline (match play divisor moves start with
    | None -> "none"
    | Some p ->
        let free = List.map (fun d -> string_of_int (int_of d)) (allowed0 divisor p) in
        String.concat " " (string_of_bool (last_wins divisor p) :: free))

let crossings () =
  let numbers = int () in
  let moves = list line_move in
  match line_play moves (line_start (nat numbers)) with
  | None -> print_endline "none"
  | Some l ->
      let can i two = cross (nat (i - 1)) two l <> None in
      let found i = (if can i false then [ string_of_int i ] else [])
        @ (if can i true then [ Printf.sprintf "%d-%d" i (i + 1) ] else []) in
      print_endline (String.concat " " (List.concat_map found (List.init numbers succ)))

let judge read = print_endline (if read () then "accepted" else "refused")

let rec go () =
  match word () with
  | "" -> ()
  | "chain" -> judge chain; go ()
  | "line" -> judge line; go ()
  | "divisor" -> judge divisor; go ()
  | "table" -> judge table; go ()
  | "rule" -> rule (); go ()
  | "digits" -> digits (); go ()
  | "crossings" -> crossings (); go ()
  | other -> failwith ("no such kind: " ^ other)

let () = go ()

(** * The checker of chain games: from a pairing, a barrier and odd cycles to the winning moves. *)

From Coq Require Import List Arith Lia Bool Permutation PArith FMapPositive.
From Duels Require Import Games Chain Grading.
Import ListNotations.
Module Map := PositiveMap.
Local Open Scope positive_scope.

Section Check.

Variable fits : positive -> positive -> bool.
Hypothesis fits_sym : forall x y, fits x y = fits y x.
Variable opens : positive -> bool.

Notation position := (Chain.position positive).
Notation allowed := (Chain.allowed positive fits opens).
Notation take := (Chain.take positive Pos.eq_dec).
Notation Loses := (loses (Chain.next positive Pos.eq_dec fits opens) (Chain.who_moved_last_wins positive)).
Notation both := (Chain.both positive).
Notation pairing := (Chain.pairing positive fits).
Notation best := (Chain.best positive fits).
Notation odd_class := (Grading.odd_class positive fits).
Notation row := (Grading.row positive fits).
Notation forest := (Grading.forest positive fits).

(** ** Odd cycles, contracted one after the other on a stack of classes *)

(** One more number is a class of its own; or so many classes as there are pairs, the newest first,
    are a cycle: each pair fits, from one class to the next, and at last to the first. *)
Inductive op := One (v : positive) | Cycle (links : list (positive * positive)).

Definition leaves (ops : list op) : list positive :=
  flat_map (fun o => match o with One v => [v] | Cycle _ => [] end) ops.

(** Numbers are counted as they come. A class is all that were counted from its beginning to the
    beginning of the class above it. *)
Definition places := Map.t positive.

Definition inside (m : places) (v low high : positive) : bool :=
  match Map.find v m with Some i => (low <=? i) && (i <? high) | None => false end.

Fixpoint around (m : places) (links : list (positive * positive)) (high : positive)
    (stack : list positive) (low1 high1 : positive) : option (positive * list positive) :=
  match links, stack with
  | (a, b) :: links, low :: stack =>
      match links, stack with
      | [], _ =>
          if inside m a low high && inside m b low1 high1 && fits a b
          then Some (low, stack) else None
      | _, low' :: _ =>
          if inside m a low high && inside m b low' low && fits a b
          then around m links low stack low1 high1 else None
      | _, _ => None
      end
  | _, _ => None
  end.

Fixpoint contract (ops : list op) (m : places) (count : positive) (stack : list positive) : bool :=
  match ops with
  | [] => match stack with [_] => true | _ => false end
  | One v :: ops =>
      match Map.find v m with
      | None => contract ops (Map.add v count m) (Pos.succ count) (count :: stack)
      | Some _ => false
      end
  | Cycle links :: ops =>
      match stack with
      | low1 :: _ =>
          if Nat.odd (length links) then
            match around m links count stack low1 count with
            | Some (low, stack) => contract ops m count (low :: stack)
            | None => false
            end
          else false
      | [] => false
      end
  end.

(** What the stack means. *)
Fixpoint tiles (m : places) (top : positive) (stack : list positive) (Cs : list (list positive)) : Prop :=
  match stack, Cs with
  | [], [] => True
  | low :: stack, C :: Cs =>
      low <= top /\ (forall v, inside m v low top = true -> In v C) /\ odd_class C /\
      tiles m low stack Cs
  | _, _ => False
  end.

Lemma around_right m links : forall high stack Cs low1 high1 C1 low stack',
  tiles m high stack Cs -> (forall v, inside m v low1 high1 = true -> In v C1) ->
  around m links high stack low1 high1 = Some (low, stack') ->
  exists Ts Cs', Cs = Ts ++ Cs' /\ length Ts = length links /\ row (Ts ++ [C1]) /\
    (forall C, In C Ts -> odd_class C) /\ tiles m low stack' Cs' /\ low <= high /\
    (forall v, inside m v low high = true -> In v (concat Ts)).
Proof.
  induction links as [|[a b] links IH]; intros high stack Cs low1 high1 C1 low stack' T H1 A;
    [discriminate|].
  destruct stack as [|l stack]; [discriminate|]. destruct Cs as [|C Cs]; [easy|].
  destruct T as (L & IC & O & T). cbn [around] in A. destruct links as [|e links].
  - destruct (inside m a l high) eqn:Ia; [|discriminate].
    destruct (inside m b low1 high1) eqn:Ib; [|discriminate].
    destruct (fits a b) eqn:F; [|discriminate]. injection A as <- <-.
    exists [C], Cs. repeat split; auto.
    + exists a, b. auto.
    + intros D [<- | []]. exact O.
    + intros v V. cbn. rewrite app_nil_r. auto.
  - destruct stack as [|l' stack]; [discriminate|]. destruct Cs as [|D Cs]; [easy|].
    destruct (inside m a l high) eqn:Ia; [|discriminate].
    destruct (inside m b l' l) eqn:Ib; [|discriminate].
    destruct (fits a b) eqn:F; [|discriminate].
    pose proof T as (L' & ID & _).
    destruct (IH _ _ _ _ _ _ _ _ T H1 A) as (Ts & Cs' & E & Len & R & Od & T' & Le & In').
    destruct Ts as [|D' Ts]; [discriminate Len|]. injection E as <- E.
    exists (C :: D :: Ts), Cs'. repeat split; auto.
    + cbn. now rewrite E.
    + cbn in *. lia.
    + exists a, b. auto.
    + intros X [<- | J]; auto.
    + lia.
    + intros v V. cbn [concat]. apply in_or_app.
      destruct (inside m v l high) eqn:Iv; [left; auto|]. right. apply In'.
      unfold inside in *. destruct (Map.find v m) as [i|]; [|discriminate].
      rewrite andb_true_iff in *. rewrite andb_false_iff in Iv.
      rewrite Pos.leb_le, Pos.ltb_lt in *. rewrite Pos.leb_gt, Pos.ltb_ge in Iv. lia.
Qed.

Lemma tiles_add m v count : Map.find v m = None -> forall stack top Cs,
  top <= count -> tiles m top stack Cs -> tiles (Map.add v count m) top stack Cs.
Proof.
  intros N. induction stack as [|l stack IH]; intros top [|C Cs] L T; try easy.
  destruct T as (L' & I & O & T). cbn. repeat split; auto.
  - intros w W. unfold inside in W. destruct (Pos.eq_dec w v) as [-> | D].
    + rewrite Map.gss in W. rewrite andb_true_iff, Pos.leb_le, Pos.ltb_lt in W. lia.
    + rewrite Map.gso in W by exact D. apply I. exact W.
  - apply IH; [lia | exact T].
Qed.

Lemma contract_right ops : forall m count stack Cs,
  tiles m count stack Cs -> (forall v i, Map.find v m = Some i -> i < count) ->
  contract ops m count stack = true ->
  exists C, odd_class C /\ Permutation C (concat Cs ++ leaves ops).
Proof.
  induction ops as [|[v | links] ops IH]; intros m count stack Cs T B H; cbn [contract] in H.
  - destruct stack as [|l [|]]; try discriminate. destruct Cs as [|C [|]]; try easy.
    + exists C. split; [apply T|]. cbn. now rewrite !app_nil_r.
    + destruct T as (_ & _ & _ & []).
  - destruct (Map.find v m) eqn:N; [discriminate|].
    destruct (IH (Map.add v count m) (Pos.succ count) (count :: stack) ([v] :: Cs)) as (C & O & P);
      [| |exact H|].
    + cbn. repeat split; [lia | | constructor | apply tiles_add; auto; lia].
      intros w W. left. unfold inside in W. destruct (Pos.eq_dec w v) as [-> | D]; [reflexivity|].
      rewrite Map.gso in W by exact D. destruct (Map.find w m) as [i|] eqn:E; [|discriminate].
      apply B in E. rewrite andb_true_iff, Pos.leb_le, Pos.ltb_lt in W. lia.
    + intros w i E. destruct (Pos.eq_dec w v) as [-> | D].
      * rewrite Map.gss in E. injection E as <-. lia.
      * rewrite Map.gso in E by exact D. apply B in E. lia.
    + exists C. split; [exact O|]. rewrite P. cbn. apply Permutation_middle.
  - destruct stack as [|l stack]; [discriminate|].
    destruct (Nat.odd (length links)) eqn:Od; [|discriminate].
    destruct (around m links count (l :: stack) l count) as [[low st]|] eqn:A; [|discriminate].
    destruct Cs as [|C1 Cs]; [easy|].
    assert (T1 : forall v, inside m v l count = true -> In v C1) by apply T.
    destruct (around_right _ _ _ _ _ _ _ C1 _ _ T T1 A)
      as (Ts & Cs' & E & Len & R & O & T' & Le & I).
    destruct (IH m count (low :: st) (concat Ts :: Cs')) as (C & OC & P);
      [| |exact H|].
    + cbn. repeat split; auto. destruct Ts as [|D Ts].
      { rewrite <- Len in Od. discriminate. }
      injection E as <- E. constructor; auto. apply Nat.odd_spec in Od. destruct Od as [k Od].
      exists k. cbn in Len. lia.
    + exact B.
    + exists C. split; [exact OC|]. rewrite P.
      change (concat (concat Ts :: Cs')) with (concat Ts ++ concat Cs').
      rewrite <- concat_app, <- E. reflexivity.
Qed.

(** ** Labels: each unused number is in an odd class, in the barrier, or in the rest *)

Inductive label := Odd (class : positive) | Barrier | Rest.
Definition labels := Map.t label.

Fixpoint put (l : label) (vs : list positive) (m : labels) : option labels :=
  match vs with
  | [] => Some m
  | v :: vs => match Map.find v m with None => put l vs (Map.add v l m) | Some _ => None end
  end.

Lemma put_right l vs : forall m m', put l vs m = Some m' ->
  NoDup vs /\ (forall v, In v vs -> Map.find v m = None /\ Map.find v m' = Some l) /\
  (forall v, ~ In v vs -> Map.find v m' = Map.find v m).
Proof.
  induction vs as [|v vs IH]; intros m m' H; cbn in H.
  { injection H as <-. split; [constructor | split; easy]. }
  destruct (Map.find v m) eqn:N; [discriminate|].
  destruct (IH _ _ H) as (N' & A & B).
  assert (Nv : ~ In v vs) by (intros I; apply A in I; rewrite Map.gss in I; easy).
  split; [now constructor | split].
  - intros w [<- | I].
    + split; [exact N|]. rewrite B by exact Nv. apply Map.gss.
    + assert (w <> v) by (intros ->; auto). apply A in I. now rewrite Map.gso in I.
  - intros w I. cbn in I. rewrite B by tauto. apply Map.gso. intros ->. tauto.
Qed.

(** ** The forest *)

(** A class, and how it hangs on the older ones: by a number a of the barrier that fits x in an
    older class and r in this one. A root hangs on nothing. *)
Record item := { ops : list op; hangs : option (positive * positive * positive) }.

Definition is_odd (m : labels) (v : positive) : bool :=
  match Map.find v m with Some (Odd _) => true | _ => false end.

Definition among (v : positive) (vs : list positive) : bool := existsb (Pos.eqb v) vs.

Definition state := (labels * positive * nat)%type.

Definition grow (s : option state) (it : item) : option state :=
  match s with
  | None => None
  | Some (m, id, k) =>
      if contract (ops it) (Map.empty positive) 1 [] then
        match put (Odd id) (leaves (ops it)) m with
        | None => None
        | Some m1 =>
            match hangs it with
            | None => Some (m1, Pos.succ id, S k)
            | Some (a, x, r) =>
                if is_odd m x && fits a x && fits a r &&
                   match Map.find r m, Map.find r m1 with None, Some _ => true | _, _ => false end
                then match put Barrier [a] m1 with
                     | Some m2 => Some (m2, Pos.succ id, k)
                     | None => None
                     end
                else None
            end
        end
      else None
  end.

Record grown (s : state) (Cs : list (list positive)) (A : list positive) : Prop := {
  is_forest : forest Cs A (snd s);
  distinct : NoDup (concat Cs ++ A);
  known : forall v, Map.find v (fst (fst s)) <> None -> In v (concat Cs ++ A);
  odd_known : forall v, In v (concat Cs) -> exists i, Map.find v (fst (fst s)) = Some (Odd i);
  odd_in : forall v i, Map.find v (fst (fst s)) = Some (Odd i) ->
    In v (concat Cs) /\ i < snd (fst s);
  barrier_known : forall v, In v A -> Map.find v (fst (fst s)) = Some Barrier;
  same_class : forall C v w i, In C Cs -> In v C -> Map.find v (fst (fst s)) = Some (Odd i) ->
    Map.find w (fst (fst s)) = Some (Odd i) -> In w C }.

Lemma grow_right s it s' Cs A :
  grown s Cs A -> grow (Some s) it = Some s' -> exists Cs' A', grown s' Cs' A'.
Proof.
  destruct s as [[m id] k]. intros [F D K OK OI BK SC] H. cbn in *.
  destruct (contract (ops it) _ 1 []) eqn:Ct; [|discriminate].
  destruct (contract_right (ops it) (Map.empty positive) 1 [] [] I) as (C & OC & P); [|exact Ct|].
  { intros v i E. rewrite Map.gempty in E. discriminate. }
  cbn in P. set (ls := leaves (ops it)) in *.
  destruct (put (Odd id) ls m) as [m1|] eqn:P1; [|discriminate].
  apply put_right in P1. destruct P1 as (N1 & A1 & B1).
  assert (IC : forall v, In v C <-> In v ls).
  { intros v. split; apply Permutation_in; [exact P | now symmetry]. }
  assert (NC : NoDup C) by (apply (Permutation_NoDup (Permutation_sym P)); exact N1).
  assert (Old : forall v, In v (concat Cs ++ A) -> Map.find v m <> None).
  { intros v J. apply in_app_or in J. destruct J as [J | J].
    - apply OK in J. destruct J as [i ->]. discriminate.
    - rewrite (BK v J). discriminate. }
  assert (New : forall v, In v C -> ~ In v (concat Cs ++ A)).
  { intros v J J'. apply Old in J'. apply IC, A1 in J. tauto. }
  assert (Keep : forall v, In v (concat Cs ++ A) -> Map.find v m1 = Map.find v m).
  { intros v J. apply B1. intros J'. apply IC in J'. exact (New v J' J). }
  assert (OK1 : forall v, In v (C ++ concat Cs) -> exists i, Map.find v m1 = Some (Odd i)).
  { intros v J. apply in_app_or in J. destruct J as [J | J].
    - exists id. now apply A1, IC.
    - rewrite Keep by (apply in_or_app; auto). auto. }
  assert (OI1 : forall v i, Map.find v m1 = Some (Odd i) ->
            In v (C ++ concat Cs) /\ i < Pos.succ id).
  { intros v i E. rewrite in_app_iff. destruct (in_dec Pos.eq_dec v ls) as [J | J].
    - destruct (A1 v J) as [_ E']. rewrite E' in E. injection E as <-. rewrite IC. split; [auto | lia].
    - rewrite B1 in E by exact J. apply OI in E. split; [tauto | lia]. }
  assert (SC1 : forall X v w i, In X (C :: Cs) -> In v X -> Map.find v m1 = Some (Odd i) ->
            Map.find w m1 = Some (Odd i) -> In w X).
  { intros X v w i [<- | IX] Iv Ev Ew.
    - apply IC in Iv. destruct (A1 v Iv) as [_ E']. rewrite E' in Ev. injection Ev as <-.
      destruct (in_dec Pos.eq_dec w ls) as [J | J]; [now apply IC|].
      rewrite B1 in Ew by exact J. apply OI in Ew. lia.
    - assert (Jv : In v (concat Cs)) by (apply in_concat; eauto).
      rewrite Keep in Ev by (apply in_or_app; auto).
      destruct (in_dec Pos.eq_dec w ls) as [J | J].
      + destruct (A1 w J) as [_ E']. rewrite E' in Ew. injection Ew as <-. apply OI in Ev. lia.
      + rewrite B1 in Ew by exact J. now apply (SC X v w i). }
  assert (K1 : forall v, Map.find v m1 <> None -> In v ((C ++ concat Cs) ++ A)).
  { intros v J. destruct (in_dec Pos.eq_dec v ls) as [L | L].
    - apply IC in L. apply in_or_app. left. apply in_or_app. now left.
    - rewrite B1 in J by exact L. apply K in J. rewrite !in_app_iff in *. tauto. }
  assert (D1 : NoDup ((C ++ concat Cs) ++ A)).
  { rewrite <- app_assoc. now apply NoDup_app_join. }
  destruct (hangs it) as [[[a x] r]|].
  - destruct (is_odd m x) eqn:Ox; [|discriminate]. destruct (fits a x) eqn:Fx; [|discriminate].
    destruct (fits a r) eqn:Fr; [|discriminate]. cbn in H.
    assert (Ir : In r C).
    { destruct (Map.find r m) eqn:Er; [discriminate|].
      destruct (in_dec Pos.eq_dec r ls) as [J | J]; [now apply IC|].
      rewrite B1 in H by exact J. rewrite Er in H. discriminate. }
    destruct (match Map.find r m with Some _ => _ | None => _ end) in H; [|discriminate].
    destruct (Map.find a m1) eqn:Ea; [discriminate|]. injection H as <-.
    assert (Na : ~ In a ((C ++ concat Cs) ++ A)).
    { intros J. apply in_app_or in J. destruct J as [J | J].
      - apply OK1 in J. destruct J as [i J]. congruence.
      - rewrite Keep in Ea by (apply in_or_app; auto). rewrite (BK a J) in Ea. discriminate. }
    assert (Ka : forall v, v <> a -> Map.find v (Map.add a Barrier m1) = Map.find v m1)
      by (intros v J; now apply Map.gso).
    exists (C :: Cs), (a :: A). constructor; cbn [fst snd concat].
    + apply branch with (x := x) (r := r); auto.
      unfold is_odd in Ox. destruct (Map.find x m) as [[i| |]|] eqn:Ex; try discriminate.
      now apply OI in Ex.
    + apply (Permutation_NoDup (Permutation_middle _ _ _)). now constructor.
    + intros v J. apply in_or_app. destruct (Pos.eq_dec v a) as [-> | L]; [right; now left|].
      rewrite Ka in J by exact L. apply K1 in J. apply in_app_or in J. cbn. tauto.
    + intros v J. destruct (OK1 v J) as [i E]. exists i. rewrite Ka; [exact E|].
      intros ->. congruence.
    + intros v i E. destruct (Pos.eq_dec v a) as [-> | L].
      * rewrite Map.gss in E. discriminate.
      * rewrite Ka in E by exact L. auto.
    + intros v [<- | J]; [apply Map.gss|]. rewrite Ka.
      * rewrite Keep by (apply in_or_app; auto). auto.
      * intros ->. apply Na. apply in_or_app. now right.
    + intros X v w i IX Iv Ev Ew.
      assert (v <> a) by (intros ->; rewrite Map.gss in Ev; discriminate).
      assert (w <> a) by (intros ->; rewrite Map.gss in Ew; discriminate).
      rewrite Ka in Ev, Ew by assumption. eauto.
  - injection H as <-. exists (C :: Cs), A. constructor; cbn [fst snd concat]; auto.
    + now apply root.
    + intros v J. rewrite Keep by (apply in_or_app; auto). auto.
Qed.

Lemma fold_none its : fold_left grow its None = None.
Proof. induction its; auto. Qed.

Lemma grow_all its : forall s s' Cs A,
  grown s Cs A -> fold_left grow its (Some s) = Some s' -> exists Cs' A', grown s' Cs' A'.
Proof.
  induction its as [|it its IH]; intros s s' Cs A G H.
  - injection H as <-. eauto.
  - cbn [fold_left] in H. destruct (grow (Some s) it) as [s1|] eqn:E.
    + destruct (grow_right _ _ _ _ _ G E) as (Cs1 & A1 & G1). exact (IH _ _ _ _ G1 H).
    + rewrite fold_none in H. discriminate.
Qed.

(** ** The whole certificate *)

Record certificate := {
  pairs : list (positive * positive);  (** a pairing, the best *)
  items : list item;                   (** the forest, its oldest class first *)
  rest : list (positive * positive)    (** pairs of all numbers outside the forest *) }.

(** Next to a class there is only itself and the barrier. *)
Definition peaceful (m : labels) (v w : positive) : bool :=
  match Map.find v m with
  | Some (Odd i) =>
      match Map.find w m with
      | Some (Odd j) => i =? j
      | Some Rest => false
      | _ => true
      end
  | _ => true
  end.

(** A way to look at all pairs that fit on the board. *)
Variable all_that_fit : (positive -> positive -> bool) -> bool.
Variable on_board : positive -> bool.
Hypothesis all_that_fit_right : forall good, all_that_fit good = true ->
  forall v w, on_board v = true -> on_board w = true -> fits v w = true -> good v w = true.

Definition fitting (e : positive * positive) : bool := fits (fst e) (snd e).

(** The numbers of a list as a set; None if one is there twice. *)
Definition set_of (vs : list positive) : option labels := put Rest vs (Map.empty label).
Definition has (m : labels) (v : positive) : bool :=
  match Map.find v m with Some _ => true | None => false end.

(** Which of the allowed numbers win, if the certificate shows it. *)
Definition winning_by_pairs (p : position) (c : certificate) : option (list positive) :=
  let G := fst p in
  match set_of G, set_of (both (pairs c)), fold_left grow (items c) (Some (Map.empty label, 1, O)) with
  | Some free, Some paired, Some (m, _, k) =>
      match put Rest (both (rest c)) m with
      | Some m' =>
          if forallb on_board G
             && forallb fitting (pairs c) && forallb (has free) (both (pairs c))
             && Nat.eqb (2 * length (pairs c) + k) (length G)
             && forallb fitting (rest c)
             && forallb (has m') G
             && forallb (fun e => has free (fst e)) (Map.elements m')
             && all_that_fit (peaceful m')
          then Some (filter (is_odd m) (allowed p)) else None
      | None => None
      end
  | _, _, _ => None
  end.

Lemma set_of_right vs m : set_of vs = Some m ->
  NoDup vs /\ forall v, has m v = true <-> In v vs.
Proof.
  intros H. apply put_right in H. destruct H as (N & A & B). split; [exact N|]. intros v.
  unfold has. destruct (in_dec Pos.eq_dec v vs) as [I | I].
  - destruct (A v I) as [_ ->]. tauto.
  - rewrite B by exact I. rewrite Map.gempty. split; [discriminate | tauto].
Qed.

(** What the checker says is true: exactly these numbers win, and the pairing is a best one. *)
Theorem winning_by_pairs_right p c winning :
  winning_by_pairs p c = Some winning ->
  (forall u, In u winning <-> In u (allowed p) /\ Loses (take u p)) /\ best (fst p) (pairs c).
Proof.
  unfold winning_by_pairs. set (G := fst p).
  destruct (set_of G) as [free|] eqn:SG; [|discriminate].
  destruct (set_of (both (pairs c))) as [paired|] eqn:SP; [|discriminate].
  destruct (fold_left grow (items c) _) as [[[m id] k]|] eqn:Gr; [|discriminate].
  destruct (put Rest (both (rest c)) m) as [m'|] eqn:P; [|discriminate].
  match goal with |- (if ?b then _ else _) = _ -> _ => destruct b eqn:B; [|discriminate] end.
  intros W. injection W as <-. rewrite !andb_true_iff in B.
  destruct B as [[[[[[[OB FP] HP] EP] FR] HG] HM] PF].
  apply set_of_right in SG. destruct SG as [NG IG].
  apply set_of_right in SP. destruct SP as [NP _].
  destruct (grow_all (items c) (Map.empty label, 1, O) (m, id, k) [] []) as (Cs & A & GF);
    [|exact Gr|].
  { constructor; cbn; try easy.
    - constructor.
    - constructor.
    - intros v H. now rewrite Map.gempty in H.
    - intros v i H. now rewrite Map.gempty in H. }
  destruct GF as [F D K OK OI BK SC]. cbn [fst snd] in *.
  apply put_right in P. destruct P as (NR & AR & BR).
  rewrite forallb_forall in OB, FP, HP, FR, HG, HM. apply Nat.eqb_eq in EP.
  assert (Old : forall v, In v (concat Cs ++ A) -> Map.find v m <> None).
  { intros v J. apply in_app_or in J. destruct J as [J | J].
    - apply OK in J. destruct J as [i ->]. discriminate.
    - rewrite (BK v J). discriminate. }
  assert (NotRest : forall v, In v (concat Cs ++ A) -> ~ In v (both (rest c))).
  { intros v J J'. apply Old in J. apply AR in J'. tauto. }
  assert (All : forall v, In v ((concat Cs ++ A) ++ both (rest c)) <-> In v G).
  { intros v. split.
    - intros J. apply IG. assert (E : exists l, Map.find v m' = Some l).
      { apply in_app_or in J. destruct J as [J | J].
        - rewrite BR by (apply NotRest; exact J). apply Old in J.
          destruct (Map.find v m); [eauto | easy].
        - apply AR in J. exists Rest. apply J. }
      destruct E as [l E]. apply Map.elements_correct in E. exact (HM _ E).
    - intros J. specialize (HG v J). unfold has in HG. apply in_or_app.
      destruct (in_dec Pos.eq_dec v (both (rest c))) as [L | L]; [now right | left].
      rewrite BR in HG by exact L. apply K. now destruct (Map.find v m). }
  assert (ND : NoDup ((concat Cs ++ A) ++ both (rest c))) by (now apply NoDup_app_join).
  assert (Whole : Permutation ((concat Cs ++ A) ++ both (rest c)) G) by (now apply NoDup_Permutation).
  assert (FitR : forall a b, In (a, b) (rest c) -> fits a b = true).
  { intros a b J. exact (FR _ J). }
  assert (Cl : closed positive fits G Cs A).
  { intros C v w IC Iv Iw Fvw.
    assert (Jv : In v (concat Cs)) by (apply in_concat; eauto).
    assert (Gv : In v G).
    { apply All. apply in_or_app. left. apply in_or_app. now left. }
    pose proof (all_that_fit_right _ PF v w (OB v Gv) (OB w Iw) Fvw) as Q.
    unfold peaceful in Q. destruct (OK v Jv) as [i Ei].
    rewrite BR in Q by (apply NotRest; apply in_or_app; auto). rewrite Ei in Q.
    apply All in Iw. apply in_app_or in Iw. destruct Iw as [Iw | Iw].
    - rewrite BR in Q by (apply NotRest; exact Iw). apply in_app_or in Iw.
      destruct Iw as [Iw | Iw]; [left | now right]. destruct (OK w Iw) as [j Ej].
      rewrite Ej in Q. apply Pos.eqb_eq in Q. subst j. now apply (SC C v w i).
    - apply AR in Iw. destruct Iw as [_ Iw]. rewrite Iw in Q. discriminate. }
  split.
  - intros u. rewrite filter_In.
    enough (E : In u (allowed p) -> (is_odd m u = true <-> Loses (take u p))) by tauto.
    intros J. assert (Iu : In u G) by (now apply filter_In in J).
    unfold Chain.take. fold G. rewrite (taking_wins positive Pos.eq_dec fits fits_sym opens G u Iu).
    rewrite (exact_grading positive Pos.eq_dec fits fits_sym G Cs A k (rest c) F FitR ND Whole Cl u Iu).
    unfold is_odd. split.
    + intros O. destruct (Map.find u m) as [[i| |]|] eqn:E; try discriminate. now apply OI in E.
    + intros O. destruct (OK u O) as [i ->]. reflexivity.
  - apply (certified_best positive Pos.eq_dec fits fits_sym G Cs A k (rest c)); auto.
    repeat split; auto.
    + intros a b J. exact (FP _ J).
    + intros v J. apply IG. auto.
Qed.

End Check.

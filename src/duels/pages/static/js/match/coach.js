// What is next to the board: hints, the list of moves, and the review of a finished match.

import { downloadRecord, fetchHint, showPicture, solve, stepPicturePath } from "../lib/api.js";
import { button, createStepper } from "../lib/controls.js";
import { announce, el, fill, setAttribute, setText } from "../lib/dom.js";
import { reducedMotion, wideScreen } from "../lib/effects.js";
import { endFor, gradesOf, KIND_MARKS, LOSING, playerAt, playerMark, plural, reviewLines, WINNING } from "../lib/notation.js";
import { analysisAddress } from "../lib/urls.js";

const GAP = 10; // pixels between the buttons and the panel

/**
 * Hints in stages: `hintButton` goes below the board, `element` lists the hints. `drawing()` is what the
 * latest one draws on the board, until the next move; `onDrawing` is called when it has changed.
 */
export function hintsPanel(match, onDrawing) {
  const hintList = el("ol.hints.stack", { "aria-live": "polite" });
  const nextButton = button("", showNext, "wide");
  const hintButton = button("Hint", openOrShowNext);
  const closeButton = button("Close", () => setOpen(false), "small close");
  const element = el("section.panel.hint-panel", el("h2", "Coach"), closeButton, hintList, nextButton);
  let isOpen = true;
  let stage = 0;
  let ply = -1;
  let question = null;
  let drawing = null;

  /** Close or open the panel: on a phone it may lie over the end of the board. */
  function setOpen(open) {
    isOpen = open;
    draw();
    if (!open) hintButton.focus({ preventScroll: true });
  }

  function openOrShowNext() {
    if (stage && !isOpen) setOpen(true);
    else return showNext();
  }

  async function showNext() {
    if (stage && !question) return;
    const askedPly = ply;
    const response = await match.attempt(() => fetchHint(match.id, match.token, stage + 1));
    if (!response || askedPly !== ply) return;
    stage = response.stage;
    hintList.append(el("li", el("span.question", response.question), response.text));
    question = response.next;
    drawing = response.drawing;
    draw();
    onDrawing();
    scrollIntoPlace();
  }

  /** On a phone, scroll the buttons out from under the panel, or down to it, so that no more of the board is cut off. */
  function scrollIntoPlace() {
    if (wideScreen.matches || element.hidden) return;
    const lowest = innerHeight - element.offsetHeight - 2 * GAP;
    const top = hintButton.parentElement.getBoundingClientRect().bottom - lowest;
    scrollBy({ top, behavior: reducedMotion.matches ? "auto" : "smooth" });
  }

  function draw() {
    hintButton.hidden = !match.canMove() || !match.state.coach;
    setAttribute(hintButton, "aria-disabled", String(Boolean(stage) && !question && isOpen));
    element.hidden = hintButton.hidden || !stage || !isOpen;
    nextButton.textContent = question ?? "";
    nextButton.hidden = !question;
  }

  function show(state) {
    if (state.ply !== ply) {
      ply = state.ply;
      stage = 0;
      isOpen = true;
      drawing = null;
      fill(hintList);
    }
    draw();
  }

  return { element, hintButton, show, drawing: () => drawing };
}

/** The list of moves, with the labels of the review once there is one; before the first move, how to play. */
export function movesList(onStep) {
  const list = el("ol.moves");
  const heading = el("h2");
  const rules = el("p");
  const element = el("section.panel", heading, rules, list);
  let shownKey = "";
  let current = null;

  function show(state, review, step) {
    setText(heading, state.rules ? "How to play" : "Moves");
    setText(rules, state.rules ?? (state.moves.length ? "" : "No moves were made."));
    rules.hidden = !rules.textContent;
    list.classList.toggle("reviewed", Boolean(review));
    const key = JSON.stringify([state.moves, Boolean(review), step]);
    if (key === shownKey) return;
    shownKey = key;
    // Unchanged rows keep the focus.
    const rows = JSON.stringify([state.moves, Boolean(review)]);
    if (list.dataset.rows !== rows) {
      list.dataset.rows = rows;
      element.style.setProperty("--rows", String(state.moves.length));
      fill(
        list,
        state.moves.map((_, ply) => el("li", row(state, review, ply))),
      );
    }
    list
      .querySelectorAll(".move-row")
      .forEach((rowButton, ply) => setAttribute(rowButton, "aria-current", step === ply + 1 ? "step" : null));
    current = list.querySelector("[aria-current]") ?? (review ? null : list.lastElementChild);
    scrollToCurrent();
  }

  /** Scroll the list, not the page. The list is positioned, so that offsets count from its top. */
  function scrollToCurrent() {
    // Without a review it has no buttons, so the keyboard must reach the list itself.
    const needsFocus = list.scrollHeight > list.clientHeight && !list.classList.contains("reviewed");
    setAttribute(list, "tabindex", needsFocus ? "0" : null);
    if (current) list.scrollTop = current.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
  }

  function row(state, review, ply) {
    const player = playerAt(ply);
    const cells = [
      el("span.count", `${ply + 1}.`),
      playerMark(player),
      el("span.unseen", `${state.players[player - 1].name} `),
      el("span.move", state.moves_in_words[ply]),
    ];
    if (!review) return [...cells, el("span.seconds", secondsText(state.seconds?.[ply]))];
    const { kind, label = "" } = review.moves[ply] ?? {};
    const turning = review.turning_points.includes(ply + 1);
    const markText = KIND_MARKS[kind] ?? "";
    cells.push(
      el(
        "span",
        { class: `judged ${{ [WINNING]: "good", [LOSING]: "bad" }[markText] ?? ""}` },
        `${markText} ${label}`.trim(),
      ),
      turning && el("span.unseen.turning", "turning point"),
    );
    return el(turning ? "button.move-row.turns" : "button.move-row", { type: "button", onclick: () => onStep(ply + 1) }, cells);
  }

  new ResizeObserver(scrollToCurrent).observe(list);
  return { element, show };
}

/** How long a move took; nothing for a move that took no time. */
const secondsText = (value) => (value >= 0.1 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} s` : "");

/** The review: `controls` go below the board, `panel` next to it; `onView(view, step)` shows a step on the board. */
export function reviewPanel(match, onView) {
  const timeline = el("div.strip", { role: "group", "aria-label": "Who was winning after each move" });
  const steps = createStepper(goTo, "First", "Last");
  const controls = el("div.review-controls.stack.loose", { hidden: true }, steps.element, timeline);
  const lines = el("ul.stack");
  const moveInfo = el("div.about-move.stack", { "aria-live": "polite" });
  const picture = el("img.picture", { alt: "", loading: "lazy" });
  const details = el("details", el("summary", "Show the strategy as a picture"), picture);
  const analyse = el("a.button", "Analyse from here");
  const panel = el(
    "section.panel.review",
    { hidden: true },
    el("h2", "Review"),
    lines,
    details,
    el(
      "div.stack",
      analyse,
      button("Download the record", () => match.attempt(() => downloadRecord(match.id))),
    ),
  );
  const solutions = new Map();
  placeMoveInfo();
  wideScreen.addEventListener("change", placeMoveInfo);
  let data = null;
  let step = 0;
  let hasStepped = false;

  const state = () => match.state;
  const count = () => state().moves.length;

  /** Next to the board, or directly below it where there is no side column: it is read with the board. */
  function placeMoveInfo() {
    if (wideScreen.matches) lines.before(moveInfo);
    else controls.append(moveInfo);
  }

  async function open() {
    // The last step is solved while the review is loaded.
    [data] = await Promise.all([match.attempt(match.loadReview), solveMoves(state().moves)]);
    if (!data) return;
    fill(lines, reviewLines(endFor(data, match.you).lines, "li"));
    fill(timeline, data.moves.map(timelineStep));
    controls.hidden = panel.hidden = false;
    await showStep(count());
  }

  function timelineStep({ winner_after: winner }, ply) {
    const name = state().players[winner - 1].name;
    const turning = data.turning_points.includes(ply + 1);
    return el(
      "button",
      {
        type: "button",
        class: `strip-step${turning ? " turn" : ""}`,
        "aria-label": turning ? `Move ${ply + 1}, turning point: ${name} was winning` : `Move ${ply + 1}: ${name} was winning`,
        onclick: () => goTo(ply + 1),
      },
      playerMark(winner),
    );
  }

  function goTo(target) {
    if (target < 0 || target > count()) return;
    hasStepped = true;
    showStep(target);
  }

  async function showStep(target) {
    step = target;
    const askedStep = target;
    steps.show(target, count(), target ? `Move ${target} of ${count()}` : count() ? plural(count(), "Start of {count} move", "Start of {count} moves") : "No moves");
    [...timeline.children].forEach((child, ply) => setAttribute(child, "aria-current", ply + 1 === target ? "step" : null));
    describe();
    const moves = state().moves.slice(0, target);
    analyse.href = analysisAddress(state().game, state().options, moves);
    if (details.open) drawPicture();
    const solution = await solveMoves(moves);
    if (askedStep !== step || !solution) return;
    onView(
      {
        moves,
        legal: solution.position.legal,
        board: solution.position.board,
        grades: gradesOf(solution),
        next: state().moves[target],
      },
      target,
    );
  }

  /** The solution after some moves, which is requested once; null if it cannot be loaded. */
  async function solveMoves(moves) {
    const key = moves.join(".");
    if (!solutions.has(key)) solutions.set(key, match.attempt(() => solve(state().game, state().options, moves)));
    const solution = await solutions.get(key);
    if (!solution) solutions.delete(key);
    return solution;
  }

  function describe() {
    panel.scrollTop = 0; // on a wide screen the panel scrolls, and the move is described at its top
    if (!step) {
      const winner = data.winner_at_start;
      const isYou = match.you.length === 1 && match.you[0] === winner;
      const name = isYou ? "You" : state().players[winner - 1].name;
      return fill(moveInfo, el("p", `${name} could force a win from the start.`));
    }
    const move = data.moves[step - 1];
    const markText = KIND_MARKS[move.kind];
    const end = endFor(data, match.you);
    const words = end.moves[step - 1];
    fill(
      moveInfo,
      el("p.headline", playerMark(move.player), ` ${words}`, markText && ` ${markText}`),
      data.turning_points.includes(step) && el("p.kind.turning", "The game turned here."),
      move.better && el("p", end.better[step - 1]),
    );
    if (hasStepped) announce(`Move ${step}. ${words}`);
  }

  function drawPicture() {
    showPicture(picture, stepPicturePath(match.id, step));
    picture.alt = `The strategy after move ${step}`;
  }

  details.addEventListener("toggle", () => details.open && drawPicture());
  document.addEventListener("keydown", (event) => data && steps.onKey(event));

  return { controls, panel, open, goTo, data: () => data, step: () => step };
}

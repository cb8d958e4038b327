// A board to try moves on: every move marked by its value, with the reason in words.

import { solve } from "../lib/api.js";
import { createBoard } from "../lib/board.js";
import { createStepper } from "../lib/controls.js";
import { announce, el, fill, newNotice, setText, warn } from "../lib/dom.js";
import { gradesOf, playerAt, playerMark, sentence } from "../lib/notation.js";

const NAMES = ["Player 1", "Player 2"];

/**
 * A board for a game, as the server lists it, with some options. `goTo(moves, future)` shows a position, and the
 * Next button leads on to the future moves; `onPosition(result, moves)` is called after every change.
 * @param {{ game: string, preview: any }} game
 * @param {object} options
 * @param {{ onPosition?: (result: any, moves: string[]) => void, showsMarks?: boolean }} how
 */
export function createAnalysisBoard(game, options, { onPosition = () => {}, showsMarks = true } = {}) {
  const status = el("p.status");
  const reason = el("p.reason");
  const notice = newNotice();
  const board = createBoard(play);
  const path = createMovePath(stepTo);
  const steps = createStepper(stepTo, "Start", "End");
  const element = el(
    "div.live.stack.loose",
    el("div", status, reason),
    notice,
    board.element,
    steps.element,
    path.element,
  );
  let allMoves = [];
  let current = 0;
  let result = null;
  let requestNumber = 0;
  let hasMarks = showsMarks;

  function play(move) {
    const future = allMoves.slice(current + 1);
    const same = allMoves[current] === move;
    return goTo(
      [...allMoves.slice(0, current), move],
      same ? future : [],
      `${sentence(game.preview.templates.played, { name: NAMES[current % 2], move })} `,
    );
  }

  function stepTo(count) {
    if (count < 0 || count > allMoves.length) return null;
    return goTo(allMoves.slice(0, count), allMoves.slice(count));
  }

  async function goTo(moves, future = [], announcement = "") {
    const number = (requestNumber += 1);
    let response;
    try {
      response = await solve(game.game, options, moves);
    } catch (error) {
      if (number === requestNumber) warn(notice, error.message);
      return false;
    }
    if (number !== requestNumber) return false;
    warn(notice, "");
    result = response;
    // The server returns moves in canonical form: "6 5" becomes "5-6".
    allMoves = [...response.position.moves, ...future];
    current = response.position.moves.length;
    draw();
    announce(announcement + result.status);
    onPosition(result, allMoves.slice(0, current));
    return true;
  }

  function draw() {
    const { position } = result;
    board.show({
      ...position,
      names: NAMES,
      active: !position.outcome,
      showLegal: true,
      grades: hasMarks ? gradesOf(result) : null,
      next: allMoves[current],
    });
    path.show(allMoves, NAMES, current);
    const mover = position.outcome ? position.outcome.winner : position.to_move;
    fill(status, playerMark(mover), ` ${result.status}`);
    setText(reason, hasMarks ? (result.reason ?? "") : "");
    reason.hidden = !reason.textContent;
    steps.show(current, allMoves.length, allMoves.length ? `Move ${current} of ${allMoves.length}` : "No moves yet");
  }

  function showMarks(on) {
    hasMarks = on;
    if (result) draw();
  }

  element.addEventListener("keydown", steps.onKey);
  return { element, goTo, showMarks, error: () => notice.textContent };
}

/** The moves so far as a path; a tap on one calls `onStep(count)`. */
function createMovePath(onStep) {
  const list = el("ol.path", { "aria-label": "Moves so far" });

  function show(moves, names, here = moves.length) {
    const steps = moves.join(" ");
    if (list.dataset.steps !== steps) {
      list.dataset.steps = steps;
      fill(
        list,
        moves.map((move, ply) => el("li", newStep(move, ply, names))),
      );
    }
    [...list.children].forEach(({ firstChild: step }, ply) => {
      step.classList.toggle("last", ply + 1 === here);
      step.classList.toggle("later", ply + 1 > here);
    });
    list.hidden = !moves.length;
  }

  function newStep(move, ply, names) {
    const player = playerAt(ply);
    return el(
      `button.step.by-${player}`,
      { type: "button", onclick: () => onStep(ply + 1) },
      playerMark(player),
      el("span.unseen", `${names[player - 1]}: `),
      move,
    );
  }

  return { element: list, show };
}

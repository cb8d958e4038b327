// A board on which anything may be tried: every move marked by its value, with the reason in words.

import { solve } from "./api.js";
import { announce } from "./announce.js";
import { boardFor, pathOf } from "./board.js";
import { el, fill, mark, noticePlace, say, warn } from "./dom.js";
import { stepper } from "./stepper.js";
import { gradesOf } from "./words.js";

const NAMES = ["Player 1", "Player 2"];

/**
 * A live board for a game, as the server lists it, with some options. `onPosition(answer, moves)` after every change;
 * `go(moves, future)` shows a position; the moves after it can be walked into again with Next.
 * @param {{ game: string, preview: any }} game
 * @param {object} options
 * @param {{ onPosition?: (answer: any, moves: string[]) => void, marked?: boolean }} how
 */
export function liveBoard(game, options, { onPosition = () => {}, marked = true } = {}) {
  const status = el("p.status");
  const reason = el("p.reason");
  const notice = noticePlace();
  const board = boardFor(play);
  const path = pathOf(walk);
  const steps = stepper(walk, "Start", "End");
  const element = el(
    "div.live.stack.loose",
    el("div", status, reason),
    notice,
    board.element,
    steps.element,
    path.element,
  );
  let line = [];
  let here = 0;
  let answer = null;
  let asked = 0;
  let marks = marked;

  function play(move) {
    const future = line.slice(here + 1);
    const same = line[here] === move;
    return go(
      [...line.slice(0, here), move],
      same ? future : [],
      `Move ${here + 1}: ${game.preview.verb.did} ${move}. `,
    );
  }

  function walk(count) {
    if (count < 0 || count > line.length) return null;
    return go(line.slice(0, count), line.slice(count));
  }

  async function go(moves, future = [], saying = "") {
    const number = (asked += 1);
    let found;
    try {
      found = await solve(game.game, options, moves);
    } catch (error) {
      if (number === asked) warn(notice, error.message);
      return false;
    }
    if (number !== asked) return false;
    warn(notice, "");
    answer = found;
    // The server writes moves in their one form: "6 5" becomes "5-6".
    line = [...found.position.moves, ...future];
    here = found.position.moves.length;
    draw();
    announce(saying + answer.status);
    onPosition(answer, line.slice(0, here));
    return true;
  }

  function draw() {
    const { position } = answer;
    board.show({
      ...position,
      names: NAMES,
      active: !position.outcome,
      showLegal: true,
      grades: marks ? gradesOf(answer) : null,
      next: line[here],
    });
    path.show(line, NAMES, here);
    const mover = position.outcome ? position.outcome.winner : position.to_move;
    fill(status, mark(mover), ` ${answer.status}`);
    say(reason, marks ? (answer.reason ?? "") : "");
    reason.hidden = !reason.textContent;
    steps.show(here, line.length, line.length ? `Move ${here} of ${line.length}` : "No moves yet");
  }

  function showMarks(on) {
    marks = on;
    if (answer) draw();
  }

  element.addEventListener("keydown", steps.onKey);
  return { element, go, showMarks, trouble: () => notice.textContent };
}

// The board that the server names for a game, and the path of its moves beneath.

import { digitsBoard } from "./board-digits.js";
import { gridBoard } from "./board-grid.js";
import { lineBoard } from "./board-line.js";
import { tilesBoard } from "./board-tiles.js";
import { el, fill, mark } from "./dom.js";
import { playerAt } from "./words.js";

const BOARDS = { digits: digitsBoard, grid: gridBoard, line: lineBoard };

/**
 * A board: `element`, `focus()` and `show(view)`, where a view is what the server said:
 * {board, moves, legal, verb}, the names, and how to show it: {active, showLegal, grades, pending, next}.
 */
export function boardFor(kind, onPlay) {
  const board = (BOARDS[kind] ?? tilesBoard)(onPlay);
  return { ...board, element: el("div.board-room", board.element) }; // what it is measured by
}

/** The moves so far as a path; `onStep(count)` when somebody goes back to one, or on. */
export function pathOf(onStep) {
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
      mark(player),
      el("span.unseen", `${names[player - 1]}: `),
      move,
    );
  }

  return { element: list, show };
}

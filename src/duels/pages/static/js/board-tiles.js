// A board for every game: its state in words, large, and a tile for each move that can be made.

import { el, fill, mark, say } from "./dom.js";
import { newTile, showTile } from "./tile.js";
import { roving } from "./roving.js";
import { playerAt } from "./words.js";

const MOST_TILES = 300;
const LONG = 14;

export function tilesBoard(onPlay) {
  const words = el("p.state-words");
  const last = el("p.last-words");
  const tiles = el("div.tiles", { role: "group", "aria-label": "Moves" });
  const note = el("p.choice-words");
  const element = el(
    "div.board.tiles-board.stack.loose",
    { tabindex: "-1" },
    el("div.display.stack", words, last),
    tiles,
    note,
  );
  const keys = roving(tiles, across);
  let view = null;

  function show(next) {
    view = next;
    build(view.showLegal ? view.legal.slice(0, MOST_TILES) : []);
    for (const tile of tiles.children) {
      const move = tile.dataset.number;
      showTile(tile, view, {
        number: move,
        taker: 0,
        legal: view.active,
        grade: view.grades?.get(move),
        pending: move === view.pending,
        next: move === view.next,
      });
    }
    keys.keepOneStop();
    drawState();
  }

  /** A tile for each move. The focus stays with its move, or near it if that is gone. */
  function build(moves) {
    const old = [...tiles.children];
    if (old.map((tile) => tile.dataset.number).join() === moves.join()) return;
    const focused = old.indexOf(document.activeElement);
    const known = new Map(old.map((tile) => [tile.dataset.number, tile]));
    tiles.replaceChildren(...moves.map((move) => known.get(move) ?? newTile(move, onPlay)));
    if (focused < 0) return;
    const near = tiles.children[Math.min(focused, moves.length - 1)];
    if (near) keys.goTo(old[focused].isConnected ? old[focused] : near);
    else element.focus();
  }

  function drawState() {
    const { board, moves, names, verb } = view;
    const player = playerAt(moves.length - 1);
    say(words, board.words);
    words.classList.toggle("long", board.words.length > LONG);
    fill(last, moves.length > 0 && [mark(player), ` ${names[player - 1]} ${verb.did} ${moves.at(-1)}`]);
    const shown = tiles.childElementCount;
    const typed = shown ? "There are more moves: type yours." : "Type your move.";
    say(note, view.active && shown < view.legal.length ? typed : "");
  }

  /** How many tiles stand in the first row. */
  function across() {
    const [first] = tiles.children;
    return [...tiles.children].filter((tile) => tile.offsetTop === first.offsetTop).length;
  }

  /** Whether there are moves that no tile offers. */
  const mustType = () => view.active && tiles.childElementCount < view.legal.length;

  return { element, show, mustType, focus: () => (tiles.querySelector("[tabindex='0']") ?? element).focus() };
}

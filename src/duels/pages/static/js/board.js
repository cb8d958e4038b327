// The board of any game, as the game describes it: cells in rows, links between them, a headline and a caption.

import { button, el, fill, hasModifier, mark } from "./dom.js";
import { headlineOf, movesOf, newTile, readCells, showTile } from "./tile.js";
import { roving } from "./roving.js";
import { capital, playerAt } from "./words.js";

const CLASSES = { grid: "grid", line: "line", keypad: "pad", tiles: "tiles" };
const CHOOSE = "Tap a number. Tap it again for it alone, or tap its neighbour for both.";

/**
 * A board: `element`, `focus()` and `show(view)`, where a view is what the server said:
 * {board, moves, legal, verb}, the names, and how to show it: {active, showLegal, grades, pending, next, chosen}.
 */
export function boardFor(onPlay) {
  const headline = el("p.headline");
  const caption = el("p.remainder");
  const display = el("div.display.stack", headline, caption);
  const tiles = el("div", { role: "group", "aria-label": "Board" });
  const bar = el("div.choice.row.center");
  const board = el("div.board", { tabindex: "-1" }, display, tiles, bar);
  const element = el("div.board-room", board); // what it is measured by
  const keys = roving(tiles);
  let view = null;
  let cells = [];
  let played = new Map(); // by legal move: the numbers of its cells
  let chosen = null;

  const movesWith = (cell) => [...played.keys()].filter((move) => played.get(move).includes(cell));
  const hasJointMoves = () => view.board.links.some(({ move }) => move);

  function press(cell) {
    const { move, text } = cells[cell];
    if (!hasJointMoves()) return onPlay(move ?? text);
    const possible = movesWith(cell);
    const joint = chosen !== null && possible.find((one) => isJust(one, chosen, cell));
    if (joint) return play(joint);
    if (!possible.length) return play(move ?? text); // the server says which rule forbids it
    if (possible.length === 1) return play(possible[0]);
    return choose(cell);
  }

  /** Whether a move has just these cells. */
  const isJust = (move, ...wanted) => {
    const own = played.get(move);
    return own.length === new Set(wanted).size && wanted.every((cell) => own.includes(cell));
  };

  function play(move) {
    choose(null);
    onPlay(move);
  }

  function choose(cell) {
    chosen = cell;
    draw();
  }

  function show(next) {
    view = next;
    const isHidden = view.board.layout === "tiles" && !view.showLegal;
    cells = isHidden ? [] : readCells(view.board);
    played = movesOf(cells, view.board.links, view.legal);
    build();
    if (!view.active || (chosen !== null && !movesWith(chosen).length)) chosen = null;
    draw();
    keys.keepOneStop(tiles.querySelector(".legal"));
  }

  /** A tile for each cell, kept where it is the same. The focus stays with its tile, or near it. */
  function build() {
    const { layout, rows } = view.board;
    const shape = `${layout} ${cells.map((cell) => cell?.text ?? "").join()}`;
    if (tiles.dataset.shape === shape) return;
    tiles.dataset.shape = shape;
    board.className = `board ${layout}-board`;
    tiles.className = CLASSES[layout];
    tiles.style.setProperty("--across", Math.max(1, ...rows.map((row) => row.length)));
    tiles.style.setProperty("--down", Math.min(10, rows.length)); // of which a screen has the whole
    tiles.style.setProperty("--count", cells.length);
    const old = [...tiles.children];
    const focused = old.indexOf(document.activeElement);
    const known = new Map(old.map((tile) => [tile.dataset.number, tile]));
    tiles.replaceChildren(
      ...cells.map((cell, number) => {
        if (!cell) return el("span.hole");
        const tile = known.get(cell.move ?? cell.text) ?? newTile(cell.text, cell.move ?? cell.text);
        tile.onclick = () => tile.ariaDisabled !== "true" && press(number);
        return tile;
      }),
    );
    if (focused < 0) return;
    const near = tiles.children[Math.min(focused, cells.length - 1)];
    if (near) keys.goTo(old[focused].isConnected ? old[focused] : near);
    else board.focus();
  }

  function draw() {
    const legal = new Set([...played.values()].flat());
    const pending = played.get(view.pending) ?? [];
    const following = played.get(view.next) ?? [];
    const partners = new Set(chosen === null ? [] : movesWith(chosen).flatMap((move) => played.get(move)));
    cells.forEach((cell, number) => {
      if (!cell) return;
      const tile = tiles.children[number];
      const joins = chosen !== null && number !== chosen && partners.has(number);
      const isChosen = number === chosen || Boolean(view.chosen?.includes(cell.move));
      showTile(tile, view, {
        number: cell.text,
        taker: cell.by ?? 0,
        gone: cell.gone,
        last: cell.last,
        legal: view.active && view.showLegal && legal.has(number),
        grade: view.grades?.get(cell.move), // of it alone; joint moves are marked in the bar
        pending: pending.includes(number),
        next: following.includes(number),
        chosen: isChosen,
        words: wordsFor(number, joins, isChosen),
      });
      tile.classList.toggle("joins", joins);
    });
    drawDisplay();
    drawBar();
  }

  function wordsFor(number, joins, isChosen) {
    if (number === chosen) return "chosen, press again for this one alone";
    if (joins) return `together with ${cells[chosen].text}`;
    return isChosen ? "chosen" : "";
  }

  function drawDisplay() {
    const { layout, caption: words } = view.board;
    const head = headlineOf(view.board);
    headline.className = head.isWords ? `headline state-words${head.isLong ? " long" : ""}` : "headline growing";
    fill(headline, layout === "keypad" && !head.text ? el("span.none", "–") : head.content);
    fill(caption, layout === "tiles" ? lastWords() : words && el("span", words));
    caption.className = layout === "tiles" ? "last-words" : "remainder";
    display.hidden = !(head.text || words || layout === "keypad");
  }

  function lastWords() {
    const { moves, names, verb } = view;
    const player = playerAt(moves.length - 1);
    return moves.length > 0 && [mark(player), ` ${names[player - 1]} ${verb.did} ${moves.at(-1)}`];
  }

  function drawBar() {
    const isJoint = (move) => played.get(move).length > 1;
    const winning = [...played.keys()].filter((move) => isJoint(move) && view.grades?.get(move) === "win");
    if (chosen !== null) offer(capital(view.verb.do), movesWith(chosen));
    else if (winning.length) offer("Pairs that win", winning);
    else if (mustType()) offer(cells.length ? "There are more moves: type yours." : "Type your move.");
    else if (hasJointMoves() && view.active) offer(CHOOSE);
    else fill(bar);
    bar.hidden = !bar.childElementCount && !view.board.links.length && view.board.layout !== "line";
  }

  const offer = (words, moves = []) =>
    fill(bar, el("span.choice-words", words), moves.map(choiceButton));

  function choiceButton(move) {
    const own = played.get(move);
    const grade = view.grades?.get(move);
    const sign = { win: " ★", lose: " ✕" }[grade] ?? "";
    const words = { win: ", wins", lose: ", loses" }[grade] ?? "";
    const texts = own.map((cell) => cells[cell].text);
    const label = texts.length > 1 ? texts.join(" and ") : `only ${texts[0]}`;
    const act = () => {
      play(move);
      keys.goTo(tiles.children[own[0]]); // The bar is drawn anew; the focus goes back to the board.
    };
    return button(label + sign, act, "small", {
      "data-move": move,
      "aria-label": `${capital(view.verb.do)} ${label}${words}`,
      disabled: !view.active,
    });
  }

  /** Whether there are moves that no tile offers. */
  const mustType = () => view.active && view.board.layout === "tiles" && played.size < view.legal.length;

  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) choose(null);
    if (view?.board.layout !== "keypad" || event.key.length !== 1 || hasModifier(event)) return;
    const tile = [...tiles.children].find((one) => one.dataset.number === event.key);
    if (!tile) return;
    event.preventDefault();
    event.stopPropagation();
    tile.click();
  });

  const focus = () => (tiles.querySelector("[tabindex='0']") ?? board).focus();
  return { element, show, focus, mustType };
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

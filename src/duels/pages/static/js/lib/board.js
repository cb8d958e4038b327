// The board of any game, as the game describes it: cells in rows, links between them, a headline and a
// caption.

import { createDrawing } from "./board-drawing.js";
import { button, inlineForm } from "./controls.js";
import { el, fill, hasModifier } from "./dom.js";
import { listInWords, LOSING, numbersOf, playerAt, playerMark, sentence, WINNING } from "./notation.js";
import { boardColumns, cellsByMove, headlineOf, indexBelow, newTile, placeAsSnake, readCells, showTile } from "./tiles.js";

const LAYOUT_CLASSES = { grid: "grid", line: "line", keypad: "pad", tiles: "tiles" };
const MOST_TICKS = 20; // of the microtask queue, in which a caller inserts a new board
const BAR_HEIGHT = 60; // pixels that are reserved for the choices below a board
const LINE_PADDING = 52; // pixels above and below a line, at most; as in board.css
const GRADE_MARKS = { win: WINNING, lose: LOSING };
const GRADE_WORDS = { win: "wins", lose: "loses" };
const CHOOSE_HINT = "Tap a number twice to play it alone, or tap two neighbours.";
const CHOOSE_TWO_HINT = "Tap one, then its neighbour.";

/**
 * A board: `element`, `focus()` and `show(view)`. A view is the position from the server
 * {board, moves, legal, templates}, the names, and {active, watched, showLegal, grades, drawing, pending, next, chosen}.
 */
export function createBoard(onPlay) {
  const headline = el("p.headline");
  const caption = el("p.remainder");
  const display = el("div.display.stack", headline, caption);
  const tiles = el("div", { role: "group", "aria-label": "Board" });
  const bar = el("div.choice.row.center");
  const drawing = createDrawing(tiles);
  const board = el("div.board", { tabindex: "-1" }, display, el("div.tile-frame", tiles, drawing.element), bar);
  const space = el("i"); // as large as the board may be
  const element = el("div.board-room", el("div.board-space", { "aria-hidden": "true" }, space), board);
  const keys = rovingFocus(tiles);
  let view = null;
  let cells = [];
  let cellsOf = new Map(); // by legal move: the numbers of its cells
  let chosen = null;
  let playedAlone = null; // the cell that the last tap played: a second tap on it is no mistake

  const movesWith = (cell) => [...cellsOf.keys()].filter((move) => cellsOf.get(move).includes(cell));
  const hasJointMoves = () => view.board.links.some(({ move }) => move);

  function press(cell) {
    const { move, text } = cells[cell];
    if (!hasJointMoves()) return onPlay(move ?? text);
    const possible = movesWith(cell);
    const joint = chosen !== null && possible.find((one) => playsExactly(one, chosen, cell));
    if (joint) return play(joint);
    if (!possible.length && playedAlone === cell) return;
    playedAlone = possible.length === 1 ? cell : null;
    if (!possible.length) return play(move ?? text); // the server names the rule that forbids it
    if (possible.length === 1) return play(possible[0]);
    return choose(cell);
  }

  /** Whether a move has exactly these cells. */
  const playsExactly = (move, ...wanted) => {
    const moveCells = cellsOf.get(move);
    return moveCells.length === new Set(wanted).size && wanted.every((cell) => moveCells.includes(cell));
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
    cellsOf = cellsByMove(cells, view.board.links, view.legal);
    build();
    if (!view.active || (chosen !== null && !movesWith(chosen).length)) chosen = null;
    draw();
    arrangeWhenInserted();
    keys.keepOneTabStop(tiles.querySelector(".legal"));
  }

  /** Make a tile for each cell; unchanged tiles stay. The focus stays on its tile, or near it. */
  function build() {
    const { layout, rows } = view.board;
    const shape = `${layout} ${cells.map((cell) => cell?.text ?? "").join()}`;
    if (tiles.dataset.shape === shape) return;
    tiles.dataset.shape = shape;
    const isKept = board.classList.contains(`${layout}-board`); // its tiles are arranged in the same way
    board.className = `board ${layout}-board`;
    tiles.className = LAYOUT_CLASSES[layout];
    tiles.style.cssText = "";
    tiles.style.setProperty("--columns", Math.max(1, ...rows.map((row) => row.length)));
    tiles.style.setProperty("--down", rows.length);
    tiles.style.setProperty("--count", cells.length);
    const old = [...tiles.children];
    const focused = old.indexOf(document.activeElement);
    const oldTiles = new Map((isKept ? old : []).map((tile) => [tile.dataset.number, tile]));
    tiles.replaceChildren(
      ...cells.map((cell, number) => {
        if (!cell) return el("span.hole");
        const tile = oldTiles.get(cell.move ?? cell.text) ?? newTile(cell.text, cell.move ?? cell.text);
        tile.onclick = () => tile.ariaDisabled !== "true" && press(number);
        return tile;
      }),
    );
    if (focused < 0) return;
    const nearest = tiles.children[Math.min(focused, cells.length - 1)];
    if (nearest) keys.focusTile(old[focused].isConnected ? old[focused] : nearest);
    else board.focus();
  }

  /** Arrange the tiles at once; of a new board as soon as the caller has inserted it, before it is painted. */
  async function arrangeWhenInserted() {
    for (let tick = 0; tick < MOST_TICKS && !element.isConnected; tick += 1) await null;
    arrange();
  }

  /** Arrange the tiles for the room that there is, and draw over them. */
  function arrange() {
    const { width, height } = space.getBoundingClientRect();
    if (!view || !width || !cells.length) return;
    const isLine = view.board.layout === "line";
    const taken = display.offsetHeight + (bar.hidden ? 0 : BAR_HEIGHT) + (isLine ? LINE_PADDING : 0);
    const columns = boardColumns(view.board, cells.length, width, height - taken);
    tiles.style.setProperty("--taken", `${taken}px`);
    if (columns) {
      tiles.style.setProperty("--columns", columns);
      tiles.style.setProperty("--down", Math.ceil(cells.length / columns));
    }
    if (isLine) placeAsSnake([...tiles.children], columns);
    drawing.draw(winningPairs().map((move) => cellsOf.get(move)), view.drawing?.links ?? []);
  }

  const isJoint = (move) => cellsOf.get(move).length > 1;
  const winningPairs = () => [...cellsOf.keys()].filter((move) => isJoint(move) && gradeOf(move) === "win");

  /** What a move is worth, where a verdict or a hint shows it: "win", "lose" or nothing. */
  const gradeOf = (move) =>
    view.grades?.get(move) ??
    (view.drawing?.winning.includes(move) ? "win" : view.drawing?.labels[move] === LOSING ? "lose" : undefined);

  function draw() {
    const legal = new Set([...cellsOf.values()].flat());
    const pending = cellsOf.get(view.pending) ?? [];
    const nextCells = cellsOf.get(view.next) ?? [];
    const paired = new Set(winningPairs().flatMap((move) => cellsOf.get(move)));
    const labels = Object.entries(view.drawing?.labels ?? {}).filter(([, label]) => label !== LOSING);
    const hintLabels = new Map(labels.flatMap(([move, label]) => (cellsOf.get(move) ?? []).map((cell) => [cell, label])));
    const partners = new Set(chosen === null ? [] : movesWith(chosen).flatMap((move) => cellsOf.get(move)));
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
        legal: (view.active || view.watched) && view.showLegal && legal.has(number),
        grade: gradeOf(cell.move), // of it alone; joint moves are marked between their tiles, and in the bar
        label: hintLabels.get(number) ?? cell.label ?? "",
        pointed: labels.length === 1 && hintLabels.has(number),
        pending: pending.includes(number),
        next: nextCells.includes(number),
        chosen: isChosen,
        words: cellWords(number, joins, isChosen),
      });
      tile.classList.toggle("joins", joins);
      tile.classList.toggle("pairs", paired.has(number));
    });
    board.classList.toggle("hinted", Boolean(view.drawing));
    drawDisplay();
    drawBar();
  }

  function cellWords(number, joins, isChosen) {
    if (number === chosen) return "chosen, press again for this one alone";
    if (joins) return `together with ${cells[chosen].text}`;
    return isChosen ? "chosen" : "";
  }

  function drawDisplay() {
    const { layout, caption: words } = view.board;
    const head = headlineOf(view.board);
    headline.className = head.isWords ? `headline state-words${head.isLong ? " long" : ""}` : "headline growing";
    fill(headline, layout === "keypad" && !head.text ? el("span.none", { role: "img", "aria-label": "no digit yet" }) : head.content);
    fill(caption, layout === "tiles" ? lastMoveText() : words && el("span", words));
    caption.className = layout === "tiles" ? "last-words" : "remainder";
    board.style.setProperty("--digits", String(Math.max(3, head.text.length)));
    display.hidden = !(head.text || words || layout === "keypad");
  }

  function lastMoveText() {
    const { moves, names, templates } = view;
    const player = playerAt(moves.length - 1);
    const values = { name: names[player - 1], move: moves.at(-1) };
    return moves.length > 0 && [playerMark(player), " ", sentence(templates.played, values)];
  }

  function drawBar() {
    const winning = winningPairs();
    if (chosen !== null) showChoices("Your move:", movesWith(chosen));
    else if (winning.length) showChoices("Pairs that win:", winning);
    else if (mustType()) showChoices(cells.length ? "There are more moves: type yours." : "Type your move.");
    else if (hasJointMoves() && view.active) showChoices([...cellsOf.keys()].every(isJoint) ? CHOOSE_TWO_HINT : CHOOSE_HINT);
    else fill(bar);
    bar.hidden = !bar.childElementCount && !view.board.links.length && view.board.layout !== "line";
  }

  const showChoices = (words, moves = []) =>
    fill(bar, el("span.choice-words", words), moves.map(choiceButton));

  function choiceButton(move) {
    const moveCells = cellsOf.get(move);
    const grade = gradeOf(move);
    const texts = moveCells.map((cell) => cells[cell].text);
    const label = texts.length > 1 ? listInWords(texts) : `only ${texts[0]}`;
    const words = [sentence(view.templates.play, { move: label }), GRADE_WORDS[grade]];
    const act = () => {
      play(move);
      keys.focusTile(tiles.children[moveCells[0]]); // the bar is redrawn, so the focus moves to the board
    };
    return button([label, grade && ` ${GRADE_MARKS[grade]}`], act, "small", {
      "data-move": move,
      "aria-label": words.filter(Boolean).join(", "),
      disabled: !view.active,
    });
  }

  /** Whether there are moves without a tile. */
  const mustType = () => view.active && view.board.layout === "tiles" && cellsOf.size < view.legal.length;

  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) choose(null);
    if (view?.board.layout !== "keypad" || event.key.length !== 1 || hasModifier(event)) return;
    const tile = [...tiles.children].find((one) => one.dataset.number === event.key);
    if (!tile) return;
    event.preventDefault();
    event.stopPropagation();
    tile.click();
  });

  new ResizeObserver(arrange).observe(space);
  const focus = () => (tiles.querySelector("[tabindex='0']") ?? board).focus();
  return { element, show, focus, mustType };
}

/**
 * One tab stop for the whole board; the arrow keys move between its tiles and skip holes. On a line, Right
 * and Left lead to the next and the previous number, also where a row runs back.
 */
function rovingFocus(board) {
  const cells = () => [...board.children];
  const buttons = () => cells().filter((one) => one.matches("button"));

  function keepOneTabStop(preferred) {
    const all = buttons();
    const current = all.find((tile) => tile.tabIndex === 0 && !tile.disabled);
    const chosen = current ?? preferred ?? all[0];
    for (const tile of all) tile.tabIndex = tile === chosen ? 0 : -1;
  }

  function focusTile(tile) {
    for (const other of buttons()) other.tabIndex = other === tile ? 0 : -1;
    tile.focus();
  }

  board.addEventListener("keydown", (event) => {
    const all = cells();
    const from = all.indexOf(document.activeElement);
    if (from < 0 || hasModifier(event)) return;
    const columns = columnCount(all);
    const isSnake = board.matches(".line");
    const row = from - (from % columns);
    const to = {
      ArrowRight: from + 1,
      ArrowLeft: from - 1,
      ArrowDown: indexBelow(from, columns, 1, isSnake),
      ArrowUp: indexBelow(from, columns, -1, isSnake),
      Home: event.shiftKey ? 0 : row,
      End: event.shiftKey ? all.length - 1 : Math.min(row + columns, all.length) - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    let target = to;
    while (all[target]?.matches("span")) target += Math.sign(to - from) * (Math.abs(to - from) === columns ? columns : 1);
    if (all[target]) focusTile(all[target]);
  });

  board.addEventListener("focusin", (event) => {
    if (buttons().includes(event.target)) focusTile(event.target);
  });

  return { keepOneTabStop, focusTile };
}

/** The number of tiles in the first row. */
const columnCount = (all) => all.filter((tile) => tile.offsetTop === all[0].offsetTop).length;

/** A form to type a move; its placeholder shows legal moves of the position. */
export function typedMoveForm({ pair_words: pairWords, move_words: moveWords, legal }, onPlay) {
  const input = el("input", {
    id: "typed-move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 20,
    inputmode: pairWords ? "text" : "numeric",
    placeholder: (pairWords && moveExamples(legal)) || moveWords,
  });
  const element = inlineForm("Type a move", input, "Play", "", play);

  async function play() {
    const move = input.value.trim();
    if (!move || !(await onPlay(move))) return input.select();
    input.value = "";
    element.closest("[popover]")?.hidePopover?.();
  }

  /** Send digits typed on the board to the input; `open` shows the form. */
  function catchDigits(board, open) {
    board.addEventListener("keydown", (event) => {
      if (/^\d$/.test(event.key) && !hasModifier(event) && !element.hidden) {
        open();
        input.value = "";
        input.focus();
      }
    });
  }

  return { element, catchDigits };
}

/** An example with one number and one with two, if there are any: "5 or 5-6". */
function moveExamples(legal) {
  const pair = legal.find((move) => numbersOf(move).length > 1);
  const single = legal.find((move) => numbersOf(move).length === 1);
  return single && pair ? `${single} or ${pair}` : (single ?? pair);
}

// Tiles: how one looks, what it is called, and how they are arranged on a board and in a small drawing of a position.

import { el, setAttribute, setText } from "./dom.js";
import { LOSING, playerMark, sentence, WINNING } from "./notation.js";

const LONG_HEADLINE = 14; // characters
const PREVIEW_CELLS = 20;
const PREVIEW_MOVES = 5;
const NUMBER_SHAPE = 3; // how often a growing number is as wide as it is high
const NARROW = 600; // pixels: a narrower board is played with a finger
const FINGER = 44; // pixels of a tile that a finger hits
const POINTER = 36; // pixels of a tile that a mouse hits
const LARGEST = { narrow: 8, wide: 10 }; // rem of a tile, as in board.css
const LINE_ROW_GAP = { narrow: 28, wide: 36 }; // pixels between the rows of a line, for its brackets; as in board.css

/** A tile with a text, a label below it and a badge; `move` is the move that it plays. */
export const newTile = (text, move) =>
  fitText(
    el(
      "button.tile",
      { type: "button", "data-number": move },
      el("span.number", text),
      el("span.tile-label"),
      el("span.badge", { "aria-hidden": "true" }),
    ),
    text,
  );

/** Return the tile; a long text is written smaller. */
function fitText(tile, text) {
  if (text.length > 2) tile.style.setProperty("--characters", String(text.length));
  tile.classList.toggle("long", text.length > 2);
  return tile;
}

/** The cells of a board in one list; null is a hole. A cell that is only a text plays the move of that name. */
export const readCells = ({ rows }) =>
  rows.flat().map((cell) => (typeof cell === "string" ? { text: cell, move: cell } : cell && withMove(cell)));

const withMove = (cell) => ({ ...cell, move: cell.move === undefined ? cell.text : cell.move });

/** The indexes of the cells that play each legal move. */
export function cellsByMove(cells, links, legal) {
  const places = new Map(links.filter(({ move }) => move).map((link) => [link.move, link.cells]));
  cells.forEach((cell, number) => cell?.move && places.set(cell.move, [number]));
  return new Map(legal.filter((move) => places.has(move)).map((move) => [move, places.get(move)]));
}

/** The headline above the cells: digits with the marks of the players who added them, or words. */
export function headlineOf({ headline }) {
  const text = headline.map((cell) => cell.text).join("");
  const isWords = !headline.some(({ by }) => by);
  const digits = el("span.digits", { "aria-hidden": "true" }, headline.map(digit));
  return { text, isWords, isLong: text.length > LONG_HEADLINE, content: isWords ? text : [el("span.unseen", text), digits] };
}

const digit = ({ text, by, last }) => el("span", { class: last ? "digit last" : "digit" }, el("span", text), playerMark(by));

/**
 * Show a tile. `facts`: number, taker (player or 0), gone, last, legal (if it is shown), grade ("win",
 * "lose" or nothing), pending, chosen, label (below the text), words (for screen readers).
 */
export function showTile(tile, view, facts) {
  const { taker, last, legal, grade, pending, chosen, label } = facts;
  const isGone = Boolean(taker || facts.gone);
  const classes = {
    gone: isGone,
    leaving: isGone && (tile.dataset.was === "free" || tile.classList.contains("leaving")),
    "by-1": taker === 1,
    "by-2": taker === 2,
    last,
    legal: legal && !taker && !facts.gone,
    win: grade === "win",
    lose: grade === "lose",
    pending,
    chosen,
    pointed: facts.pointed,
    next: facts.next,
  };
  for (const [name, on] of Object.entries(classes)) tile.classList.toggle(name, Boolean(on));
  tile.dataset.was = isGone ? "gone" : "free";
  setText(tile.children[1], label);
  const sign = grade === "win" ? WINNING : grade === "lose" ? LOSING : "";
  const badge = tile.lastElementChild;
  const shown = `${taker}${sign}`;
  if (badge.dataset.shown !== shown) {
    badge.dataset.shown = shown;
    badge.replaceChildren(...(taker ? [playerMark(taker)] : sign ? [sign] : []));
  }
  setAttribute(tile, "aria-label", [facts.number, ...tileWords(view, facts)].join(", "));
  setAttribute(tile, "aria-disabled", view.active ? null : "true");
}

function tileWords(view, { taker, last, legal, grade, pending, next, label, words }) {
  const parts = label ? [label] : [];
  if (taker) parts.push(sentence(view.templates.taken, { name: inSentence(view.names[taker - 1]) }));
  if (last) parts.push("last move");
  if (pending) parts.push("being sent");
  if (grade === "win") parts.push("wins");
  else if (grade === "lose") parts.push("loses");
  else if (legal && !taker) parts.push("can be played");
  if (next) parts.push("played next");
  if (words) parts.push(words);
  return parts;
}

/** What a player is called inside a sentence: "taken by the computer". A name of a person stays as it is. */
const inSentence = (name) => (/^(You|Your opponent|The computer)$/.test(name) ? name[0].toLowerCase() + name.slice(1) : name);

/** A drawing of the position that the server chose to present a game; of a long row of numbers, the first ones. */
export const preview = ({ preview: position }) => drawPosition(position, PREVIEW_CELLS);

/** Draw the previews of the games into their cards. */
export function drawPreviews(cards, games) {
  for (const game of games) cards.querySelector(`.card[data-game="${game.game}"] .preview`)?.replaceWith(preview(game));
}

/** Whether every game has a card. The page of the static site does not list the player's own games. */
export const hasAllCards = (cards, games) => games.every(({ game }) => cards.querySelector(`.card[data-game="${game}"]`));

/** A small drawing of any position. `limit` is how many cells are drawn where the rows mean nothing. */
export const drawPosition = (position, limit = Infinity) =>
  el("div.preview", { "aria-hidden": "true" }, isNumber(position) ? drawNumber(position) : drawCells(position, limit));

const isNumber = ({ board }) => board.headline.some(({ by }) => by);

function drawNumber({ board }) {
  const { text, content } = headlineOf(board);
  const element = el("div.preview-number", content, el("div.preview-words", board.caption));
  element.style.setProperty("--digits", String(Math.max(3, text.length)));
  return element;
}

function drawCells({ board, legal }, limit) {
  const all = readCells(board);
  const free = new Set([...cellsByMove(all, board.links, legal).values()].flat());
  const isTiles = board.layout === "tiles";
  const most = isTiles ? PREVIEW_MOVES : board.flows || board.layout === "line" ? limit : Infinity;
  const shown = all
    .slice(0, most)
    .map((cell, place) => (cell ? previewTile(cell, free.has(place)) : el("span.hole")));
  if (isTiles) return drawState(board, shown);
  const element = el("div", { class: `preview-cells preview-${board.layout}` }, shown);
  arrangeDrawing(element, board.layout, previewColumns(board, shown.length));
  return element;
}

/** Arrange the cells of a small drawing in so many columns. */
function arrangeDrawing(element, layout, columns) {
  const shown = [...element.children];
  if (layout === "line") placeAsSnake(shown, columns);
  element.style.setProperty("--columns", String(columns));
  element.style.setProperty("--down", String(Math.ceil(shown.length / columns)));
}

/**
 * How a position is drawn as large as possible in a frame: {columns, side}, where `side` is that of a tile. A number
 * that grows has no tiles, and counts as one row.
 */
export function fitDrawing({ board }, width, height) {
  const count = isNumber({ board }) || board.layout === "tiles" ? 0 : readCells(board).length;
  if (!count) return { columns: 0, side: Math.min(width / NUMBER_SHAPE, height) };
  const columns = previewColumns(board, count, width, height);
  const gap = Math.max(2, width * 0.014); // as in drawings.css
  const rowGap = board.layout === "line" ? 2 * gap : gap;
  return { columns, side: Math.min((width + gap) / columns - gap, (height + rowGap) / Math.ceil(count / columns) - rowGap) };
}

/** Arrange a drawing as `fitDrawing` says. */
export function applyFit(drawing, { board }, { columns }) {
  const cells = drawing.querySelector(".preview-cells");
  if (cells && columns) arrangeDrawing(cells, board.layout, columns);
}

function drawState(board, shown) {
  const { isLong, content } = headlineOf(board);
  const headline = el("div", { class: `state-words${isLong ? " long" : ""}` }, content);
  return el("div.preview-tiles.stack", headline, el("div.tiles", shown));
}

function previewTile({ text, by = 0, gone, last }, isLegal) {
  const look = by || gone ? `gone ${by ? `by-${by}` : ""}${last ? " last" : ""}` : isLegal ? "legal" : "";
  const badge = el("span.badge", by > 0 && playerMark(by));
  return fitText(el("span", { class: `tile ${look}` }, el("span.number", text), badge), text);
}

/**
 * The number of columns that gives the largest tiles. Full rows, and squares with rows of ten, are preferred
 * where another number gains little (`weigh`). A board that does not fit scrolls; then its rows are as long as
 * tiles that can be hit allow.
 */
export function columnsFor(
  count,
  width,
  height,
  { least = width < NARROW ? FINGER : POINTER, gap = 4, rowGap = gap, most = Infinity, weigh = gridWeight } = {},
) {
  const longest = Math.max(1, Math.min(count, Math.floor((width + gap) / (least + gap))));
  let best = { columns: 0, score: 0 };
  for (let columns = Math.min(2, longest); columns <= longest; columns += 1) {
    const rows = Math.ceil(count / columns);
    const side = Math.min((width + gap) / columns - gap, (height + rowGap) / rows - rowGap);
    const score = Math.min(side, most) * weigh(count, columns, rows);
    if (side >= least && score > best.score) best = { columns, score };
  }
  if (best.columns) return best.columns;
  const tens = longest < 20 ? longest : longest - (longest % 10);
  return Math.ceil(count / Math.ceil(count / tens));
}

/** How well a number of columns suits a grid, as a factor of the size of its tiles. */
function gridWeight(count, columns, rows) {
  const shape = columns % 10 === 0 && 2 * rows >= columns ? 1.25 : columns >= rows ? 1.05 : 1;
  return shape * (columns * rows === count ? 1.3 : 1);
}

/** How well a number of columns suits a line: few rows of nearly equal length still look like one. */
function lineWeight(count, columns, rows) {
  if (Math.ceil(count / rows) < columns) return 0;
  return rows ** -0.4 * (rows === 1 ? 1.35 : columns % 5 === 0 ? 1.2 : 1);
}

/** The number of columns of a board in a room of this size; undefined if its own rows or the style sheet decide. */
export function boardColumns(board, count, width, height) {
  const isTouched = width < NARROW || matchMedia("(pointer: coarse)").matches;
  const least = isTouched ? FINGER : POINTER;
  const size = width < NARROW ? "narrow" : "wide";
  const largest = LARGEST[size] * parseFloat(getComputedStyle(document.documentElement).fontSize);
  // The gaps are those of board.css.
  if (board.layout === "line") {
    const gap = Math.min(14, Math.max(4, width * 0.014));
    return columnsFor(count, width, height, { least, gap, rowGap: LINE_ROW_GAP[size], most: largest, weigh: lineWeight });
  }
  const gap = Math.min(6, Math.max(2, width * 0.008));
  return board.flows ? columnsFor(count, width, height, { least, gap, most: largest }) : undefined;
}

/** The number of columns of a small drawing, which is about three units wide and two high unless its frame is known. */
function previewColumns({ layout, flows, rows }, count, width = 480, height = 320) {
  if (layout === "line") return columnsFor(count, width, height, { least: 1, most: width / 6, weigh: lineWeight });
  if (flows) return columnsFor(count, width, height, { least: 1 });
  return Math.max(1, ...rows.map((row) => row.length));
}

/** Place the tiles of a line as a snake: every other row runs from right to left, below the end of the one before. */
export function placeAsSnake(tiles, columns) {
  tiles.forEach((tile, index) => {
    const [row, step] = [Math.floor(index / columns), index % columns];
    const runsBack = row % 2 === 1;
    tile.style.gridArea = `${row + 1} / ${runsBack ? columns - step : step + 1}`;
    tile.classList.toggle("from-above", row > 0 && step === 0);
    tile.classList.toggle("from-right", runsBack && step > 0);
  });
}

/** The index of the tile above (-1) or below (1) a tile of a board; on a snake every other row runs back. */
export function indexBelow(index, columns, step, isSnake) {
  if (!isSnake) return index + step * columns;
  const row = Math.floor(index / columns) + step;
  return row * columns + (columns - 1 - (index % columns));
}

// What is drawn over the tiles of a board: winning pairs, partners joined by arcs, runs in brackets.
// It is decoration for the eye; the sentence next to the board says the same.

import { WINNING } from "./notation.js";

const MANY_TILES = 24; // on a larger board arcs would cross too many tiles: a few partners carry each other's numbers
const FEW_PARTNERS = 5;
const BENDS = [0.32, 0.16, 0.5, 0.7].flatMap((bow) => [bow, -bow]); // of an arc, as a part of its length
const MARGIN = 8; // pixels that an arc may leave the board at its top
const SAMPLES = 24; // points of an arc that are compared with the places of numbers
const NUMBER_REACH = 0.34; // how far a number reaches from the middle of its tile, as a part of the width
const NAMESPACE = "http://www.w3.org/2000/svg";

/** A layer over `tiles`: `element`, and `draw(joins, links)` with lists of cell numbers; {cells, kind, label}. */
export function createDrawing(tiles) {
  const element = svg("svg", { class: "board-drawing", "aria-hidden": "true", focusable: "false" });

  function draw(joins, links) {
    if (!joins.length && !links.length) return element.replaceChildren();
    const boxes = [...tiles.children].map(boxOf);
    const boxesOf = (cells) => cells.map((cell) => boxes[cell]);
    const linksOf = (wanted) => links.filter(({ kind }) => kind === wanted);
    const partners = linksOf("partners").map(({ cells }) => cells);
    const isCrowded = boxes.length > MANY_TILES;
    return element.replaceChildren(
      ...(isCrowded ? partners.slice(0, FEW_PARTNERS).flatMap(labels) : partners.flatMap((cells) => arc(cells, boxes, tiles.clientWidth))),
      ...linksOf("run").flatMap(({ cells, label }) => bracket(boxesOf(cells), label)),
      ...joins.flatMap((cells) => join(boxesOf(cells))),
    );

    function labels([one, two]) {
      return [...partnerLabel(boxes[one], textOf(two)), ...partnerLabel(boxes[two], textOf(one))];
    }
  }

  const textOf = (cell) => tiles.children[cell].querySelector(".number").textContent;

  return { element, draw };
}

const svg = (name, attributes, text = "") => {
  const node = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.textContent = text;
  return node;
};

/** The place of a tile in the board, whatever motion it is in. */
function boxOf({ offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height }) {
  return { left, top, width, height, right: left + width, bottom: top + height, x: left + width / 2, y: top + height / 2 };
}

/**
 * An arc between two partners. It begins and ends over their numbers; of several bends it has the one that passes
 * the fewest other numbers and stays inside the board.
 */
function arc(cells, boxes, boardWidth) {
  const [one, two] = cells.map((cell) => boxes[cell]);
  const [from, to] = [one, two].map(({ x, top, width }) => ({ x, y: top + width * 0.13 }));
  const [across, down] = [to.x - from.x, to.y - from.y];
  const least = one.width * 0.7;
  const controls = BENDS.map((part) => {
    const bow = Math.sign(part) * Math.max(Math.abs(part), least / Math.hypot(across, down));
    return { x: (from.x + to.x) / 2 + down * bow, y: (from.y + to.y) / 2 - across * bow };
  });
  const cost = (bend) => {
    const points = Array.from({ length: SAMPLES }, (_, index) => pointOf(from, bend, to, (index + 1) / (SAMPLES + 1)));
    const isOutside = points.some(({ x, y }) => x < 0 || x > boardWidth || y < -MARGIN);
    const isNumber = ({ x, y, width }) => points.some((point) => Math.hypot(point.x - x, point.y - y) < width * NUMBER_REACH);
    return boxes.filter(isNumber).length + (isOutside ? boxes.length : 0);
  };
  const costs = controls.map(cost);
  const bend = controls[costs.indexOf(Math.min(...costs))];
  const path = `M ${from.x} ${from.y} Q ${bend.x} ${bend.y} ${to.x} ${to.y}`;
  const dot = ({ x, y }) => svg("circle", { class: "dot", cx: x, cy: y, r: Math.max(3, one.width * 0.05) });
  return [svg("path", { class: "arc halo", d: path }), svg("path", { class: "arc", d: path }), dot(from), dot(to)];
}

/** The point of a quadratic curve at a part of its way. */
function pointOf(from, bend, to, part) {
  const at = (axis) => (1 - part) ** 2 * from[axis] + 2 * part * (1 - part) * bend[axis] + part ** 2 * to[axis];
  return { x: at("x"), y: at("y") };
}

/** A label at the top of a tile: the number of its partner. */
function partnerLabel({ x, top, width }, text) {
  const size = Math.min(15, Math.max(9.5, width * 0.24));
  const [wide, high] = [size * (0.66 * text.length + 1.5), size * 1.3];
  const pill = { x: x - wide / 2, y: top - high * 0.45, width: wide, height: high, rx: high / 2 };
  return [
    svg("rect", { class: "partner", ...pill }),
    svg("text", { class: "partner-number", x, y: pill.y + high / 2, "font-size": size }, `↔${text}`),
  ];
}

/** A bracket below a run, with a piece for each row that it runs through, and its label below the longest. */
function bracket(boxes, label) {
  const pieces = [];
  for (const box of boxes) {
    if (pieces.at(-1)?.[0].top === box.top) pieces.at(-1).push(box);
    else pieces.push([box]);
  }
  const longest = pieces.reduce((long, piece) => (piece.length > long.length ? piece : long));
  const shapes = pieces.map((piece, index) => {
    const runsBack = piece[0].left > piece.at(-1).left || (piece.length === 1 && index > 0);
    const [left, right] = [Math.min(...piece.map((box) => box.left)), Math.max(...piece.map((box) => box.right))];
    const begins = index === 0;
    const ends = index === pieces.length - 1;
    const [leftEnd, rightEnd] = runsBack ? [ends, begins] : [begins, ends];
    const y = piece[0].bottom + 4;
    const start = leftEnd ? `M ${left + 2} ${y} v 6` : `M ${left + 2} ${y + 6}`;
    return svg("path", { class: "bracket", d: `${start} H ${right - 2} ${rightEnd ? "v -6" : ""}` });
  });
  const middle = (Math.min(...longest.map((box) => box.left)) + Math.max(...longest.map((box) => box.right))) / 2;
  const size = longest[0].width < 72 ? 13 : 17;
  const place = { x: middle, y: longest[0].bottom + 12 + size * 0.8, "font-size": size };
  return [...shapes, label && svg("text", { class: "bracket-label", ...place }, label)].filter(Boolean);
}

/** A bar with a star between cells that win together; of cells in one row, below their numbers. */
function join(boxes) {
  return boxes.slice(1).flatMap((two, index) => {
    const one = boxes[index];
    const radius = Math.min(13, Math.max(7, one.width * 0.15));
    const [across, down] = [Math.sign(two.x - one.x), Math.sign(two.y - one.y)];
    const [x, y] = [(one.x + two.x) / 2, down ? (one.y + two.y) / 2 : one.top + one.height * 0.8];
    const reach = radius + Math.min(7, one.width * 0.06);
    const bar = { x1: x - across * reach, x2: x + across * reach, y1: y - down * reach, y2: y + down * reach };
    return [
      svg("line", { class: "join", ...bar }),
      svg("circle", { class: "join-ground", cx: x, cy: y, r: radius }),
      svg("text", { class: "join-star", x, y, "font-size": radius * 1.5 }, WINNING),
    ];
  });
}

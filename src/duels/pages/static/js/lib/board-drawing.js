// What is drawn over the tiles of a board: winning pairs, partners joined by arcs, runs in brackets.
// It is decoration for the eye; the sentence next to the board says the same.

import { WINNING } from "./notation.js";

const MANY_TILES = 40; // on a larger board only a few arcs are drawn, because each crosses many tiles
const FEW_ARCS = 5;
const NAMESPACE = "http://www.w3.org/2000/svg";

/** A layer over `tiles`: `element`, and `draw(joins, links)` with lists of cell numbers; {cells, kind, label}. */
export function createDrawing(tiles) {
  const element = svg("svg", { class: "board-drawing", "aria-hidden": "true", focusable: "false" });

  function draw(joins, links) {
    const boxes = (cells) => cells.map((cell) => boxOf(tiles.children[cell]));
    const most = tiles.childElementCount > MANY_TILES ? FEW_ARCS : links.length;
    const partners = links.filter(({ kind }) => kind === "partners").slice(0, most);
    element.replaceChildren(
      ...partners.flatMap(({ cells }) => arc(boxes(cells), tiles.clientWidth)),
      ...links.filter(({ kind }) => kind === "run").flatMap(({ cells, label }) => bracket(boxes(cells), label)),
      ...joins.flatMap((cells) => join(boxes(cells))),
    );
  }

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
  return { left, top, width, right: left + width, bottom: top + height, x: left + width / 2, y: top + height / 2 };
}

/** An arc between two partners, inside the board. It begins and ends over their numbers, and crosses out neither. */
function arc([one, two], boardWidth) {
  const [from, to] = [one, two].map(({ x, top, width }) => ({ x, y: top + width * 0.13 }));
  const [across, down] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(across, down);
  const bow = Math.max(one.width * 0.35, far * 0.16) / far;
  const bendTo = (side) => ({
    x: (from.x + to.x) / 2 + down * bow * 2 * side,
    y: (from.y + to.y) / 2 - across * bow * 2 * side,
  });
  const middle = (bend, axis) => (from[axis] + 2 * bend[axis] + to[axis]) / 4;
  const isInside = (bend) => middle(bend, "y") > 0 && middle(bend, "x") > 0 && middle(bend, "x") < boardWidth;
  const up = across < 0 ? -1 : 1;
  const bend = isInside(bendTo(up)) ? bendTo(up) : bendTo(-up);
  const path = `M ${from.x} ${from.y} Q ${bend.x} ${bend.y} ${to.x} ${to.y}`;
  const dot = ({ x, y }) => svg("circle", { class: "dot", cx: x, cy: y, r: Math.max(3, one.width * 0.05) });
  return [svg("path", { class: "arc halo", d: path }), svg("path", { class: "arc", d: path }), dot(from), dot(to)];
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
  return [...shapes, label && svg("text", { class: "bracket-label", x: middle, y: longest[0].bottom + 24 }, label)].filter(Boolean);
}

/** A bar with a star between cells that win together. */
function join(boxes) {
  return boxes.slice(1).flatMap((two, index) => {
    const one = boxes[index];
    const radius = Math.min(13, Math.max(7, one.width * 0.15));
    const [x, y] = [(one.x + two.x) / 2, (one.y + two.y) / 2];
    const [across, down] = [Math.sign(two.x - one.x), Math.sign(two.y - one.y)];
    const reach = radius + Math.min(7, one.width * 0.06);
    const bar = { x1: x - across * reach, x2: x + across * reach, y1: y - down * reach, y2: y + down * reach };
    return [
      svg("line", { class: "join", ...bar }),
      svg("circle", { class: "join-ground", cx: x, cy: y, r: radius }),
      svg("text", { class: "join-star", x, y, "font-size": radius * 1.5 }, WINNING),
    ];
  });
}

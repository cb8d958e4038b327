// The moves as a list, with the labels of the review once there is one.

import { el, fill, mark, set } from "./dom.js";
import { KIND_MARKS, LOSING, playerAt, WINNING } from "./words.js";

export function movesList(onStep) {
  const list = el("ol.moves");
  const none = el("p.quiet", "No moves yet.");
  const element = el("section.panel", el("h2", "Moves"), none, list);
  let shown = "";

  function show(state, review, here) {
    none.hidden = state.moves.length > 0;
    list.classList.toggle("reviewed", Boolean(review));
    const now = JSON.stringify([state.moves, Boolean(review), here]);
    if (now === shown) return;
    shown = now;
    // The rows that stand stay, so that the focus stays with them.
    const rows = JSON.stringify([state.moves, Boolean(review)]);
    if (list.dataset.rows !== rows) {
      list.dataset.rows = rows;
      fill(
        list,
        state.moves.map((move, ply) => el("li", row(state, review, move, ply))),
      );
    }
    list
      .querySelectorAll(".move-row")
      .forEach((button, ply) => set(button, "aria-current", here === ply + 1 ? "step" : null));
    const current = list.querySelector("[aria-current]") ?? (review ? null : list.lastElementChild);
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  function row(state, review, move, ply) {
    const player = playerAt(ply);
    const words = [
      el("span.count", `${ply + 1}.`),
      mark(player),
      el("span.unseen", `${state.players[player - 1].name} `),
      el("span.move", move),
    ];
    if (!review) return [...words, el("span.seconds", seconds(state.seconds?.[ply]))];
    const { kind, label = "" } = review.moves[ply] ?? {};
    const turning = review.turning_points.includes(ply + 1);
    const sign = KIND_MARKS[kind] ?? "";
    words.push(
      el(
        "span",
        { class: `judged ${{ [WINNING]: "good", [LOSING]: "bad" }[sign] ?? ""}` },
        `${sign} ${label}`.trim(),
      ),
      turning && el("span.kind.turning", "turning point"),
    );
    return el("button.move-row", { type: "button", onclick: () => onStep(ply + 1) }, words);
  }

  return { element, show };
}

/** How long a move took; what took no time is not worth telling. */
const seconds = (value) => (value >= 0.1 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} s` : "");

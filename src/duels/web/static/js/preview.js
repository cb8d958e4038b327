// A small drawing of each game in its real look, made of the same tiles as the boards.

import { el, mark } from "./dom.js";

const DRAWINGS = {
  "number-duel": () => tiles("preview-grid", 15, { 12: "by-1", 2: "by-2", 4: "by-1 last" }, [1, 8, 14]),
  "divisor-duel": () =>
    el(
      "div",
      { class: "preview-number" },
      el(
        "div",
        { class: "digits" },
        [5, 2, 1, 4].map((digit, ply) =>
          el(
            "span",
            { class: `digit${ply === 3 ? " last" : ""}` },
            el("span", {}, String(digit)),
            mark(1 + (ply % 2)),
          ),
        ),
      ),
      el("div", { class: "preview-words" }, "÷ 7, remainder 6"),
    ),
  "number-line-duel": () => tiles("preview-line", 7, { 3: "by-1", 4: "by-1", 6: "by-2 last" }, [1, 2, 5, 7]),
  "sequence-duel": () => tiles("preview-grid", 10, { 6: "by-1", 3: "by-2", 9: "by-1 last" }, [1]),
  "number-chain-duel": () =>
    el(
      "div",
      { class: "path preview-path" },
      [4, 2, 8].map((number, ply) =>
        el(
          "span",
          { class: `step by-${1 + (ply % 2)}${ply === 2 ? " last" : ""}` },
          mark(1 + (ply % 2)),
          String(number),
        ),
      ),
    ),
};

export const preview = (game) => el("div", { class: "preview", "aria-hidden": "true" }, DRAWINGS[game]?.());

function tiles(look, count, taken, legal) {
  return el(
    "div",
    { class: look },
    Array.from({ length: count }, (_, index) => {
      const number = index + 1;
      const by = taken[number];
      const state = by ? `gone ${by}` : legal.includes(number) ? "legal" : "";
      return el(
        "span",
        { class: `tile ${state}` },
        el("span", { class: "number" }, String(number)),
        el("span", { class: "badge" }, by && mark(by.startsWith("by-1") ? 1 : 2)),
      );
    }),
  );
}

// The rules of a game in two sentences: with a drawn example, one tap away from its board, or next to the board
// that a match begins with.

import { fetchRules, fetchStart } from "./api.js";
import { button, popoverButton } from "./controls.js";
import { el, errorNotice, fill } from "./dom.js";
import { drawPosition } from "./tiles.js";
import { address } from "./urls.js";

/** A button and the panel it opens, for the game and the options of a position. */
export function rulesPanel({ game, title, options, options_words: optionsText }) {
  const content = el("div.stack");
  const panel = el(
    "section.panel.popover.rules-panel",
    { id: "rules-in-short", popover: "auto", "aria-labelledby": "rules-title" },
    el(
      "div.row",
      el("h2", { id: "rules-title" }, `How to play ${title}`),
      button("Close", () => panel.hidePopover(), "small"),
    ),
    optionsText && el("p.quiet", optionsText),
    content,
    el("p", el("a", { href: address(`/learn/${game}`) }, "All rules, and how to win")),
  );

  async function load() {
    if (content.querySelector("figure")) return;
    try {
      const { in_short: inShort, example, caption } = await fetchRules(game, options);
      fill(content, el("p", inShort), el("figure", drawPosition(example), el("figcaption", caption)));
    } catch (error) {
      fill(content, errorNotice(error));
    }
  }

  return { panel, opener: popoverButton("Rules", panel, load) };
}

/** The board that a match with some options begins with, and its rules in short: `show(options)`. */
export function createBoardPreview({ game }) {
  const picture = el("div");
  const words = el("p", { "aria-live": "polite" });
  const element = el("section.board-preview.stack", { "aria-label": "The board" }, picture, words);
  let requestNumber = 0;

  async function show(options) {
    const number = (requestNumber += 1);
    const requests = Promise.all([fetchStart(game, options), fetchRules(game, options)]);
    const [position, rules] = await requests.catch(({ message }) => [null, { in_short: message }]);
    if (number !== requestNumber) return;
    if (position) fill(picture, drawPosition(position));
    fill(words, rules.in_short, rules.caution && el("strong", ` ${rules.caution}`));
  }

  return { element, show };
}

// Learn: the rules of each game, how it is won, and a board to try it on.

import { games as fetchGames, rules } from "./api.js";
import { el, fill, tick } from "./dom.js";
import { liveBoard } from "./live-board.js";
import { rendered, sectionsOf } from "./markdown.js";
import { preview } from "./preview.js";
import { analysisAddress, capital } from "./words.js";

const HOW = "How it is won";
const DEEPER = "The mathematics";
const LEFT_OUT = ["", "Corrections to the printed rule book", HOW, DEEPER];
const main = document.getElementById("main");
const [, , id] = location.pathname.split("/");

(id ? oneGame() : allGames()).catch((error) =>
  fill(main, el("h1", {}, "Learn"), el("p", { class: "notice" }, error.message)),
);

async function allGames() {
  const { games } = await fetchGames();
  fill(
    main,
    el("h1", {}, "Learn"),
    el("p", { class: "lead" }, "The rules of the games, and how each of them is won."),
    el(
      "div",
      { class: "cards" },
      games.map((game) =>
        el(
          "a",
          { class: "card", href: `/learn/${game.game}` },
          preview(game),
          el("span", { class: "card-title" }, game.title),
          el("span", { class: "card-words" }, game.summary),
        ),
      ),
    ),
  );
}

async function oneGame() {
  const [{ games }, { title, markdown }] = await Promise.all([fetchGames(), rules(id)]);
  const game = games.find((one) => one.game === id);
  document.title = `${title} · Learn · Number Duels`;
  fill(
    main,
    el(
      "nav",
      { class: "tabs", "aria-label": "Games" },
      games.map((one) =>
        el(
          "a",
          { href: `/learn/${one.game}`, "aria-current": one.game === id ? "page" : null },
          one.title,
        ),
      ),
    ),
    el("h1", {}, title),
    el("p", { class: "lead" }, game.lead),
    el("p", {}, el("a", { class: "button primary", href: `/#${id}` }, `Play ${title}`)),
    lessons(sectionsOf(markdown), game),
  );
}

/** The rules on one side; how to win, if the rules say it, and the board on the other. */
function lessons(sections, game) {
  const parts = [...sections].filter(([heading]) => !LEFT_OUT.includes(heading));
  const [how, deeper] = [HOW, DEEPER].map((heading) => rendered(sections.get(heading) ?? ""));
  const head = rendered(sections.get(""));
  if (head[0]?.tagName === "H1") head.shift(); // The title and the lead stand over it already.
  head.shift();
  const body = [...head, ...parts.flatMap(([, text]) => rendered(text))];
  return el(
    "div",
    { class: "lessons" },
    body.length > 0 && el("section", { class: "prose" }, body),
    el(
      "div",
      {},
      how.length > 0 &&
        el(
          "section",
          { class: "prose" },
          how,
          deeper.length > 0 && el("details", {}, el("summary", {}, DEEPER), deeper.slice(1)),
        ),
      tryIt(game),
    ),
  );
}

function tryIt(game) {
  const { options, options_words: words } = game.preview;
  const link = el("a", { class: "button" }, "Open in analysis");
  const live = liveBoard(game, options, {
    marked: true,
    onPosition: (_, line) => (link.href = analysisAddress(id, options, line)),
  });
  live.go([]);
  return el(
    "section",
    { class: "try" },
    el("h2", {}, "Try it"),
    el("p", { class: "quiet" }, `${capital(words)}. You move for both; ★ wins, ✕ loses.`),
    live.element,
    el(
      "div",
      { class: "row" },
      tick("Mark the moves that win and lose", true, (on) => live.showMarks(on)),
      link,
    ),
  );
}

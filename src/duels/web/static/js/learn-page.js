// Learn: the rules of each game, how it is won, and a board to try it on.

import { games as fetchGames, rules } from "./api.js";
import { el, fill, tick } from "./dom.js";
import { liveBoard } from "./live-board.js";
import { rendered } from "./markdown.js";
import { preview } from "./preview.js";
import { THEORY } from "./theory.js";
import { analysisAddress, optionWords, TITLES } from "./words.js";

const main = document.getElementById("main");
const [, , game] = location.pathname.split("/");

(game ? oneGame(game) : allGames()).catch((error) =>
  fill(main, el("h1", {}, "Learn"), el("p", { class: "notice" }, error.message)),
);

async function allGames() {
  const { games } = await fetchGames();
  fill(
    main,
    el("h1", {}, "Learn"),
    el("p", { class: "lead" }, "The rules of the five games, and how each of them is won."),
    el(
      "div",
      { class: "cards" },
      games.map(({ game: id, title, summary }) =>
        el(
          "a",
          { class: "card", href: `/learn/${id}` },
          preview(id),
          el("span", { class: "card-title" }, title),
          el("span", { class: "card-words" }, summary),
        ),
      ),
    ),
  );
}

async function oneGame(id) {
  const { title, markdown } = await rules(id);
  document.title = `${title} · Learn · Number Duels`;
  const theory = THEORY[id];
  const [, summary] = markdown.split(/\n\s*\n/);
  const body = rendered(markdown, ["Corrections to the printed rule book"]).slice(2);
  const live = liveBoard(id, theory.try, {
    marked: true,
    onPosition: (_, line) => (link.href = analysisAddress(id, theory.try, line)),
  });
  const link = el("a", { class: "button" }, "Open in analysis");
  fill(
    main,
    el(
      "nav",
      { class: "tabs", "aria-label": "Games" },
      Object.entries(TITLES).map(([other, name]) =>
        el("a", { href: `/learn/${other}`, "aria-current": other === id ? "page" : null }, name),
      ),
    ),
    el("h1", {}, title),
    el("p", { class: "lead" }, summary.replaceAll("\n", " ")),
    el("p", {}, el("a", { class: "button primary", href: `/#${id}` }, `Play ${title}`)),
    el(
      "div",
      { class: "lessons" },
      el("section", { class: "prose" }, body),
      el(
        "div",
        {},
        el(
          "section",
          { class: "prose" },
          el("h2", {}, "How it is won"),
          theory.words.map((words) => el("p", {}, words)),
          el("details", {}, el("summary", {}, "The mathematics"), el("p", {}, theory.deeper)),
        ),
        el(
          "section",
          { class: "try" },
          el("h2", {}, "Try it"),
          el("p", { class: "quiet" }, `${optionWords(id, theory.try)}. You move for both; ★ wins, ✕ loses.`),
          live.element,
          el(
            "div",
            { class: "row" },
            tick("Mark the moves that win and lose", true, (on) => live.showMarks(on)),
            link,
          ),
        ),
      ),
    ),
  );
  await live.go([]);
}

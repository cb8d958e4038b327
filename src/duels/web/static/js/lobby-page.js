// The first page: one obvious thing to do, one's own games, then all the games, then games to watch.

import { games as fetchGames } from "./api.js";
import { el, fill, onReturn } from "./dom.js";
import { matchList, showOwn, showPublic } from "./match-lists.js";
import { preview } from "./preview.js";
import { setup, startMatch } from "./setup.js";
import { remembered } from "./seat.js";

const main = document.getElementById("main");
const FIRST_GAME = {
  game: "number-line-duel",
  options: { numbers: 10 },
  mode: "computer",
  level: "casual",
  first: 1,
};
const LOOK_AGAIN = 10_000;

start();

async function start() {
  const notice = el("p", { class: "notice", role: "alert", hidden: true });
  const cards = el("div", { class: "cards" });
  const place = el("div", { class: "setup-place" });
  const own = matchList("Your games", "own");
  const watch = matchList("Games to watch", "watch");
  fill(
    main,
    hero(notice),
    notice,
    own,
    el(
      "section",
      { "aria-labelledby": "choose" },
      el("h2", { id: "choose" }, "Five games"),
      el("p", { class: "quiet" }, "Choose one and say who plays."),
      cards,
      place,
    ),
    watch,
  );
  const look = () => Promise.all([showOwn(own), showPublic(watch)]);
  look();
  onReturn(look);
  setInterval(() => document.visibilityState === "visible" && look(), LOOK_AGAIN);
  try {
    const { games, levels } = await fetchGames();
    const forms = new Map();
    const choose = (game) => {
      for (const card of cards.children)
        card.setAttribute("aria-expanded", String(card.dataset.game === game.game));
      if (!forms.has(game.game)) forms.set(game.game, setupPanel(game, levels));
      fill(place, forms.get(game.game));
      const form = place.firstElementChild;
      form.querySelector("h3").focus({ preventScroll: true });
      form.scrollIntoView({
        block: "nearest",
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
    };
    fill(
      cards,
      games.map((game) => card(game, choose)),
    );
    const wanted = games.find(({ game }) => `#${game}` === location.hash);
    if (wanted) choose(wanted);
  } catch (error) {
    show(notice, error.message);
  }
}

function hero(notice) {
  const play = el("button", { type: "button", class: "button primary large" }, "Play now");
  play.addEventListener("click", async () => {
    play.disabled = true;
    const name = remembered("name", "");
    try {
      await startMatch({ ...FIRST_GAME, ...(name && { names: [name] }) });
    } catch (error) {
      show(notice, error.message);
      play.disabled = false;
    }
  });
  onReturn(() => (play.disabled = false));
  return el(
    "section",
    { class: "hero" },
    el(
      "div",
      { class: "hero-words" },
      el("h1", {}, "Number games for two"),
      el(
        "p",
        { class: "lead" },
        "Cross out one number or two neighbours. Whoever crosses out the last one wins. You begin, against the computer.",
      ),
      play,
    ),
    el("div", { class: "hero-picture" }, preview("number-line-duel")),
  );
}

const card = (game, choose) =>
  el(
    "button",
    {
      type: "button",
      class: "card",
      "data-game": game.game,
      "aria-expanded": "false",
      onclick: () => choose(game),
    },
    preview(game.game),
    el("span", { class: "card-title" }, game.title),
    el("span", { class: "card-words" }, game.summary),
  );

const setupPanel = (game, levels) =>
  el(
    "div",
    { class: "panel setup-panel" },
    el(
      "div",
      { class: "setup-head" },
      el("h3", { tabindex: "-1" }, game.title),
      el("a", { href: `/learn/${game.game}` }, "How it is played"),
    ),
    setup(game, levels),
  );

function show(notice, words) {
  notice.textContent = words;
  notice.hidden = false;
}

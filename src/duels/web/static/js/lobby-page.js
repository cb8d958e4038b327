// The first page: one obvious thing to do, one's own games, then all the games, then games to watch.

import { games as fetchGames } from "./api.js";
import { el, fill, onReturn } from "./dom.js";
import { matchList, showOwn, showPublic } from "./match-lists.js";
import { usualOptions } from "./options-form.js";
import { preview } from "./preview.js";
import { address } from "./root.js";
import { setup, startMatch } from "./setup.js";
import { remembered } from "./seat.js";

const main = document.getElementById("main");
const LOOK_AGAIN = 10_000;

start();

async function start() {
  const notice = el("p", { class: "notice", role: "alert", hidden: true });
  const cards = el("div", { class: "cards" });
  const place = el("div", { class: "setup-place" });
  const own = matchList("Your games", "own");
  const watch = matchList("Games to watch", "watch");
  const first = hero(notice);
  fill(
    main,
    first.element,
    notice,
    own,
    el(
      "section",
      { "aria-labelledby": "choose" },
      el("h2", { id: "choose" }, "The games"),
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
    first.show(games.find(({ is_first: isFirst }) => isFirst));
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
    const linked = games.find(({ game }) => `#${game}` === location.hash);
    if (linked) choose(linked);
  } catch (error) {
    show(notice, error.message);
  }
}

/** The one obvious thing to do, as soon as the server has said which game is for newcomers. */
function hero(notice) {
  const words = el("p", { class: "lead" });
  const picture = el("div", { class: "hero-picture" });
  const play = el(
    "button",
    { type: "button", class: "button primary large", disabled: true, onclick: start },
    "Play now",
  );
  const element = el(
    "section",
    { class: "hero" },
    el("div", { class: "hero-words" }, el("h1", {}, "Number games for two"), words, play),
    picture,
  );
  let game = null;

  async function start() {
    play.disabled = true;
    const name = remembered("name", "");
    try {
      await startMatch({
        game: game.game,
        options: usualOptions(game),
        mode: "computer",
        first: 1,
        ...(name && { names: [name] }),
      });
    } catch (error) {
      show(notice, error.message);
      play.disabled = false;
    }
  }

  onReturn(() => (play.disabled = !game));
  return {
    element,
    show: (first) => {
      game = first;
      words.textContent = `${game.lead} You begin, against the computer.`;
      fill(picture, preview(game));
      play.disabled = false;
    },
  };
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
    preview(game),
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
      el("a", { href: address(`/learn/${game.game}`) }, "How it is played"),
    ),
    setup(game, levels),
  );

function show(notice, words) {
  notice.textContent = words;
  notice.hidden = false;
}

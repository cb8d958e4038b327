// The first page: one obvious thing to do, one's own games, then all the games, then games to watch.

import { games as fetchGames } from "./api.js";
import { attempt, button, el, fill, leaveBy, linkButton, noticePlace, onReturn } from "./dom.js";
import { gameFiles } from "./game-files.js";
import { matchList, showOwn, showPublic } from "./match-lists.js";
import { remembered } from "./memory.js";
import { usualOptions } from "./options-form.js";
import { hasPlayed, matchedLevel } from "./own-games.js";
import { preview } from "./preview.js";
import { address, hasServer } from "./root.js";
import { startMatch } from "./setup.js";
import { capital } from "./words.js";

const main = document.getElementById("main");
const LOOK_AGAIN = 10_000;

start();

async function start() {
  const notice = noticePlace();
  const cards = el("div.cards");
  const own = matchList("Your games", "own");
  const watch = matchList("Games to watch", "watch");
  const first = hero(notice);
  fill(
    main,
    first.element,
    notice,
    own,
    hasPlayed() && el("p", el("a", { href: address("/me") }, "Your finished games, and how you play")),
    el(
      "section",
      { "aria-labelledby": "choose" },
      el("h2", { id: "choose" }, "Good first games"),
      el("p.quiet", "Choose one and say who plays. Every board and all options are one step further."),
      cards,
    ),
    watch,
    hasServer
      ? el("p.quiet", el("a", { href: address("/class") }, "A class"), " for teachers and pupils")
      : gameFiles(),
  );
  const look = () => Promise.all([showOwn(own), hasServer && showPublic(watch)]);
  look();
  onReturn(look);
  setInterval(() => document.visibilityState === "visible" && look(), LOOK_AGAIN);
  await attempt(notice, async () => {
    const { games, begins_at: beginsAt } = await fetchGames();
    const linked = games.find(({ game }) => `#${game}` === location.hash); // as links were once
    if (linked) location.replace(address(`/play/${linked.game}`));
    first.show(
      games.find(({ is_first: isFirst }) => isFirst),
      beginsAt,
    );
    fill(cards, games.map(card));
  });
}

/** The one obvious thing to do, as soon as the server has said which game is for newcomers. */
function hero(notice) {
  const words = el("p.lead");
  const picture = el("div.hero-picture");
  const play = button("Play now", begin, "primary large", { disabled: true });
  const element = el(
    "section.hero",
    el(
      "div",
      el("h1", "Number games for two"),
      words,
      el("div.row", play, linkButton("/daily", "Today's puzzle")),
    ),
    picture,
  );
  let game = null;
  let beginsAt = null;

  function begin() {
    const name = remembered("name", "");
    const body = {
      game: game.game,
      options: { ...usualOptions(game), ...game.setups[0].options },
      mode: "computer",
      first: 1,
      ...(hasPlayed() && { level: matchedLevel(game.game, beginsAt) }),
      ...(name && { names: [name] }),
    };
    leaveBy(play, notice, () => startMatch(body));
  }

  return {
    element,
    show: (first, from) => {
      game = first;
      beginsAt = from;
      words.textContent = `${game.lead} You begin, against the computer.`;
      fill(picture, preview(game));
      play.disabled = false;
    },
  };
}

/** A game with the set-up that is good to begin with. */
const card = (game) => {
  const [setup] = game.setups;
  return el(
    "a.card",
    { "data-game": game.game, href: address(`/play/${game.game}`) },
    preview(game),
    el("span.card-title", game.title),
    el("span.card-words", game.summary),
    el("span.card-words", `${capital(setup.words)}.`),
  );
};

// Learn: the server has written what there is to read; here come the drawings, and a board to try a game on.

import { games as fetchGames } from "./api.js";
import { el, failure, fill, set, tick } from "./dom.js";
import { complete } from "./late.js";
import { lessonOf } from "./lesson.js";
import { liveBoard } from "./live-board.js";
import { preview } from "./preview.js";
import { analysisAddress, capital } from "./words.js";

const main = document.getElementById("main");
await complete(main);
const { game: id } = main.dataset;
const place = main.querySelector(".try");
const lesson = main.querySelector(".lesson-place");

start().catch((error) => (place ?? main).append(failure(error)));
if (lesson)
  lessonOf(id).then(
    (shown) => fill(lesson, shown),
    (error) => fill(lesson, failure(error)),
  );

async function start() {
  const { games } = await fetchGames();
  const isListed = ({ game }) => main.querySelector(`.card[data-game="${game}"]`);
  if (!id && !games.every(isListed)) await complete(main, "learn"); // the file knows no games of one's own
  for (const game of games)
    main.querySelector(`.card[data-game="${game.game}"] .preview`)?.replaceWith(preview(game));
  if (place) tryIt(games.find(({ game }) => game === id));
}

function tryIt(game) {
  const { options, options_words: words } = game.preview;
  const link = el("a.button", "Open in analysis");
  const live = liveBoard(game, options, {
    marked: true,
    onPosition: (_, line) => set(link, "href", analysisAddress(id, options, line)),
  });
  live.go([]);
  fill(
    place,
    el("h2", "Try it"),
    el("p.quiet", `${capital(words)}. You move for both; ★ wins, ✕ loses.`),
    live.element,
    el("div.row", tick("Mark the moves that win and lose", true, (on) => live.showMarks(on)), link),
  );
}

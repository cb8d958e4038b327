// One game, set up: who plays, on which board.

import { games as fetchGames } from "./api.js";
import { el, failure, fill } from "./dom.js";
import { complete } from "./late.js";
import { setup } from "./setup.js";

const main = document.getElementById("main");
if (await complete(main)) await show(main.querySelector(".setup-place"));

async function show(place) {
  try {
    const { games, levels, begins_at: beginsAt } = await fetchGames();
    const game = games.find(({ game: id }) => id === main.dataset.game);
    if (!game) throw new Error("This game is not here.");
    fill(place, el("div.panel.setup-panel", setup(game, levels, beginsAt)));
  } catch (error) {
    fill(place, failure(error));
  }
}

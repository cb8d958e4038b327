// Puzzles from one's own games: the server finds where a win was given away; the games stay on this device.

import { reviews } from "./api.js";
import { noteReview, ownGame, ownGames } from "./own-games.js";

const MOST = 20;

/** The puzzles of one game, or of the latest ones; only where it was oneself who went wrong. */
export async function ownPuzzles(id = "") {
  const wanted = id ? [ownGame(id)].filter(Boolean) : ownGames().slice(0, MOST);
  const told = await reviewed(wanted);
  return told.flatMap(({ game, puzzles }) =>
    puzzles.filter(({ position }) => game.you.includes(position.to_move)),
  );
}

/** What the server says about some games, each with its game; what is told is kept with it. */
export async function reviewed(games) {
  const told = [];
  for (let left = games; left.length;) {
    const { matches } = await reviews(left.map(({ record }) => record).join("\n"));
    for (const { id, ...found } of matches) {
      const game = left.find((one) => one.id === id);
      if (!game) continue;
      noteReview(id, { chances: found.chances });
      told.push({ game, ...found });
    }
    const done = new Set(matches.map(({ id }) => id));
    const rest = left.filter((one) => !done.has(one.id));
    if (rest.length === left.length) break; // the rest cannot be read
    left = rest;
  }
  return told;
}

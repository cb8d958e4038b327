// What this device keeps of the games that were played on it: nobody else has it.

import { record, strengthAfter } from "./api.js";
import { forget, remember, remembered } from "./memory.js";

const GAMES = "games";
const STANDINGS = "standings";
const MOST = 200;

/** All games that were finished here, the latest first. */
export const ownGames = () => {
  const kept = remembered(GAMES, []);
  return Array.isArray(kept) ? kept.filter((one) => one?.id && typeof one.record === "string") : [];
};

export const ownGame = (id) => ownGames().find((one) => one.id === id) ?? null;

/** Keep a match that is over, once, with its record; null if it is not one's own. */
export async function keepFinished({ id, state, you }) {
  if (!state.outcome || !you.length) return null;
  if (ownGame(id)) return ownGame(id);
  const { game, title, options_words: words, players, outcome } = state;
  const written = await record(id);
  if (ownGame(id)) return ownGame(id); // asked for twice
  const one = {
    id,
    at: Date.now(),
    game,
    title,
    words,
    players,
    you,
    won: you.length === 1 && outcome.winner === you[0],
    record: written.trim(),
  };
  remember(GAMES, [one, ...ownGames()].slice(0, MOST));
  const against = you.length === 1 && players[2 - you[0]].computer;
  if (/^\d+$/.test(against || "")) await count(game, Number(against), one.won);
  return one;
}

/** Note what the server found out about a game. */
export const noteReview = (id, found) =>
  remember(
    GAMES,
    ownGames().map((one) => (one.id === id ? { ...one, ...found } : one)),
  );

/** Where the strength of the computer has got to that is matched to the person here: {strength, games}. */
export const standing = (game) => remembered(STANDINGS, {})[game] ?? null;

/** A game against the matched computer makes it stronger or weaker; the server says how much. */
async function count(game, strength, won) {
  const games = standing(game)?.games ?? 0;
  const after = await strengthAfter({ strength, games, won });
  remember(STANDINGS, { ...remembered(STANDINGS, {}), [game]: after });
}

/** The level of a game for somebody who is to be matched. */
export const matchedLevel = (game, beginsAt) => String(standing(game)?.strength ?? beginsAt);

export const hasPlayed = () => ownGames().length > 0;

const KEPT = [GAMES, STANDINGS, "daily", "lessons", "lesson-match", "name", "mode"];

/** Everything that is kept about a person, to be taken along. */
export const everything = () => Object.fromEntries(KEPT.map((name) => [name, remembered(name, null)]));

/** Forget all of it. Seats in games that go on stay. */
export function forgetEverything() {
  KEPT.forEach(forget);
}

// What this device knows about its player: the finished games, the puzzles made from them, and the daily puzzles.

import { fetchDailyResult, fetchRecord, fetchReviews, fetchStrength } from "./api.js";
import { loadItem, removeItem, saveItem } from "./storage.js";

const GAMES_ITEM = "games";
const STRENGTHS_ITEM = "standings";
const DAILY_ITEM = "daily";
export const LAST_GAME = "last-game";
const MAX_GAMES = 200;
const REVIEWED_GAMES = 20;
const PERSONAL_ITEMS = [GAMES_ITEM, STRENGTHS_ITEM, DAILY_ITEM, "lessons", "lesson-match", "name", "mode", LAST_GAME];

/** All games finished on this device, the latest first. */
export const finishedGames = () => {
  const saved = loadItem(GAMES_ITEM, []);
  return Array.isArray(saved) ? saved.filter((entry) => entry?.id && typeof entry.record === "string") : [];
};

export const finishedGame = (id) => finishedGames().find((entry) => entry.id === id) ?? null;

/** Store a finished match once, with its record; return null if this device did not play it. */
export async function saveFinishedGame({ id, state, you }) {
  if (!state.outcome || !you.length) return null;
  if (finishedGame(id)) return finishedGame(id);
  const { game, title, options_words: optionsText, players, outcome } = state;
  const recordText = await fetchRecord(id);
  if (finishedGame(id)) return finishedGame(id); // it was called twice
  const entry = {
    id,
    at: Date.now(),
    game,
    title,
    words: optionsText,
    players,
    you,
    won: you.length === 1 && outcome.winner === you[0],
    record: recordText.trim(),
  };
  saveItem(GAMES_ITEM, [entry, ...finishedGames()].slice(0, MAX_GAMES));
  const opponent = you.length === 1 && players[2 - you[0]].computer;
  if (/^\d+$/.test(opponent || "")) await updateStrength(game, Number(opponent), entry.won, state.hints[you[0] - 1]);
  return entry;
}

/** Add the facts from a review to a stored game. */
export const saveReview = (id, facts) =>
  saveItem(
    GAMES_ITEM,
    finishedGames().map((entry) => (entry.id === id ? { ...entry, ...facts } : entry)),
  );

/** This player's {rating, games} and the matched strength of the computer; null before the first game. */
export const matchedStrength = (game) => loadItem(STRENGTHS_ITEM, {})[game] ?? null;

/** Adjust the matched strength after a game; the server says by how much. */
async function updateStrength(game, strength, won, hints) {
  const { rating, games } = matchedStrength(game) ?? {};
  const strengthAfter = await fetchStrength({ rating, games, strength, won, hints });
  saveItem(STRENGTHS_ITEM, { ...loadItem(STRENGTHS_ITEM, {}), [game]: strengthAfter });
}

/** The level that matches this player. */
export const matchedLevel = (game, beginsAt) => String(matchedStrength(game)?.strength ?? beginsAt);

export const hasPlayed = () => finishedGames().length > 0;

/** Everything that is stored about the player, for an export. */
export const personalItems = () => Object.fromEntries(PERSONAL_ITEMS.map((name) => [name, loadItem(name, null)]));

/** Remove all of it, but not the seats in unfinished matches. */
export function removePersonalItems() {
  PERSONAL_ITEMS.forEach(removeItem);
}

/** The puzzles of one game, or of the latest games, made from this player's own mistakes. */
export async function puzzlesFromGames(id = "") {
  const wanted = id ? [finishedGame(id)].filter(Boolean) : finishedGames().slice(0, REVIEWED_GAMES);
  const results = await reviewGames(wanted);
  return results.flatMap(({ game, puzzles }) =>
    puzzles.filter(({ position }) => game.you.includes(position.to_move)),
  );
}

/** The reviews of some games, each with its game; the facts are stored with the game. */
export async function reviewGames(games) {
  const results = [];
  for (let remaining = games; remaining.length;) {
    const { matches } = await fetchReviews(remaining.map(({ record }) => record).join("\n"));
    for (const { id, ...facts } of matches) {
      const game = remaining.find((one) => one.id === id);
      if (!game) continue;
      saveReview(id, { chances: facts.chances });
      results.push({ game, ...facts });
    }
    const reviewedIds = new Set(matches.map(({ id }) => id));
    const unread = remaining.filter((one) => !reviewedIds.has(one.id));
    if (unread.length === remaining.length) break; // the rest cannot be read
    remaining = unread;
  }
  return results;
}

/** The local date, as 2027-01-31. */
export function localDate(date = new Date()) {
  const padded = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
}

/** The attempts at daily puzzles by date. */
export const loadDays = () => loadItem(DAILY_ITEM, {}) ?? {};
/** The days that count for a streak. */
export const countedDays = () => Object.keys(loadDays()).filter((day) => loadDays()[day]?.counts === true);

/** The current streak, as the server counts it; `streak` says it in words. */
export const streak = (today = localDate()) => fetchDailyResult(today, { today, counted: countedDays() });

/** Store the attempt of a day. */
export const saveDay = (day, attempt) => saveItem(DAILY_ITEM, { ...loadDays(), [day]: attempt });

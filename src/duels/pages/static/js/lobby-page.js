// The first page. The server has rendered it; this adds the drawings, your games and games to watch.

import { fetchGames, fetchMatch, fetchPublicMatches } from "./lib/api.js";
import { attempt, el, fill, leaveWith, onRestore } from "./lib/dom.js";
import { defaultOptions } from "./lib/game-options.js";
import { hasPlayed, matchedLevel } from "./lib/history.js";
import { playerName, plural, sentenceParts, versus } from "./lib/notation.js";
import { loadItem } from "./lib/storage.js";
import { drawPreviews, hasAllCards, preview } from "./lib/tiles.js";
import { address, hasServer } from "./lib/urls.js";
import { loadSeats, removeSeat, saveSeat, startMatch } from "./match/seats.js";
import { fetchCards, gameFiles } from "./offline/own-games.js";

const main = document.getElementById("main");
const find = (selector) => /** @type {HTMLElement} */ (main.querySelector(selector));
const notice = find(".notice");
const ownList = find(".own");
const publicList = find(".watch"); // null without a server
const play = /** @type {HTMLButtonElement} */ (find(".hero button"));
const REFRESH_INTERVAL = 10_000;
const MAX_SEATS = 8;

async function start() {
  find(".played").hidden = !hasPlayed();
  if (!hasServer) main.append(gameFiles());
  const refresh = () => Promise.all([showOwnMatches(ownList), publicList && showPublicMatches(publicList)]);
  refresh();
  onRestore(refresh);
  setInterval(() => document.visibilityState === "visible" && refresh(), REFRESH_INTERVAL);
  await attempt(notice, async () => {
    const { games, begins_at: beginsAt } = await fetchGames();
    const linked = games.find(({ game }) => `#${game}` === location.hash); // an old link
    if (linked) location.replace(address(`/play/${linked.game}`));
    const cards = find(".cards");
    if (!hasAllCards(cards, games)) fill(cards, await fetchCards());
    drawPreviews(cards, games);
    const first = games.find(({ is_first: isFirst }) => isFirst);
    fill(find(".hero-picture"), preview(first));
    play.onclick = () => leaveWith(play, notice, () => startFirstMatch(first, beginsAt));
    play.disabled = false;
  });
}

function startFirstMatch(game, beginsAt) {
  const name = loadItem("name", "");
  return startMatch({
    game: game.game,
    options: { ...defaultOptions(game), ...game.setups[0].options },
    mode: "computer",
    first: 1,
    ...(hasPlayed() && { level: matchedLevel(game.game, beginsAt) }),
    ...(name && { names: [name] }),
  });
}

const openSeats = () =>
  loadSeats()
    .filter((seat) => !seat.over)
    .slice(0, MAX_SEATS);

async function showPublicMatches(section) {
  const { matches } = await fetchPublicMatches().catch(() => ({ matches: [] }));
  showRows(
    section,
    matches.map((match) => matchRow(match, el("span.quiet", plural(match.ply, "{count} move", "{count} moves")))),
  );
}

/** The matches in which this device has a seat and which are not over. */
async function showOwnMatches(section) {
  const states = await Promise.all(openSeats().map(loadOwnMatch));
  showRows(
    section,
    states.filter(Boolean).map((state) => matchRow(state, turnNote(state))),
  );
}

/** The current state of a match; null if it is over or gone, and then the stored seat is updated. */
async function loadOwnMatch({ id, ...seat }) {
  try {
    const state = await fetchMatch(id, seat.token);
    if (!state.outcome) return state;
    saveSeat(id, { ...seat, over: true });
  } catch (error) {
    if (error.status === 404) removeSeat(id);
  }
  return null;
}

function turnNote({ joined, players, to_move: mover, you = [] }) {
  if (!you.length) return el("strong", "you are invited");
  if (!joined.every(Boolean)) return el("span.quiet", "waiting for your friend");
  if (you.length === 1 && you[0] === mover) return el("strong", "your turn");
  return el("span.quiet", sentenceParts("{name} to move", { name: playerName(players[mover - 1]) }));
}

const matchRow = ({ id, title, players }, note) =>
  el(
    "li",
    el(
      "a.match-row",
      { href: address(`/m/${id}`) },
      el("span.match-title", title),
      el("span", versus(players)),
      note,
    ),
  );

function showRows(section, rows) {
  section.hidden = !rows.length;
  fill(section.querySelector("ul"), rows);
}

start();

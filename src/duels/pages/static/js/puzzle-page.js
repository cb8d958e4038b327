// Puzzles: by game and difficulty without end, the day's, and those of one's own games.

import { daily as fetchDaily, games as fetchGames, puzzle as fetchPuzzle } from "./api.js";
import { dayHere, dailyPanel } from "./daily.js";
import { button, el, failure, fill, linkButton, segmented, selectField } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { ownPuzzles } from "./own-puzzles.js";
import { pathParts } from "./root.js";
import { solving } from "./solving.js";
import { capital, gameItems } from "./words.js";

const main = document.getElementById("main");
const HARD = ["easy", "medium", "hard"].map((word) => ({ value: word, label: capital(word) }));
const query = new URLSearchParams(location.search);
const heading = el("h1");
const about = el("p.quiet");
const tools = el("div.toolbar.row.center");
const place = el("div");
const below = el("div.row.center");

fill(main, el("header.title-line.row.baseline", heading, about), place, tools, below);

const start = pathParts()[0] === "daily" ? theDay : query.has("own") ? own : endless;
const fail = (error) => fill(place, failure(error));
start().catch(fail);

const words = ({ position: { title, options_words: options }, difficulty }) =>
  [title, options, difficulty].filter(Boolean).join(" · ");

async function endless() {
  heading.textContent = "Puzzles";
  const { games } = await fetchGames();
  const chosen = {
    game: query.get("game") ?? remembered("puzzle", {}).game ?? "",
    difficulty: query.get("difficulty") ?? remembered("puzzle", {}).difficulty ?? "easy",
  };
  if (!games.some(({ game }) => game === chosen.game)) chosen.game = "";
  if (!HARD.some(({ value }) => value === chosen.difficulty)) chosen.difficulty = "easy";
  const items = [{ value: "", label: "Any game" }, ...gameItems(games)];
  const change = (name) => (value) => {
    chosen[name] = value;
    remember("puzzle", chosen);
    next();
  };
  fill(
    tools,
    selectField("Game", items, chosen.game, change("game")),
    segmented("How hard", "difficulty", HARD, chosen.difficulty, change("difficulty")),
  );
  fill(
    below,
    linkButton("/daily", "The puzzle of the day"),
    linkButton("/puzzle?own", "From your own games"),
  );

  /** Another one; its seed is in the address, so that it is the same when it is opened again. */
  const next = () => show(crypto.getRandomValues(new Uint32Array(1))[0]);

  async function show(seed) {
    const asked = { ...chosen, seed };
    const posed = await fetchPuzzle(asked);
    history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
    about.textContent = words(posed);
    const shown = solving(posed, { next: () => button("Next puzzle", () => next().catch(fail), "primary") });
    fill(place, shown.element);
  }

  await (/^\d{1,15}$/.test(query.get("seed") ?? "") ? show(Number(query.get("seed"))) : next());
}

async function theDay() {
  const today = dayHere();
  const day = query.get("date") ?? today;
  const posed = await fetchDaily(encodeURIComponent(day));
  heading.textContent = day === today ? "The puzzle of the day" : `The puzzle of ${day}`;
  about.textContent = words(posed);
  const panel = dailyPanel(day, today);
  const shown = solving(posed, { before: panel.before, onChange: panel.changed });
  fill(place, shown.element);
  fill(below, panel.element, linkButton("/puzzle", "More puzzles"));
  await panel.show();
}

async function own() {
  heading.textContent = "From your own games";
  fill(below, linkButton("/puzzle", "Other puzzles"));
  const found = await ownPuzzles(query.get("own"));
  if (!found.length) {
    about.textContent = "There is no puzzle from your games yet. Play one to its end, and come back.";
    fill(place, linkButton("/", "Go to the games", "primary"));
    return;
  }
  let at = 0;
  const show = () => {
    const posed = found[at];
    about.textContent = `${at + 1} of ${found.length} · ${words(posed)}. ${posed.source}`;
    at = (at + 1) % found.length;
    const another = found.length > 1 && (() => button("Next one", show, "primary"));
    fill(place, solving(posed, { next: another || (() => null) }).element);
  };
  show();
}

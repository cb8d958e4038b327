// Puzzles: endless ones by game and difficulty, the puzzle of the day, and those from finished games.

import { createPuzzle } from "./learn/exercise.js";
import { fetchDaily, fetchDailyResult, fetchGames, fetchPuzzle } from "./lib/api.js";
import { button, linkButton, radioGroup, selectField } from "./lib/controls.js";
import { el, errorNotice, fill, setText } from "./lib/dom.js";
import { gameChoices } from "./lib/game-options.js";
import { countedDays, LAST_GAME, loadDays, localDate, puzzlesFromGames, saveDay } from "./lib/history.js";
import { copyButton } from "./lib/links.js";
import { rulesPanel } from "./lib/rules.js";
import { loadItem, saveItem } from "./lib/storage.js";
import { link, pathParts } from "./lib/urls.js";

const main = document.getElementById("main");
const DIFFICULTIES = [
  { value: "easy", label: "Easy" },
  { value: "medium", label: "Medium" },
  { value: "hard", label: "Hard" },
];
const WIDE = matchMedia("(min-width: 901px)");
const SQUARES = { wrong: "🟧", hint: "⬜", solved: "🟦", unsolved: "⬛" };
const query = new URLSearchParams(location.search);
const heading = el("h1");
const about = el("div.quiet");
const tools = el("div.toolbar.row.center");
const area = el("div");
const links = el("div.row.center.more-puzzles");
const start = pathParts()[0] === "daily" ? showDaily : query.has("own") ? showOwnPuzzles : showEndless;
const fail = (error) => showInArea(errorNotice(error));

/** Show a puzzle, and with the first one the rest of the page: nothing moves. */
function showInArea(element) {
  fill(area, element);
  if (area.isConnected) return;
  const side = el("aside.side.stack.loose", { "aria-label": "Other puzzles" }, tools, links);
  fill(main, el("header.title-line.row.baseline", heading, about), el("div.table", area, side));
}

/** Show a puzzle and say which one it is, with its rules one tap away. */
function showPuzzle(puzzle, how, words = describePuzzle(puzzle)) {
  const { opener, panel } = rulesPanel(puzzle.position);
  fill(about, words, panel);
  showInArea(createPuzzle(puzzle, { ...how, rules: opener }).element);
}

const describePuzzle = ({ position: { title, options_words: options }, difficulty }) =>
  [title, options, difficulty].filter(Boolean).join(" · ");

async function showEndless() {
  heading.textContent = "Puzzles";
  const { games } = await fetchGames();
  const chosen = {
    game: query.get("game") ?? loadItem("puzzle", {}).game ?? loadItem(LAST_GAME, games[0]?.game) ?? "",
    difficulty: query.get("difficulty") ?? loadItem("puzzle", {}).difficulty ?? "easy",
  };
  if (!games.some(({ game }) => game === chosen.game)) chosen.game = "";
  if (!DIFFICULTIES.some(({ value }) => value === chosen.difficulty)) chosen.difficulty = "easy";
  const items = [{ value: "", label: "Any game" }, ...gameChoices(games)];
  const change = (name) => (value) => {
    chosen[name] = value;
    saveItem("puzzle", chosen);
    next();
  };
  fill(
    tools,
    selectField("Game", items, chosen.game, change("game")),
    radioGroup("How hard", "difficulty", DIFFICULTIES, chosen.difficulty, change("difficulty")),
  );
  fill(
    links,
    linkButton("/daily", "The puzzle of the day"),
    linkButton("/puzzle?own", "From your own games"),
  );

  /** Show another puzzle; its seed is in the address, so that a reload shows the same one. */
  const next = () => show(crypto.getRandomValues(new Uint32Array(1))[0]);

  async function show(seed) {
    const request = { ...chosen, seed };
    const puzzle = await fetchPuzzle(request);
    history.replaceState(null, "", `?${new URLSearchParams(request)}`);
    showPuzzle(puzzle, { next: () => button("Next puzzle", () => next().catch(fail), "primary") });
  }

  await (/^\d{1,15}$/.test(query.get("seed") ?? "") ? show(Number(query.get("seed"))) : next());
}

async function showDaily() {
  const today = localDate();
  const day = query.get("date") ?? today;
  const puzzle = await fetchDaily(encodeURIComponent(day));
  heading.textContent = day === today ? "The puzzle of the day" : `The puzzle of ${day}`;
  const panel = dailyPanel(day, today);
  fill(links, panel.element, linkButton("/puzzle", "More puzzles"));
  showPuzzle(puzzle, { previous: panel.saved, onChange: panel.saveAttempt, result: panel.result });
  await panel.show();
}

async function showOwnPuzzles() {
  heading.textContent = "From your own games";
  fill(links, linkButton("/puzzle", "Other puzzles"));
  const puzzles = await puzzlesFromGames(query.get("own"));
  if (!puzzles.length) {
    about.textContent = "There is no puzzle from your games yet. Play one to its end, and come back.";
    showInArea(linkButton("/", "Go to the games", "primary"));
    return;
  }
  let index = 0;
  const show = () => {
    const puzzle = puzzles[index];
    const words = `${index + 1} of ${puzzles.length} · ${describePuzzle(puzzle)}. ${puzzle.source}`;
    index = (index + 1) % puzzles.length;
    showPuzzle(puzzle, { next: () => puzzles.length > 1 ? button("Next one", show, "primary") : null }, words);
  };
  show();
}

/**
 * The panel of the puzzle of the day: the streak, and a row of squares to share. `saved` is the stored attempt,
 * unless it is over; `result()` is the panel once it is: where it is not next to the board, it moves directly below it.
 */
function dailyPanel(day, today) {
  const saved = loadDays()[day] ?? {};
  const shareLines = el("div.share-lines");
  const streakLine = el("p.quiet");
  let text = "";
  const url = link(`/daily?${new URLSearchParams({ date: day })}`);
  const shareButton = button("Share …", () => navigator.share({ text, url }).catch(() => {}), "primary");
  shareButton.hidden = !navigator.share;
  const copy = copyButton("Copy to share", () => `${text}\n${url}`, navigator.share ? "" : "primary");
  const share = el("div.row.share", { hidden: true }, shareLines, shareButton, copy);
  const element = el("section.panel.row.daily", { "aria-label": "Your day" }, streakLine, share);
  let isOver = Boolean(saved.is_solved || saved.gave_up);

  function saveAttempt(attempt) {
    if (isOver) return; // a repeated attempt does not count
    isOver = attempt.is_solved || attempt.gave_up;
    const { counts = false } = loadDays()[day] ?? {};
    saveDay(day, { ...attempt, counts });
    show();
  }

  async function show() {
    const { tries = 0, hints = 0, is_solved: solved = false, gave_up: gaveUp = false } = loadDays()[day] ?? {};
    const body = { tries, hints, is_solved: solved, gave_up: gaveUp, today, counted: countedDays() };
    const found = await fetchDailyResult(day, body).catch(() => null);
    if (!found) return;
    if (found.counts && !loadDays()[day]?.counts) saveDay(day, { ...loadDays()[day], counts: true });
    const [headline, words] = found.lines;
    text = [headline, found.squares.map((kind) => SQUARES[kind]).join(""), words].join("\n");
    const squares = found.squares.map((kind) => el("i", { class: `square ${kind}` }));
    fill(shareLines, el("p", headline), el("p.squares", { "aria-hidden": "true" }, squares), el("p", words));
    share.hidden = !isOver;
    setText(streakLine, found.streak);
  }

  const result = () => (isOver && !WIDE.matches ? element : null);

  return { element, saved: isOver ? {} : saved, saveAttempt, show, result };
}

start().catch(fail);

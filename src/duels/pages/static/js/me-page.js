// The player's own page: progress, finished games, and export or deletion of what this device stores.

import { fetchGames } from "./lib/api.js";
import { button, confirmButton, dataTable, fileField, linkButton } from "./lib/controls.js";
import { announce, downloadFile, el, errorNotice, fill, newNotice, warn } from "./lib/dom.js";
import { finishedGames, matchedStrength, personalItems, removePersonalItems, reviewGames, streak } from "./lib/history.js";
import { plural, reviewLines, versus } from "./lib/notation.js";
import { loadItem } from "./lib/storage.js";
import { address, analysisAddress, hasServer } from "./lib/urls.js";
import { confirmAndOpen } from "./offline/own-games.js";

const SAVED_HERE_AND_THERE =
  "This page is saved on this device only. The games themselves are on the server, where your opponent and anyone with a link to a game can see them.";

const main = document.getElementById("main");
const REVIEW_BATCH = 20;
const STORAGE_PREFIX = "duels.";
const DELETION = {
  label: "Delete everything",
  kind: "danger",
  question: "Your finished games, puzzles and progress on this device will be gone for good.",
  yes: "Yes, delete everything",
  no: "Keep everything",
};
const VERSION_KEY = "duels.version"; // of the site, as updates.js last saw it

async function draw() {
  const games = finishedGames();
  const progress = el("div.panel.stack");
  const [list, streakResult] = await Promise.all([fetchGames().catch((error) => error), streak().catch(() => null)]);
  const allGames = list.games;
  if (allGames) await drawProgress(progress, allGames);
  else fill(progress, errorNotice(list));
  fill(
    main,
    el("h1", "You"),
    el("p.lead", hasServer ? SAVED_HERE_AND_THERE : "All of this is saved on this device only."),
    el(
      "div.row",
      streakResult && el("p", streakResult.streak),
      linkButton("/daily", "The puzzle of the day"),
      games.length > 0 && linkButton("/puzzle?own", "Puzzles from your games"),
    ),
    progress,
    gamesSection(games),
    storageSection(),
  );
  if (!allGames) return;
  const unreviewed = games.filter(({ chances }) => !chances).slice(0, REVIEW_BATCH);
  if (!unreviewed.length) return;
  await reviewGames(unreviewed);
  await drawProgress(progress, allGames);
}

/** By game: how often a win was kept, the matched strength, and the progress in the lesson. */
async function drawProgress(section, allGames) {
  const games = finishedGames();
  const hasPlayed = games.length > 0;
  const rows = allGames.map(({ game, title, has_lesson: hasLesson }) => {
    const played = games.filter((one) => one.game === game);
    const [wins, kept] = played.reduce((sum, one) => addChances(sum, one), [0, 0]);
    const lessonStep = loadItem("lessons", {})[game];
    const lesson = el("a", { href: address(`/learn/${game}`) }, lessonStep ? `step ${lessonStep} done` : "begin");
    return el(
      "tr",
      el("th", { scope: "row" }, el("a", { href: address(`/play/${game}`) }, title)),
      hasPlayed && [
        factCell("Played", played.length && plural(played.length, "{count} game", "{count} games")),
        factCell("Wins kept", wins && `${Math.round((100 * kept) / wins)}% (${kept} of ${wins})`),
        factCell("Strength for you", matchedStrength(game) && String(matchedStrength(game).strength)),
      ],
      factCell("Lesson", hasLesson && lesson),
    );
  });
  fill(
    section,
    el("h2", { id: "by-game" }, hasPlayed ? "How you play" : "The games, and a lesson for each"),
    el(
      "div.scrolls",
      { tabindex: "0", role: "region", "aria-labelledby": "by-game" },
      dataTable("by-game", ["Game", ...(hasPlayed ? ["Played", "Wins kept", "Strength for you"] : []), "Lesson"], rows),
    ),
    hasPlayed && el(
      "p.note",
      "Wins kept: how many of your chances to win you took, where a losing move was possible too. Strength for you: how strong a computer, from 0 to 100, you beat about half the time.",
    ),
  );
}

/** A cell; on a narrow screen its label is shown next to it. */
const factCell = (label, fact) => el("td", { "data-label": label, class: fact ? "" : "none" }, fact || "–");

function addChances([wins, kept], { chances, you }) {
  for (const player of you) {
    wins += chances?.[player]?.wins ?? 0;
    kept += chances?.[player]?.kept ?? 0;
  }
  return [wins, kept];
}

function gamesSection(games) {
  return el(
    "section.matches",
    el("h2", "Your finished games"),
    games.length
      ? el("ul.match-list.stack", games.map(gameRow))
      : el("p.quiet", "None yet. The games that you finish on this device will be here."),
  );
}

function gameRow(game) {
  const { players, you, won, at, title, words } = game;
  const outcome = you.length === 1 ? (won ? "won" : "lost") : "on one screen";
  const lines = el("div.stack");
  const details = el(
    "details",
    el(
      "summary.own-game",
      el("span.match-title", title),
      el("span.quiet", words),
      el("span", versus(players)),
      el("span.quiet", `${outcome}, ${new Date(at).toLocaleDateString()}`),
    ),
    lines,
  );
  details.addEventListener("toggle", () => details.open && !lines.childElementCount && showReview(game, lines));
  return el("li.own-row", details);
}

/** Load and show the review of a game. */
async function showReview(game, lines) {
  fill(lines, el("p.quiet", "One moment …"));
  try {
    const [result] = await reviewGames([game]);
    const hasOwnPuzzle = result?.puzzles.some(({ position }) => game.you.includes(position.to_move));
    const { options, moves } = JSON.parse(game.record);
    const moveTexts = moves.map((move) => (Array.isArray(move) ? move.join("-") : String(move)));
    fill(
      lines,
      reviewLines(result?.lines ?? [{ kind: "note", text: "This game cannot be read any more." }], "p"),
      el(
        "div.row",
        hasOwnPuzzle && linkButton(`/puzzle?own=${game.id}`, "Try your turning point again", "primary"),
        el("a.button", { href: analysisAddress(game.game, options, moveTexts) }, "Open in analysis"),
        linkButton(`/m/${game.id}/replay`, "Replay"),
      ),
    );
  } catch (error) {
    fill(lines, errorNotice(error));
  }
}

/** Export, import and deletion of what this device stores. */
function storageSection() {
  const notice = newNotice();
  const failed = ({ message }) => warn(notice, message);
  return el(
    "section.panel.stack",
    { "aria-labelledby": "kept" },
    el("h2", { id: "kept" }, "What this device keeps"),
    el(
      "p.quiet",
      "Your games, your puzzles and how far you are in the lessons. Saved games open in Analysis.",
    ),
    el(
      "div.row",
      button("Export everything", () => exportEverything().catch(failed)),
      button("Export the records", () => {
        const lines = finishedGames().map(({ record }) => `${record}\n`);
        downloadFile("number-duels.jsonl", new Blob(lines, { type: "application/jsonl" }));
      }),
      confirmButton(DELETION, deleteEverything),
    ),
    !hasServer && importField(draw, failed),
    notice,
  );
}

async function deleteEverything() {
  removePersonalItems();
  if (!hasServer) await (await import("./offline/worker-client.js")).removeFinishedMatches();
  await draw();
  announce("Everything was deleted.");
  main.focus();
}

/** Download everything; without a server that includes all matches and the player's own games. */
async function exportEverything() {
  const all = hasServer ? personalItems() : await exportFile();
  downloadFile("number-duels.json", new Blob([JSON.stringify(all, null, 1)], { type: "application/json" }));
}

async function exportFile() {
  const { matches, games, trouble } = await (await import("./offline/worker-client.js")).exportMatches();
  if (trouble) throw new Error(trouble);
  return { format: "number-duels", version: 1, kept: storedItems(), matches, games };
}

function storedItems() {
  try {
    return Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith(STORAGE_PREFIX) && key !== VERSION_KEY));
  } catch {
    return {}; // the browser stores nothing
  }
}

/** A field to import such a file; calls `onDone` or `onError(error)`. */
function importField(onDone, onError) {
  const importFile = async (file) => {
    const { matches, games } = await importText(await file.text());
    for (const [name, source] of Object.entries(games)) await confirmAndOpen(element, name, source);
    await onDone();
    announce(plural(matches, "{count} match and your progress were taken over.", "{count} matches and your progress were taken over."));
  };
  const onFile = (file) => importFile(file).catch(onError);
  const element = el("div.stack", fileField("Import everything from a file", ".json,application/json", onFile));
  return element;
}

/** Import a file: the worker stores the matches, the page the rest. What is here already stays. */
async function importText(text) {
  const contents = await (await import("./offline/worker-client.js")).importMatches(text);
  if (contents.trouble) throw new Error(contents.trouble);
  for (const [key, value] of Object.entries(contents.kept))
    if (key.startsWith(STORAGE_PREFIX)) localStorage.setItem(key, mergeItem(localStorage.getItem(key), value));
  return contents;
}

function mergeItem(existing, imported) {
  try {
    const [existingValue, importedValue] = [JSON.parse(existing), JSON.parse(imported)];
    if (existingValue === null) return imported;
    if (Array.isArray(existingValue) && Array.isArray(importedValue)) {
      const known = new Set(existingValue.map(({ id }) => id));
      return JSON.stringify([...existingValue, ...importedValue.filter(({ id }) => !known.has(id))]);
    }
    return typeof existingValue === "object" && typeof importedValue === "object" ? JSON.stringify({ ...importedValue, ...existingValue }) : existing;
  } catch {
    return existing ?? imported;
  }
}

draw().catch((error) => fill(main, el("h1", "You"), errorNotice(error)));

// The learner's page. Everything on it is kept on this device; the server only works out what it is asked.

import { games as fetchGames } from "./api.js";
import { announce } from "./announce.js";
import { streak } from "./daily.js";
import { button, el, failure, fill, linkButton, noticePlace, reviewLines, tableOf, versus, warn } from "./dom.js";
import { remembered } from "./memory.js";
import { forgetEverything, ownGames, standing } from "./own-games.js";
import { reviewed } from "./own-puzzles.js";
import { exportEverything, importField } from "./portable.js";
import { address, hasServer } from "./root.js";
import { save } from "./save.js";
import { analysisAddress, plural } from "./words.js";

const main = document.getElementById("main");
const AT_ONCE = 20;

draw().catch((error) => fill(main, el("h1", "You"), failure(error)));

async function draw() {
  const games = ownGames();
  const progress = el("div.panel.stack");
  const days = el("p");
  fill(
    main,
    el("h1", "You"),
    el("p.lead", "All of this is saved on this device only, and no one else can see it."),
    el(
      "div.row",
      days,
      linkButton("/daily", "The puzzle of the day"),
      games.length > 0 && linkButton("/puzzle?own", "Puzzles from your games"),
    ),
    progress,
    gamesSection(games),
    keeping(),
  );
  const [{ games: known }, row] = await Promise.all([fetchGames(), streak().catch(() => null)]);
  if (row)
    days.textContent = row.in_a_row
      ? `${plural(row.in_a_row, "day")} of puzzles in a row${row.most > row.in_a_row ? `, ${row.most} at best` : ""}.`
      : "No daily puzzle in a row yet.";
  await byGame(progress, known);
  const unknown = games.filter(({ chances }) => !chances).slice(0, AT_ONCE);
  if (!unknown.length) return;
  await reviewed(unknown);
  await byGame(progress, known);
}

/** By game: how often a win was kept, the strength to play against, how far the lesson is. */
async function byGame(section, known) {
  const games = ownGames();
  const rows = known.map(({ game, title, has_lesson: hasLesson }) => {
    const own = games.filter((one) => one.game === game);
    const [wins, kept] = own.reduce((sum, one) => added(sum, one), [0, 0]);
    const taught = remembered("lessons", {})[game];
    const lesson = el("a", { href: address(`/learn/${game}`) }, taught ? `step ${taught} done` : "begin");
    return el(
      "tr",
      el("th", { scope: "row" }, el("a", { href: address(`/play/${game}`) }, title)),
      cell("Played", own.length && plural(own.length, "game")),
      cell("Wins kept", wins && `${Math.round((100 * kept) / wins)} % (${kept} of ${wins})`),
      cell("Strength for you", standing(game) && String(standing(game).strength)),
      cell("Lesson", hasLesson && lesson),
    );
  });
  fill(
    section,
    el("h2", { id: "by-game" }, "How you play"),
    el(
      "div.scrolls",
      { tabindex: "0", role: "region", "aria-labelledby": "by-game" },
      tableOf("by-game", ["Game", "Played", "Wins kept", "Strength for you", "Lesson"], rows),
    ),
    el(
      "p.note",
      "Wins kept: how often you found a winning move when you could choose. Strength for you: the computer, from 0 to 100, against which you win about half.",
    ),
  );
}

/** A fact under its heading, which stands beside it where there is little room. */
const cell = (label, fact) => el("td", { "data-label": label, class: fact ? "" : "none" }, fact || "–");

function added([wins, kept], { chances, you }) {
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
      : el("p.quiet", "None yet. Every game that you finish on this device is found again here."),
  );
}

function gameRow(game) {
  const { players, you, won, at, title, words } = game;
  const ended = you.length === 1 ? (won ? "won" : "lost") : "on one screen";
  const lines = el("div.stack");
  const details = el(
    "details",
    el(
      "summary.own-game",
      el("span.match-title", title),
      el("span.quiet", words),
      el("span", versus(players)),
      el("span.quiet", `${ended}, ${new Date(at).toLocaleDateString()}`),
    ),
    lines,
  );
  details.addEventListener("toggle", () => details.open && !lines.childElementCount && tell(game, lines));
  return el("li.own-row", details);
}

/** The review of a game, when somebody wants to see it. */
async function tell(game, lines) {
  fill(lines, el("p.quiet", "One moment …"));
  try {
    const [told] = await reviewed([game]);
    const mine = told?.puzzles.some(({ position }) => game.you.includes(position.to_move));
    const { options, moves } = JSON.parse(game.record);
    const written = moves.map((move) => (Array.isArray(move) ? move.join("-") : String(move)));
    fill(
      lines,
      reviewLines(told?.lines ?? [{ kind: "note", text: "This game cannot be read any more." }], "p"),
      el(
        "div.row",
        mine && linkButton(`/puzzle?own=${game.id}`, "Try your turning point again", "primary"),
        el("a.button", { href: analysisAddress(game.game, options, written) }, "Open in analysis"),
        linkButton(`/m/${game.id}/replay`, "Replay"),
      ),
    );
  } catch (error) {
    fill(lines, failure(error));
  }
}

/** Take it all along, or have it forgotten. */
function keeping() {
  const notice = noticePlace();
  const failed = ({ message }) => warn(notice, message);
  return el(
    "section.panel.stack",
    { "aria-labelledby": "kept" },
    el("h2", { id: "kept" }, "What this device keeps"),
    el(
      "p.quiet",
      "Your games as records, puzzles and lessons. Records open in analysis, and with duels review.",
    ),
    el(
      "div.row",
      button("Export everything", () => exportEverything().catch(failed)),
      button("Export the records", () => {
        const lines = ownGames().map(({ record }) => `${record}\n`);
        save("number-duels.jsonl", new Blob(lines, { type: "application/jsonl" }));
      }),
      button("Delete everything", deleted, "danger"),
    ),
    !hasServer && importField(draw, failed),
    notice,
  );
}

async function deleted() {
  forgetEverything();
  if (!hasServer) await (await import("./inside.js")).forgetMatches();
  await draw();
  announce("Everything was deleted.");
  main.focus();
}

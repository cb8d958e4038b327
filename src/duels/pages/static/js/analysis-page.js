// The analysis board: any position of any game; the address always contains it.

import { createAnalysisBoard } from "./learn/analysis-board.js";
import { fetchGames, readRecords, showPicture } from "./lib/api.js";
import { button, checkbox, field, fileField, inlineForm, selectField } from "./lib/controls.js";
import { attempt, el, errorNotice, fill, newNotice, warn as warnIn } from "./lib/dom.js";
import { gameChoices, optionsForm } from "./lib/game-options.js";
import { copyLinkRow } from "./lib/links.js";
import { plural } from "./lib/notation.js";
import { address, analysisAddress, currentLink, picturePath } from "./lib/urls.js";

const main = document.getElementById("main");
const board = el("div.stage.stack.loose");
const picture = el("img.picture", { alt: "" });
const explanation = el("pre.explanation");
const notice = newNotice();
const recordList = el("div.stack");
const typed = el("input", { id: "typed-moves", autocomplete: "off", spellcheck: "false" });
const pictureBox = el("details", { open: true }, el("summary", "The strategy as a picture"), picture);
const explanationBox = el("details", el("summary", "The whole strategy in words"), explanation);
let games = [];
let analysisBoard = null;
let shownKey = "";
let hasMarks = true;

start();

async function start() {
  try {
    games = (await fetchGames()).games;
  } catch (error) {
    fill(main, el("h1", "Analysis"), errorNotice(error));
    return;
  }
  await openFromAddress(); // shown with its board: nothing moves
  fill(
    main,
    el(
      "header.title-line.row.baseline",
      el("h1", "Analysis"),
      el("p.quiet", "Every move marked by its value: ★\u00a0wins, ✕\u00a0loses."),
    ),
    notice,
    gameToolbar,
    el(
      "div.table",
      board,
      el(
        "aside.side.stack.loose",
        { "aria-label": "Strategy and records" },
        el("section.panel", el("h2.unseen", "Strategy"), pictureBox, explanationBox),
        openPanel(),
      ),
    ),
  );
  addEventListener("popstate", () => openFromAddress());
}

const gameToolbar = el("section.toolbar.row", { "aria-label": "Game and options" });
const settings = el("div.settings");
const phone = matchMedia("(max-width: 620px)");
phone.addEventListener("change", placeSettings);
const findGame = (id) => games.find(({ game }) => game === id);

/** Open the position in the address. */
function openFromAddress() {
  const query = new URLSearchParams(location.search);
  const first = games.find(({ is_first: isFirst }) => isFirst);
  const game = query.get("game") ?? first.game;
  const moves = (query.get("moves") ?? "").split(".").filter(Boolean);
  const gameInfo = findGame(game);
  if (!gameInfo) return open(first, {}, []).then(() => warn(`There is no game called ${game}.`));
  const values = Object.fromEntries(
    gameInfo.options.map(({ name }) => [name, query.get(name)]).filter(([, value]) => value),
  );
  return open(gameInfo, values, moves);
}

/** Open a game with options and moves; the board stays while only the moves change. */
async function open(gameInfo, values, moves, future = []) {
  warn("");
  const options = optionsForm(gameInfo, values, () => open(gameInfo, options.values(), []));
  const key = JSON.stringify([gameInfo.game, options.values()]);
  if (key !== shownKey) {
    shownKey = key;
    drawChoice(gameInfo, options);
    analysisBoard = createAnalysisBoard(gameInfo, options.values(), {
      onPosition: (result, line) => savePosition(gameInfo, result, line),
      showsMarks: hasMarks,
    });
    fill(board, analysisBoard.element, boardTools());
    placeSettings();
    typed.placeholder = `${gameInfo.preview.moves.join(" ")}, or a link`;
  }
  if (await analysisBoard.goTo(moves, future)) return;
  const error = analysisBoard.error();
  if (moves.length) await analysisBoard.goTo([]);
  else if (Object.keys(values).length) await open(gameInfo, {}, []); // invalid options
  warn(error);
}

function drawChoice(gameInfo, options) {
  fill(
    gameToolbar,
    selectField("Game", gameChoices(games), gameInfo.game, (game) => open(findGame(game), {}, [])),
  );
  fill(
    settings,
    options.element,
    checkbox("Mark the moves that win and lose", hasMarks, (on) => {
      hasMarks = on;
      analysisBoard.showMarks(on);
    }),
  );
}

/** Next to the game; on a phone below the board, so that the board is in view. */
function placeSettings() {
  (phone.matches ? board : gameToolbar).append(settings);
}

function boardTools() {
  const show = () => {
    const text = typed.value.trim();
    if (text.includes("game=")) {
      history.pushState(null, "", address(`/analysis?${text.slice(text.indexOf("?") + 1)}`));
      openFromAddress();
    } else analysisBoard.goTo(text.split(/[\s,.;]+/).filter(Boolean));
  };
  return el(
    "div.stack",
    inlineForm("Or type the moves", typed, "Show", "", show),
    copyLinkRow("Copy link to this position", "QR code: link to this position", currentLink),
  );
}

/** Put the position into the address, for links and the back button. */
function savePosition(gameInfo, result, line) {
  const position = new URL(analysisAddress(gameInfo.game, result.position.options, line), location.href);
  if (position.href !== location.href.split("#")[0]) {
    const fresh = !new URLSearchParams(location.search).get("game");
    history[fresh ? "replaceState" : "pushState"](null, "", position);
  }
  typed.value = line.join(" ");
  document.title = line.length ? `${gameInfo.title}: ${typed.value} · Analysis` : `${gameInfo.title} · Analysis`;
  showPicture(picture, picturePath(gameInfo.game, result.position.options, line));
  picture.alt = `${result.status} ${result.reason ?? ""}`.trim();
  explanation.textContent = (result.explanation ?? []).join("\n");
  explanationBox.hidden = !explanation.textContent;
}

function openPanel() {
  const accept = ".txt,.json,.jsonl,.duel,.duels,text/plain,application/json";
  const pasted = el("textarea", { rows: "3", autocomplete: "off", spellcheck: "false" });
  const read = (text) => attempt(notice, async () => showRecords(await readRecords(await text)));
  return el(
    "section.panel.stack",
    el("h2", "Open a record"),
    fileField("A record file of one game or of many", accept, (file) => read(file.text())),
    field("Or its text", pasted),
    button("Show", () => pasted.value.trim() && read(pasted.value), "wide"),
    recordList,
  );
}

function showRecords({ matches, problems }) {
  const load = (match) => open(findGame(match.game), match.options, [], match.moves);
  if (matches.length === 1) load(matches[0]);
  fill(
    recordList,
    problems.map((problem) => el("p.notice", problem)),
    matches.length === 0 && !problems.length && el("p.quiet", "There is no record in it."),
    matches.map((match) => button(recordLabel(match), () => load(match), "wide left")),
  );
}

function recordLabel({ title, options_words: options, players, moves }) {
  const names = players.map(({ name }) => name).join(" – ");
  const values = { title, options, names };
  return plural(moves.length, "{title} ({options}): {names}, {count} move", "{title} ({options}): {names}, {count} moves", values);
}

const warn = (text) => warnIn(notice, text);

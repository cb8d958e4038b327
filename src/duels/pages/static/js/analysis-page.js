// The analysis board: any game, any position, the address always holds it.

import { games as fetchGames, readRecords, showPicture } from "./api.js";
import { copiedLink } from "./link-box.js";
import { attempt, button, el, failure, field, fill, noticePlace, selectField, tick, warn as say } from "./dom.js";
import { fileField, typedForm } from "./forms.js";
import { liveBoard } from "./live-board.js";
import { optionsForm } from "./options-form.js";
import { address, linkHere } from "./root.js";
import { analysisAddress, gameItems, picturePath, plural } from "./words.js";

const main = document.getElementById("main");
const board = el("div.stage.stack.loose");
const picture = el("img.picture", { alt: "" });
const explanation = el("pre.explanation");
const notice = noticePlace();
const found = el("div.stack");
const typed = el("input", { id: "typed-moves", autocomplete: "off", spellcheck: "false" });
const pictureBox = el("details", { open: true }, el("summary", "The strategy as a picture"), picture);
const sheet = el("details", el("summary", "The whole strategy in words"), explanation);

let kinds = [];
let live = null;
let shown = "";
let marked = true;

start();

async function start() {
  try {
    kinds = (await fetchGames()).games;
  } catch (error) {
    fill(main, el("h1", "Analysis"), failure(error));
    return;
  }
  fill(
    main,
    el(
      "header.title-line.row.baseline",
      el("h1", "Analysis"),
      el("p.quiet", "Every move marked by its value: ★ wins, ✕ loses."),
    ),
    notice,
    whichGame,
    el(
      "div.table",
      board,
      el(
        "aside.side.stack.loose",
        { "aria-label": "Strategy and records" },
        el("section.panel", el("h2.unseen", "Strategy"), pictureBox, sheet),
        openPanel(),
      ),
    ),
  );
  addEventListener("popstate", () => fromAddress());
  fromAddress();
}

const whichGame = el("section.toolbar.row", { "aria-label": "Game and options" });

const called = (id) => kinds.find(({ game }) => game === id);

/** Show what the address says. */
function fromAddress() {
  const query = new URLSearchParams(location.search);
  const first = kinds.find(({ is_first: isFirst }) => isFirst);
  const game = query.get("game") ?? first.game;
  const moves = (query.get("moves") ?? "").split(".").filter(Boolean);
  const kind = called(game);
  if (!kind) return open(first, {}, []).then(() => warn(`There is no game called ${game}.`));
  const given = Object.fromEntries(
    kind.options.map(({ name }) => [name, query.get(name)]).filter(([, value]) => value),
  );
  return open(kind, given, moves);
}

/** A game with its options and moves; the board is kept while only the moves change. */
async function open(kind, given, moves, future = []) {
  warn("");
  const options = optionsForm(kind, given, () => open(kind, options.values(), []));
  const key = JSON.stringify([kind.game, options.values()]);
  if (key !== shown) {
    shown = key;
    drawChoice(kind, options);
    live = liveBoard(kind, options.values(), {
      onPosition: (answer, line) => keep(kind, answer, line),
      marked,
    });
    fill(board, live.element, tools());
    typed.placeholder = `${kind.preview.moves.join(" ")}, or a link`;
  }
  if (await live.go(moves, future)) return;
  const trouble = live.trouble();
  if (moves.length) await live.go([]);
  else if (Object.keys(given).length) await open(kind, {}, []); // options that cannot be
  warn(trouble);
}

function drawChoice(kind, options) {
  fill(
    whichGame,
    selectField("Game", gameItems(kinds), kind.game, (game) => open(called(game), {}, [])),
    options.element,
    tick("Mark the moves that win and lose", marked, (on) => {
      marked = on;
      live.showMarks(on);
    }),
  );
}

function tools() {
  const show = () => {
    const text = typed.value.trim();
    if (text.includes("game=")) {
      history.pushState(null, "", address(`/analysis?${text.slice(text.indexOf("?") + 1)}`));
      fromAddress();
    } else live.go(text.split(/[\s,.;]+/).filter(Boolean));
  };
  return el(
    "div.stack",
    typedForm("Or type the moves", typed, "Show", "", show),
    copiedLink("link to this position", linkHere),
  );
}

/** The position goes into the address, so that it can be sent, kept and stepped back from. */
function keep(kind, answer, line) {
  const position = new URL(analysisAddress(kind.game, answer.position.options, line), location.href);
  if (position.href !== location.href.split("#")[0]) {
    const fresh = !new URLSearchParams(location.search).get("game");
    history[fresh ? "replaceState" : "pushState"](null, "", position);
  }
  typed.value = line.join(" ");
  document.title = `${kind.title}${line.length ? `: ${line.join(" ")}` : ""} · Analysis`;
  showPicture(picture, picturePath(kind.game, answer.position.options, line));
  picture.alt = `${answer.status} ${answer.reason ?? ""}`.trim();
  explanation.textContent = (answer.explanation ?? []).join("\n");
  sheet.hidden = !explanation.textContent;
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
    found,
  );
}

function showRecords({ matches, problems }) {
  const load = (match) => open(called(match.game), match.options, [], match.moves);
  if (matches.length === 1) load(matches[0]);
  fill(
    found,
    problems.map((problem) => el("p.notice", problem)),
    matches.length === 0 && !problems.length && el("p.quiet", "There is no record in it."),
    matches.map((match) => button(recordWords(match), () => load(match), "wide left")),
  );
}

function recordWords({ title, options_words: options, players, moves }) {
  const names = players.map(({ name }) => name).join(" – ");
  return `${title} (${options}): ${names}, ${plural(moves.length, "move")}`;
}

const warn = (words) => say(notice, words);

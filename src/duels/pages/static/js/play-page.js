// The page that sets up one game: against the computer, with a friend by link, or two players on this screen.

import { fetchGames } from "./lib/api.js";
import { checkbox, field, onSubmit, radioGroup, selectField, submitButton } from "./lib/controls.js";
import { el, errorNotice, fill, leaveWith, newNotice } from "./lib/dom.js";
import { optionsForm, setupChoice, TIME_LIMITS } from "./lib/game-options.js";
import { hasPlayed, matchedLevel } from "./lib/history.js";
import { computerFigure } from "./lib/notation.js";
import { createBoardPreview } from "./lib/rules.js";
import { loadItem, saveItem } from "./lib/storage.js";
import { hasServer } from "./lib/urls.js";
import { startMatch } from "./match/seats.js";
import { loadContent } from "./offline/own-games.js";

const main = document.getElementById("main");
const MODES = [
  { value: "computer", label: "The computer" },
  ...(hasServer ? [{ value: "friend", label: "A friend, by link" }] : []),
  { value: "here", label: "Two on this screen" },
];

const MATCHED = "matched";
const PREVIEW_WAIT = 2000;

async function show(area) {
  try {
    const { games, levels, begins_at: beginsAt } = await fetchGames();
    const game = games.find(({ game: id }) => id === main.dataset.game);
    if (!game) throw new Error("This game is not here.");
    fill(area, el("div.panel.setup-panel", await setupForm(game, levels, beginsAt)));
  } catch (error) {
    fill(area, errorNotice(error));
  }
}

/** The form for one game; submitting it starts the match and opens its page. */
async function setupForm(game, levels, beginsAt) {
  const choices = {
    mode: MODES.find(({ value }) => value === loadItem("mode"))?.value ?? "computer",
    level: hasPlayed() ? MATCHED : "casual",
    first: "1",
    limit: "",
    public: false,
    show: true,
    coach: true,
  };
  const strengths = [
    { value: MATCHED, label: "match me" },
    ...levels.map(({ name }, index) => ({ value: name, label: [computerFigure(index + 1), name] })),
  ];
  const names = [
    el("input", { maxlength: 40, autocomplete: "nickname" }),
    el("input", { maxlength: 40, autocomplete: "off" }),
  ];
  names[0].value = loadItem("name", "");
  const options = optionsForm(game, {}, () => {
    setupSection.changed();
    boardPreview.show(options.values());
  });
  const setupSection = setupChoice(game, options, () => boardPreview.show(options.values()));
  const boardPreview = createBoardPreview(game);
  const notice = newNotice();
  const start = submitButton("Start the game", "primary large");
  const modeFields = el("div.stack");
  const levelWords = el("p.note.level-words");
  const isPublic = checkbox("Show it in the list of games to watch", false, (on) => (choices.public = on));
  const coach = checkbox("Hints for both of you", true, (on) => (choices.coach = on));
  const fields = el(
    "div.setup-fields.stack.loose",
    radioGroup("Play against", "mode", MODES, choices.mode, (mode) => {
      choices.mode = mode;
      saveItem("mode", mode);
      draw();
    }),
    modeFields,
    setupSection.element,
    options.element,
    el(
      "details.more",
      el("summary", "More choices"),
      el(
        "div.more-fields.stack",
        options.element.querySelector(".several"),
        selectField("Time", TIME_LIMITS, "", (value) => (choices.limit = value)),
        checkbox("Show possible moves on the board", true, (on) => (choices.show = on)),
        coach,
        hasServer && isPublic,
      ),
    ),
  );
  const element = el(
    "form.setup",
    { "aria-label": `Start ${game.title}`, onsubmit: onSubmit(play) },
    fields,
    el("div.setup-side.stack.loose", boardPreview.element, el("div.setup-start.stack", notice, start)),
  );

  function draw() {
    const other = { computer: "The computer", friend: "Your friend", here: "Your opponent" }[choices.mode];
    const first = [
      { value: "1", label: "You" },
      { value: "2", label: other },
      { value: "coin", label: "A coin decides" },
    ];
    fill(
      modeFields,
      choices.mode === "computer" &&
        radioGroup("Strength", "level", strengths, choices.level, (strength) => {
          choices.level = strength;
          drawLevel();
        }),
      choices.mode === "computer" && levelWords,
      el(
        "div.row.names",
        field("Your name", names[0]),
        choices.mode === "here" && field("Your opponent's name", names[1]),
        selectField("Who begins", first, choices.first, (value) => (choices.first = value)),
      ),
    );
    start.textContent = choices.mode === "friend" ? "Make the link" : "Start the game";
    coach.hidden = choices.mode !== "friend";
    drawLevel();
  }

  function drawLevel() {
    levelWords.textContent =
      choices.level === MATCHED
        ? `Gets stronger when you win and weaker when you lose. Now ${level()} of 100.`
        : (levels.find(({ name }) => name === choices.level)?.words ?? "");
  }

  const level = () => (choices.level === MATCHED ? matchedLevel(game.game, beginsAt) : choices.level);

  function play() {
    const ownName = names[0].value.trim();
    if (ownName && choices.mode !== "here") saveItem("name", ownName);
    const body = {
      game: game.game,
      options: options.values(),
      mode: choices.mode,
      ...(choices.mode === "computer" && { level: level() }),
      ...namesInBody(choices.mode, ownName, names[1].value.trim()),
      first: choices.first === "coin" ? "coin" : Number(choices.first),
      ...(choices.limit && { time_limit: Number(choices.limit) }),
      public: choices.public,
      show_moves: choices.show,
      coach: choices.mode !== "friend" || choices.coach,
    };
    leaveWith(start, notice, () => startMatch(body));
  }

  draw();
  const waited = new Promise((resolve) => setTimeout(resolve, PREVIEW_WAIT));
  await Promise.race([boardPreview.show(options.values()), waited]); // so that nothing moves when it comes
  return element;
}

/** The given names; the server has defaults for the others. */
function namesInBody(mode, ownName, otherName) {
  if (mode === "here") return ownName || otherName ? { names: [ownName || "Player 1", otherName || "Player 2"] } : {};
  return ownName ? { names: [ownName] } : {};
}

if (await loadContent(main)) await show(main.querySelector(".setup-area"));

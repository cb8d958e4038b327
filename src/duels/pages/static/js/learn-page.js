// Learn: the server has rendered the text; this adds the drawings, a board to try, and the lesson: exercises one
// after the other, and a match at the end. The server knows what is taught.

import { createAnalysisBoard } from "./learn/analysis-board.js";
import { createExercise } from "./learn/exercise.js";
import { fetchGames, fetchLesson, fetchLessonHint, postStepAnswer } from "./lib/api.js";
import { button, checkbox, inlineForm, linkButton } from "./lib/controls.js";
import { el, errorNotice, fill, setAttribute } from "./lib/dom.js";
import { finishedGame } from "./lib/history.js";
import { capitalize } from "./lib/notation.js";
import { loadItem, saveItem } from "./lib/storage.js";
import { drawPreviews, hasAllCards } from "./lib/tiles.js";
import { analysisAddress } from "./lib/urls.js";
import { startMatch } from "./match/seats.js";
import { loadContent } from "./offline/own-games.js";

const PROGRESS = "lessons";
const LESSON_MATCH = "lesson-match";
const main = document.getElementById("main");
await loadContent(main);
const { game: id } = main.dataset;
const tryArea = main.querySelector(".try");
const lessonArea = main.querySelector(".lesson-area");
async function start() {
  const { games } = await fetchGames();
  if (!id && !hasAllCards(main, games)) await loadContent(main, "learn");
  drawPreviews(main, games);
  if (tryArea) showTryBoard(games.find(({ game }) => game === id));
}

function showTryBoard(game) {
  const { options, options_words: words } = game.preview;
  const link = el("a.button", "Open in analysis");
  const analysisBoard = createAnalysisBoard(game, options, {
    showsMarks: true,
    onPosition: (_, line) => setAttribute(link, "href", analysisAddress(id, options, line)),
  });
  analysisBoard.goTo([]);
  fill(
    tryArea,
    el("h2", "Try it"),
    el("p.quiet", `${capitalize(words)}. You move for both; ★ wins, ✕ loses.`),
    analysisBoard.element,
    el("div.row", checkbox("Mark the moves that win and lose", true, (on) => analysisBoard.showMarks(on)), link),
  );
}

/** The lesson of a game; it resumes at the step after the last completed one. */
async function createLesson(game) {
  const { steps } = await fetchLesson(game);
  const where = el("p.note");
  const title = el("h2", { id: "lesson-title", tabindex: "-1" });
  const text = el("div.lesson-text.stack");
  const exercise = createExercise(tap);
  const element = el(
    "section.lesson",
    { "aria-labelledby": "lesson-title" },
    el("header.lesson-head.stack", where, title, text),
    exercise.element,
  );
  let index = 0;
  let mistakes = 0;
  let isOpen = false;
  let answerParts = [];
  let drawing = null; // of the hint
  let input = null;
  let isFinished = false; // the match at the end is won

  const step = () => steps[index];
  const completedSteps = () => loadItem(PROGRESS, {})[game] ?? 0;

  function saveProgress(count) {
    saveItem(PROGRESS, { ...loadItem(PROGRESS, {}), [game]: count });
  }

  function showStep(to) {
    index = to;
    mistakes = 0;
    isOpen = !step().opponent;
    answerParts = [];
    drawing = null;
    isFinished = false;
    drawText();
    exercise.warn("");
    exercise.showReply([]);
    drawAnswerControls();
    draw();
    drawActions();
    if (step().opponent) replyToMatch();
  }

  function drawText() {
    where.textContent = `Lesson · Step ${index + 1} of ${steps.length}`;
    title.textContent = step().title;
    fill(
      text,
      step().text.map((part) => (Array.isArray(part) ? el("ul", part.map((item) => el("li", item))) : el("p", part))),
    );
  }

  function draw(position = step().position) {
    const { you, question, opponent, taps, shows_moves: showLegal } = step();
    const task = opponent ? `Now beat the computer (${opponent}).` : question;
    exercise.show(position, you, task, { active: isOpen && taps !== "none", showLegal, chosen: answerParts, drawing });
  }

  /** The answer controls: none for a tap on the board, buttons, or an input. */
  function drawAnswerControls() {
    const { choices, taps, opponent } = step();
    input = null;
    if (opponent || (taps === "answer" && !choices.length)) return exercise.setAnswerControls();
    if (choices.length)
      return exercise.setAnswerControls(
        el("div.row", choices.map((word) => button(capitalize(word), () => submitAnswer(word)))),
      );
    input = el("input", { id: "lesson-answer", autocomplete: "off", maxlength: 100, inputmode: "text" });
    input.addEventListener("input", () => {
      answerParts = input.value.split(/[\s,;]+/).filter(Boolean);
      draw();
    });
    const answer = () => input.value.trim() && submitAnswer(input.value.trim());
    const label = taps === "part" ? "Tap, or type" : "Your answer";
    exercise.setAnswerControls(inlineForm(label, input, "Answer", "primary", answer));
  }

  function tap(move) {
    if (step().taps === "answer") return submitAnswer(move);
    answerParts = answerParts.includes(move) ? answerParts.filter((one) => one !== move) : [...answerParts, move];
    input.value = answerParts.join(" ");
    draw();
  }

  async function submitAnswer(answer) {
    if (!isOpen) return;
    const askedIndex = index;
    const reply = await exercise.attempt(() => postStepAnswer(game, index + 1, answer, mistakes));
    if (!reply || askedIndex !== index || !isOpen) return;
    if (!reply.is_right) mistakes += 1;
    if (reply.is_right || reply.is_shown) {
      isOpen = false;
      drawing = null;
      if (completedSteps() < index + 1) saveProgress(index + 1);
      exercise.setAnswerControls();
      draw(reply.position);
    }
    drawActions();
    exercise.showReply(reply.lines, reply.is_right ? "right" : "wrong");
  }

  async function showHint() {
    const response = await exercise.attempt(() => fetchLessonHint(game, index + 1));
    if (!response || !isOpen) return;
    drawing = response.drawing;
    draw();
    exercise.showReply([response.text]);
  }

  function drawActions() {
    const { opponent, has_hint: hasHint } = step();
    const next = !isOpen && !opponent && button("Next step", () => moveToStep(index + 1), "primary");
    const play = opponent && button(isFinished ? "Play this game again" : "Play against the computer", startMatchStep, isFinished ? "" : "primary");
    exercise.setActions(
      next,
      isFinished && linkButton(`/play/${game}`, "Play a whole game", "primary"),
      play,
      isOpen && hasHint && button("Hint", showHint),
      index > 0 && button("Step back", () => moveToStep(index - 1)),
      index > 0 && opponent && button("From the start", () => moveToStep(0)),
    );
    if (next) next.focus({ preventScroll: true });
  }

  function moveToStep(to) {
    showStep(to);
    title.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  }

  /** Start the match at the end of the lesson, on the side that can win. */
  async function startMatchStep() {
    const { position, you, opponent } = step();
    const name = loadItem("name", "");
    const body = {
      game,
      options: position.options,
      moves: position.moves,
      mode: "computer",
      level: opponent,
      first: you,
    };
    return exercise.attempt(() =>
      startMatch({ ...body, ...(name && { names: [name] }) }, (matchId) => saveItem(LESSON_MATCH, { game, id: matchId })),
    );
  }

  /** Show the reply to the result of that match. */
  async function replyToMatch() {
    const saved = loadItem(LESSON_MATCH, {});
    const finished = saved.game === game && finishedGame(saved.id);
    if (!finished) return;
    const reply = await exercise.attempt(() => postStepAnswer(game, index + 1, finished.won ? "won" : "lost", 0));
    if (!reply || !step().opponent) return;
    if (!reply.is_right) return exercise.showReply(reply.lines, "wrong");
    saveProgress(steps.length);
    isFinished = true;
    drawActions();
    exercise.showReply(["You have finished this lesson!", ...reply.lines], "right");
  }

  showStep(Math.min(completedSteps(), steps.length - 1));
  return element;
}

start().catch((error) => (tryArea ?? main).append(errorNotice(error)));

if (lessonArea)
  createLesson(id).then(
    (element) => fill(lessonArea, element),
    (error) => fill(lessonArea, errorNotice(error)),
  );

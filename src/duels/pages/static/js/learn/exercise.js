// An exercise: one board, one question and the reply to an answer; and the puzzle built on it.

import { fetchPuzzleHint, tryPuzzleMove } from "../lib/api.js";
import { createBoard, typedMoveForm } from "../lib/board.js";
import { button } from "../lib/controls.js";
import { attempt, el, fill, newNotice, warn } from "../lib/dom.js";
import { pauseForMove } from "../lib/effects.js";
import { playerMark } from "../lib/notation.js";

/** A board with a question above it, and below it the answer controls, the reply and the actions. */
export function createExercise(onTap) {
  const board = createBoard(onTap);
  const status = el("p.status");
  const notice = newNotice();
  const answerArea = el("div.answer-controls.row.center");
  const reply = el("div.reply", { "aria-live": "polite" });
  const actions = el("div.actions.row.center");
  const boardArea = el("div.exercise-board", board.element);
  const element = el("div.exercise.stack", el("div.question-row.row", status, notice), boardArea, answerArea, reply, actions);

  /** `view` is passed on to the board: {active, showLegal, chosen, drawing, pending}. */
  function show(position, you, question, view = {}) {
    if (question) fill(status, playerMark(you), question);
    const names = you === 1 ? ["You", "Your opponent"] : ["Your opponent", "You"];
    board.show({ ...position, names, active: false, showLegal: true, ...view });
  }

  function showReply(lines, kind = "") {
    reply.className = `reply ${kind}`.trim();
    fill(
      reply,
      lines.map((line) => el("p", line)),
    );
    const target = actions.childElementCount ? actions : reply;
    if (lines.length) requestAnimationFrame(() => target.scrollIntoView({ block: "nearest" }));
  }

  return {
    element,
    show,
    warn: (text) => warn(notice, text),
    attempt: (request) => attempt(notice, request),
    showReply,
    setAnswerControls: (...controls) => fill(answerArea, controls),
    setActions: (...controls) => fill(actions, controls),
    focusBoard: () => board.focus(),
    mustType: board.mustType,
  };
}

const NEW_ATTEMPT = { tries: 0, hints: 0, is_solved: false, gave_up: false };

/**
 * A puzzle to solve. `previous` is the stored attempt, `onChange` gets every change, `next` makes the button at the
 * end, `result` is what is below the board when it is over, and `rules` opens the rules.
 * @param {{ position: any, question: string }} puzzle
 * @param {{ previous?: typeof NEW_ATTEMPT, onChange?: (attempt: typeof NEW_ATTEMPT) => void, next?: () => any,
 *   result?: () => any, rules?: any }} how
 */
export function createPuzzle(
  { position, question },
  { previous = NEW_ATTEMPT, onChange = () => {}, next = () => null, result = () => null, rules = null } = {},
) {
  const exercise = createExercise(playMove);
  const you = position.to_move;
  const base = { game: position.game, options: position.options, moves: position.moves };
  let progress = { ...NEW_ATTEMPT, ...previous };
  let stage = 0;
  let hasMoreHints = true;
  let isBusy = false;

  function ask() {
    exercise.show(position, you, question, { active: true });
    exercise.setAnswerControls(exercise.mustType() && typedMoveForm(position, playMove).element, result());
    exercise.element.classList.remove("over");
    exercise.showReply([]);
    drawActions();
  }

  function drawActions() {
    exercise.setActions(
      hasMoreHints && button(stage ? "Another hint" : "Hint", hint),
      button("Give up", () => submit(null)),
      rules,
    );
  }

  function update(changes) {
    progress = { ...progress, ...changes };
    onChange(progress);
  }

  async function playMove(chosen) {
    exercise.show(position, you, question, { active: false, pending: chosen });
    return submit(chosen);
  }

  /** Submit a move, or null to give up. */
  async function submit(chosen) {
    if (isBusy) return false;
    isBusy = true;
    const [response] = await Promise.all([
      exercise.attempt(() => tryPuzzleMove({ ...base, move: chosen })),
      chosen && pauseForMove(),
    ]);
    isBusy = false;
    if (!response) {
      exercise.show(position, you, question, { active: true });
      return false;
    }
    const { is_right: isRight } = response;
    const canRetry = !isRight && chosen !== null;
    exercise.show(response.position, you, isRight ? "Solved!" : canRetry ? "Not this one." : "Here is the answer.");
    if (chosen === null) update({ gave_up: true });
    else update({ tries: progress.tries + 1, is_solved: isRight });
    const nextButton = canRetry ? button("Take it back and try again", restart, "primary") : next();
    exercise.element.classList.toggle("over", !canRetry);
    exercise.setAnswerControls(!canRetry && result());
    exercise.setActions(nextButton, !canRetry && button("Start again", restart), rules);
    exercise.showReply([response.words], isRight ? "right" : canRetry ? "wrong" : "");
    nextButton?.focus({ preventScroll: true });
    return true;
  }

  function restart() {
    if (progress.is_solved || progress.gave_up) progress = { ...NEW_ATTEMPT }; // again, without being counted
    ask();
    exercise.focusBoard();
  }

  async function hint() {
    const response = await exercise.attempt(() => fetchPuzzleHint({ ...base, stage: stage + 1 }));
    if (!response) return;
    stage = response.stage;
    hasMoreHints = Boolean(response.next);
    update({ hints: progress.hints + 1 });
    drawActions();
    exercise.show(position, you, question, { active: true, drawing: response.drawing });
    exercise.showReply([response.text]);
  }

  ask();
  return { element: exercise.element };
}

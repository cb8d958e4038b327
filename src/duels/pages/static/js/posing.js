// One board and one question: the line over it says what is asked, what is answered stands below.

import { boardFor } from "./board.js";
import { attempt, el, fill, mark, noticePlace, warn } from "./dom.js";

/** `onTap(move)` when somebody taps a move; `show` the board, `warn`, `tell` an answer, and `offer` what comes next. */
export function posing(onTap) {
  const board = boardFor(onTap);
  const status = el("p.status");
  const notice = noticePlace();
  const answers = el("div.answering.row.center");
  const reply = el("div.reply", { "aria-live": "polite" });
  const actions = el("div.actions.row.center");
  const room = el("div.posed-board", board.element);
  const element = el("div.posed.stack", el("div.asked.row", status, notice), room, answers, reply, actions);

  /** `how` a board shows it: {active, showLegal, chosen, pending}. */
  function show(position, you, question, how = {}) {
    if (question) fill(status, mark(you), question);
    const names = you === 1 ? ["You", "The other"] : ["The other", "You"];
    board.show({ ...position, names, active: false, showLegal: true, ...how });
  }

  function tell(lines, mood = "") {
    reply.className = `reply ${mood}`.trim();
    fill(
      reply,
      lines.map((line) => el("p", line)),
    );
    const end = actions.childElementCount ? actions : reply;
    if (lines.length) requestAnimationFrame(() => end.scrollIntoView({ block: "nearest" }));
  }

  return {
    element,
    show,
    warn: (trouble) => warn(notice, trouble),
    attempt: (request) => attempt(notice, request),
    tell,
    answerWith: (...controls) => fill(answers, controls),
    offer: (...controls) => fill(actions, controls),
    focusBoard: () => board.focus(),
    mustType: board.mustType,
  };
}

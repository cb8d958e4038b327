// What the teacher's pages share: the current class, kept up to date, and requests to change it.

import { RequestError, Unreachable } from "../lib/api.js";
import { el, fill, newNotice, warn } from "../lib/dom.js";
import { nameElement } from "../lib/notation.js";
import { followEvents } from "../lib/stream.js";
import { classEventsPath, classLoader, postToClass, solveInClass } from "./client.js";

/**
 * Follow a class; `draw(view)` is called after every change. `change(action, body)` posts an action, `send(request)`
 * sends any request: both return true on success, and otherwise the notice shows the error.
 */
export function openSession({ code, token, view, onConnection, onOver }, draw) {
  const notice = newNotice();
  const reload = classLoader(code, token, onClass, onOver);
  const solve = (state) => solveInClass(code, token, state);
  const problems = el("div.notice", { hidden: true });
  const change = (action, body) => send(() => postToClass(code, action, token, body));
  const session = { code, token, view, notice, problems, change, send, solve, draw: redraw };
  const stream = followEvents(() => classEventsPath(code, view.stream_key), { class: reload, state: onState }, reload, onConnection);

  function redraw() {
    showProblems(session.view);
    draw(session.view);
  }

  /** Name the boards that cannot be shown because their game is no longer on the server. */
  function showProblems({ why, unreadable }) {
    const reasons = [...new Set(unreadable.map((board) => board.why))];
    const boardNames = ({ names: [one, two] }) => el("span.unread", nameElement(one), " – ", nameElement(two));
    problems.hidden = !why && !unreadable.length;
    fill(
      problems,
      why && el("p", why),
      reasons.flatMap((reason) => [
        el("p", reason),
        ...unreadable.filter((board) => board.why === reason).map(boardNames),
      ]),
    );
  }

  /** Show a class. A new round has new boards, which need a new stream. */
  function onClass(next) {
    const matches = (one) => one.boards.map(({ match }) => match).join();
    const hasNewBoards = matches(next) !== matches(session.view);
    for (const board of next.boards) board.state = newestState(board.state);
    session.view = next;
    session.draw();
    if (hasNewBoards) stream.reconnect();
  }

  function newestState(state) {
    const current = session.view.boards.find(({ match }) => match === state.id)?.state;
    return current && current.version > state.version ? current : state;
  }

  function onState(state) {
    const board = session.view.boards.find(({ match }) => match === state.id);
    if (!board || state.version <= board.state.version) return;
    const hasEnded = state.outcome && !board.state.outcome;
    board.state = state;
    session.draw();
    if (hasEnded) reload().catch(() => {}); // the server counts the points
  }

  async function send(request) {
    warn(notice, "");
    try {
      const next = await request();
      if (next?.role) onClass(next);
      return true;
    } catch (error) {
      if (!(error instanceof RequestError) && !(error instanceof Unreachable)) throw error;
      warn(notice, error.message);
      return false;
    }
  }

  return session;
}

// What the pages of a teacher share: the class as it stands, live, and how to ask for a change.

import { Away, Problem } from "./api.js";
import { classEvents, lookingAt, post, solveInClass } from "./class-api.js";
import { el, fill, named, noticePlace, warn } from "./dom.js";
import { listen } from "./stream.js";

/**
 * `draw(view)` is called whenever something changed. `change(what, body)` asks for a change, `send(request)` for
 * anything: true if it was done, and otherwise the notice says why not.
 */
export function teachersDesk({ code, token, view, onConnection, over }, draw) {
  const notice = noticePlace();
  const look = lookingAt(code, token, take, over);
  const solve = (state) => solveInClass(code, token, state);
  const trouble = el("div.notice", { hidden: true });
  const change = (what, body) => send(() => post(code, what, token, body));
  const desk = { code, token, view, notice, trouble, change, send, solve, draw: drawAll };
  const stream = listen(() => classEvents(code, view.stream_key), { class: look, state: takeState }, look, onConnection);

  function drawAll() {
    showTrouble(desk.view);
    draw(desk.view);
  }

  /** A game of one's own that is not on the server any more takes its boards with it, and nothing else. */
  function showTrouble({ why, unreadable }) {
    const reasons = [...new Set(unreadable.map((board) => board.why))];
    const between = ({ names: [one, two] }) => el("span.unread", named(one), " – ", named(two));
    trouble.hidden = !why && !unreadable.length;
    fill(
      trouble,
      why && el("p", why),
      reasons.flatMap((reason) => [
        el("p", reason),
        ...unreadable.filter((board) => board.why === reason).map(between),
      ]),
    );
  }

  /** The boards of a new round are not in the stream that was opened before it. */
  function take(next) {
    const matches = (one) => one.boards.map(({ match }) => match).join();
    const isOther = matches(next) !== matches(desk.view);
    for (const board of next.boards) board.state = newest(board.state);
    desk.view = next;
    desk.draw();
    if (isOther) stream.now();
  }

  function newest(state) {
    const known = desk.view.boards.find(({ match }) => match === state.id)?.state;
    return known && known.version > state.version ? known : state;
  }

  function takeState(state) {
    const board = desk.view.boards.find(({ match }) => match === state.id);
    if (!board || state.version <= board.state.version) return;
    const hasEnded = state.outcome && !board.state.outcome;
    board.state = state;
    desk.draw();
    if (hasEnded) look().catch(() => {}); // the points are the server's to count
  }

  async function send(request) {
    warn(notice, "");
    try {
      const next = await request();
      if (next?.role) take(next);
      return true;
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof Away)) throw error;
      warn(notice, error.message);
      return false;
    }
  }

  return desk;
}

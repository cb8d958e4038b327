// A class as this device knows it: requests, the stored tokens, the way to a pupil's board, and the session of the
// teacher's pages, which keeps the class up to date.

import { RequestError, requestJson, requestWithRetry, sendRequest, Unreachable } from "../lib/api.js";
import { linkButton } from "../lib/controls.js";
import { downloadFile, el, fill, newNotice, warn } from "../lib/dom.js";
import { nameElement } from "../lib/notation.js";
import { loadItem, loadItems, removeItem, saveItem } from "../lib/storage.js";
import { followEvents } from "../lib/stream.js";
import { address, link } from "../lib/urls.js";
import { clearToken, saveSeat } from "../match/seats.js";

const classPath = (code, ...rest) => ["api/classes", encodeURIComponent(code), ...rest].join("/");

/** Post an action of a teacher or a pupil, like starting a round; return the class after it. */
export const postToClass = (code, action, token, body) => requestWithRetry("POST", classPath(code, action), { token, body });

export const createClass = () => requestJson("POST", "api/classes", { body: {} });
export const fetchClass = (code, token) => requestJson("GET", classPath(code), { token });

/** The stream of a class. With the key of the view it is charged to the class, without one to the client. */
export const classEventsPath = (code, key) => classPath(code, `events${key ? `?key=${key}` : ""}`);

export const joinClass = (code, token, name) => postToClass(code, "join", undefined, { name: name || null, token });
export const endClass = (code, token) => requestJson("POST", classPath(code, "end"), { token, body: {} });

export const solveInClass = (code, token, { game, options, moves }) =>
  requestJson("POST", classPath(code, "solve"), { token, body: { game, options, moves } });

export const fetchResults = (code, token) => requestJson("GET", classPath(code, "results"), { token });

/** A function that fetches the class for `onClass`, or calls `onOver` if it no longer exists. */
export const classLoader = (code, token, onClass, onOver) => async () => {
  try {
    onClass(await fetchClass(code, token));
  } catch (error) {
    if (error.status !== 404) throw error;
    onOver();
  }
};

/** Download the results. The request needs the token, so a plain link will not do. */
export async function downloadResults(code, token) {
  const response = await sendRequest("GET", classPath(code, "results.csv"), { token, accept: "text/csv" });
  downloadFile(`class-${code}.csv`, await response.blob());
}

const PREFIX = "class.";
const DAY = 24 * 60 * 60 * 1000;

/** The stored tokens for a class: {teacher, pupil, at}; empty without any. */
export const loadClass = (code) => loadItem(PREFIX + code, {});

/** Store a token; return false if the browser stores nothing. */
export const saveClass = (code, tokens) =>
  saveItem(PREFIX + code, { ...loadClass(code), ...tokens, at: Date.now() });

export const removeClass = (code) => removeItem(PREFIX + code);

/** The code of the last class on this device, if it was less than a day ago. */
export function lastClass() {
  const [last] = loadItems(PREFIX).sort(([, first], [, second]) => second.at - first.at);
  return last && Date.now() - last[1].at < DAY ? last[0] : null;
}

/** The teacher's token. A token in the address is stored and removed from there, where others could read it. */
export function teacherToken(code) {
  const linkedToken = new URLSearchParams(location.hash.slice(1)).get("teacher");
  if (linkedToken && saveClass(code, { teacher: linkedToken })) clearToken();
  return linkedToken ?? loadClass(code).teacher ?? null;
}

/** The link that opens the teacher's page on any device. */
export const teacherLink = (code, token) => link(`/class/${code}#teacher=${token}`);

/** A link to what the server stores about a class. */
export const privacyLink = () => el("a", { href: address("/class/privacy") }, "What is stored, and for how long");

/** A typed code in its normal form, in lower case and without spaces. */
export const normalizeCode = (typed) => typed.replace(/[^a-z0-9]/gi, "").toLowerCase();

/** The link back to the class. While the pupil's match is open, the page follows the class to the next board. */
export function classMatch(match) {
  const code = match.state.class_code;
  const { pupil, teacher } = code ? loadClass(code) : {};
  const backLink = linkButton(`/class/${code}`, "Back to the class", "primary");
  const openClass = () => location.assign(address(`/class/${code}`));
  const reload = classLoader(code, pupil, onClass, openClass);
  let key = "";
  const follow = () => followEvents(() => classEventsPath(code, key), { class: reload }, reload, () => {});
  if (code && pupil && !teacher && match.you.length) reload().then(follow, follow);

  function onClass({ role, match: matchId, stream_key: newKey }) {
    key = newKey;
    if (role !== "pupil") openClass();
    else if (matchId && matchId !== match.id) openBoard(code, matchId, pupil);
  }

  return { backLink, show: (state) => (backLink.hidden = !code || !state.outcome) };
}

let leavingFor = "";
addEventListener("pageshow", () => (leavingFor = "")); // also when the page is restored

/** Open a pupil's board: the device's token is valid for all of them. A second call is ignored. */
export function openBoard(code, matchId, token) {
  if (matchId === leavingFor) return;
  leavingFor = matchId;
  saveSeat(matchId, { token, invite: null, class_code: code });
  location.assign(address(`/m/${matchId}`));
}

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

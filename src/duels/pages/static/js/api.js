// The interface of the server, or of the worker that takes its place: JSON in, JSON out, errors as the
// sentence they carry. Everything is asked for by its path below the root, like "api/games".

import { address, hasServer } from "./root.js";
import { save } from "./save.js";
import { Told } from "./told.js";

/** The server understood and said no; `detail` is a sentence, `state` the match if it was sent. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || (status === 404 ? "This is not here." : `The server answered with the error ${status}.`));
    this.status = status;
    this.state = body.state ?? null;
  }
}

/** The server could not be reached, or is just starting. */
export class Away extends Error {
  constructor() {
    super("The server cannot be reached. Please try again in a moment.");
  }
}

const PATIENCE = 10_000;
const STARTING = [502, 503, 504];

/** A request as `fetch` makes it; the worker's answers are of the same kind. */
const send = hasServer
  ? (path, options) => fetch(address(`/${path}`), { ...options, signal: AbortSignal.timeout(PATIENCE), cache: "no-store" })
  : async (path, options) => (await import("./inside.js")).send(path, options);

/** What tells the news of a path: an EventSource, or the worker's, which looks the same. */
export const listenTo = (path) => (hasServer ? new EventSource(address(`/${path}`)) : new Told(path));

/** One request to the server, answered in JSON. */
export async function request(method, path, options) {
  const answer = await ask(method, path, options);
  return answer.json().catch(() => ({}));
}

/** @typedef {{ body?: any, token?: string | null, accept?: string }} Asking */

/** What is answered, in whatever form; a `Problem` if that is a no, and `Away` if it is nothing. */
export async function ask(method, path, /** @type {Asking} */ { body, token, accept = "application/json" } = {}) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined)
    headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let answer;
  try {
    answer = await send(path, {
      method,
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Away();
  }
  if (STARTING.includes(answer.status)) throw new Away();
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

/** A request that may be repeated without harm: sent again until the server has answered. */
export async function insist(method, path, options, onTrouble = () => {}) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await request(method, path, options);
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      onTrouble();
      await new Promise((resolve) => setTimeout(resolve, waiting(tries)));
    }
  }
}

/** How long to wait before the next try, in milliseconds: longer each time, never in step with others. */
export function waiting(tries) {
  const longest = Math.min(8000, 400 * 2 ** tries);
  return longest * (0.6 + 0.4 * Math.random());
}

const matchPath = (id, ...rest) => ["api/matches", encodeURIComponent(id), ...rest].join("/");

export const games = () => request("GET", "api/games");
export const publicMatches = () => request("GET", "api/matches");
export const createMatch = (body) => request("POST", "api/matches", { body });
export const solve = (game, options, moves) =>
  request("POST", "api/solve", { body: { game, options, moves } });
export const readRecords = (text) => request("POST", "api/records", { body: text });

/** Lessons, puzzles, and what one's own games tell. */
const lessonPath = (game, ...rest) => ["api/lessons", encodeURIComponent(game), ...rest].join("/");
export const lesson = (game) => request("GET", lessonPath(game));
export const lessonHint = (game, step) => request("GET", lessonPath(game, `hint?step=${step}`));
export const answerStep = (game, step, answer, wrong) =>
  request("POST", lessonPath(game, "answer"), { body: { step, answer, wrong } });
export const puzzle = (query) => request("GET", `api/puzzle?${new URLSearchParams(query)}`);
export const daily = (day) => request("GET", `api/daily/${day}`);
export const shareDay = (day, body) => request("POST", `api/daily/${day}/share`, { body });
export const tryMove = (body) => request("POST", "api/puzzle/try", { body });
export const puzzleHint = (body) => request("POST", "api/puzzle/hint", { body });
export const reviews = (records) => request("POST", "api/reviews", { body: records });
export const strengthAfter = (body) => request("POST", "api/strength", { body });

/** A link to this site as a QR code, in the address of a picture. */
export const qrPicture = (link) => drawn("POST", "api/qr", { body: { link } });

/** Show the picture of a path: a server has it at an address, a worker draws it. */
export async function showPicture(image, path) {
  image.dataset.path = path;
  const source = hasServer ? address(`/${path}`) : await drawn("GET", path).catch(() => "");
  if (image.dataset.path === path) image.src = source;
}

async function drawn(method, path, options) {
  const answer = await ask(method, path, { ...options, accept: "image/svg+xml" });
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
}

/** A page, like the one with the rules of a game, which the server has written. */
export async function pageInHtml(path) {
  const answer = await ask("GET", path, { accept: "text/html" });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}
export const rulesInHtml = (game) => pageInHtml(`learn/${encodeURIComponent(game)}`);

export const matchState = (id, token) => request("GET", matchPath(id), { token });
export const hint = (id, token, stage) => request("GET", matchPath(id, `hint?stage=${stage}`), { token });
export const review = (id) => request("GET", matchPath(id, "review"));
export const eventsPath = (id) => matchPath(id, "events");
const recordIn = (id, format) => ask("GET", matchPath(id, `record?format=${format}`), { accept: "*/*" });
export const record = async (id) => (await recordIn(id, "json")).text();

/** Save the record of a match for people to read. */
export async function saveRecord(id) {
  const answer = await recordIn(id, "text");
  const [, name] = answer.headers.get("Content-Disposition").match(/"(.*)"/);
  save(name, await answer.blob());
}

export const stepPicturePath = (id, ply) => matchPath(id, `picture.svg?ply=${ply}`);

/** What a seat does, like a move or a rematch: the state after it. */
export const act = (id, token, what, body, onTrouble) =>
  insist("POST", matchPath(id, what), { token, body }, onTrouble);
export const join = (id, token, { name, own }, onTrouble) =>
  act(id, token, "join", { name, token: own }, onTrouble);

// Requests to the server, or to the worker that replaces it: JSON in, JSON out. Paths are relative to the
// root, like "api/games".

import { downloadFile } from "./dom.js";
import { address, hasServer } from "./urls.js";

/** The server refused: the message is a sentence, `state` the match if it was sent. */
export class RequestError extends Error {
  constructor(status, body) {
    super(body.detail || (status === 404 ? "This is not here." : `The server answered with the error ${status}.`));
    this.status = status;
    this.state = body.state ?? null;
  }
}

/** The server cannot be reached, or is starting. */
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached. Please try again in a moment.");
  }
}

const TIMEOUT = 10_000;
const UNAVAILABLE = [502, 503, 504];

/** `fetch`, or the worker, whose responses have the same form. */
const transport = hasServer
  ? (path, options) => fetch(address(`/${path}`), { ...options, signal: AbortSignal.timeout(TIMEOUT), cache: "no-store" })
  : async (path, options) => (await import("../offline/worker-client.js")).send(path, options);

/** Send a request, and return the JSON of its response; the first response may be in the page already. */
export async function requestJson(method, path, options) {
  const embedded = method === "GET" && takeEmbedded(path);
  if (embedded && !options?.token) return embedded;
  const response = await sendRequest(method, path, options);
  return response.json().catch(() => ({}));
}

/** The response to a path that the server has put into the page; a second request asks the server. */
function takeEmbedded(path) {
  const element = document.querySelector(`script[data-path="${CSS.escape(path)}"]`);
  element?.remove();
  return element && JSON.parse(element.textContent);
}

/** @typedef {{ body?: any, token?: string | null, accept?: string }} RequestOptions */

/** Send a request, and return its response; throw `RequestError` or `Unreachable`. */
export async function sendRequest(method, path, /** @type {RequestOptions} */ { body, token, accept = "application/json" } = {}) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined)
    headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let response;
  try {
    response = await transport(path, {
      method,
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Unreachable();
  }
  if (UNAVAILABLE.includes(response.status)) throw new Unreachable();
  if (!response.ok) throw new RequestError(response.status, await response.json().catch(() => ({})));
  return response;
}

/** Send an idempotent request again and again until the server responds. */
export async function requestWithRetry(method, path, options, onRetry = () => {}) {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await requestJson(method, path, options);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      onRetry();
      await new Promise((resolve) => setTimeout(resolve, retryDelay(attempts)));
    }
  }
}

/** Milliseconds before the next attempt: longer each time, and random, so that clients do not retry in step. */
export function retryDelay(attempts) {
  const limit = Math.min(8000, 400 * 2 ** attempts);
  return limit * (0.6 + 0.4 * Math.random());
}

const matchPath = (id, ...rest) => ["api/matches", encodeURIComponent(id), ...rest].join("/");
export const fetchGames = () => requestJson("GET", "api/games");
export const fetchPublicMatches = () => requestJson("GET", "api/matches");
export const createMatch = (body) => requestJson("POST", "api/matches", { body });

export const solve = (game, options, moves) =>
  requestJson("POST", "api/solve", { body: { game, options, moves } });

export const readRecords = (text) => requestJson("POST", "api/records", { body: text });

const lessonPath = (game, ...rest) => ["api/lessons", encodeURIComponent(game), ...rest].join("/");

export const fetchLesson = (game) => requestJson("GET", lessonPath(game));
export const fetchLessonHint = (game, step) => requestJson("GET", lessonPath(game, `hint?step=${step}`));

export const postStepAnswer = (game, step, answer, mistakes) =>
  requestJson("POST", lessonPath(game, "answer"), { body: { step, answer, wrong: mistakes } });

export const fetchPuzzle = (query) => requestJson("GET", `api/puzzle?${new URLSearchParams(query)}`);
export const fetchDaily = (day) => requestJson("GET", `api/daily/${day}`);
export const fetchDailyResult = (day, body) => requestJson("POST", `api/daily/${day}/share`, { body });
export const tryPuzzleMove = (body) => requestJson("POST", "api/puzzle/try", { body });
export const fetchPuzzleHint = (body) => requestJson("POST", "api/puzzle/hint", { body });
export const fetchReviews = (records) => requestJson("POST", "api/reviews", { body: records });
export const fetchStrength = (body) => requestJson("POST", "api/strength", { body });

/** A QR code of a link to this site, as a data URL. */
export const fetchQrCode = (link) => fetchSvg("POST", "api/qr", { body: { link } });

/** Show the picture at a path of the API in an image. */
export async function showPicture(image, path) {
  image.dataset.path = path;
  const source = hasServer ? address(`/${path}`) : await fetchSvg("GET", path).catch(() => "");
  if (image.dataset.path === path) image.src = source;
}

async function fetchSvg(method, path, options) {
  const response = await sendRequest(method, path, { ...options, accept: "image/svg+xml" });
  return `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
}

/** A page as the server renders it, like the rules of a game. */
export async function fetchPage(path) {
  const response = await sendRequest("GET", path, { accept: "text/html" });
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** The rules in short with an example, for a game with these options. */
export const fetchRules = (game, options) =>
  requestJson("GET", `api/rules/${encodeURIComponent(game)}?${new URLSearchParams(options)}`);

/** The position before the first move. */
export const fetchStart = (game, options) =>
  requestJson("GET", `api/position?${new URLSearchParams({ ...options, game })}`);

export const fetchMatch = (id, token) => requestJson("GET", matchPath(id), { token });
export const fetchHint = (id, token, stage) => requestJson("GET", matchPath(id, `hint?stage=${stage}`), { token });
export const fetchReview = (id) => requestJson("GET", matchPath(id, "review"));
export const eventsPath = (id, isPlayer) => `${matchPath(id, "events")}${isPlayer ? "?role=player" : ""}`;
const fetchRecordAs = (id, format) => sendRequest("GET", matchPath(id, `record?format=${format}`), { accept: "*/*" });
export const fetchRecord = async (id) => (await fetchRecordAs(id, "json")).text();

/** Download the record of a match as text. */
export async function downloadRecord(id) {
  const response = await fetchRecordAs(id, "text");
  const [, name] = response.headers.get("Content-Disposition").match(/"(.*)"/);
  downloadFile(name, await response.blob());
}

/** The final board with the result, as a data URL. */
export const fetchResultPicture = (id) => fetchSvg("GET", matchPath(id, "result.svg"));

export const stepPicturePath = (id, ply) => matchPath(id, `picture.svg?ply=${ply}`);

/** Post the action of a seat, like a move or a rematch; return the state after it. */
export const postAction = (id, token, action, body, onRetry) =>
  requestWithRetry("POST", matchPath(id, action), { token, body }, onRetry);

export const joinMatch = (id, token, { name, newToken }, onRetry) =>
  postAction(id, token, "join", { name, token: newToken }, onRetry);

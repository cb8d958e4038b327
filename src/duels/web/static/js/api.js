// The server's HTTP interface: JSON in, JSON out, errors as the sentence they carry.

/** The server understood and said no; `detail` is a sentence, `state` the match if it was sent. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || `The server answered with the error ${status}.`);
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

/** One request. */
export async function request(method, path, { body, token } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined)
    headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
      cache: "no-store",
    });
  } catch {
    throw new Away();
  }
  if (STARTING.includes(answer.status)) throw new Away();
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, data);
  return data;
}

/** A request that may be repeated without harm: sent again until the server has answered. */
async function insist(method, path, options, onTrouble = () => {}) {
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

const matchPath = (id, rest = "") => `/api/matches/${encodeURIComponent(id)}${rest}`;

export const games = () => request("GET", "/api/games");
export const publicMatches = () => request("GET", "/api/matches");
export const createMatch = (body) => request("POST", "/api/matches", { body });
export const rules = (game) => request("GET", `/api/rules/${encodeURIComponent(game)}`);
export const solve = (game, options, moves) =>
  request("POST", "/api/solve", { body: { game, options, moves } });
export const readRecords = (text) => request("POST", "/api/records", { body: text });

export const matchState = (id, token) => request("GET", matchPath(id), { token });
export const hint = (id, token, stage) => request("GET", matchPath(id, `/hint?stage=${stage}`), { token });
export const review = (id) => request("GET", matchPath(id, "/review"));
export const eventsPath = (id) => matchPath(id, "/events");
export const recordPath = (id, format) => matchPath(id, `/record?format=${format}`);
export const stepPicturePath = (id, ply) => matchPath(id, `/picture.svg?ply=${ply}`);

export const sendMove = (id, token, ply, move, onTrouble) =>
  insist("POST", matchPath(id, "/moves"), { token, body: { ply, move } }, onTrouble);
export const join = (id, token, name, onTrouble) =>
  insist("POST", matchPath(id, "/join"), { token, body: { name } }, onTrouble);
export const resign = (id, token, onTrouble) =>
  insist("POST", matchPath(id, "/resign"), { token, body: {} }, onTrouble);
export const askTakeback = (id, token, ply, onTrouble) =>
  insist("POST", matchPath(id, "/takeback"), { token, body: { ply } }, onTrouble);
export const answerTakeback = (id, token, ply, agree, onTrouble) =>
  insist("POST", matchPath(id, "/takeback/answer"), { token, body: { ply, agree } }, onTrouble);
export const rematch = (id, token, onTrouble) =>
  insist("POST", matchPath(id, "/rematch"), { token, body: {} }, onTrouble);

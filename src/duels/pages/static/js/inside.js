// The worker that answers where there is no server. It is started when it is first asked, watched, and
// replaced when it is stopped: then what was asked is refused, and the match goes on. One that never
// says anything is replaced once, too.

import { carried, carry } from "./carried.js";
import { insideBar } from "./inside-bar.js";
import { link, workerAddress } from "./root.js";
import { watched } from "./watched.js";

const NO_START = "The games could not be started in this browser. Load the page again, or try another browser.";
const STOPPED = "This was stopped. Nothing is lost.";

const bar = insideBar(() => stop(STOPPED));
const asked = new Map();
const hearers = new Set();
const stopped = new Set();
const leftOut = new Set(carried("left out", []));
const ownFiles = new Set();
const watch = watched(bar, tooLong, () => (spare ??= started()), silent);
let worker = null;
let wasSilent = false;
let spare = null;
let broken = "";
let numbers = 0;

/** One request, answered as `fetch` answers it. */
export async function send(path, { method, headers, body }) {
  const token = headers.Authorization?.slice("Bearer ".length);
  const type = headers["Content-Type"];
  const { content, ...how } = await call("ask", { method, path, body, token, type });
  return new Response(content, how);
}

/** Hear the states of a match at the path of its events; gives a way to stop hearing. */
export function hear(path, tell) {
  const hearer = { match: decodeURIComponent(path.split("/").at(-2)), tell };
  hearers.add(hearer);
  tell("open", null);
  look(hearer);
  return () => hearers.delete(hearer);
}

/** The newest state, by which the worker gets to know the match and what is due in it. */
async function look({ match, tell }) {
  const answer = await call("ask", { method: "GET", path: `api/matches/${match}` });
  if (answer.status === 200) tell("state", JSON.parse(answer.content));
}

/** What is kept on this device, and what a person brings along; `worker.js` says what each gives. */
export const exportedMatches = () => call("export");
export const importMatches = (text) => call("import", text);
export const forgetMatches = () => call("forget");
export const keptGames = () => call("games");

export async function forgetGame(name) {
  const games = carried("games", {});
  delete games[name];
  carry("games", games);
  await call("forget game", name);
}

/** Open a file with a game; `keep` it for the next visit. {games: titles by id} or {trouble: sentence}. */
export async function openGame(name, source, keep) {
  leaveOut([...leftOut].filter((one) => one !== name));
  const answer = await call("add game", { name, source, keep });
  if (answer.games && !answer.kept) carry("games", { ...carried("games", {}), [name]: source });
  return answer;
}

/** Ask the worker. What is refused has a sentence, as a request and as anything else. */
function call(what, data) {
  if (broken) return Promise.resolve(refused(broken));
  if (!worker) {
    watch.starts();
    worker = started();
  }
  const number = (numbers += 1);
  return new Promise((resolve) => {
    const message = { number, what, data };
    asked.set(number, { resolve, message });
    watch.begins(number);
    worker.postMessage(message);
  });
}

const refused = (sentence) => ({
  status: 500,
  headers: {},
  content: JSON.stringify({ detail: sentence }),
  trouble: sentence,
});

function started() {
  /** @type {Worker & { isReady?: boolean }} */
  const made = new Worker(workerAddress(), { type: "module", name: "duels" });
  made.onmessage = ({ data }) => {
    if (data.ready) made.isReady = true;
    if (made === worker) heard(data);
  };
  made.onerror = () => made === worker && breakOff(NO_START);
  const [matches, games] = [carried("matches", {}), carried("games", {})];
  made.postMessage({ what: "start", data: { base: link("/"), matches, games, leftOut: [...leftOut] } });
  return made;
}

function heard({ number, answer, news, ready, running, loaded, failed, carrying, trouble }) {
  if (running) ownFiles.add(running);
  if (running !== undefined) watch.runs(running);
  if (ready) {
    watch.ready();
    document.dispatchEvent(new Event("python")); // who waits until the page has what it needs first
  }
  if (trouble) bar.warn(trouble);
  if (failed) fail(failed);
  if (loaded) watch.loads(loaded);
  if (carrying) carry("matches", carrying);
  if (number) {
    watch.ends(number);
    asked.get(number)?.resolve(answer);
    asked.delete(number);
  }
  if (news) told(JSON.parse(news));
}

function told({ thinking, trouble, match, state }) {
  if (thinking !== undefined) watch.thinks(thinking);
  if (trouble) bar.warn(trouble);
  if (state) for (const one of hearers) if (one.match === match) one.tell("state", state);
}

/** Somebody waits for too long: for the start, for a file that is run, or for a game of their own. */
function tooLong({ running, isReady }, seconds) {
  if (!isReady && !running) return breakOff(NO_START);
  return stopOwn(running ? [running] : [...ownFiles], `did not come to an end within ${seconds} seconds`);
}

/** Python is broken: by a file that was being run, or else for good. */
function fail(sentence) {
  const { running } = watch.now();
  if (running) stopOwn([running], "broke the Python of this page");
  else breakOff(sentence);
}

/** Go on without some files with games. */
function stopOwn(names, what) {
  leaveOut([...leftOut, ...names]);
  spare?.terminate(); // it has run them
  spare = null;
  stop(`${names.join(" and ")} ${what}. It was stopped, and is left out.`);
}

function leaveOut(names) {
  leftOut.clear();
  for (const name of names) leftOut.add(name);
  carry("left out", names);
}

/** Another worker takes over. Where a computer was thinking it now moves without; the second time, not at all. */
function stop(sentence) {
  const { thinking, isReady } = watch.now();
  const place = thinking && `${thinking.match} ${thinking.ply}`;
  const goesOn = !stopped.has(place);
  if (isReady) end(sentence);
  replaceWorker();
  if (place) stopped.add(place);
  if (thinking && goesOn) worker.postMessage({ what: "hurry", data: thinking });
  bar.warn(sentence);
  if (goesOn && isReady) hearers.forEach(look);
}

/** Start another worker, and ask it what has not been answered. */
function replaceWorker() {
  worker?.terminate();
  watch.starts();
  worker = spare ?? started();
  spare = null;
  if (worker.isReady) watch.ready();
  for (const { message } of asked.values()) worker.postMessage(message);
}

/**
 * The worker loads nothing. After a crash the browser may send its requests to a service worker that is
 * dead, which never answers: a second try helps. On a slow network it does not, so there is no third.
 */
function silent() {
  if (!wasSilent) {
    wasSilent = true;
    replaceWorker();
  }
}

/** Nothing can be asked any more. */
function breakOff(sentence) {
  broken = sentence;
  end(sentence);
  worker = null;
  bar.warn(sentence);
}

function end(sentence) {
  worker?.terminate();
  watch.forget();
  for (const { resolve } of asked.values()) resolve(refused(sentence));
  asked.clear();
}

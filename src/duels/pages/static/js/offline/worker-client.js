// The worker that responds where there is no server: started on first use, watched, and replaced when it is
// stopped.

import { button } from "../lib/controls.js";
import { announce, el, setText } from "../lib/dom.js";
import { listInWords, sentence } from "../lib/notation.js";
import { loadTabItem, saveTabItem } from "../lib/storage.js";
import { link, workerAddress } from "../lib/urls.js";

const NO_START = "The games could not be started in this browser. Load the page again, or try another browser.";
const TOO_SLOW = "{files} did not come to an end within {seconds} seconds. It was stopped, and is left out.";
const BROKEN = "{files} broke the Python of this page. It was stopped, and is left out.";
const STOPPED = "This was stopped. Nothing is lost.";
const SHOWN_AFTER = 1_000;
const START_LIMITS = { shown: 400, most: 60_000 };
const SILENCE_LIMIT = 4_000;
const FILE_LIMIT = 10_000;
const GAME_LIMIT = 20_000;
const CHECK_INTERVAL = 200;
const progressBar = createProgressBar();
const pendingRequests = new Map();
const subscribers = new Set();
const stoppedTurns = new Set();
const skippedFiles = new Set(loadTabItem("left out", []));
const gameFiles = new Set();
const watchdog = createWatchdog();
let worker = null;
let wasReplacedForSilence = false;
let spareWorker = null;
let fatalError = "";
let lastNumber = 0;

/** Send a request; return a Response, as `fetch` does. */
export async function send(path, { method, headers, body }) {
  const token = headers.Authorization?.slice("Bearer ".length);
  const type = headers["Content-Type"];
  const { content, ...init } = await callWorker("request", { method, path, body, token, type });
  return new Response(content, init);
}

/** Subscribe to the states of a match by the path of its events; return a function that unsubscribes. */
export function subscribe(path, onEvent) {
  const subscriber = { match: decodeURIComponent(path.split("/").at(-2)), onEvent };
  subscribers.add(subscriber);
  onEvent("open", null);
  sendCurrentState(subscriber);
  return () => subscribers.delete(subscriber);
}

/** Send the current state. Fetching it also makes the worker load the match and resume its clock. */
async function sendCurrentState({ match, onEvent }) {
  const response = await callWorker("request", { method: "GET", path: `api/matches/${match}` });
  if (response.status === 200) onEvent("state", JSON.parse(response.content));
}

/** What this device stores; `worker.js` says what each command returns. */
export const exportMatches = () => callWorker("export");

export const importMatches = (text) => callWorker("import", text);
export const removeFinishedMatches = () => callWorker("removeFinished");
export const loadGames = () => callWorker("games");

export async function removeGame(name) {
  const games = loadTabItem("games", {});
  delete games[name];
  saveTabItem("games", games);
  await callWorker("removeGame", name);
}

/** Open a file with games, and `keep` it if asked to; return {games: titles by id} or {trouble: sentence}. */
export async function openGame(name, source, keep) {
  setSkippedFiles([...skippedFiles].filter((file) => file !== name));
  const response = await callWorker("addGame", { name, source, keep });
  if (response.games && !response.kept) saveTabItem("games", { ...loadTabItem("games", {}), [name]: source });
  return response;
}

/** Send a command to the worker. A refusal has a sentence in every form that a caller reads. */
function callWorker(command, data) {
  if (fatalError) return Promise.resolve(refusal(fatalError));
  if (!worker) {
    watchdog.starts();
    worker = startWorker();
  }
  const number = (lastNumber += 1);
  return new Promise((resolve) => {
    const message = { number, command, data };
    pendingRequests.set(number, { resolve, message });
    watchdog.begins(number);
    worker.postMessage(message);
  });
}

const refusal = (message) => ({
  status: 500,
  headers: {},
  content: JSON.stringify({ detail: message }),
  trouble: message,
});

function startWorker() {
  /** @type {Worker & { isReady?: boolean }} */
  const created = new Worker(workerAddress(), { type: "module", name: "duels" });
  created.onmessage = ({ data }) => {
    if (data.ready) created.isReady = true;
    if (created === worker) onMessage(data);
  };
  created.onerror = () => created === worker && giveUp(NO_START);
  const [matches, games] = [loadTabItem("matches", {}), loadTabItem("games", {})];
  created.postMessage({ command: "start", data: { base: link("/"), matches, games, skippedFiles: [...skippedFiles] } });
  return created;
}

function onMessage({ number, response, event, ready, running, loaded, failed, tabMatches, trouble }) {
  if (running) gameFiles.add(running);
  if (running !== undefined) watchdog.runs(running);
  if (ready) {
    watchdog.ready();
    document.dispatchEvent(new Event("python")); // updates.js waits for it
  }
  if (trouble) progressBar.warn(trouble);
  if (failed) onPythonFailure(failed);
  if (loaded) watchdog.loads(loaded);
  if (tabMatches) saveTabItem("matches", tabMatches);
  if (number) {
    watchdog.ends(number);
    pendingRequests.get(number)?.resolve(response);
    pendingRequests.delete(number);
  }
  if (event) onServiceEvent(JSON.parse(event));
}

function onServiceEvent({ thinking, trouble, match, state }) {
  if (thinking !== undefined) watchdog.thinks(thinking);
  if (trouble) progressBar.warn(trouble);
  if (state) for (const one of subscribers) if (one.match === match) one.onEvent("state", state);
}

/** The start, a file, or a game of the player's own takes too long. */
function onTimeout({ running, isReady }, seconds) {
  if (!isReady && !running) return giveUp(NO_START);
  return skipFiles(running ? [running] : [...gameFiles], TOO_SLOW, seconds);
}

/** Python is broken: skip the file that was being run, or give up. */
function onPythonFailure(message) {
  const { running } = watchdog.status();
  if (running) skipFiles([running], BROKEN);
  else giveUp(message);
}

/** Restart without some files. */
function skipFiles(names, template, seconds = 0) {
  setSkippedFiles([...skippedFiles, ...names]);
  spareWorker?.terminate(); // it has loaded them
  spareWorker = null;
  stop(sentence(template, { files: listInWords(names), seconds }));
}

function setSkippedFiles(names) {
  skippedFiles.clear();
  for (const name of names) skippedFiles.add(name);
  saveTabItem("left out", names);
}

/** Replace the worker. If the computer was thinking, it moves at once; the second time it does not move. */
function stop(message) {
  const { thinking, isReady } = watchdog.status();
  const turn = thinking && `${thinking.match} ${thinking.ply}`;
  const isFirstStop = !stoppedTurns.has(turn);
  if (isReady) refusePending(message);
  replaceWorker();
  if (turn) stoppedTurns.add(turn);
  if (thinking && isFirstStop) worker.postMessage({ command: "hurry", data: thinking });
  progressBar.warn(message);
  if (isFirstStop && isReady) subscribers.forEach(sendCurrentState);
}

/** Start another worker, and send it the pending requests again. */
function replaceWorker() {
  worker?.terminate();
  watchdog.starts();
  worker = spareWorker ?? startWorker();
  spareWorker = null;
  if (worker.isReady) watchdog.ready();
  for (const { message } of pendingRequests.values()) worker.postMessage(message);
}

/**
 * The worker loads nothing. After a crash the browser may send its requests to a dead service worker, which
 * never responds; then a second worker helps. It does not on a slow network, so there is no third.
 */
function onSilence() {
  if (!wasReplacedForSilence) {
    wasReplacedForSilence = true;
    replaceWorker();
  }
}

/** Refuse all requests from now on. */
function giveUp(message) {
  fatalError = message;
  refusePending(message);
  worker = null;
  progressBar.warn(message);
}

function refusePending(message) {
  worker?.terminate();
  watchdog.clear();
  for (const { resolve } of pendingRequests.values()) resolve(refusal(message));
  pendingRequests.clear();
}

/** Watches the worker: a bar shows what takes longer than a second, and what takes far too long is ended. */
function createWatchdog() {
  const startTimes = new Map();
  let status = newStatus();
  let timer = 0;

  function newStatus() {
    return { isReady: false, at: Date.now(), loadedAt: Date.now(), loaded: 0, running: null, ranAt: 0, thinking: null, thoughtAt: 0, hasOwn: false };
  }

  /** What the page is waiting for: {template, for, most, shown}, in milliseconds. */
  function currentWait() {
    const time = Date.now();
    if (status.running) return { template: "Opening {file} … {seconds} s", for: time - status.ranAt, most: FILE_LIMIT, shown: SHOWN_AFTER };
    if (!status.isReady) {
      const most = status.loadedAt - status.at + START_LIMITS.most;
      const template = status.loaded < 1 ? "Loading the games, {percent} % … {seconds} s" : "Getting the games ready … {seconds} s";
      return { template, for: time - status.at, most, shown: START_LIMITS.shown };
    }
    const earliest = Math.min(status.thinking ? status.thoughtAt : time, ...startTimes.values());
    const template = status.thinking ? "The computer is thinking … {seconds} s" : "Thinking … {seconds} s";
    return { template, for: time - earliest, most: status.hasOwn ? GAME_LIMIT : Infinity, shown: SHOWN_AFTER };
  }

  function check() {
    if (!status.isReady && status.loaded < 1 && Date.now() - status.loadedAt > SILENCE_LIMIT) onSilence();
    const wait = currentWait();
    if (wait.for > wait.most) onTimeout(status, Math.round(wait.most / 1000));
    else if (wait.for > wait.shown) {
      const [seconds, percent] = [Math.floor(wait.for / 1000), Math.round(100 * status.loaded)];
      progressBar.busy(sentence(wait.template, { file: status.running, percent, seconds }), status.isReady || status.running);
      if (status.isReady && !status.running) spareWorker ??= startWorker(); // the player may want to stop it
    }
    else progressBar.rest();
    if (status.isReady && !status.running && !status.thinking && !startTimes.size) {
      clearInterval(timer);
      timer = 0;
    }
  }

  const startTimer = () => (timer ||= setInterval(check, CHECK_INTERVAL));

  return {
    status: () => status,
    starts: () => {
      status = newStatus();
      startTimer();
    },
    loads: (loaded) => (status = { ...status, loaded, loadedAt: Date.now() }),
    ready: () => {
      status.isReady = true;
      for (const number of startTimes.keys()) startTimes.set(number, Date.now()); // waiting requests begin only now
      check();
    },
    runs: (name) => {
      status = { ...status, running: name, ranAt: Date.now(), hasOwn: true };
      startTimer();
    },
    thinks: (thinking) => {
      status = { ...status, thinking, thoughtAt: Date.now() };
      startTimer();
    },
    begins: (number) => {
      startTimes.set(number, Date.now());
      startTimer();
    },
    ends: (number) => {
      startTimes.delete(number);
      check();
    },
    clear: () => startTimes.clear(),
  };
}

/** A bar at the bottom of the page: what it is waiting for, with a button to stop it, and what went wrong. */
function createProgressBar() {
  const text = el("span");
  const stopButton = button("Stop", () => stop(STOPPED), "small");
  const busyBar = el("div.progress-bar.row.center", { hidden: true }, text, stopButton);
  const errorText = el("span");
  const errorBar = el(
    "div.progress-bar.wrong.row.center",
    { role: "alert", hidden: true },
    errorText,
    button("Close", () => (errorBar.hidden = true), "small"),
  );
  document.body.append(el("div.progress-bars", errorBar, busyBar));

  return {
    busy: (message, canStop) => {
      if (busyBar.hidden) announce(message);
      setText(text, message);
      stopButton.hidden = !canStop;
      busyBar.hidden = false;
    },
    rest: () => (busyBar.hidden = true),
    warn: (message) => {
      setText(errorText, message);
      errorBar.hidden = false;
    },
  };
}

// The worker of a page without a server: Python handles the requests, and IndexedDB stores the matches.

import { openDatabase } from "./database.js";
import { startPython } from "./python.js";

const TICK_INTERVAL = 1_000;
const PAGE_SIZE = 65_536;
const MEMORY_LIMIT = 1e9;
const MAX_TAB_MATCHES = 20;

const PRIVATE_WINDOW =
  "This private window saves nothing: your games are lost when you close it. Use a normal window to save them.";

const otherPages = new BroadcastChannel("number-duels");
let database = null;
let service = null;
let ready = null;

self.onmessage = ({ data: { number, command, data } }) => {
  if (command === "start") ready = start(data).catch(reportFailure);
  else if (command === "hurry") ready.then(() => service?.hurry(data.match, data.ply));
  else ready.then(() => respond(number, command, data));
};

async function start({ base, matches, games, skippedFiles }) {
  limitMemory();
  const loading = startPython(base, (loaded) => postMessage({ loaded }));
  const [openedDatabase, python] = await Promise.all([openDatabase(matches), loading]);
  database = openedDatabase;
  if (!database.isPersistent) postMessage({ trouble: PRIVATE_WINDOW });
  const bridge = { load, save, send: (event) => postMessage({ event }) };
  service = python.pyimport("duels.site.browser").BrowserService(bridge, await database.clock());
  const savedGames = (await database.games()).map(({ name, source }) => [name, source]);
  for (const [name, source] of [...savedGames, ...Object.entries(games)])
    if (!skippedFiles.includes(name)) {
      const { trouble } = addGame(name, source);
      if (trouble) postMessage({ trouble });
    }
  otherPages.onmessage = ({ data }) => data.forEach((id) => service.match_changed(id));
  setInterval(tick, TICK_INTERVAL);
  postMessage({ ready: true });
}

/** Limit the memory of Python: a game that needs more gets an error instead of the device's whole memory. */
function limitMemory() {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function growABit(pages) {
    if (this.buffer.byteLength + pages * PAGE_SIZE > MEMORY_LIMIT) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

function reportFailure(error) {
  console.error(error);
  postMessage({ failed: error.message });
}

async function respond(number, command, data) {
  if (!service) return;
  let result;
  try {
    result = await COMMANDS[command](data);
  } catch (error) {
    // Python itself is broken, for example by a game that used up the memory; it cannot continue.
    console.error(error);
    postMessage({ failed: "The games have stopped working here. Nothing is lost; load the page again." });
    return;
  }
  postMessage({ number, response: result });
}

const COMMANDS = {
  request: async (request) => JSON.parse(await service.handle(JSON.stringify(request))),
  /** Return everything that is stored: {matches, games}. */
  export: async () => ({ matches: await database.matches(), games: await gamesByName() }),
  /** Store the matches of an exported file; return its {kept, games}, or {trouble}. */
  import: async (text) => {
    const { trouble, matches, ...more } = JSON.parse(service.check_export(text));
    if (trouble) return { trouble };
    const taken = await database.importMatches(matches);
    return taken.trouble ? taken : { ...more, matches: matches.length };
  },
  removeFinished: () => database.removeFinished(),
  games: () => gamesByName(),
  removeGame: (name) => database.removeGame(name),
  /** Return {games: titles by id, kept: whether the file is stored}, or {trouble}. */
  addGame: async ({ name, source, keep }) => {
    const added = addGame(name, source);
    if (added.trouble || !keep) return added;
    const { trouble } = await database.saveGame(name, source);
    if (trouble) postMessage({ trouble });
    return { ...added, kept: !trouble };
  },
};

const gamesByName = async () =>
  Object.fromEntries((await database.games()).map(({ name, source }) => [name, source]));

function addGame(name, source) {
  postMessage({ running: name });
  try {
    return JSON.parse(service.add_game(name, source));
  } finally {
    postMessage({ running: null });
  }
}

async function load(id) {
  const match = await database.load(id);
  return match ? JSON.stringify(match) : undefined; // becomes None
}

/** Store matches and notify the other pages; without a database, this page stores them in its tab. */
async function save(text) {
  const documents = JSON.parse(text);
  const outcome = await database.save(documents);
  if (!outcome.newest && !outcome.trouble) {
    otherPages.postMessage(documents.map(({ id }) => id));
    if (!database.isPersistent) postMessage({ tabMatches: await latestMatches() });
  }
  return JSON.stringify(outcome);
}

async function latestMatches() {
  const newest = (await database.matches()).sort((match, other) => other.updated - match.updated).slice(0, MAX_TAB_MATCHES);
  return Object.fromEntries(newest.map((match) => [match.id, match]));
}

/** Store a running clock, so that a reload gives no time back. */
function tick() {
  const now = service.running_clock();
  if (now) database.saveClock(now);
}

// The worker of a page without a server: Python answers what the page asks, and IndexedDB keeps it.

import { openDisk } from "./disk.js";
import { startPython } from "./python.js";

const TICK = 1_000;
const PAGE = 65_536;
const MOST_MEMORY = 1e9;
const MOST_CARRIED = 20;
const KEEPS_NOTHING =
  "This private window saves nothing: your games are lost when you close it. Use a normal window to save them.";
const others = new BroadcastChannel("number-duels");
let disk = null;
let inside = null;
let ready = null;

self.onmessage = ({ data: { number, what, data } }) => {
  if (what === "start") ready = start(data).catch(cannotStart);
  else if (what === "hurry") ready.then(() => inside?.hurry(data.match, data.ply));
  else ready.then(() => answer(number, what, data));
};

async function start({ base, matches, games, leftOut }) {
  limitMemory();
  const loading = startPython(base, (loaded) => postMessage({ loaded }));
  const [opened, python] = await Promise.all([openDisk(matches), loading]);
  disk = opened;
  if (!disk.isLasting) postMessage({ trouble: KEEPS_NOTHING });
  const bridge = { load, save, send: (news) => postMessage({ news }) };
  inside = python.pyimport("duels.site.browser").BrowserService(bridge, await disk.clock());
  const kept = (await disk.games()).map(({ name, source }) => [name, source]);
  for (const [name, source] of [...kept, ...Object.entries(games)])
    if (!leftOut.includes(name)) {
      const { trouble } = addGame(name, source);
      if (trouble) postMessage({ trouble });
    }
  others.onmessage = ({ data }) => data.forEach((id) => inside.match_changed(id));
  setInterval(tick, TICK);
  postMessage({ ready: true });
}

/** A game that takes more gets an error, and not all that this device has. */
function limitMemory() {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function growABit(pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

function cannotStart(error) {
  console.error(error);
  postMessage({ failed: error.message });
}

async function answer(number, what, data) {
  if (!inside) return;
  let given;
  try {
    given = await ANSWERS[what](data);
  } catch (error) {
    // Python itself is broken, by a game that took all memory for example: nothing can be asked of it any more.
    console.error(error);
    postMessage({ failed: "The games have stopped working here. Nothing is lost; load the page again." });
    return;
  }
  postMessage({ number, answer: given });
}

const ANSWERS = {
  ask: async (request) => JSON.parse(await inside.handle(JSON.stringify(request))),
  /** {matches, games}: everything that is kept here. */
  export: async () => ({ matches: await disk.matches(), games: await gamesByName() }),
  /** What an exported file holds, once its matches are taken over: {kept, games}, or {trouble}. */
  import: async (text) => {
    const { trouble, matches, ...more } = JSON.parse(inside.check_export(text));
    if (trouble) return { trouble };
    const taken = await disk.take(matches);
    return taken.trouble ? taken : { ...more, matches: matches.length };
  },
  forget: () => disk.forget(),
  games: () => gamesByName(),
  "forget game": (name) => disk.forgetGame(name),
  /** {games: titles by id, kept: whether it will be here next time}, or {trouble}. */
  "add game": async ({ name, source, keep }) => {
    const added = addGame(name, source);
    if (added.trouble || !keep) return added;
    const { trouble } = await disk.keepGame(name, source);
    if (trouble) postMessage({ trouble });
    return { ...added, kept: !trouble };
  },
};

const gamesByName = async () =>
  Object.fromEntries((await disk.games()).map(({ name, source }) => [name, source]));

function addGame(name, source) {
  postMessage({ running: name });
  try {
    return JSON.parse(inside.add_game(name, source));
  } finally {
    postMessage({ running: null });
  }
}

async function load(id) {
  const found = await disk.load(id);
  return found ? JSON.stringify(found) : undefined; // which is None
}

/** Keep matches, and tell the other pages of this site, and this one if only it can hold them. */
async function save(text) {
  const documents = JSON.parse(text);
  const done = await disk.save(documents);
  if (!done.newest && !done.trouble) {
    others.postMessage(documents.map(({ id }) => id));
    if (!disk.isLasting) postMessage({ carrying: await latest() });
  }
  return JSON.stringify(done);
}

async function latest() {
  const newest = (await disk.matches()).sort((one, two) => two.updated - one.updated).slice(0, MOST_CARRIED);
  return Object.fromEntries(newest.map((one) => [one.id, one]));
}

/** While a clock runs: how far it has got, so that loading the page again gives no time back. */
function tick() {
  const now = inside.running_clock();
  if (now) disk.keepClock(now);
}

// Python in a worker: the engine, its library, and `duels`. Where they lie is written by the build.

import { parts } from "./python-parts.js";

const MOMENTS = 30_000; // milliseconds, once everything is here
const NOT_ALLOWED =
  "This browser does not allow WebAssembly, in which the games are worked out here. " +
  "Another browser or its usual security settings will do, or a server: duels serve.";
const STUCK =
  "The games could not be started in this browser. Load the page again; if that does not help, try another one.";
const CUT_OFF = "The games could not be loaded. Check the connection, and load the page again.";

/** A module that does nothing: whether it can be compiled says whether anything can. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const UNPACK = `
import os, sys, zipfile
with zipfile.ZipFile("duels.zip") as packed:
    packed.extractall(sys.path[-1])
os.remove("duels.zip")
`;

/**
 * Python, ready to import `duels`; `base` is the address of the site's root. `onProgress` hears which
 * part has been loaded, up to 1. What goes wrong is an Error with a sentence.
 *
 * @param {string} base
 * @param {(part: number) => void} onProgress
 */
export async function startPython(base, onProgress = () => {}) {
  try {
    await WebAssembly.compile(EMPTY);
  } catch {
    throw new Error(NOT_ALLOWED);
  }
  const load = loader(base, onProgress);
  const python = start(base, load);
  python.catch(() => {}); // one failure is enough
  return Promise.race([python, load.done().then(tooLate, cutOff)]);
}

async function start(base, load) {
  const engine = base + parts.engine;
  const wasm = load(parts.wasm);
  const library = load(parts.library).then(unpacked);
  const duels = load(parts.duels).then(unpacked);
  const { loadPyodide } = await import(`${engine}pyodide.mjs`);
  // Pyodide asks for these two by itself: it gets what has been on its way since the start.
  const expected = { [base + parts.wasm.path]: wasm, [base + parts.library.path]: library };
  const really = self.fetch;
  self.fetch = (where, options) => expected[String(where)] ?? really(where, options);
  try {
    const python = await loadPyodide({
      indexURL: engine,
      stdLibURL: base + parts.library.path,
      packageBaseUrl: engine,
      lockFileContents: { info: parts.info, packages: {} }, // nothing else is ever installed
    });
    python.FS.writeFile("duels.zip", new Uint8Array(await (await duels).arrayBuffer()));
    python.runPython(UNPACK);
    return python;
  } finally {
    self.fetch = really;
  }
}

/** A host may compress or not: what is large is compressed already. */
const unpacked = (answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip")));

const tooLate = () => new Promise((_, give) => setTimeout(give, MOMENTS, new Error(STUCK)));
const cutOff = () => Promise.reject(new Error(CUT_OFF));

/** Loads parts and counts their bytes; `done` waits for those that have been asked for. */
function loader(base, onProgress) {
  const all = parts.wasm.size + parts.library.size + parts.duels.size;
  const counting = [];
  let here = 0;
  const count = async (answer) => {
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      here += value.length;
      onProgress(Math.min(1, here / all));
    }
  };
  const load = async ({ path }) => {
    const asked = fetch(base + path).then((answer) => (answer.ok ? answer : cutOff()));
    counting.push(asked.then((answer) => count(answer.clone())));
    return asked;
  };
  load.done = () => Promise.all(counting);
  return load;
}

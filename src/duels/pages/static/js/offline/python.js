// Python in a worker: the engine, its library, and `duels`.

/**
 * Where they are in the static site: the build writes this value (`duels.site.build`).
 * @typedef {{ path: string, size: number }} Part
 * @type {{ engine: string, info: object, wasm: Part, library: Part, duels: Part }}
 */
const parts = undefined;

const START_TIMEOUT = 30_000; // milliseconds, once everything is here
const NOT_ALLOWED =
  "This browser does not allow WebAssembly, in which the games are worked out here. " +
  "Another browser or its usual security settings will do, or a server.";
const START_ERROR =
  "The games could not be started in this browser. Load the page again; if that does not help, try another one.";
const LOAD_ERROR = "The games could not be loaded. Check the connection, and load the page again.";

/** The smallest WebAssembly module: if it cannot be compiled, nothing can. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

const UNPACK = `
import os, sys, zipfile
with zipfile.ZipFile("duels.zip") as packed:
    packed.extractall(sys.path[-1])
os.remove("duels.zip")
`;

/**
 * Start Python, ready to import `duels`; `base` is the address of the site's root. `onProgress` gets the
 * part that has been loaded, up to 1. The message of an Error is a sentence to show.
 *
 * @param {string} base
 * @param {(part: number) => void} onProgress
 */
export async function startPython(base, onProgress = () => {}) {
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch {
    throw new Error(NOT_ALLOWED);
  }
  const load = loader(base, onProgress);
  const python = start(base, load);
  python.catch(() => {}); // one failure is enough
  return Promise.race([python, load.done().then(failAfterTimeout, failLoading)]);
}

async function start(base, load) {
  const engine = base + parts.engine;
  const wasm = load(parts.wasm);
  const library = load(parts.library).then(decompress);
  const duels = load(parts.duels).then(decompress);
  const { loadPyodide } = await import(`${engine}pyodide.mjs`);
  // Pyodide fetches these two by itself: it gets the downloads that have already begun.
  const preloaded = { [base + parts.wasm.path]: wasm, [base + parts.library.path]: library };
  const originalFetch = self.fetch;
  self.fetch = (where, options) => preloaded[String(where)] ?? originalFetch(where, options);
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
    self.fetch = originalFetch;
  }
}

/** Large files are compressed by the build, because not every host compresses. */
const decompress = (response) => new Response(response.body.pipeThrough(new DecompressionStream("gzip")));

const failAfterTimeout = () => new Promise((_, reject) => setTimeout(reject, START_TIMEOUT, new Error(START_ERROR)));
const failLoading = () => Promise.reject(new Error(LOAD_ERROR));

/** A function that loads parts and counts their bytes; its `done` waits for all of them. */
function loader(base, onProgress) {
  const totalBytes = parts.wasm.size + parts.library.size + parts.duels.size;
  const counters = [];
  let loadedBytes = 0;
  const count = async (response) => {
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      loadedBytes += value.length;
      onProgress(Math.min(1, loadedBytes / totalBytes));
    }
  };
  const load = async ({ path }) => {
    const pending = fetch(base + path).then((response) => (response.ok ? response : failLoading()));
    counters.push(pending.then((response) => count(response.clone())));
    return pending;
  };
  load.done = () => Promise.all(counters);
  return load;
}

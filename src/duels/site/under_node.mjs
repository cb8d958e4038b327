// Runs a Python file in the browser's Python, under Node, where this machine's files are below /host:
// node under_node.mjs ENGINE LIBRARY.zip FILE.py [ARGUMENT…]
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, library, file, ...given] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${engine}/pyodide.mjs`).href);
const { info } = JSON.parse(readFileSync(`${engine}/pyodide-lock.json`, "utf8"));
try {
  const python = await loadPyodide({
    lockFileContents: { info, packages: {} },
    stdLibURL: library,
    env: { PYTHONNODEBUGRANGES: "1" }, // bytecode without columns: a fifth smaller
  });
  python.mountNodeFS("/host", "/");
  python.globals.set("given", python.toPy([file, ...given]));
  python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.argv = given
exec(compile(open("/host" + given[0], encoding="utf-8").read(), given[0], "exec"), {"__name__": "__main__"})
`);
} catch (error) {
  console.error(error.message); // not the whole error: its stack quotes a line of a million characters
  process.exitCode = 1;
}

// Everything that is kept about a person in one file, to be taken along, and back from it.

import { announce } from "./announce.js";
import { el } from "./dom.js";
import { fileField } from "./forms.js";
import { askToOpen } from "./game-files.js";
import { everything } from "./own-games.js";
import { hasServer } from "./root.js";
import { save } from "./save.js";
import { plural } from "./words.js";

const OURS = "duels.";
const VERSION = "duels.version"; // of the site, as offline.js has last seen it

/** Save it. Where there is no server, all matches are in it, and the games of one's own. */
export async function exportEverything() {
  const all = hasServer ? everything() : await allOfIt();
  save("number-duels.json", new Blob([JSON.stringify(all, null, 1)], { type: "application/json" }));
}

async function allOfIt() {
  const { matches, games, trouble } = await (await import("./inside.js")).exportedMatches();
  if (trouble) throw new Error(trouble);
  return { format: "number-duels", version: 1, kept: kept(), matches, games };
}

function kept() {
  try {
    return Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith(OURS) && key !== VERSION));
  } catch {
    return {}; // nothing may be kept here
  }
}

/** A place to choose such a file; `onDone` when it was taken over, `onTrouble(error)` when it cannot be. */
export function importField(onDone, onTrouble) {
  const bring = async (file) => {
    const { matches, games } = await taken(await file.text());
    for (const [name, source] of Object.entries(games)) await askToOpen(place, name, source);
    await onDone();
    announce(`${plural(matches, "match", "matches")} and your progress were taken over.`);
  };
  const chosen = (file) => bring(file).catch(onTrouble);
  const place = el("div.stack", fileField("Import everything from a file", ".json,application/json", chosen));
  return place;
}

/** Take a file over: the matches by the worker, the rest here. What is here already stays. */
async function taken(text) {
  const found = await (await import("./inside.js")).importMatches(text);
  if (found.trouble) throw new Error(found.trouble);
  for (const [key, value] of Object.entries(found.kept))
    if (key.startsWith(OURS)) localStorage.setItem(key, merged(localStorage.getItem(key), value));
  return found;
}

function merged(here, there) {
  try {
    const [old, brought] = [JSON.parse(here), JSON.parse(there)];
    if (old === null) return there;
    if (Array.isArray(old) && Array.isArray(brought)) {
      const known = new Set(old.map(({ id }) => id));
      return JSON.stringify([...old, ...brought.filter(({ id }) => !known.has(id))]);
    }
    return typeof old === "object" && typeof brought === "object" ? JSON.stringify({ ...brought, ...old }) : here;
  } catch {
    return here ?? there;
  }
}

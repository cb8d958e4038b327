// What this device remembers, by name: a seat, a game, whether there is sound. A window may remember nothing.

const OURS = "duels.";

export function remembered(name, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(OURS + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Remember something; false where nothing can be. */
export function remember(name, value) {
  try {
    localStorage.setItem(OURS + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(OURS + name);
  } catch {
    // Nothing was remembered.
  }
}

/** Everything whose name begins like this: pairs of the rest of its name and what it is. */
export function rememberedUnder(start) {
  try {
    const names = Object.keys(localStorage)
      .filter((key) => key.startsWith(OURS + start))
      .map((key) => key.slice(OURS.length));
    return names.map((name) => [name.slice(start.length), remembered(name)]).filter(([, value]) => value);
  } catch {
    return [];
  }
}

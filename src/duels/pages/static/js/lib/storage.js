// Items that the browser stores: for this device, or for this tab only. A private window may store nothing.

const PREFIX = "duels.";
const TAB_KEY = "duels.carried";

export function loadItem(name, fallback = null) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Store an item; return false if the browser stores nothing. */
export function saveItem(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function removeItem(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was stored.
  }
}

/** All items whose names begin with a prefix, as pairs of the rest of the name and the value. */
export function loadItems(prefix) {
  try {
    const names = Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
    return names.map((name) => [name.slice(prefix.length), loadItem(name)]).filter(([, value]) => value);
  } catch {
    return [];
  }
}

/** An item of this tab. Where session storage is blocked, `window.name` contains the items. */
export const loadTabItem = (name, fallback) => loadTabItems()[name] ?? fallback;

export function saveTabItem(name, value) {
  const text = JSON.stringify({ ...loadTabItems(), [name]: value });
  try {
    sessionStorage.setItem(TAB_KEY, text);
  } catch {
    window.name = TAB_KEY + text;
  }
}

function loadTabItems() {
  try {
    return JSON.parse(readTabText()) ?? {};
  } catch {
    return {};
  }
}

function readTabText() {
  try {
    return sessionStorage.getItem(TAB_KEY) ?? "null";
  } catch {
    return window.name.startsWith(TAB_KEY) ? window.name.slice(TAB_KEY.length) : "null";
  }
}

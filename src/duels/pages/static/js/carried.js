// What goes along from page to page in one tab, and no further: where nothing may be kept, the name of the
// window holds it.

const KEY = "duels.carried";

export const carried = (name, otherwise) => all()[name] ?? otherwise;

export function carry(name, value) {
  const text = JSON.stringify({ ...all(), [name]: value });
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    window.name = KEY + text;
  }
}

function all() {
  try {
    return JSON.parse(kept()) ?? {};
  } catch {
    return {};
  }
}

function kept() {
  try {
    return sessionStorage.getItem(KEY) ?? "null";
  } catch {
    return window.name.startsWith(KEY) ? window.name.slice(KEY.length) : "null";
  }
}

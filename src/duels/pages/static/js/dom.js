// Elements without markup in strings: what a person typed can never become HTML.

import { address } from "./root.js";

/**
 * An element, like "p" or "p.quiet": then attributes by name, if there are any, of which `on…` are
 * listeners, and then children (text, nodes, or nothing).
 */
export function el(what, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) node[PROPERTIES[name]] = value;
    else set(node, name, value);
  }
  fill(node, ...children);
  return node;
}

/** Show some children and nothing else; what is `false`, empty or missing is left out. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child));
}

/** Set an attribute; `false` and `null` take it away, `true` sets it empty. */
export function set(node, name, value) {
  if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : value);
}

/** Change text only when it changed, so that screen readers are not told twice. */
export function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** The mark of a player, drawn, so that it looks the same in every font. */
export const mark = (player) => el("i", { class: `mark mark-${player}`, "aria-hidden": "true" });

/** The lines of a review, each in a `tag`, without the row of marks, for which pages have their own. */
export const reviewLines = (lines, tag) =>
  lines
    .filter(({ kind }) => kind !== "strip")
    .map(({ kind, text, player }) =>
      el(tag, { class: kind === "why" ? "quiet" : "" }, player && mark(player), player && " ", text),
    );

/** A name that somebody typed, in whatever direction it is written. */
export const named = (name) => el("bdi.name", name);

/** A player's name; a computer carries a badge, which is no part of any name. */
export const shown = ({ name, kind }) =>
  kind === "computer" ? [named(name), " ", el("span.kind", "computer")] : [named(name)];

/** Two players, each with the mark, which stay together where there is room. */
export const versus = ([one, two]) => [side(1, one), " – ", side(2, two)];
const side = (player, who) => el("span.marked", mark(player), " ", shown(who));

let choices = 0;

/** A few choices of which one holds, side by side. */
export function segmented(legend, name, items, chosen, onChange) {
  const group = `${name}-${(choices += 1)}`;
  return el(
    "fieldset",
    el("legend", legend),
    el(
      "div.segments",
      items.map(({ value, label }) =>
        el(
          "label",
          el("input", {
            type: "radio",
            name: group,
            value,
            checked: value === chosen,
            onchange: () => onChange(value),
          }),
          el("span", label),
        ),
      ),
    ),
  );
}

/** A table of rows under their headings. */
export const tableOf = (kind, headings, rows) =>
  el(
    "table",
    { class: kind },
    el("thead", el("tr", headings.map((words) => el("th", { scope: "col" }, words)))),
    el("tbody", rows),
  );

/** A label over a control. */
export const field = (label, control) =>
  el("label.field", el("span.label", label), control);

/** A box to tick. */
export const tick = (label, checked, onChange) =>
  el(
    "label.tick",
    el("input", { type: "checkbox", checked, onchange: (event) => onChange(event.target.checked) }),
    el("span", label),
  );

/** A list to choose from. */
export const select = (items, chosen, onChange, more = {}) =>
  el(
    "select",
    { ...more, onchange: (event) => onChange(event.target.value) },
    items.map(({ value, label }) => el("option", { value, chosen: String(value) === String(chosen) }, label)),
  );

/** The same under its label. */
export const selectField = (label, ...choice) => field(label, select(...choice));

/** A button in words. */
export const button = (label, onclick, kind = "", more = {}) =>
  el("button", { type: "button", class: `button ${kind}`.trim(), onclick, ...more }, label);

/** A link to a path of the site that looks like a button. */
export const linkButton = (path, label, kind = "") =>
  el("a", { class: `button ${kind}`.trim(), href: address(path) }, label);

/** A place for what goes wrong, hidden until then. */
export const noticePlace = () => el("p.notice", { role: "alert", hidden: true });

/** Say there what went wrong; without words it is hidden again. */
export function warn(notice, words) {
  say(notice, words);
  notice.hidden = !words;
}

/** What `act` gives; what goes wrong is said in the notice, and gives null. */
export async function attempt(notice, act) {
  warn(notice, "");
  try {
    return await act();
  } catch (error) {
    warn(notice, error.message);
    return null;
  }
}

/** Leave the page by a button: once, but again if that went wrong, or when somebody comes back. */
export async function leaveBy(leaver, notice, act) {
  const again = () => (leaver.disabled = false);
  leaver.disabled = true;
  onReturn(again);
  await attempt(notice, act);
  if (!notice.hidden) again();
}

/** What went wrong, in place of what was to be shown. */
export const failure = ({ message }) => el("p.notice", { role: "alert" }, message);

const PROPERTIES = { checked: "checked", value: "value", chosen: "selected" };

/** Whether a key is pressed for the browser, and not for the page. */
export const hasModifier = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** When somebody comes back to this page, which the browser has kept as it was left. */
export function onReturn(doThis) {
  addEventListener("pageshow", (event) => event.persisted && doThis());
}

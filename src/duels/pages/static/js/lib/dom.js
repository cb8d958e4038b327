// Elements, notices and announcements. Text never becomes HTML.

/**
 * An element, like "p" or "p.quiet". Attributes by name may follow (`on…` are listeners), and then
 * children: text, nodes, or nothing.
 */
export function el(selector, ...children) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) node[PROPERTIES[name]] = value;
    else setAttribute(node, name, value);
  }
  fill(node, ...children);
  return node;
}

/** Replace the children of a node; children that are `false`, empty or missing are left out. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child));
}

/** Set an attribute; `false` and `null` remove it, `true` sets it empty. */
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : value);
}

/** Set the text of a node only if it differs, so that screen readers do not repeat it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A notice for errors, hidden while it is empty. */
export const newNotice = () => el("p.notice", { role: "alert", hidden: true });

/** Show an error in a notice; an empty text hides it. */
export function warn(notice, text) {
  setText(notice, text);
  notice.hidden = !text;
}

/** Return what `act` returns. If it throws, show the error in the notice and return null. */
export async function attempt(notice, act) {
  warn(notice, "");
  try {
    return await act();
  } catch (error) {
    warn(notice, error.message);
    return null;
  }
}

/** Leave the page by a button. It is disabled, unless leaving failed or the page is restored. */
export async function leaveWith(leaveButton, notice, act) {
  const enable = () => (leaveButton.disabled = false);
  leaveButton.disabled = true;
  onRestore(enable);
  await attempt(notice, act);
  if (!notice.hidden) enable();
}

/** A notice with an error, in place of the content. */
export const errorNotice = ({ message }) => el("p.notice", { role: "alert" }, message);

const PROPERTIES = { checked: "checked", value: "value", chosen: "selected" };

/** Whether a key is a shortcut of the browser, not of the page. */
export const hasModifier = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** Call `action` when the browser restores the page from its back/forward cache. */
export function onRestore(action) {
  addEventListener("pageshow", (event) => event.persisted && action());
}

let region = null;

/** Announce a text to screen readers, in one polite live region. */
export function announce(text) {
  if (!region) {
    region = el("div.unseen", { role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = text;
}

/** Offer a blob as a download. */
export function downloadFile(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

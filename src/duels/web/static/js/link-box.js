// A link to give away: to read, to copy, to share.

import { copyButton } from "./copy.js";
import { button, el } from "./dom.js";

/** `label` names the link for screen readers, `copy` is on the button that copies it. */
export function linkBox(label, copy, kind = "") {
  const link = el("input", { class: "link", readonly: true, "aria-label": label });
  link.addEventListener("focus", () => link.select());
  const share = button("Share …", () => navigator.share({ url: link.value }).catch(() => {}));
  share.hidden = !navigator.share;
  const buttons = el("div", { class: "row" }, copyButton(copy, () => link.value, kind), share);
  const element = el("div", { class: "stack" }, link, buttons);
  return { element, show: (address) => (link.value = address) };
}

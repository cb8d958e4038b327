// Links to give away: to read, to copy, to share, and to be read from the screen by a phone.

import { announce } from "./announce.js";
import { qrPicture } from "./api.js";
import { copyButton } from "./copy.js";
import { button, el } from "./dom.js";
import { hasServer, isOnlyHere } from "./root.js";

/** `label` names the link for screen readers, `copy` is on the button that copies it. */
export function linkBox(label, copy, kind = "") {
  const link = el("input.link", { readonly: true, "aria-label": label });
  link.addEventListener("focus", () => link.select());
  const share = button("Share …", () => navigator.share({ url: link.value }).catch(() => {}));
  share.hidden = !navigator.share;
  const row = linkRow(label, copyButton(copy, () => link.value, kind), () => link.value, share);
  const element = el("div.stack", link, row.element);

  function show(address) {
    if (link.value !== address) row.hideCode();
    link.value = address;
  }

  return { element, show };
}

/** A button that copies a link, and one that shows its QR code. */
function linkRow(label, copy, link, ...more) {
  const picture = el("img.qr", { alt: `QR code: ${label}`, hidden: true });
  const opener = button("QR code", turn, "", { "aria-expanded": "false", "aria-label": `QR code: ${label}` });
  const element = el("div.stack", el("div.row", copy, hasServer && opener, ...more), picture);

  async function turn() {
    if (!picture.hidden) return hideCode();
    try {
      picture.src = await qrPicture(link());
    } catch (error) {
      return announce(error.message);
    }
    picture.hidden = false;
    opener.ariaExpanded = "true";
  }

  function hideCode() {
    picture.hidden = true;
    opener.ariaExpanded = "false";
  }

  return { element, hideCode };
}

/** The same, where the button says enough: `name` is the link's. */
export const copiedLink = (name, link, kind) => linkRow(name, copyButton(`Copy ${name}`, link, kind), link).element;

/** What to know about links from a server that only this computer reaches. */
export const onlyHere = () =>
  hasServer &&
  isOnlyHere() &&
  el("p.note", "Only this computer can open links from here: the server is not open to others (--host 0.0.0.0).");

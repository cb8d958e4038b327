// Links to give away: copied, shared, or shown as a QR code.

import { fetchQrCode } from "./api.js";
import { button } from "./controls.js";
import { announce, el } from "./dom.js";
import { hasServer, isLocalOnly } from "./urls.js";

/** A link to read, copy and share; `label` names it for screen readers. */
export function linkBox(label, copyLabel, codeLabel, kind = "") {
  const link = el("input.link", { readonly: true, "aria-label": label });
  link.addEventListener("focus", () => link.select());
  const share = button("Share …", () => navigator.share({ url: link.value }).catch(() => {}));
  share.hidden = !navigator.share;
  const row = linkRow(codeLabel, copyButton(copyLabel, () => link.value, kind), () => link.value, share);
  const element = el("div.stack", link, row.element);

  function show(address) {
    if (link.value !== address) row.hideCode();
    link.value = address;
  }

  return { element, show };
}

/** A button that copies a link, and one that shows its QR code. */
function linkRow(codeLabel, copy, link, ...more) {
  const picture = el("img.qr", { alt: codeLabel, hidden: true });
  const opener = button("QR code", toggleCode, "", { "aria-expanded": "false", "aria-label": codeLabel });
  const element = el("div.stack", el("div.row", copy, hasServer && opener, ...more), picture);

  async function toggleCode() {
    if (!picture.hidden) return hideCode();
    try {
      picture.src = await fetchQrCode(link());
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

/** The buttons alone, without the link to read. */
export const copyLinkRow = (copyLabel, codeLabel, link, kind) =>
  linkRow(codeLabel, copyButton(copyLabel, link, kind), link).element;

/** A note that only this computer can open the links. */
export const localOnlyNote = () =>
  hasServer &&
  isLocalOnly() &&
  el("p.note", "Only this computer can open links from here. The window in which the server was started says how to let other devices in.");

/** A button that copies what `text()` returns. */
export function copyButton(label, text, kind = "") {
  const element = button(
    label,
    async () => {
      const isCopied = await copyText(text());
      element.textContent = isCopied ? "Copied ✓" : "Copying failed";
      announce(isCopied ? "Copied." : "Copying failed. Select the text and copy it by hand.");
      setTimeout(() => (element.textContent = label), 1800);
    },
    kind,
  );
  return element;
}

/** Copy a text; return whether it was copied. Pages without HTTPS have no clipboard API. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea.unseen", { readonly: true, "aria-hidden": "true" }, text);
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

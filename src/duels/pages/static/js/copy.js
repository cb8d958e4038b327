// Copy a link. Clipboards are for secure pages only, and a class plays over plain HTTP: there is a second way.

import { button, el } from "./dom.js";
import { announce } from "./announce.js";

/** A button that copies what `text()` gives, and says so. */
export function copyButton(label, text, kind = "") {
  const shown = button(
    label,
    async () => {
      const done = await copied(text());
      shown.textContent = done ? "Copied ✓" : "Copying failed";
      announce(done ? "The link was copied." : "Copying failed. The link can be marked and copied by hand.");
      setTimeout(() => (shown.textContent = label), 1800);
    },
    kind,
  );
  return shown;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea.unseen", { readonly: true, "aria-hidden": "true" }, text);
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

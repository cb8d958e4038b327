// What happened, for those who hear the page: one quiet region, spoken when there is a pause.

import { el } from "./dom.js";

let region = null;

export function announce(words) {
  if (!region) {
    region = el("div.unseen", { role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = words;
}

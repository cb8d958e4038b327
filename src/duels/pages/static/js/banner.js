// A loud banner while the server cannot be reached.

import { button, el } from "./dom.js";
import { announce } from "./announce.js";

/** `show(connected)`; `waiting` is a move that is kept until it can be sent. */
export function connectionBanner(tryNow) {
  const words = el("span");
  const element = el(
    "div.banner.row.center",
    { role: "alert", hidden: true },
    words,
    button("Try now", tryNow, "small"),
  );
  document.body.prepend(element);

  function show(connected, waiting = null) {
    if (connected && !element.hidden) announce("Connected again.");
    element.hidden = connected;
    if (!connected) {
      words.textContent = waiting
        ? `Connection lost. Your move ${waiting} is saved and will be sent as soon as possible.`
        : "Connection lost. Trying again by itself.";
    }
  }

  return { show };
}

// A line at the foot of the window: what takes a while, with a button to stop it, and what went wrong.

import { announce } from "./announce.js";
import { button, el, say } from "./dom.js";

export function insideBar(stop) {
  const words = el("span");
  const stopper = button("Stop", stop, "small");
  const busy = el("div.inside-bar.row.center", { hidden: true }, words, stopper);
  const warning = el("span");
  const wrong = el(
    "div.inside-bar.wrong.row.center",
    { role: "alert", hidden: true },
    warning,
    button("Close", () => (wrong.hidden = true), "small"),
  );
  document.body.append(el("div.inside-bars", wrong, busy));

  return {
    busy: (said, canStop) => {
      if (busy.hidden) announce(said);
      say(words, said);
      stopper.hidden = !canStop;
      busy.hidden = false;
    },
    rest: () => (busy.hidden = true),
    warn: (said) => {
      say(warning, said);
      wrong.hidden = false;
    },
  };
}

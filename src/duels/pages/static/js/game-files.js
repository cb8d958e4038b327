// Games of one's own, where there is no server: a Python file that somebody chooses, which is code and says so.

import { carried } from "./carried.js";
import { button, el, fill } from "./dom.js";
import { fileField } from "./forms.js";
import { address } from "./root.js";

const HERE = { once: false, kept: true };

/** The place on the first page: choose a file; those that are kept can be forgotten. */
export function gameFiles() {
  const asking = el("div.stack");
  const kept = el("ul.kept-games");
  const open = async (file) => {
    const opened = await askToOpen(asking, file.name, await file.text());
    if (opened) location.assign(address(`/play/${Object.keys(opened)[0]}`));
  };
  showKept(kept);
  return el(
    "section.own-files.stack",
    { "aria-labelledby": "own-files" },
    el("h2", { id: "own-files" }, "A game of your own"),
    el("p.quiet", "One Python file with its rules, and you can play it, learn it and look into it here."),
    fileField("The file of a game", ".py,text/x-python", open),
    asking,
    kept,
  );
}

/** Ask whether a file may run; the titles of its games by id once it does, or null. */
export function askToOpen(place, name, source) {
  return new Promise((resolve) => {
    const open = async (keep) => {
      fill(place, el("p.quiet", `${name} is being opened …`));
      const { games, trouble } = await (await import("./inside.js")).openGame(name, source, keep);
      fill(place, trouble && el("p.notice", { role: "alert" }, trouble));
      resolve(games ?? null);
    };
    const first = button("Open it in this tab", () => open(HERE.once), "primary");
    fill(
      place,
      el(
        "div.panel.stack",
        { role: "group", "aria-label": `Open ${name}?` },
        el("p", el("strong", `${name} is a program. `), "It will run in this page, where it can reach what this site keeps on this device: your games, and your progress. Open it only if you trust its author."),
        el(
          "div.row",
          first,
          button("Open it, and keep it here", () => open(HERE.kept)),
          button("Do not open it", () => {
            fill(place);
            resolve(null);
          }),
        ),
      ),
    );
    first.focus();
  });
}

async function showKept(list) {
  const { keptGames, forgetGame } = await import("./inside.js");
  const kept = await keptGames();
  if (kept.trouble) return;
  const names = [...new Set([...Object.keys(kept), ...Object.keys(carried("games", {}))])];
  fill(
    list,
    names.map((name) =>
      el(
        "li.row",
        el("span", name, " ", el("span.quiet", name in kept ? "kept on this device" : "open in this tab")),
        button("Forget it", async () => {
          await forgetGame(name);
          location.reload();
        }, "small"),
      ),
    ),
  );
}

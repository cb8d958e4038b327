// The player's own games, where there is no server: a Python file, which runs only after a warning, and the pages
// that have no file, like the rules of such a game.

import { fetchPage } from "../lib/api.js";
import { button, fileField } from "../lib/controls.js";
import { el, fill } from "../lib/dom.js";
import { loadTabItem } from "../lib/storage.js";
import { address, dynamicPath } from "../lib/urls.js";

/** The section on the first page: choose a file, or forget a saved one. */
export function gameFiles() {
  const question = el("div.stack");
  const savedList = el("ul.saved-games");
  const open = async (file) => {
    const opened = await confirmAndOpen(question, file.name, await file.text());
    if (opened) location.assign(address(`/play/${Object.keys(opened)[0]}`));
  };
  showSavedGames(savedList);
  return el(
    "section.game-files.stack",
    { "aria-labelledby": "game-files" },
    el("h2", { id: "game-files" }, "A game of your own"),
    el("p.quiet", "One Python file with its rules, and you can play it, learn it and analyse it here."),
    fileField("The file of a game", ".py,text/x-python", open),
    question,
    savedList,
  );
}

/** Ask whether a file may run; resolve to the titles of its games by id, or to null. */
export function confirmAndOpen(area, name, source) {
  return new Promise((resolve) => {
    const open = async (keep) => {
      fill(area, el("p.quiet", `${name} is being opened …`));
      const { games, trouble } = await (await import("./worker-client.js")).openGame(name, source, keep);
      fill(area, trouble && el("p.notice", { role: "alert" }, trouble));
      resolve(games ?? null);
    };
    const openButton = button("Open it in this tab", () => open(false), "primary");
    fill(
      area,
      el(
        "div.panel.stack",
        { role: "group", "aria-label": `Open ${name}?` },
        el("p", el("strong", `${name} is a program. `), "It will run in this page, where it can reach what this site keeps on this device: your games, and your progress. Open it only if you trust its author."),
        el(
          "div.row",
          openButton,
          button("Open it, and keep it here", () => open(true)),
          button("Do not open it", () => {
            fill(area);
            resolve(null);
          }),
        ),
      ),
    );
    openButton.focus();
  });
}

async function showSavedGames(list) {
  const { loadGames, removeGame } = await import("./worker-client.js");
  const saved = await loadGames();
  if (saved.trouble) return;
  const names = [...new Set([...Object.keys(saved), ...Object.keys(loadTabItem("games", {}))])];
  fill(
    list,
    names.map((name) =>
      el(
        "li.row",
        el("span", name, " ", el("span.quiet", name in saved ? "kept on this device" : "open in this tab")),
        button("Forget it", async () => {
          await removeGame(name);
          location.reload();
        }, "small"),
      ),
    ),
  );
}

/** Load the content of this page if it has no file, or that of another path; return whether it is complete. */
export async function loadContent(main, path = dynamicPath()) {
  if (!path) return true;
  try {
    const page = await fetchPage(path);
    const content = readContent(page);
    document.title = page.title;
    main.className = content.className;
    Object.assign(main.dataset, content.dataset);
    fill(main, [...content.childNodes]);
    return true;
  } catch (error) {
    fill(main, el("h1", "There is nothing here."), el("p.lead", error.message));
    return false;
  }
}

/** The cards of the first page, with those of the player's own games. */
export const fetchCards = async () => [...readContent(await fetchPage("")).querySelectorAll(".card")];

function readContent(page) {
  const content = page.querySelector("main");
  for (const link of content.querySelectorAll("a[href^='/']"))
    link.setAttribute("href", address(link.getAttribute("href")));
  return content;
}

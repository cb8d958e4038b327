// A page of which no file has the middle, like the rules of a game of one's own: it is written when it is opened.

import { pageInHtml } from "./api.js";
import { el, fill } from "./dom.js";
import { address, latePath } from "./root.js";

/** Complete this page, if it needs it, or show that of another path; true if it is whole then. */
export async function complete(main, path = latePath()) {
  if (!path) return true;
  try {
    const written = await pageInHtml(path);
    const middle = written.querySelector("main");
    for (const link of middle.querySelectorAll("a[href^='/']"))
      link.setAttribute("href", address(link.getAttribute("href")));
    document.title = written.title;
    main.className = middle.className;
    Object.assign(main.dataset, middle.dataset);
    fill(main, [...middle.childNodes]);
    return true;
  } catch (error) {
    fill(main, el("h1", "There is nothing here."), el("p.lead", error.message));
    return false;
  }
}

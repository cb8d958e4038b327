// A sheet to print. Without a server, the sheets of the player's own games have no files.

import { addPrintButton } from "./lib/controls.js";
import { dynamicPath } from "./lib/urls.js";

const main = document.getElementById("main");
if (dynamicPath()) {
  const { loadContent } = await import("./offline/own-games.js");
  await loadContent(main);
}
addPrintButton(main);

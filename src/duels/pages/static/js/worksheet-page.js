// A sheet to print that has no file of its own.

import { addPrintButton } from "./lib/controls.js";
import { loadContent } from "./offline/own-games.js";

const main = document.getElementById("main");
await loadContent(main);
addPrintButton(main);

// A sheet to print.

import { addPrintButton } from "./lib/controls.js";

addPrintButton(document.getElementById("main"));

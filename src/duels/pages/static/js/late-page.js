// A sheet to print that is written when it is opened.

import { complete } from "./late.js";

await complete(document.getElementById("main"));

// The rule books' few signs of Markdown as elements: headings, lists, paragraphs, bold, code.

import { el } from "./dom.js";

/** The sections of a text by their headings of the second level; what stands before them under "". */
export function sectionsOf(text) {
  const [head, ...rest] = text.split(/^## /m);
  return new Map([["", head], ...rest.map((part) => [part.split("\n", 1)[0].trim(), `## ${part}`])]);
}

/** Nodes for a text. */
export function rendered(text) {
  const nodes = [];
  let list = null;
  for (const block of blocks(text)) {
    const heading = /^(#{1,4}) (.*)$/.exec(block);
    if (block.startsWith("- ")) {
      if (!list) nodes.push((list = el("ul", {})));
      list.append(el("li", {}, inline(block.slice(2))));
      continue;
    }
    list = null;
    if (heading) nodes.push(el(`h${heading[1].length}`, {}, inline(heading[2])));
    else nodes.push(el("p", {}, inline(block)));
  }
  return nodes;
}

/** Headings, list items and paragraphs, each on one line. */
function blocks(text) {
  const found = [];
  let open = false;
  for (const line of text.split("\n")) {
    if (!line.trim()) open = false;
    else if (open && !/^(- |#)/.test(line)) found[found.length - 1] += ` ${line.trim()}`;
    else {
      found.push(line.trim());
      open = !line.startsWith("#");
    }
  }
  return found;
}

function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return el("strong", {}, part.slice(2, -2));
    if (part.startsWith("`") && part.length > 1) return el("code", {}, part.slice(1, -1));
    return part;
  });
}

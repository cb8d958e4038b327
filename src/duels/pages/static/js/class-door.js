// The door of all classes: type the code, or start a class.

import { createClass } from "./class-api.js";
import { keepClass, lastClass, readCode } from "./class-key.js";
import { button, el, fill, leaveBy, linkButton, noticePlace } from "./dom.js";
import { fieldForm } from "./forms.js";
import { address } from "./root.js";

/** The page at /class: one field for a pupil, one button for a teacher. */
export function codeDoor(main) {
  const code = el("input.code-field", {
    name: "code",
    maxlength: 12,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    required: true,
  });
  const notice = noticePlace();
  const form = fieldForm("The code on the board", code, "Go in", "primary large", () => {
    const read = readCode(code.value);
    if (read) location.assign(address(`/class/${read}`));
  });
  const kept = lastClass();
  fill(
    main,
    el("h1", "A class"),
    el("section.panel.door.stack", el("h2", "I am a pupil"), form),
    kept && el("p", el("a", { href: address(`/class/${kept}`) }, `Back to the class ${kept}`)),
    notice,
    el(
      "section.panel.door.stack",
      el("h2", "I am a teacher"),
      el("p", "You get a code for the board. Pupils type it and play; no accounts are needed."),
      startClass(notice),
      forTeachers(),
    ),
  );
}

export const privacy = () => el("a", { href: address("/class/privacy") }, "What is stored, and for how long");

/** What a teacher may want to show or to print. */
export const forTeachers = () =>
  el("p.note", privacy(), " · ", el("a", { href: address("/print") }, "Sheets to print"));

/** The one tap by which a class begins. */
function startClass(notice) {
  const begin = button("Start a class", () => leaveBy(begin, notice, start), "large");

  async function start() {
    const { code, token } = await createClass();
    const kept = keepClass(code, { teacher: token });
    location.assign(address(`/class/${code}${kept ? "" : `#teacher=${token}`}`));
  }

  return begin;
}

/** There is no class here; `wasHere` if this device has been in it. */
export const over = (main, wasHere) =>
  fill(
    main,
    el("h1", wasHere ? "The lesson is over." : "There is no class with this code."),
    el("p.lead", wasHere ? "The class and its games were removed." : "Look at the board, and type it again."),
    el("div.row", linkButton("/class", "Type a code", "primary"), linkButton("/", "Go to the games")),
  );

// Forms of which the page does what is to be done, and stays.

import { button, el, field, fill } from "./dom.js";

/** A listener for `onsubmit`. */
export const submitted = (act) => (event) => {
  event.preventDefault();
  act();
};

export const submitButton = (word, kind = "") => el("button", { class: `button ${kind}`.trim() }, word);

/** One thing to fill in, under its label, and the button that sends it. */
export const fieldForm = (label, input, word, kind, act) =>
  el("form.row.end", { onsubmit: submitted(act) }, field(label, input), submitButton(word, kind));

/** One thing to type, beside its label; `input` has an id. */
export const typedForm = (label, input, word, kind, act) =>
  el(
    "form.row.typed",
    { onsubmit: submitted(act) },
    el("label", { for: input.id }, label),
    input,
    submitButton(word, kind),
  );

/** A place to choose a file; `onFile(file)` when one was chosen, and then another may be. */
export const fileField = (label, accept, onFile) =>
  field(label, el("input", { type: "file", accept, onchange: ({ target }) => chosen(target, onFile) }));

async function chosen(input, onFile) {
  const [file] = input.files;
  if (!file) return;
  await onFile(file);
  input.value = "";
}

/** A button that acts only when it was asked whether one is sure. */
export function askingButton({ label, kind, question, yes, no }, act) {
  const element = el("div.row");

  function rest() {
    const first = button(label, ask, kind);
    fill(element, first);
    return first;
  }

  function ask() {
    const sure = button(yes, act, "danger");
    fill(element, el("span.question", question), sure, button(no, () => rest().focus()));
    sure.focus();
  }

  rest();
  return element;
}

// Controls: buttons, fields, lists, small forms that do not leave the page, and buttons to step through moves.

import { el, fill, hasModifier, setAttribute } from "./dom.js";
import { address } from "./urls.js";

let groupCount = 0;

/** Radio buttons side by side. */
export function radioGroup(legend, name, items, selected, onChange) {
  const groupName = `${name}-${(groupCount += 1)}`;
  return el(
    "fieldset",
    el("legend", legend),
    el(
      "div.segments",
      items.map(({ value, label }) =>
        el(
          "label",
          el("input", {
            type: "radio",
            name: groupName,
            value,
            checked: value === selected,
            onchange: () => onChange(value),
          }),
          el("span", label),
        ),
      ),
    ),
  );
}

/** A table of rows under their headings. */
export const dataTable = (className, headings, rows) =>
  el(
    "table",
    { class: className },
    el("thead", el("tr", headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", rows),
  );

/** A control below its label. */
export const field = (label, control) =>
  el("label.field", el("span.label", label), control);

export const checkbox = (label, checked, onChange) =>
  el(
    "label.tick",
    el("input", { type: "checkbox", checked, onchange: (event) => onChange(event.target.checked) }),
    el("span", label),
  );

export const select = (items, selected, onChange, attributes = {}) =>
  el(
    "select",
    { ...attributes, onchange: (event) => onChange(event.target.value) },
    items.map(({ value, label }) => el("option", { value, chosen: String(value) === String(selected) }, label)),
  );

/** A select below its label. */
export const selectField = (label, ...choice) => field(label, select(...choice));

export const button = (label, onclick, className = "", attributes = {}) =>
  el("button", { type: "button", class: `button ${className}`.trim(), onclick, ...attributes }, label);

/** A link to a path of the site, styled as a button. */
export const linkButton = (path, label, className = "") =>
  el("a", { class: `button ${className}`.trim(), href: address(path) }, label);

/** A button that opens a popover; a tap elsewhere or Escape closes it. */
export function popoverButton(label, panel, onOpen = () => {}) {
  panel.addEventListener("beforetoggle", ({ newState }) => newState === "open" && onOpen());
  return button(label, () => {}, "", { popovertarget: panel.id });
}

/** A submit listener that calls `act` and stays on the page. */
export const onSubmit = (act) => (event) => {
  event.preventDefault();
  act();
};

export const submitButton = (buttonLabel, kind = "") => el("button", { class: `button ${kind}`.trim() }, buttonLabel);

/** A form with one field below its label, and a submit button. */
export const fieldForm = (label, input, buttonLabel, kind, act) =>
  el("form.row.end", { onsubmit: onSubmit(act) }, field(label, input), submitButton(buttonLabel, kind));

/** A form with one input next to its label; `input` has an id. */
export const inlineForm = (label, input, buttonLabel, kind, act) =>
  el(
    "form.row.typed",
    { onsubmit: onSubmit(act) },
    el("label", { for: input.id }, label),
    input,
    submitButton(buttonLabel, kind),
  );

/** A file input; it is emptied after `onFile(file)`, so that another file may be chosen. */
export const fileField = (label, accept, onFile) =>
  field(label, el("input", { type: "file", accept, onchange: ({ target }) => readChosen(target, onFile) }));

async function readChosen(input, onFile) {
  const [file] = input.files;
  if (!file) return;
  await onFile(file);
  input.value = "";
}

/** A button that asks for confirmation before it acts. */
export function confirmButton({ label, kind, question, yes, no }, act) {
  const element = el("div.row");

  function reset() {
    const first = button(label, confirm, kind);
    fill(element, first);
    return first;
  }

  function confirm() {
    const yesButton = button(yes, act, "danger");
    fill(element, el("span.question", question), yesButton, button(no, () => reset().focus()));
    yesButton.focus();
  }

  reset();
  return element;
}

/** Add a button that prints next to the links above a sheet. A page without a sheet has none. */
export const addPrintButton = (main) =>
  main.querySelector(".sheet") && main.querySelector(".way")?.append(button("Print", () => print(), "primary small"));

/** Buttons that call `goTo(step)`; `show` sets the current step, and `onKey` handles the arrow keys. */
export function createStepper(goTo, first, last) {
  let [current, count] = [0, 0];
  const label = el("span.where");
  const back = [button(first, () => goTo(0), "small"), button("◀ Back", () => goTo(current - 1), "small")];
  const forward = [button("Next ▶", () => goTo(current + 1), "small"), button(last, () => goTo(count), "small")];

  function show(here, end, words) {
    [current, count] = [here, end];
    label.textContent = words;
    // Never `disabled`: a button that loses the focus under the finger breaks the keyboard.
    for (const control of back) setAttribute(control, "aria-disabled", String(here === 0));
    for (const control of forward) setAttribute(control, "aria-disabled", String(here === end));
  }

  function onKey(event) {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: count }[event.key];
    const isForInput = hasModifier(event) || event.target.closest?.("input, select, textarea, summary");
    if (to === undefined || isForInput) return;
    event.preventDefault();
    goTo(to);
  }

  return { element: el("div.stepper.row.center", back, label, forward), show, onKey };
}

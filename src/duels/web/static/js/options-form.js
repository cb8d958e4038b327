// The options of a game as controls, made from what the server says they are.

import { el, field, fill, segmented, tick } from "./dom.js";
import { CRITERIA } from "./words.js";

const EXAMPLE = { divisor: 7 };
const LABELS = { numbers: "Numbers up to", divisor: "Divisor", opening: "First number" };
const OPENINGS = { any: "any", even: "even (Juniper Green)" };

/** `element`, and `values()`; `onChange` after every change. */
export function optionsForm(game, given = {}, onChange = () => {}) {
  const values = {};
  const element = el("div", { class: "options" });
  fill(
    element,
    game.options.map((option) => control(option)),
  );
  return { element, values: () => ({ ...values }) };

  function control(option) {
    const { name, choices } = option;
    values[name] = given[name] ?? option.default ?? EXAMPLE[name];
    if (name !== "criteria" && !choices) values[name] = Number(values[name]);
    const change = (value) => {
      values[name] = value;
      onChange();
    };
    if (name === "criteria")
      return criteria(choices ?? Object.keys(CRITERIA), String(values.criteria).split(","), change);
    if (choices)
      return segmented(
        LABELS[name] ?? name,
        name,
        choices.map((value) => ({ value, label: OPENINGS[value] ?? value })),
        values[name],
        change,
      );
    return whole(option, change);
  }

  function whole({ name, lowest, highest }, change) {
    const input = el("input", {
      type: "number",
      class: "short",
      name,
      min: lowest,
      max: highest,
      step: 1,
      inputmode: "numeric",
      required: true,
    });
    input.value = values[name];
    input.addEventListener("change", () => change(input.value === "" ? "" : Number(input.value)));
    return field(LABELS[name] ?? name, input);
  }
}

function criteria(choices, chosen, change) {
  const on = new Set(chosen);
  return el(
    "fieldset",
    { class: "criteria" },
    el("legend", {}, "What makes a number fit"),
    choices.map((name) =>
      tick(CRITERIA[name] ?? name, on.has(name), (checked) => {
        if (checked) on.add(name);
        else on.delete(name);
        change(choices.filter((choice) => on.has(choice)).join(","));
      }),
    ),
  );
}

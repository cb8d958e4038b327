// The options of a game as controls, made from what the server says they are.

import { el, field, segmented, selectField, tick } from "./dom.js";

const MOST_SIDE_BY_SIDE = 4;

/** The options of a game for somebody who has not chosen any. */
export const usualOptions = ({ options }) =>
  Object.fromEntries(options.map(({ name, default: usual, example }) => [name, usual ?? example]));

/** `element`, `values()`, and `fill(values)` for other ones; `onChange` after a person's change. */
export function optionsForm(game, given = {}, onChange = () => {}) {
  const values = { ...usualOptions(game), ...given };
  const controls = Object.fromEntries(game.options.map((option) => [option.name, control(option)]));
  const element = el("div.options.stack.loose", Object.values(controls));
  return {
    element,
    values: () => ({ ...values }),
    fill(chosen) {
      Object.assign(values, chosen);
      for (const [name, value] of Object.entries(chosen)) show(controls[name], String(value));
    },
  };

  function control(option) {
    const { name, label, choices, several } = option;
    const change = (value) => {
      values[name] = value;
      onChange();
    };
    const items = choices.map(({ value, words }) => ({ value, label: words }));
    if (several) return ticks(label, items, values[name].split(","), change);
    if (!items.length) return whole(option, change);
    if (items.length > MOST_SIDE_BY_SIDE) return selectField(label, items, values[name], change);
    return segmented(label, name, items, values[name], change);
  }

  function whole({ name, label, lowest, highest }, change) {
    values[name] = Number(values[name]);
    const input = el("input.short", {
      type: "number",
      name,
      min: lowest,
      max: highest,
      step: 1,
      inputmode: "numeric",
      required: true,
    });
    input.value = values[name];
    input.addEventListener("change", () => change(input.value === "" ? "" : Number(input.value)));
    return field(label, input);
  }
}

/** Boxes of which several may be ticked; their values are joined by commas. */
function ticks(label, items, chosen, change) {
  const boxes = items.map(({ value, label: words }) => {
    const box = tick(words, chosen.includes(value), changed);
    box.querySelector("input").value = value;
    return box;
  });
  return el("fieldset.several", el("legend", label), boxes);

  function changed() {
    const ticked = boxes.map((box) => box.querySelector("input")).filter(({ checked }) => checked);
    change(ticked.map(({ value }) => value).join(","));
  }
}

/** Show a value in the control of an option, as if a person had chosen it. */
function show(control, value) {
  for (const input of control.querySelectorAll("input, select")) {
    if (["radio", "checkbox"].includes(input.type)) input.checked = value.split(",").includes(input.value);
    else input.value = value;
  }
}

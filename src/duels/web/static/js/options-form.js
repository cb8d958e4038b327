// The options of a game as controls, made from what the server says they are.

import { el, field, segmented, select, tick } from "./dom.js";

const MOST_SIDE_BY_SIDE = 4;

/** The options of a game for somebody who has not chosen any. */
export const usualOptions = ({ options }) =>
  Object.fromEntries(options.map(({ name, default: usual, example }) => [name, usual ?? example]));

/** `element`, and `values()`; `onChange` after every change. */
export function optionsForm(game, given = {}, onChange = () => {}) {
  const values = { ...usualOptions(game), ...given };
  const element = el("div", { class: "options" }, game.options.map(control));
  return { element, values: () => ({ ...values }) };

  function control(option) {
    const { name, label, choices, several } = option;
    const change = (value) => {
      values[name] = value;
      onChange();
    };
    const items = choices.map(({ value, words }) => ({ value, label: words }));
    if (several) return ticks(label, items, values[name].split(","), change);
    if (!items.length) return whole(option, change);
    if (items.length > MOST_SIDE_BY_SIDE) return field(label, select(items, values[name], change));
    return segmented(label, name, items, values[name], change);
  }

  function whole({ name, label, lowest, highest }, change) {
    values[name] = Number(values[name]);
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
    return field(label, input);
  }
}

/** Boxes of which several may be ticked; their values are joined by commas. */
function ticks(label, items, chosen, change) {
  const on = new Set(chosen);
  return el(
    "fieldset",
    { class: "several" },
    el("legend", {}, label),
    items.map(({ value, label: words }) =>
      tick(words, on.has(value), (checked) => {
        if (checked) on.add(value);
        else on.delete(value);
        change(items.map((item) => item.value).filter((one) => on.has(one)).join(","));
      }),
    ),
  );
}

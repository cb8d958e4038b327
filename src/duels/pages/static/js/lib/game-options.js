// The options of a game and its set-ups as form controls, built from what the server lists.

import { checkbox, field, radioGroup, selectField } from "./controls.js";
import { el } from "./dom.js";
import { capitalize } from "./notation.js";

const MAX_RADIO_BUTTONS = 4;

/** The default options of a game. */
export const defaultOptions = ({ options }) =>
  Object.fromEntries(options.map(({ name, default: defaultValue, example }) => [name, defaultValue ?? example]));

/** The controls: `element`, `values()`, and `fill(values)`; `onChange` is called after a change by the user. */
export function optionsForm(game, given = {}, onChange = () => {}) {
  const values = { ...defaultOptions(game), ...given };
  const controls = Object.fromEntries(game.options.map((option) => [option.name, optionControl(option)]));
  const element = el("div.options.stack.loose", Object.values(controls));
  return {
    element,
    values: () => ({ ...values }),
    fill(chosen) {
      Object.assign(values, chosen);
      for (const [name, value] of Object.entries(chosen)) showValue(controls[name], String(value));
    },
  };

  function optionControl(option) {
    const { name, label, choices, several } = option;
    const change = (value) => {
      values[name] = value;
      onChange();
    };
    const items = choices.map(({ value, words }) => ({ value, label: words }));
    if (several) return checkboxGroup(label, items, values[name].split(","), change);
    if (!items.length) return numberField(option, change);
    if (items.length > MAX_RADIO_BUTTONS) return selectField(label, items, values[name], change);
    return radioGroup(label, name, items, values[name], change);
  }

  function numberField({ name, label, lowest, highest }, change) {
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
    input.addEventListener("input", () => change(input.value === "" ? "" : Number(input.value)));
    return field(label, input);
  }
}

/** Checkboxes for an option with several values, which are joined by commas. */
function checkboxGroup(label, items, chosen, change) {
  const boxes = items.map(({ value, label: words }) => {
    const box = checkbox(words, chosen.includes(value), changed);
    box.querySelector("input").value = value;
    return box;
  });
  return el("fieldset.several", el("legend", label), boxes);

  function changed() {
    const ticked = boxes.map((box) => box.querySelector("input")).filter(({ checked }) => checked);
    change(ticked.map(({ value }) => value).join(","));
  }
}

/** Show a value in the control of an option. */
function showValue(control, value) {
  for (const input of control.querySelectorAll("input, select")) {
    if (["radio", "checkbox"].includes(input.type)) input.checked = value.split(",").includes(input.value);
    else input.value = value;
  }
}

/** The games as items of a select. */
export const gameChoices = (games) => games.map(({ game, title }) => ({ value: game, label: title }));

/** The set-ups of a game: choosing one fills in the options, changing an option unselects it. */
export function setupChoice({ setups }, options, onChoose = () => {}) {
  const note = el("p.note.setup-words");
  const items = setups.map(({ name }) => ({ value: name, label: name.replaceAll("-", " ") }));
  const choose = (name) => {
    const { words, matches, options: values } = setups.find((one) => one.name === name);
    options.fill(values);
    const about = `${capitalize(words)}.`;
    note.textContent = matches > 1 ? `${about} To be fair, play ${matches} games and swap sides.` : about;
  };
  const choice = radioGroup("Set-up", "setup", items, items[0].value, (name) => {
    choose(name);
    onChoose();
  });
  choose(items[0].value);
  return {
    element: setups.length > 1 && el("div.setups.stack", choice, note),
    /** Select the set-up with these options, if there is one. */
    show(given) {
      const hasOptions = ({ options: own }) => Object.entries(own).every(([name, value]) => given[name] === value);
      const found = setups.find(hasOptions);
      if (!found) return this.changed();
      for (const input of choice.querySelectorAll("input")) input.checked = input.value === found.name;
      return choose(found.name);
    },
    changed() {
      for (const input of choice.querySelectorAll("input")) input.checked = false;
      note.textContent = "Options of your own.";
    },
  };
}

/** The choices of a time limit, in seconds. */
export const TIME_LIMITS = [
  { value: "", label: "no limit" },
  { value: "10", label: "10 seconds a turn" },
  { value: "30", label: "30 seconds a turn" },
  { value: "60", label: "1 minute a turn" },
  { value: "180", label: "3 minutes a turn" },
];

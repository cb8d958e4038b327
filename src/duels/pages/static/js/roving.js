// One stop of the Tab key for a whole board; arrow keys walk on it.

import { hasModifier } from "./dom.js";

/** The tiles of `board` in reading order; an empty place among them is passed over. */
export function roving(board) {
  const places = () => [...board.children];
  const buttons = () => places().filter((one) => one.matches("button"));

  function keepOneStop(preferred) {
    const all = buttons();
    const stop = all.find((tile) => tile.tabIndex === 0 && !tile.disabled);
    const chosen = stop ?? preferred ?? all[0];
    for (const tile of all) tile.tabIndex = tile === chosen ? 0 : -1;
  }

  function goTo(tile) {
    for (const other of buttons()) other.tabIndex = other === tile ? 0 : -1;
    tile.focus();
  }

  board.addEventListener("keydown", (event) => {
    const all = places();
    const here = all.indexOf(document.activeElement);
    if (here < 0 || hasModifier(event)) return;
    const columns = acrossOf(all);
    const row = here - (here % columns);
    const there = {
      ArrowRight: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here + columns,
      ArrowUp: here - columns,
      Home: event.shiftKey ? 0 : row,
      End: event.shiftKey ? all.length - 1 : Math.min(row + columns, all.length) - 1,
    }[event.key];
    if (there === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    let place = there;
    while (all[place]?.matches("span")) place += Math.sign(there - here) * (Math.abs(there - here) === columns ? columns : 1);
    if (all[place]) goTo(all[place]);
  });

  board.addEventListener("focusin", (event) => {
    if (buttons().includes(event.target)) goTo(event.target);
  });

  return { keepOneStop, goTo, focus: () => board.querySelector("[tabindex='0']")?.focus() };
}

/** How many tiles are in the first row. */
const acrossOf = (all) => all.filter((tile) => tile.offsetTop === all[0].offsetTop).length;

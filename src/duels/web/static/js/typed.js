// Moves can be typed as well as tapped; the server reads them as the terminal does.

import { el, submitted } from "./dom.js";

export function typedMoves({ pair_words: pairs, move_words: words }, onPlay) {
  const input = el("input", {
    id: "typed-move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 20,
    inputmode: pairs ? "text" : "numeric",
    placeholder: words.split(", like ").at(-1),
  });
  const element = el(
    "form",
    { class: "row typed", onsubmit: submitted(play) },
    el("label", { for: "typed-move" }, "Type a move"),
    input,
    el("button", { class: "button" }, "Play"),
  );
  async function play() {
    const move = input.value.trim();
    if (!move || !(await onPlay(move))) return input.select();
    input.value = "";
    element.closest("[popover]")?.hidePopover?.();
  }

  /** Digits typed on the board go here; `open` shows the form. */
  function catchDigits(board, open) {
    board.addEventListener("keydown", (event) => {
      if (/^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !element.hidden) {
        open();
        input.value = "";
        input.focus();
      }
    });
  }

  return { element, catchDigits };
}

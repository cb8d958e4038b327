// Moves can be typed as well as tapped; the server reads them as the terminal does.

import { el, hasModifier } from "./dom.js";
import { typedForm } from "./forms.js";

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
  const element = typedForm("Type a move", input, "Play", "", play);

  async function play() {
    const move = input.value.trim();
    if (!move || !(await onPlay(move))) return input.select();
    input.value = "";
    element.closest("[popover]")?.hidePopover?.();
  }

  /** Digits typed on the board go here; `open` shows the form. */
  function catchDigits(board, open) {
    board.addEventListener("keydown", (event) => {
      if (/^\d$/.test(event.key) && !hasModifier(event) && !element.hidden) {
        open();
        input.value = "";
        input.focus();
      }
    });
  }

  return { element, catchDigits };
}

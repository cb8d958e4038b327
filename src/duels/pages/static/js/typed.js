// Moves can be typed as well as tapped; the server reads them as the terminal does.

import { el, hasModifier } from "./dom.js";
import { typedForm } from "./forms.js";
import { numbersOf } from "./words.js";

/** Takes the state of the match, whose legal moves show how a pair is typed. */
export function typedMoves({ pair_words: pairs, move_words: words, legal }, onPlay) {
  const input = el("input", {
    id: "typed-move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 20,
    inputmode: pairs ? "text" : "numeric",
    placeholder: (pairs && examples(legal)) || words,
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

/** A move of one number and one of two, if there are such: "5 or 5-6". */
function examples(legal) {
  const pair = legal.find((move) => numbersOf(move).length > 1);
  const single = legal.find((move) => numbersOf(move).length === 1);
  return [single, pair].filter(Boolean).join(" or ");
}

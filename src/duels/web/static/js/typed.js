// Moves can be typed as well as tapped; the server reads them as the terminal does.

import { el } from "./dom.js";

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
    { class: "typed" },
    el("label", { for: "typed-move" }, "Or type a move"),
    input,
    el("button", { class: "button" }, "Play"),
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = input.value.trim();
    if (move && (await onPlay(move))) input.value = "";
    else input.select();
  });

  /** Digits typed on the board go here. */
  function catchDigits(board) {
    board.addEventListener("keydown", (event) => {
      if (/^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !element.hidden) {
        input.value = "";
        input.focus();
      }
    });
  }

  return { element, catchDigits };
}

// The number line: choose a number, then the same again for it alone, or a neighbour for both.

import { button, el, fill } from "./dom.js";
import { newTiles, showTile } from "./tile.js";
import { roving } from "./roving.js";
import { capital, numbersOf, takers } from "./words.js";

export function lineBoard(onPlay) {
  const line = el("div.line", { role: "group", "aria-label": "Number line" });
  const bar = el("div.choice.row.center");
  const element = el("div.board", line, bar);
  const keys = roving(line);
  let view = null;
  let chosen = null;

  function press(written) {
    const number = Number(written);
    const move = chosen === null ? null : moveOf(chosen, number);
    const possible = movesWith(number);
    if (move && (view.legal.includes(move) || !possible.length)) play(move);
    else if (!possible.length)
      play(written); // The server says which rule forbids it.
    else if (possible.length === 1) play(possible[0]);
    else choose(number);
  }

  function play(move) {
    choose(null);
    onPlay(move);
  }

  function choose(number) {
    chosen = number;
    draw();
  }

  /** The legal moves with a number, as the server listed them. */
  function movesWith(number) {
    return view.legal.filter((move) => numbersOf(move).includes(number));
  }

  function show(next) {
    view = next;
    const numbers = view.board.count;
    if (line.childElementCount !== numbers) {
      line.style.setProperty("--count", numbers);
      line.replaceChildren(...newTiles(numbers, press));
    }
    if (!view.active || (chosen !== null && !movesWith(chosen).length)) chosen = null;
    draw();
    keys.keepOneStop(line.querySelector(".legal"));
  }

  function draw() {
    const taken = takers(view.moves);
    const [last, pending, following] = [view.moves.at(-1), view.pending, view.next].map(asSet);
    const partners = asSet(chosen === null ? "" : movesWith(chosen).join("-"));
    for (const tile of line.children) {
      const number = Number(tile.dataset.number);
      const joins = chosen !== null && number !== chosen && partners.has(number);
      showTile(tile, view, {
        number,
        taker: taken.get(number) ?? 0,
        last: last.has(number),
        legal: view.active && view.showLegal && !taken.has(number),
        grade: view.grades?.get(String(number)), // of it alone; pairs are marked in the bar
        pending: pending.has(number),
        chosen: number === chosen,
        next: following.has(number),
        words:
          number === chosen
            ? "chosen, press again for this one alone"
            : joins
              ? `together with ${chosen}`
              : "",
      });
      tile.classList.toggle("joins", joins);
    }
    drawBar();
  }

  function drawBar() {
    const pairs =
      view.grades && chosen === null
        ? view.legal.filter((move) => move.includes("-") && view.grades.get(move) === "win")
        : [];
    if (chosen !== null) offer(capital(view.verb.do), movesWith(chosen));
    else if (pairs.length) offer("Pairs that win", pairs);
    else if (view.active) offer("Tap a number. Tap it again for it alone, or tap its neighbour for both.");
    else fill(bar);
  }

  const offer = (words, moves = []) =>
    fill(bar, el("span.choice-words", words), moves.map(choiceButton));

  function choiceButton(move) {
    const [one, two] = numbersOf(move);
    const sign = { win: " ★", lose: " ✕" }[view.grades?.get(move)] ?? "";
    const words = { win: ", wins", lose: ", loses" }[view.grades?.get(move)] ?? "";
    const label = two ? `${one} and ${two}` : `only ${one}`;
    const act = () => {
      play(move);
      keys.goTo(line.children[one - 1]); // The bar is drawn anew; the focus goes back to the line.
    };
    return button(label + sign, act, "small", {
      "data-move": move,
      "aria-label": `${capital(view.verb.do)} ${label}${words}`,
      disabled: !view.active,
    });
  }

  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) choose(null);
  });

  return { element, show, focus: keys.focus };
}

/** Two taps as the move they write. */
function moveOf(one, two) {
  if (one === two) return String(one);
  return `${Math.min(one, two)}-${Math.max(one, two)}`;
}

const asSet = (move) => new Set(move ? numbersOf(move) : []);

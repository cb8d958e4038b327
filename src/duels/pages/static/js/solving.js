// Somebody at one puzzle: a right move, or a wrong one and what refutes it, on the board; then once more.

import { puzzleHint, tryMove } from "./api.js";
import { button } from "./dom.js";
import { seen } from "./pace.js";
import { posing } from "./posing.js";
import { typedMoves } from "./typed.js";

const NEW = { tries: 0, hints: 0, is_solved: false, gave_up: false };

/**
 * `before` is how far it has got, `onChange` hears of every step, `next` is offered at the end.
 * @param {{ position: any, question: string }} puzzle
 * @param {{ before?: typeof NEW, onChange?: (attempt: typeof NEW) => void, next?: () => any }} how
 */
export function solving(
  { position, question },
  { before = NEW, onChange = () => {}, next = () => null } = {},
) {
  const posed = posing(play);
  const you = position.to_move;
  const line = { game: position.game, options: position.options, moves: position.moves };
  let attempt = { ...NEW, ...before };
  let stage = 0;
  let further = true;
  let waits = false;

  function pose() {
    posed.show(position, you, question, { active: true });
    if (posed.mustType()) posed.answerWith(typedMoves(position, play).element);
    posed.tell([]);
    offer();
  }

  function offer() {
    posed.offer(
      further && button(stage ? "Another hint" : "Hint", hint),
      button("Give up", () => move(null)),
    );
  }

  function now(more) {
    attempt = { ...attempt, ...more };
    onChange(attempt);
  }

  async function play(said) {
    posed.show(position, you, question, { active: false, pending: said });
    return move(said);
  }

  /** A move, or none for somebody who has looked long enough. */
  async function move(said) {
    if (waits) return false;
    waits = true;
    const [found] = await Promise.all([
      posed.attempt(() => tryMove({ ...line, move: said })),
      said && seen(),
    ]);
    waits = false;
    if (!found) {
      posed.show(position, you, question, { active: true });
      return false;
    }
    posed.show(found.position, you, "");
    if (said === null) now({ gave_up: true });
    else now({ tries: attempt.tries + 1, is_solved: found.is_right });
    const again = !found.is_right && said !== null;
    const first = again ? button("Take it back and try again", once, "primary") : next();
    posed.answerWith();
    posed.offer(first, !again && button("Once more", once));
    posed.tell([found.words], found.is_right ? "right" : again ? "wrong" : "");
    first?.focus({ preventScroll: true });
    return true;
  }

  function once() {
    if (attempt.is_solved || attempt.gave_up) attempt = { ...NEW }; // once more, for nothing
    pose();
    posed.focusBoard();
  }

  async function hint() {
    const answer = await posed.attempt(() => puzzleHint({ ...line, stage: stage + 1 }));
    if (!answer) return;
    stage = answer.stage;
    further = Boolean(answer.next);
    now({ hints: attempt.hints + 1 });
    offer();
    posed.tell([answer.text]);
  }

  pose();
  return { element: posed.element };
}

// A finished game stays on this device; from it lead ways back to what went wrong, or to the lesson.

import { el, fill, linkButton } from "./dom.js";
import { remembered } from "./memory.js";
import { keepFinished, noteReview } from "./own-games.js";

/** Links for the bar under the board; `show(table, review)` when it is over, and again when it is reviewed. */
export function afterLinks() {
  const element = el("div.row");

  let shown = "";

  async function show({ id, state, you }, review) {
    const kept = await keepFinished({ id, state, you }).catch(() => null);
    if (!kept) return;
    if (review && !kept.chances) noteReview(id, { chances: review.chances });
    const mine = Boolean(review?.turning_points.some((turn) => you.includes(review.moves[turn - 1].player)));
    const taught = remembered("lesson-match", {}).id === id;
    if (shown === `${mine} ${taught}`) return; // The links stay, and the focus with them.
    shown = `${mine} ${taught}`;
    fill(
      element,
      mine && linkButton(`/puzzle?own=${id}`, "Try your turning point again"),
      taught && linkButton(`/learn/${state.game}`, "Back to the lesson"),
    );
  }

  return { element, show };
}

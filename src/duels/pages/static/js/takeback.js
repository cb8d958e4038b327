// Taking a move back: at once against the computer or on one screen, by consent between two people.

import { button } from "./dom.js";
import { playerAt } from "./words.js";

/** The button of the one who asks. It says which move. */
export function takebackButton(table) {
  const element = button("", () => table.act("takeback", { ply: table.state.ply }));

  function show(state) {
    const move = moveToTakeBack(state, table.you);
    element.hidden = !move || Boolean(state.outcome || state.takeback || state.is_paused);
    element.textContent = `Take back ${move}`;
    element.ariaLabel = state.mode === "friend" ? `Ask to take back ${move}` : null;
  }

  return { element, show };
}

/** What the line over the board says while somebody asks: the words, and buttons for an answer. */
export function takebackQuestion(table) {
  let withdrawn = false;

  const answer = (agree) => table.act("takeback/answer", { ply: table.state.takeback.ply, agree });

  function question({ takeback }) {
    if (!takeback || !table.you.length) return null;
    if (!table.you.includes(takeback.by))
      return {
        player: takeback.by,
        said: takeback.text,
        buttons: () => [
          button("Agree", () => answer(true), "small primary"),
          button("Refuse", () => answer(false), "small"),
        ],
      };
    const withdraw = () => {
      withdrawn = true;
      answer(false);
    };
    return {
      player: takeback.by,
      said: "You asked to take a move back. There is no answer yet.",
      buttons: () => [button("Withdraw", withdraw, "small")],
    };
  }

  /** What became of a request that is not there any more, in a sentence. */
  function news(before, state) {
    const { takeback } = before;
    if (!takeback || state.takeback || state.ply > before.ply || state.outcome) return "";
    if (state.ply < before.ply) return "The move was taken back.";
    const { name } = state.players[2 - takeback.by];
    if (!table.you.includes(takeback.by)) return table.you.length ? "" : "The move stays.";
    const own = withdrawn;
    withdrawn = false;
    return own ? "" : `${name} refused: the move stays.`;
  }

  return { question, news };
}

/** The last move of a player's own; on one screen the last move. */
function moveToTakeBack(state, you) {
  for (let ply = state.moves.length - 1; ply >= state.given; ply -= 1) {
    if (you.includes(playerAt(ply))) return state.moves[ply];
  }
  return null;
}

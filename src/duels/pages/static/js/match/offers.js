// What players offer each other: a seat by link, a takeback, a rematch. Against the computer or on one screen
// takebacks and rematches are immediate.

import { joinMatch } from "../lib/api.js";
import { button, fieldForm } from "../lib/controls.js";
import { el, fill, setText } from "../lib/dom.js";
import { linkBox, localOnlyNote } from "../lib/links.js";
import { nameElement, playerAt, sentenceParts } from "../lib/notation.js";
import { loadItem, saveItem } from "../lib/storage.js";
import { address } from "../lib/urls.js";
import { INVITATION_USED, saveSeat, seatLink, takeSeat } from "./seats.js";

const LONGEST_ON_BUTTON = 4; // characters of a move that is named on the button on a phone

/** The panel of the inviting player, with the link to send. */
export function invitePanel(match) {
  const link = linkBox("The invitation", "Copy the link", "QR code: the invitation", "primary");
  const element = el(
    "section.panel.invitation.stack",
    el("p", "The first person to join with this link plays against you."),
    link.element,
    localOnlyNote(),
  );

  function show(state) {
    const open = state.mode === "friend" && !state.outcome && state.joined.includes(false);
    element.hidden = !(open && match.seat?.invite);
    if (match.seat?.invite) link.show(seatLink(match.id, match.seat.invite));
  }

  return { element, show, heading: () => (element.hidden ? "" : "Send this link to your opponent.") };
}

/** The panel of the invited player, who gives a name and joins. */
export function joinPanel(match) {
  const name = el("input", { name: "name", maxlength: 40, autocomplete: "nickname", required: true });
  name.value = match.seat?.name ?? loadItem("name", "");
  const host = el("span");
  let isJoining = false;
  const form = fieldForm("Your name", name, "Join the game", "primary", submit);
  const element = el("section.panel.invitation.stack", { hidden: true }, el("h2", "You are invited"), host, form);

  async function submit() {
    isJoining = true;
    const state = await match.send(() => joinAs(name.value.trim()));
    isJoining = false;
    if (!state) return;
    saveItem("name", name.value.trim());
    match.focusBoard();
  }

  async function joinAs(newName) {
    if (!match.invited.length) return joinMatch(match.id, match.token, { name: newName, newToken: undefined }, match.onRetry);
    try {
      const result = await takeSeat(match.id, match.seat, match.invited, newName, match.onRetry);
      match.setSeat(result);
      return result.state;
    } catch (error) {
      if (error.status === 403) match.setSeat({ seat: null }); // the seat is taken
      throw error;
    }
  }

  /** Join without asking after a rematch, while the page is visible. */
  function joinAutomatically() {
    if (match.seat?.name && !element.hidden && document.visibilityState === "visible") form.requestSubmit();
  }

  /** The seat was taken with the same invitation while this page was open. */
  function news(state) {
    if (isJoining || !match.invited.some((player) => state.joined[player - 1])) return "";
    match.setSeat({ seat: null });
    return INVITATION_USED;
  }

  function show(state) {
    const seats = match.invited.length ? match.invited : match.you;
    const seat = seats.length === 1 ? seats[0] : 0;
    element.hidden = !(seat && state.mode === "friend" && !state.outcome && !state.joined[seat - 1]);
    if (!element.hidden)
      fill(
        host,
        el("p", sentenceParts("{name} wants to play {title} with you.", { name: hostName(state.players[2 - seat].name), title: state.title })),
        !state.coach && el("p.quiet", "There are no hints in this game."),
      );
  }

  return { element, show, joinAutomatically, news, isOpen: () => !element.hidden };
}

/** The name of the inviting player; one who gave none is a friend, not "Player 1". */
const hostName = (name) => (/^Player [12]$/.test(name) ? "A friend" : nameElement(name));

/** The button that asks for a takeback; it names the move. */
export function takebackButton(match) {
  const taken = el("span.taken-move");
  const element = button(sentenceParts("Take back {move}", { move: taken }), () => match.act("takeback", { ply: match.state.ply }));

  function show(state) {
    const move = moveToTakeBack(state, match.you);
    element.hidden = !move || Boolean(state.outcome || state.takeback || state.is_paused);
    setText(taken, move ?? "");
    taken.classList.toggle("long", taken.textContent.length > LONGEST_ON_BUTTON);
    element.ariaLabel = state.mode === "friend" ? `Ask to take back ${move}` : `Take back ${move}`;
  }

  return { element, show };
}

/** The takeback request on the status line: its text, and buttons to reply. */
export function takebackQuestion(match) {
  let isWithdrawn = false;

  const reply = (agree) => match.act("takeback/answer", { ply: match.state.takeback.ply, agree });

  function question(state) {
    const { takeback } = state;
    if (!takeback || !match.you.length) return null;
    if (!match.you.includes(takeback.by))
      return {
        player: takeback.by,
        text: takeback.text,
        buttons: () => [
          button("Agree", () => reply(true), "small primary"),
          button("Refuse", () => reply(false), "small"),
        ],
      };
    const withdraw = () => {
      isWithdrawn = true;
      reply(false);
    };
    return {
      player: takeback.by,
      text: `You asked to take back ${moveToTakeBack(state, match.you)}. No answer yet.`,
      buttons: () => [button("Withdraw", withdraw, "small")],
    };
  }

  /** Say in a sentence what became of a request that is no longer open. */
  function news(before, state) {
    const { takeback } = before;
    if (!takeback || state.takeback || state.ply > before.ply || state.outcome) return "";
    if (state.ply < before.ply) return "The move was taken back.";
    const { name } = state.players[2 - takeback.by];
    if (!match.you.includes(takeback.by)) return match.you.length ? "" : "The move stays.";
    const wasWithdrawn = isWithdrawn;
    isWithdrawn = false;
    return wasWithdrawn ? "" : `${name} refused: the move stays.`;
  }

  return { question, news };
}

/** The player's last move in words; on one screen, the last move. */
function moveToTakeBack(state, you) {
  for (let ply = state.moves.length - 1; ply >= state.given; ply -= 1) {
    if (you.includes(playerAt(ply))) return state.moves_in_words[ply];
  }
  return null;
}

/** The rematch, with the sides swapped: its button, and the offers. */
export function rematchOffers(match) {
  let isEndedHere = false; // by this page, so it needs no news
  const reply = (agree) => {
    isEndedHere = !agree;
    return match.act("rematch/answer", { agree });
  };
  const element = button("Rematch", () => match.act("rematch"), "", { "aria-label": "Rematch, sides swapped" });

  function show(state) {
    element.hidden = !match.you.length || Boolean(state.rematch || state.rematch_offer || state.class_code);
  }

  /** The offer: {text, buttons} for the status line and the panel after the game, or null. */
  function offer({ rematch: id, rematch_offer: offeredBy, players }) {
    if (id) {
      const openButton = button(match.you.length ? "Go to the rematch" : "Watch it", () => openMatch(id), "primary large");
      return { text: "There is a rematch.", buttons: () => [openButton] };
    }
    if (!offeredBy) return null;
    const text = `${players[offeredBy - 1].name} offers a rematch.`;
    if (!match.you.length) return { text, buttons: () => [] };
    if (!match.you.includes(offeredBy))
      return {
        text,
        buttons: () => [
          button("Accept", () => reply(true), "primary large"),
          button("Not now", () => reply(false)),
        ],
      };
    return {
      text: "You offered a rematch. No answer yet.",
      buttons: () => [button("Withdraw", () => reply(false))],
    };
  }

  /** What has changed, in a sentence. */
  function news(before, state) {
    const { rematch_offer: offeredBy, players } = state;
    if (offeredBy && !before.rematch_offer) return match.you.includes(offeredBy) ? "" : offer(state).text;
    if (state.rematch) return before.rematch ? "" : offer(state).text;
    if (offeredBy || !before.rematch_offer) return "";
    const wasEndedHere = isEndedHere;
    isEndedHere = false;
    if (wasEndedHere) return "";
    const offeredBefore = before.rematch_offer;
    if (match.you.includes(offeredBefore)) return `${players[2 - offeredBefore].name} does not want a rematch now.`;
    return "The rematch is off.";
  }

  /** Open the rematch when both have agreed; a spectator who reads the review stays. */
  function followRematch(before, state, isReviewing) {
    if (state.rematch && !before.rematch && (match.you.length || !isReviewing)) openMatch(state.rematch);
  }

  /** Open the new match, in which the same tokens are valid. */
  function openMatch(id) {
    if (match.seat) {
      const name = match.you.length === 1 ? match.state.players[match.you[0] - 1].name : "";
      const { token, invite } = match.seat;
      if (!saveSeat(id, { token, invite, name })) return location.assign(address(`/m/${id}#seat=${token}`));
    }
    return location.assign(address(`/m/${id}`));
  }

  return { element, show, offer, news, followRematch };
}

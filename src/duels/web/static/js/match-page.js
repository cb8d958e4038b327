// The page of one match: played, watched, then reviewed, all in the same place.

import { afterGame, gameActions, goToRematch, settings } from "./actions.js";
import { announce } from "./announce.js";
import { Away, matchState, Problem, sendMove } from "./api.js";
import { connectionBanner } from "./banner.js";
import { boardFor, pathOf } from "./board.js";
import { el, fill, say } from "./dom.js";
import { hintsPanel } from "./hints.js";
import { door, invitation } from "./invite.js";
import { movesList } from "./moves-list.js";
import { playersStrip } from "./players.js";
import { reviewOf } from "./review.js";
import { keepSeat, keptSeat, linkedSecret, remember, remembered } from "./seat.js";
import { tone } from "./sound.js";
import { follow } from "./stream.js";
import { takebackPanel } from "./takeback.js";
import { typedMoves } from "./typed.js";
import { endingFor, playerAt, plural } from "./words.js";

const main = document.getElementById("main");
const [, , id, replay] = location.pathname.split("/");

/** What the parts of the page share: the match, the seat, and how to ask the server for something. */
const table = {
  id,
  seat: null,
  token: null,
  you: [],
  state: null,
  showMoves: remembered("show-moves", true),
  canMove: () => !table.state.outcome && table.you.includes(table.state.to_move),
  apply,
  attempt,
  send: async (request) => {
    const state = await attempt(request);
    if (state) apply(state);
    return state;
  },
  setShowMoves: (on) => {
    table.showMoves = on;
    remember("show-moves", on);
    draw();
  },
  focusBoard: () => page.board.focus(),
  onTrouble: () => banner.show(false, pending),
};

let page = null;
let stream = null;
let pending = null;
let reviewed = null;
let remark = "";
const banner = connectionBanner(() => stream?.now());

start();

async function start() {
  let state;
  try {
    state = await sitDown();
  } catch (error) {
    if (error instanceof Away) {
      banner.show(false);
      setTimeout(start, 1500);
    } else missing(error);
    return;
  }
  banner.show(true);
  table.you = state.you ?? [];
  table.state = state;
  page = build(state);
  draw();
  notice(remark);
  page.door.enter();
  if (state.outcome) page.review.open();
  stream = follow(id, apply, (connected) => banner.show(connected, pending));
}

/**
 * The state as seen from this device's seat. A secret in the address is believed when the server
 * knows it; until then, and for one's own invitation, the seat that is kept here stays.
 */
async function sitDown() {
  const linked = replay ? null : linkedSecret();
  const kept = replay ? null : keptSeat(id);
  remark = "";
  if (linked && linked === kept?.invite) remark = "This is your own invitation: send it to a friend.";
  else if (linked && linked !== kept?.token) {
    const state = await matchState(id, linked);
    if (state.you?.length) {
      keepSeat(id, { token: linked, invite: null });
      return sit({ token: linked, invite: null }, state);
    }
    remark = kept ? "" : "This link opens no seat here. You are watching.";
  }
  return sit(kept, await matchState(id, kept?.token ?? null));
}

function sit(seat, state) {
  table.seat = seat;
  table.token = seat?.token ?? null;
  return state;
}

function missing(error) {
  fill(
    main,
    el("h1", {}, error.status === 404 ? "There is nothing here." : "This game cannot be shown."),
    el("p", { class: "lead" }, error.message),
    el("a", { class: "button primary", href: "/" }, "Go to the games"),
  );
}

function build(state) {
  const parts = {
    ending: el("p", { class: "ending" }),
    status: el("p", { class: "status" }),
    prompt: el("p", { class: "prompt" }),
    notice: el("p", { class: "notice", role: "alert", hidden: true }),
    watching: el("span", { class: "watching" }),
    players: playersStrip(),
    board: boardFor(state.board.kind, play),
    typed: typedMoves(state, play),
    path: pathOf(),
    moves: movesList((step) => parts.review.go(step)),
    hints: hintsPanel(table),
    invitation: invitation(table),
    door: door(table),
    takeback: takebackPanel(table),
    actions: gameActions(table),
    after: afterGame(table),
    settings: settings(table),
  };
  parts.review = reviewOf(table, (view, step) => {
    reviewed = { ...view, step };
    draw();
  });
  parts.typed.catchDigits(parts.board.element);
  fill(
    main,
    el(
      "header",
      { class: "match-head" },
      el("h1", {}, state.title),
      el("p", { class: "quiet" }, state.options_words, parts.watching),
    ),
    el(
      "div",
      { class: "table" },
      el(
        "div",
        { class: "stage" },
        parts.players.element,
        el("div", { class: "saying" }, parts.ending, parts.status, parts.prompt),
        parts.notice,
        parts.door.element,
        parts.invitation.element,
        parts.takeback.element,
        parts.after.element,
        parts.board.element,
        parts.review.controls,
        parts.board.showsMoves ? null : parts.path.element,
        parts.typed.element,
        parts.actions.element,
      ),
      el(
        "aside",
        { class: "side", "aria-label": "Moves, coach and links" },
        parts.hints.element,
        parts.review.panel,
        parts.moves.element,
        parts.settings.element,
      ),
    ),
  );
  return parts;
}

/** A state from the server; an older one than is shown is not news any more. */
function apply(state) {
  const before = table.state;
  if (state.version < before.version) return;
  table.state = state;
  if (state.ply > before.ply) tellMove(state);
  else if (state.ply < before.ply) announce(`A move was taken back. ${state.status}`);
  else if (state.status !== before.status) announce(standing(state));
  if (state.ply !== before.ply) {
    reviewed = null;
    notice("");
  }
  draw();
  if (state.outcome && !before.outcome) page.review.open();
  if (state.rematch && !before.rematch && !page.review.stepped()) goToRematch(table, state.rematch);
}

const standing = (state) => `${endingFor(state, table.you)} ${state.status}`.trim();

function tellMove(state) {
  const ply = state.ply - 1;
  const player = playerAt(ply);
  announce(`${state.players[player - 1].name} ${state.verb.did} ${state.moves[ply]}. ${standing(state)}`);
  if (!table.you.includes(player)) tone();
}

function draw() {
  const { state, you } = table;
  const names = state.players.map(({ name }) => name);
  const canMove = table.canMove() && !pending && !page.door.waits();
  for (const part of ["players", "invitation", "door", "takeback", "actions", "after", "settings", "hints"])
    page[part].show(state, you);
  say(page.ending, endingFor(state, you));
  say(page.status, state.status);
  say(page.prompt, state.outcome ? "" : you.length ? state.prompt : "You are watching.");
  page.prompt.hidden = Boolean(state.outcome) || !state.prompt;
  say(page.watching, state.watching > 1 ? ` · ${plural(state.watching, "page")} open on this game` : "");
  page.typed.element.hidden = !table.canMove();
  page.board.show({
    ...state,
    names,
    active: canMove,
    showLegal: Boolean(state.outcome) || (table.showMoves && state.show_moves),
    pending,
    ...reviewed,
  });
  page.path.show(state.moves, names, reviewed?.step);
  page.moves.show(state, page.review.data(), page.review.step());
  main.classList.toggle("my-turn", canMove);
  document.title = `${canMove && you.length === 1 ? "Your turn · " : ""}${state.title} · Number Duels`;
}

/** A tapped or typed move, sent until the server has answered. True if it counted. */
async function play(move) {
  if (pending || !table.canMove()) {
    notice(table.you.length ? "It is not your turn." : "You are watching this game.");
    return false;
  }
  pending = move;
  notice("");
  draw();
  const state = await attempt(() => sendMove(id, table.token, table.state.ply, move, table.onTrouble));
  pending = null;
  if (state) apply(state);
  draw(); // The answer of the computer may have come before this one, which is then old.
  return Boolean(state);
}

/** Ask the server; what it refuses is shown as the sentence it says. */
async function attempt(request) {
  try {
    const answer = await request();
    banner.show(true);
    return answer;
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof Away)) throw error;
    if (error.state) apply(error.state);
    notice(error.message);
    return null;
  }
}

function notice(words) {
  page.notice.hidden = !words;
  say(page.notice, words);
}

// The page of one match: played, watched, then reviewed, all in the same place.

import { afterGame, menu, rulesInShort } from "./actions.js";
import { afterLinks } from "./after-game.js";
import { announce } from "./announce.js";
import { act, Away, matchState, Problem } from "./api.js";
import { connectionBanner } from "./banner.js";
import { boardFor } from "./board.js";
import { el, fill, linkButton, say } from "./dom.js";
import { enter } from "./enter.js";
import { hintsPanel } from "./hints.js";
import { door, invitation } from "./invite.js";
import { lineOver } from "./line.js";
import { ofClass } from "./match-class.js";
import { remember, remembered } from "./memory.js";
import { movesList } from "./moves-list.js";
import { paced } from "./pace.js";
import { playersStrip } from "./players.js";
import { rematches } from "./rematch.js";
import { reviewOf } from "./review.js";
import { pathParts } from "./root.js";
import { dropSeat } from "./seat.js";
import { tone } from "./sound.js";
import { follow } from "./stream.js";
import { takebackButton, takebackQuestion } from "./takeback.js";
import { typedMoves } from "./typed.js";
import { playerAt, plural, saidTo } from "./words.js";

const main = document.getElementById("main");
const [, id, replay] = pathParts();

/** What the parts of the page share: the match, the seat, and how to ask the server for something. */
const table = {
  id,
  seat: null,
  token: null,
  you: [],
  invited: [],
  state: null,
  showMoves: remembered("show-moves", true),
  canMove: () => !table.state.outcome && !table.state.is_paused && table.you.includes(table.state.to_move),
  attempt,
  send: async (request) => {
    news = "";
    const state = await attempt(request);
    if (state) pace.give(state);
    return state;
  },
  act: (what, body = {}) => table.send(() => act(id, table.token, what, body, table.onTrouble)),
  /** Take a seat, or with none watch. */
  sit: ({ seat, you = [], invited = [] }) => {
    if (table.seat && !seat) dropSeat(id);
    Object.assign(table, { seat, token: seat?.token ?? null, you, invited });
    if (page) draw();
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
let news = "";
const pace = paced(take);
const banner = connectionBanner(() => stream?.now());

start();

async function start() {
  let entered;
  try {
    entered = replay ? { seat: null, state: await matchState(id), news: "" } : await enter(id);
  } catch (error) {
    if (error instanceof Away) {
      banner.show(false);
      setTimeout(start, 1500);
    } else missing(error);
    return;
  }
  banner.show(true);
  const { state } = entered;
  table.sit(entered);
  table.state = state;
  news = entered.news;
  page = build(state);
  draw();
  if (news) announce(news);
  page.door.enter();
  if (state.outcome) review();
  stream = follow(id, pace.give, (connected) => banner.show(connected, pending));
}

function missing(error) {
  fill(
    main,
    el("h1", error.status === 404 ? "There is nothing here." : "This game cannot be shown."),
    el("p.lead", error.message),
    linkButton("/", "Go to the games", "primary"),
  );
}

function build(state) {
  const parts = {
    line: lineOver(),
    watching: el("span.watching"),
    players: playersStrip(lowTime),
    board: boardFor(play),
    typed: typedMoves(state, play),
    moves: movesList((step) => parts.review.go(step)),
    hints: hintsPanel(table),
    invitation: invitation(table),
    door: door(table),
    question: takebackQuestion(table),
    takeback: takebackButton(table),
    rules: rulesInShort(table),
    links: afterLinks(),
    rematch: rematches(table),
    ofClass: ofClass(table),
  };
  parts.after = afterGame(parts.rematch.element, review);
  parts.menu = menu(table, parts.typed.element);
  parts.review = reviewOf(table, (view, step) => {
    reviewed = { ...view, step };
    draw();
  });
  parts.typed.catchDigits(parts.board.element, () => parts.menu.open());
  fill(
    main,
    el(
      "div.table",
      el(
        "div.stage.stack.loose",
        el(
          "header.match-head.row.baseline",
          el("h1", state.title),
          el("p.quiet", state.options_words, !state.coach && " · without the coach", parts.watching),
          parts.players.element,
        ),
        parts.line.element,
        parts.door.element,
        parts.invitation.element,
        parts.board.element,
        parts.review.controls,
        el(
          "div.row.center.bar",
          parts.ofClass.back,
          parts.after.element,
          parts.links.element,
          parts.hints.ask,
          parts.takeback.element,
          parts.rules.opener,
          parts.menu.opener,
        ),
        parts.rules.panel,
        parts.menu.panel,
      ),
      el(
        "aside.side.stack.loose",
        { "aria-label": "Coach and moves" },
        parts.hints.element,
        parts.review.panel,
        parts.moves.element,
      ),
    ),
  );
  return parts;
}

/** A state from the server; an older one than is known is not news any more. */
function take(state) {
  const before = table.state;
  if (state.version < before.version) return;
  table.state = state;
  if (state.ply > before.ply) pace.pauseFor(state);
  const said = newsOf(before, state);
  if (state.ply !== before.ply) reviewed = null;
  if (state.ply !== before.ply || said) {
    news = said;
    page.line.warn("");
  }
  const { status, why } = saidTo(state, table.you);
  if (state.ply > before.ply) tellMove(state, `${status} ${why}`);
  else if (said || status !== saidTo(before, table.you).status) announce(`${said} ${status} ${why}`.trim());
  draw();
  page.rematch.follow(before, state, Boolean(page.review.data()));
}

/** What happened besides a move, in a sentence. */
function newsOf(before, state) {
  const came = state.players.filter((_, index) => state.joined[index] && !before.joined[index]);
  const here = came.length && table.state.ply === before.ply ? `${came[0].name} is here.` : "";
  const refused = page.question.news(before, state);
  return page.door.news(state) || here || refused || page.rematch.news(before, state);
}

function lowTime(seconds) {
  const words = `${plural(seconds, "second")} left.`;
  announce(words);
  if (!table.you.includes(table.state.to_move)) return;
  news = words;
  draw();
}

function tellMove(state, standing) {
  const ply = state.ply - 1;
  const player = playerAt(ply);
  announce(`${state.players[player - 1].name} ${state.verb.did} ${state.moves[ply]}. ${standing}`.trim());
  if (!table.you.includes(player)) tone();
}

function draw() {
  const { state, you } = table;
  const canMove = table.canMove() && !pending && !page.door.waits();
  for (const part of ["players", "invitation", "door", "takeback", "rematch", "menu", "hints", "ofClass"]) page[part].show(state, you);
  page.after.show(state, Boolean(page.review.data()));
  // The games of a class stay with the class: a school's device is many people's.
  if (state.outcome && !state.class_code) page.links.show(table, page.review.data());
  page.line.show(table, news, page.rematch.offer(state), page.question.question(state));
  say(page.watching, state.watching > 1 && !state.class_code ? ` · ${plural(state.watching, "page")} open on this game` : "");
  page.board.show({
    ...state,
    names: state.players.map(({ name }) => name),
    active: canMove,
    showLegal: Boolean(state.outcome) || (table.showMoves && state.show_moves),
    pending,
    ...reviewed,
  });
  page.typed.element.hidden = !table.canMove();
  if (page.board.mustType()) page.board.element.after(page.typed.element);
  page.moves.show(state, page.review.data(), page.review.step());
  main.classList.toggle("my-turn", canMove);
  main.classList.toggle("reviewing", Boolean(page.review.data()));
  document.title = `${canMove && you.length === 1 ? "Your turn · " : ""}${state.title} · Number Duels`;
}

async function review() {
  await page.review.open();
  draw();
}

/** A tapped or typed move, sent until the server has answered. True if it counted. */
async function play(move) {
  if (pending || !table.canMove()) {
    page.line.warn(table.you.length ? "It is not your turn." : "You are watching this game.");
    return false;
  }
  pending = move;
  news = "";
  draw();
  const state = await attempt(() => act(id, table.token, "moves", { ply: table.state.ply, move }, table.onTrouble));
  pending = null;
  if (state) pace.give(state);
  draw(); // The answer of the computer may have come before this one, which is then old.
  return Boolean(state);
}

/** Ask the server; what it refuses is shown as the sentence it says. */
async function attempt(request) {
  page.line.warn("");
  try {
    const answer = await request();
    banner.show(true);
    return answer;
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Away)) throw error;
    if (error instanceof Problem && error.state) pace.give(error.state);
    page.line.warn(error.message);
    return null;
  }
}

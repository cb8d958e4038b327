// The page of one match: played, watched and reviewed in the same place.

import { classMatch } from "./class/client.js";
import { fetchMatch, fetchReview, postAction, RequestError, Unreachable } from "./lib/api.js";
import { createBoard, typedMoveForm } from "./lib/board.js";
import { linkButton } from "./lib/controls.js";
import { announce, el, fill, setText } from "./lib/dom.js";
import { pacedStates, playSound } from "./lib/effects.js";
import { LAST_GAME } from "./lib/history.js";
import { playerAt, plural, statusFor } from "./lib/notation.js";
import { rulesPanel } from "./lib/rules.js";
import { loadItem, saveItem } from "./lib/storage.js";
import { connectionBanner, followMatch } from "./lib/stream.js";
import { pathParts } from "./lib/urls.js";
import { hintsPanel, movesList, reviewPanel } from "./match/coach.js";
import { endPanel, placeBeside, replayMoves } from "./match/ending.js";
import { playersBar, statusLine } from "./match/header.js";
import { menuPanel, turnNotifications } from "./match/menu.js";
import { invitePanel, joinPanel, rematchOffers, takebackButton, takebackQuestion } from "./match/offers.js";
import { findSeat, removeSeat } from "./match/seats.js";

const main = document.getElementById("main");
const [, id, replay] = pathParts();
const REVIEW_WAIT = 1500;

/** What the parts of the page share: the match, the seat, and the requests. */
const match = {
  id,
  seat: null,
  token: null,
  you: [],
  invited: [],
  state: null,
  showMoves: loadItem("show-moves", true),
  notifications: null,
  canMove: () => !match.state.outcome && !match.state.is_paused && match.you.includes(match.state.to_move),
  attempt,
  send: async (request) => {
    news = "";
    const state = await attempt(request);
    if (state) pace.push(state);
    return state;
  },
  act: (action, body = {}) => match.send(() => postAction(id, match.token, action, body, match.onRetry)),
  /** Take a seat, or watch without one. */
  setSeat: ({ seat, you = [], invited = [] }) => {
    if (match.seat && !seat) removeSeat(id);
    Object.assign(match, { seat, token: seat?.token ?? null, you, invited });
    if (page) draw();
  },
  setShowMoves: (on) => {
    match.showMoves = on;
    saveItem("show-moves", on);
    draw();
  },
  /** Load the review of the finished match, once. */
  loadReview: () => {
    review ??= fetchReview(id).catch((error) => {
      review = null;
      throw error;
    });
    return review;
  },
  focusBoard: () => page.board.focus(),
  onRetry: () => banner.show(false, pending),
};

let page = null;
let stream = null;
let pending = null;
let review = null;
let reviewedStep = null;
let news = "";
const pace = pacedStates(onState);
const banner = connectionBanner(() => stream?.reconnect());

start();

async function start() {
  let result;
  try {
    result = replay ? { seat: null, state: await fetchMatch(id), news: "" } : await findSeat(id);
  } catch (error) {
    if (error instanceof Unreachable) {
      banner.show(false);
      setTimeout(start, 1500);
    } else showMissing(error);
    return;
  }
  banner.show(true);
  const { state } = result;
  match.setSeat(result);
  match.state = state;
  if (match.you.length && !state.class_code) saveItem(LAST_GAME, state.game);
  news = result.news;
  page = buildPage(state);
  draw();
  if (news) announce(news);
  page.joinPanel.joinAutomatically();
  if (state.outcome) showWithReview();
  stream = followMatch(id, () => match.you.length + match.invited.length > 0, pace.push, (connected) => banner.show(connected, pending));
}

function showMissing(error) {
  fill(
    main,
    el("h1", error.status === 404 ? "There is nothing here." : "This game cannot be shown."),
    el("p.lead", error.message),
    linkButton("/", "Go to the games", "primary"),
  );
}

function buildPage(state) {
  const elements = {
    statusLine: statusLine(),
    watching: el("span.watching"),
    players: playersBar(onLowTime),
    board: createBoard(playMove),
    typed: typedMoveForm(state, playMove),
    moves: movesList((step) => elements.review.goTo(step)),
    hints: hintsPanel(match, draw),
    invitation: invitePanel(match),
    joinPanel: joinPanel(match),
    question: takebackQuestion(match),
    takeback: takebackButton(match),
    rules: rulesPanel(state),
    rematch: rematchOffers(match),
    classMatch: classMatch(match),
  };
  elements.end = endPanel(match, elements.rematch, elements.classMatch.backLink, reviewFromStart);
  match.notifications = turnNotifications(match);
  elements.menu = menuPanel(match, elements.typed.element);
  elements.review = reviewPanel(match, (view, step) => {
    reviewedStep = { ...view, step };
    draw();
  });
  elements.typed.catchDigits(elements.board.element, () => elements.menu.open());
  const side = el(
    "aside.side.stack.loose",
    { "aria-label": "Coach and moves" },
    elements.hints.element,
    elements.review.panel,
    elements.moves.element,
  );
  const bar = el(
    "div.row.center.bar",
    elements.hints.hintButton,
    elements.takeback.element,
    elements.rules.opener,
    elements.menu.opener,
  );
  fill(
    main,
    el(
      "div.table",
      el(
        "div.stage.stack.loose",
        el(
          "header.match-head.row.baseline",
          el("h1", state.title),
          el("p.quiet", state.options_words, !state.coach && " · no hints", elements.watching),
          elements.players.element,
        ),
        elements.statusLine.element,
        elements.joinPanel.element,
        elements.invitation.element,
        elements.board.element,
        elements.review.controls,
        bar,
        elements.rules.panel,
        elements.menu.panel,
      ),
      side,
    ),
  );
  elements.placeEnd = placeBeside(elements.end.element, side, bar, () => Boolean(elements.review.data()));
  placeBeside(elements.invitation.element, side, elements.board.element)();
  return elements;
}

/** Show a state from the server, unless it is older than the current one. */
function onState(state) {
  const before = match.state;
  if (state.version < before.version) return;
  match.state = state;
  if (state.ply > before.ply) pace.pauseBeforeReply(state);
  const newsText = describeNews(before, state);
  const hasEnded = Boolean(state.outcome && !before.outcome);
  if (state.ply !== before.ply) reviewedStep = null;
  if (state.ply !== before.ply || newsText || hasEnded) {
    news = newsText;
    page.statusLine.warn("");
  }
  const { status, why, played } = statusFor(state, match.you);
  if (state.ply > before.ply) announceMove(state, `${played} ${status} ${why}`.trim());
  else if (newsText || status !== statusFor(before, match.you).status) announce(`${newsText} ${status} ${why}`.trim());
  draw();
  if (hasEnded) celebrate(state);
  if (page.rematch.offer(state) && !page.rematch.offer(before)) page.end.reveal();
  page.rematch.followRematch(before, state, Boolean(page.review.data()));
}

/** What happened besides a move, in a sentence. */
function describeNews(before, state) {
  const own = [...match.you, ...match.invited];
  const arrived = state.players.filter((_, index) => state.joined[index] && !before.joined[index] && !own.includes(index + 1));
  const arrival = arrived.length && match.state.ply === before.ply ? `${arrived[0].name} is here.` : "";
  const takebackNews = page.question.news(before, state);
  return page.joinPanel.news(state) || arrival || takebackNews || page.rematch.news(before, state);
}

/** The end, while the page is open: the moves once more, a sound, and what to do next. */
function celebrate(state) {
  replayMoves(page.board.element, state.moves);
  const hasLost = match.you.length === 1 && !match.you.includes(state.outcome.winner);
  playSound(hasLost ? "loss" : "win");
  if (match.you.length && !state.class_code) page.end.load().then(draw).then(() => page.end.reveal(true));
}

function onLowTime(seconds) {
  announce(plural(seconds, "{count} second left.", "{count} seconds left."));
  if (!match.you.includes(match.state.to_move)) return;
  news = "Your time is running out.";
  draw();
}

function announceMove(state, words) {
  const player = playerAt(state.ply - 1);
  announce(words);
  if (!state.outcome) playSound(`move-${player}`);
  if (!match.you.includes(player)) match.notifications.notify(state);
}

function draw() {
  const { state, you } = match;
  const canMove = match.canMove() && !pending && !page.joinPanel.isOpen();
  for (const part of ["players", "invitation", "joinPanel", "takeback", "rematch", "menu", "hints", "classMatch"]) page[part].show(state, you);
  match.notifications.show(state);
  page.placeEnd();
  page.end.show(state, you, Boolean(page.review.data()));
  page.statusLine.show(match, {
    news: page.rematch.offer(state) ? "" : news, // the panel after the game has the offer
    invitation: page.invitation.heading(),
    question: page.question.question(state),
  });
  const isWatched = state.watching > 0 && !state.class_code; // the wall of a class has all games open
  setText(page.watching, isWatched ? ` · ${state.watching} watching` : "");
  page.board.show({
    ...state,
    names: state.players.map(({ name }) => name),
    active: canMove,
    showLegal: Boolean(state.outcome) || (match.showMoves && state.show_moves),
    drawing: pending ? null : page.hints.drawing(),
    pending,
    ...reviewedStep,
  });
  page.typed.element.hidden = !match.canMove();
  if (page.board.mustType()) page.board.element.after(page.typed.element);
  page.moves.show(state, page.review.data(), page.review.step());
  main.classList.toggle("my-turn", canMove);
  main.classList.toggle("ended", Boolean(state.outcome));
  main.classList.toggle("reviewing", Boolean(page.review.data()));
  const isYourTurn = canMove && you.length === 1;
  document.title = isYourTurn ? `Your turn · ${state.title} · Number Duels` : `${state.title} · Number Duels`;
}

/** Show a finished game together with its review, unless that takes long: nothing moves. */
async function showWithReview() {
  main.classList.add("preparing");
  await Promise.race([openReview(), new Promise((resolve) => setTimeout(resolve, REVIEW_WAIT))]);
  main.classList.remove("preparing");
  if (match.you.length && page.rematch.offer(match.state)) page.end.reveal();
}

async function openReview() {
  await Promise.all([page.review.open(), page.end.load()]);
  draw();
}

/** Open the review with its board in view: the button is below the board on a phone. */
async function reviewFromStart() {
  await openReview();
  scrollTo({ top: 0 });
}

/** Send a tapped or typed move until the server responds; return whether it was accepted. */
async function playMove(move) {
  if (pending || !match.canMove()) {
    page.statusLine.warn(match.you.length ? "It is not your turn." : "You are watching this game.");
    playSound("illegal");
    return false;
  }
  pending = move;
  news = "";
  draw();
  const state = await attempt(() => postAction(id, match.token, "moves", { ply: match.state.ply, move }, match.onRetry));
  pending = null;
  if (state) pace.push(state);
  else playSound("illegal");
  draw(); // the computer's reply may have arrived first; then this state is old
  return Boolean(state);
}

/** Send a request; show the error if it is refused, and return null. */
async function attempt(request) {
  page.statusLine.warn("");
  try {
    const response = await request();
    banner.show(true);
    return response;
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof Unreachable)) throw error;
    if (error instanceof RequestError && error.state) pace.push(error.state);
    page.statusLine.warn(error.message);
    return null;
  }
}

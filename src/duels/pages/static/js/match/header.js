// What is above the board: the two players with their clocks, and the status line.

import { el, fill, newNotice, setText, warn } from "../lib/dom.js";
import { playerMark, playerName, plural, sentenceParts, statusFor } from "../lib/notation.js";

export function playersBar(onLow) {
  const chips = [1, 2].map((player) => ({
    chip: el("div", { class: `player player-${player}` }),
    who: el("span.who"),
    note: el("span.player-note"),
    time: el("span.clock", { hidden: true }),
    player,
  }));
  for (const { chip, who, note, time, player } of chips)
    chip.append(playerMark(player), el("span.player-words", who, note), time);
  const element = el("div.players", chips.map(({ chip }) => chip));
  const turnClock = createClock(
    chips.map(({ time }) => time),
    onLow,
  );

  function show(state, you) {
    for (const { chip, who, note, player } of chips) {
      const hasWon = state.outcome?.winner === player;
      const name = playerName(state.players[player - 1]);
      fill(who, hasWon ? sentenceParts("★ {won} {name}", { won: el("span.unseen", "won:"), name }) : name);
      note.textContent = playerNotes(state, player, you).join(" · ");
      chip.classList.toggle("moving", state.to_move === player);
      chip.classList.toggle("winner", hasWon);
    }
    turnClock.show(state);
  }

  return { element, show };
}

function playerNotes(state, player, you) {
  const parts = [];
  if (you.length === 1 && you[0] === player) parts.push("you");
  if (!state.joined[player - 1]) parts.push("not here yet");
  const [first, second] = state.score;
  if (first + second > (state.outcome ? 1 : 0)) parts.push(plural(state.score[player - 1], "{count} win", "{count} wins"));
  if (state.hints?.some(Boolean) && state.players[player - 1].kind === "person")
    parts.push(plural(state.hints[player - 1], "{count} hint", "{count} hints"));
  return parts;
}

const LOW_SECONDS = 10;

/** The seconds at which time is low: ten, or the last third of a short turn; 0 for very short turns. */
const lowTimeLimit = (limit) => (limit < 3 ? 0 : Math.min(LOW_SECONDS, Math.ceil(limit / 3)));

/** Show the time left in `displays[player - 1]`; `onLow(seconds)` is called once a turn. */
function createClock(displays, onLow) {
  let state = null;
  let offset = 0;
  let warnedPly = -1;
  let pausedAt = null; // the seconds that were left when the class was paused, if this page saw it

  function show(next) {
    if (!next.is_paused) pausedAt = null;
    else if (state?.clock && !state.is_paused && state.ply === next.ply) pausedAt = secondsLeft();
    if (next !== state && next.clock) offset = next.clock.now - performance.now(); // the same state says nothing new
    state = next;
    draw();
  }

  function draw() {
    displays.forEach((display, index) => {
      display.hidden = !state?.clock || Boolean(state.outcome);
      if (display.hidden) return;
      const isRunning = state.to_move === index + 1;
      const left = isRunning ? secondsLeft() : state.clock.limit;
      const isLow = isRunning && !state.is_paused && left <= lowTimeLimit(state.clock.limit);
      setText(display, clockFace(left));
      display.classList.toggle("running", isRunning);
      display.classList.toggle("urgent", isLow);
      if (isLow && left > 0 && warnedPly !== state.ply) {
        warnedPly = state.ply;
        onLow(Math.ceil(left));
      }
    });
  }

  function secondsLeft() {
    const { deadline, limit } = state.clock;
    if (!deadline) return pausedAt ?? limit;
    return Math.max(0, (deadline - performance.now() - offset) / 1000);
  }

  setInterval(() => state?.clock && draw(), 200);
  return { show };
}

/** "0:09", "1:30". */
function clockFace(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const LONG_STATUS = 90;

/** A text in which no line ends inside a move like 2-3. */
const unbrokenMoves = (text) => text.replace(/(\d-)(?=\d)/g, "$1\u2060");

/** The line above the board. Its height is reserved, so that no text moves the board. */
export function statusLine() {
  const status = el("p.status");
  const detail = el("p.why");
  const notice = newNotice();
  const actions = el("div.row.answers");
  const element = el(
    "div.status-line",
    el("div.status-row.row", el("div.status-words", status, detail, notice), actions),
  );
  let shown = "";

  /** `news` and `invitation` are texts or empty; a question is {player, text, buttons} or null. */
  function show({ state, you: seats, invited }, { news, invitation, question }) {
    const you = seats.length ? seats : invited;
    const words = statusFor(state, you);
    const ended = Boolean(state.outcome);
    const marked = ended && (you.length === 1 ? you[0] : state.outcome.winner);
    const player = question?.player ?? (marked || (invitation ? 0 : state.to_move));
    const statusText = question?.text ?? (ended ? words.status : invitation || `${news} ${words.status}`.trim());
    const detailText = ended ? news || words.why : invitation ? news || words.status : you.length ? "" : "You are watching.";
    const buttons = question?.buttons;
    const now = JSON.stringify([player, statusText, detailText, ended, Boolean(buttons)]);
    if (now === shown) return; // the buttons keep the focus
    shown = now;
    fill(status, player && playerMark(player), unbrokenMoves(statusText));
    setText(detail, detailText);
    element.className = `status-line${ended ? ` ended by-${state.outcome.winner}` : ""}`;
    element.classList.toggle("lengthy", statusText.length > LONG_STATUS);
    fill(actions, buttons?.() ?? []);
  }

  return { element, show, warn: (error) => warn(notice, error) };
}

// The wall: all boards of a round on one page, for a projector; tap one to enlarge it.

import { createBoard } from "../lib/board.js";
import { button, checkbox, linkButton } from "../lib/controls.js";
import { el, fill, setText } from "../lib/dom.js";
import { computerFigure, gradesOf, nameElement, playerMark, plural, sentenceParts, versus, withoutScheme } from "../lib/notation.js";
import { applyFit, drawPosition, fitDrawing } from "../lib/tiles.js";
import { link } from "../lib/urls.js";
import { openSession } from "./client.js";

const LEADER_COUNT = 5;
const LEADERS = {
  one: ["{people} with {points} point", "{people} with {points} points"],
  several: ["{people} with {points} point each", "{people} with {points} points each"],
};
const MIN_BOARD_WIDTH = 190; // pixels of a board whose names can still be read
const MIN_TILE = 13; // pixels of a tile whose number can still be read
const SMALL_SCREEN = 700; // pixels of a screen that is no projector
const CLEARLY = 1.03; // larger tiles are worth more boards in a row only by this factor
const GAP = 12; // pixels, as in class.css

export function wallPage(start) {
  const title = el("h1");
  const counts = el("p.quiet");
  const leaders = el("p.wall-leaders");
  const waiting = el("p.wall-waiting");
  const pause = button("Pause", () => session.change("pause", { paused: !session.view.is_paused }));
  const boards = el("div.wall-boards");
  const largeArea = el("section.stack.loose", { hidden: true });
  const cards = new Map();
  let fit = null; // how the boards are drawn on a projector
  let large = null;

  const session = openSession(start, draw);
  document.documentElement.classList.add("wall-page");
  fill(
    start.main,
    el(
      "header.wall-head.row",
      el("div", title, counts),
      el("div.wall-facts", leaders, waiting),
      el("p.wall-code.row.baseline", el("span.quiet", withoutScheme(link("/class"))), el("strong.code", start.code)),
      el("div.row", pause, linkButton(`/class/${start.code}`, "The class")),
    ),
    session.notice,
    session.problems,
    largeArea,
    boards,
  );
  session.draw();
  addEventListener("resize", fitBoards);

  function draw(view) {
    const { pupils, round, is_paused: isPaused } = view;
    const states = view.boards.map(({ state }) => state);
    const finished = states.filter(({ outcome }) => outcome).length;
    setText(title, isPaused ? "Paused" : round ? `Round ${round}` : "Join the class");
    setText(
      counts,
      round
        ? plural(states.length - finished, "{count} game in progress, {finished} finished", "{count} games in progress, {finished} finished", { finished })
        : plural(pupils.length, "{count} pupil is here", "{count} pupils are here"),
    );
    const leading = pupils.filter(({ points }) => points).sort((first, second) => second.points - first.points);
    showLeaders(leading);
    const absent = round ? pupils.filter((pupil) => pupil.is_waiting) : pupils;
    waiting.hidden = !absent.length;
    fill(waiting, sentenceParts("Waiting: {people}", { people: namesOf(absent) }));
    pause.hidden = !round;
    pause.textContent = isPaused ? "Resume" : "Pause";
    start.main.classList.toggle("paused", isPaused);
    drawBoards(states);
  }

  /**
   * "In the lead: Mia with 3 points; Ann and Ben with 2 points": those with equal points together, and as many groups
   * as have few names. If too many pupils lead, their number is enough.
   */
  function showLeaders(pupils) {
    leaders.hidden = !pupils.length;
    const scores = [...new Set(pupils.map(({ points }) => points))];
    let count = 0;
    const groups = scores
      .map((points) => pupils.filter((pupil) => pupil.points === points))
      .filter((equal, index) => (count += equal.length) <= LEADER_COUNT || !index)
      .map((equal) => {
        const [{ points }] = equal;
        const people = equal.length > LEADER_COUNT ? [`${equal.length} pupils`] : namesOf(equal);
        return sentenceParts(LEADERS[equal.length > 1 ? "several" : "one"][points === 1 ? 0 : 1], { people, points: String(points) });
      });
    fill(leaders, sentenceParts("In the lead: {groups}", { groups: joinParts(groups, "; ") }));
  }

  function drawBoards(states) {
    for (const id of cards.keys()) if (!states.some((state) => state.id === id)) cards.delete(id);
    for (const state of states) {
      const card = cards.get(state.id) ?? newCard(state.id);
      cards.set(state.id, card);
      card.show(state);
    }
    const shownNow = [...boards.children];
    const wanted = [...cards.values()].map(({ element }) => element);
    if (wanted.length !== shownNow.length || wanted.some((element, index) => element !== shownNow[index])) {
      fill(boards, wanted);
      fitBoards();
    }
    const state = large && states.find(({ id }) => id === large.id);
    if (large && !state) close();
    else if (large) large.show(state);
  }

  /**
   * Make the boards as large as possible with all of them in view, and let them fill the wall. The size is calculated
   * from one board, because laying out thirty boards takes a while; the second pass knows the height of its names.
   * Where boards could not be read, and on a small screen, the wall scrolls.
   */
  function fitBoards() {
    if (!boards.childElementCount || boards.hidden) return;
    const [{ state }] = session.view.boards;
    const wasFitted = Boolean(fit);
    for (let pass = 0; pass < 2; pass += 1) {
      const { width: available } = boards.getBoundingClientRect();
      const most = Math.max(1, Math.min(boards.childElementCount, Math.floor(available / MIN_BOARD_WIDTH)));
      const best = largestFit(state, available, most);
      fit = available >= SMALL_SCREEN && best.side >= MIN_TILE ? best : null;
      boards.style.setProperty("--across", fit?.across ?? (available < SMALL_SCREEN ? 1 : most));
      boards.style.setProperty("--high", fit ? `${fit.high}px` : "auto");
      boards.style.setProperty("--most", fit ? `${fit.side}px` : "100cqw");
    }
    if (fit) for (const drawing of boards.querySelectorAll(".preview")) applyFit(drawing, state, fit);
    else if (wasFitted) for (const { state: shown } of session.view.boards) cards.get(shown.id)?.redraw(shown);
  }

  /** The number of boards next to each other, up to `most`, with which their tiles are largest: {across, high, columns, side}. */
  function largestFit(state, available, most) {
    const [card] = boards.children;
    const frame = card.querySelector(".wall-names").getBoundingClientRect();
    const { left, top } = boards.getBoundingClientRect();
    const padding = frame.left - card.getBoundingClientRect().left;
    const above = frame.bottom - card.getBoundingClientRect().top + 2 * padding;
    const room = innerHeight - top - scrollY - left / 2;
    const fits = Array.from({ length: most }, (_, index) => {
      const across = index + 1;
      const down = Math.ceil(boards.childElementCount / across);
      const high = (room - (down - 1) * GAP) / down;
      const wide = (available - index * GAP) / across;
      return { across, high, ...fitDrawing(state, wide - 2 * padding, high - above) };
    });
    return fits.reduce((one, other) => (other.side > CLEARLY * one.side ? other : one));
  }

  function newCard(id) {
    const element = el("button.wall-board", { type: "button", onclick: () => open(id) });
    let version = -1;
    return {
      element,
      /** Draw the same state again, in the columns that a board has by itself. */
      redraw(state) {
        version = -1;
        this.show(state);
      },
      show(state) {
        if (state.version === version) return;
        version = state.version;
        const winner = state.outcome?.winner;
        const drawing = drawPosition(state);
        if (fit) applyFit(drawing, state, fit);
        element.classList.toggle("over", Boolean(winner));
        fill(
          element,
          el(
            "span.wall-names",
            [1, 2].map((player) =>
              el(
                "span",
                { class: `wall-name${winner === player ? " won" : ""}${state.to_move === player ? " moving" : ""}` },
                playerMark(player),
                " ",
                sentenceParts(winner === player ? "{name} ★ won" : "{name}", { name: shortName(state.players[player - 1]) }),
              ),
            ),
          ),
          drawing,
          el("span.unseen", winner ? "finished" : plural(state.ply, "{count} move", "{count} moves")),
        );
      },
    };
  }

  function open(id) {
    const { state } = session.view.boards.find(({ match }) => match === id);
    const board = largeBoard(state, "Show what the coach knows", session.solve);
    const endGame = endGameForm(state);
    large = {
      id,
      show(next) {
        board.show(next);
        endGame.hidden = Boolean(next.outcome);
      },
    };
    const back = button("All boards", close, "primary");
    fill(largeArea, el("div.row", back), board.element, endGame);
    largeArea.hidden = false;
    boards.hidden = true;
    endGame.hidden = Boolean(state.outcome);
    back.focus();
  }

  /** Buttons to end a game that will not be finished. */
  const endGameForm = (state) =>
    el(
      "details.end-game",
      el("summary", "End this game"),
      el(
        "div.row",
        state.players.map(({ name }, index) =>
          button(`${name} wins`, () => session.change("rulings", { match: state.id, winner: index + 1 }), "small"),
        ),
      ),
    );

  function close() {
    const { id } = large;
    large = null;
    largeArea.hidden = true;
    boards.hidden = false;
    fill(largeArea);
    fitBoards();
    cards.get(id)?.element.focus();
  }
}

/** "Mia", "Mia and Zoé", "Ann, Mia and Zoé". */
function namesOf(people) {
  const names = people.map(({ name }) => [nameElement(name)]);
  const last = names.pop() ?? [];
  return names.length ? sentenceParts("{names} and {last}", { names: joinParts(names, ", "), last }) : last;
}

/** Lists of nodes as one list, with a separator between them. */
const joinParts = (lists, separator) => lists.flatMap((parts, at) => (at ? [separator, ...parts] : parts));

/** A name as a small board has room for it: of a computer only the figure, without its level. */
const shortName = ({ name, kind, figure }) => [nameElement(name), kind === "computer" && [" ", computerFigure(figure)]].flat();

const UNNAMED_PLAYERS = [
  { name: "Player 1", kind: "person" },
  { name: "Player 2", kind: "person" },
];

/** One large board: `show` a match, or a position without players; `solve(state)` fetches the solution. */
export function largeBoard(state, coachLabel, solve) {
  const board = createBoard(() => {});
  const players = el("p.large-players");
  const status = el("p.status");
  const reason = el("p.reason", { hidden: true });
  const element = el(
    "div.large-board.stack.loose",
    players,
    status,
    board.element,
    checkbox(coachLabel, false, (on) => {
      isSolutionShown = on;
      solveCurrent();
    }),
    reason,
  );
  let isSolutionShown = false;
  let current = state;
  let solution = null;
  let requestNumber = 0;

  async function solveCurrent() {
    const number = (requestNumber += 1);
    solution = null;
    draw();
    if (!isSolutionShown || current.outcome) return;
    const response = await solve(current).catch((error) => ({ error: error.message }));
    if (number !== requestNumber || !isSolutionShown) return;
    solution = response;
    draw();
  }

  function show(next) {
    const hasChanged = next.moves.length !== current.moves.length || Boolean(next.outcome) !== Boolean(current.outcome);
    current = next;
    if (hasChanged) solveCurrent();
    else draw();
  }

  function draw() {
    const people = current.players ?? UNNAMED_PLAYERS;
    fill(players, current.players && versus(current.players));
    players.hidden = !current.players;
    const mover = current.outcome ? current.outcome.winner : current.to_move;
    fill(status, playerMark(mover), ` ${current.status ?? current.question}`);
    board.show({
      ...current,
      names: people.map(({ name }) => name),
      active: false,
      watched: !current.outcome, // as on the wall: what can be played is the loudest
      showLegal: true,
      grades: solution?.position ? gradesOf(solution) : null,
    });
    setText(reason, solution?.reason ?? solution?.error ?? "");
    reason.hidden = !reason.textContent;
  }

  draw();
  return { element, show };
}

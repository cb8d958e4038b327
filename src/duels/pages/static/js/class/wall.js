// The wall: all boards of a round on one page, for a projector; tap one to enlarge it.

import { createBoard } from "../lib/board.js";
import { button, checkbox, linkButton } from "../lib/controls.js";
import { el, fill, setText } from "../lib/dom.js";
import { computerFigure, gradesOf, nameElement, playerMark, plural, sentenceParts, versus, withoutScheme } from "../lib/notation.js";
import { drawPosition } from "../lib/tiles.js";
import { link } from "../lib/urls.js";
import { openSession } from "./session.js";

const LEADER_COUNT = 5;
const MIN_BOARD_WIDTH = 190; // pixels of a board whose numbers can still be read
const SMALL_SCREEN = 700; // pixels of a screen that is no projector
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
    setText(title, isPaused ? "Paused" : round ? `Round ${round}` : "Come in");
    setText(
      counts,
      round
        ? plural(states.length - finished, "{count} game going on, {finished} finished", "{count} games going on, {finished} finished", { finished })
        : plural(pupils.length, "{count} pupil is here", "{count} pupils are here"),
    );
    const leading = pupils.filter(({ points }) => points).sort((first, second) => second.points - first.points);
    listPeople(leaders, "Leading: {people}", leading.slice(0, LEADER_COUNT), ({ points }) => ` ${points}`);
    listPeople(waiting, "Waiting: {people}", round ? pupils.filter((pupil) => pupil.is_waiting) : pupils);
    pause.hidden = !round;
    pause.textContent = isPaused ? "Go on" : "Pause";
    start.main.classList.toggle("paused", isPaused);
    drawBoards(states);
  }

  /** @param {(person: any) => string} suffix */
  function listPeople(element, template, people, suffix = () => "") {
    element.hidden = !people.length;
    const parts = people.flatMap((person, at) => [at ? ", " : null, nameElement(person.name), suffix(person)]);
    fill(element, sentenceParts(template, { people: parts }));
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
   * Make the boards as large as possible with all of them in view; a small screen scrolls. The size is
   * calculated from one board, because laying out thirty boards takes a while.
   */
  function fitBoards() {
    const [card] = boards.children;
    if (!card || boards.hidden) return;
    const drawn = card.querySelector(".preview").getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const { left, top, width: available } = boards.getBoundingClientRect();
    const [aspect, frame, edges] = [drawn.height / drawn.width, height - drawn.height, width - drawn.width];
    const widthOf = (across) => (available - (across - 1) * GAP) / across;
    const fitsWith = (across) => {
      const down = Math.ceil(boards.childElementCount / across);
      const high = frame + aspect * (widthOf(across) - edges) + GAP;
      return top + scrollY + down * high <= innerHeight - left / 2;
    };
    const mostAcross = Math.max(1, Math.floor(available / MIN_BOARD_WIDTH));
    const least = available < SMALL_SCREEN ? 1 : Math.min(2, mostAcross);
    const choices = Array.from({ length: mostAcross - least + 1 }, (_, index) => least + index);
    const across = choices.find(fitsWith) ?? (available < SMALL_SCREEN ? least : mostAcross);
    boards.style.setProperty("--across", across);
  }

  function newCard(id) {
    const element = el("button.wall-board", { type: "button", onclick: () => open(id) });
    let version = -1;
    return {
      element,
      show(state) {
        if (state.version === version) return;
        version = state.version;
        const winner = state.outcome?.winner;
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
          drawPosition(state),
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
      showLegal: false,
      grades: solution?.position ? gradesOf(solution) : null,
    });
    setText(reason, solution?.reason ?? solution?.error ?? "");
    reason.hidden = !reason.textContent;
  }

  draw();
  return { element, show };
}

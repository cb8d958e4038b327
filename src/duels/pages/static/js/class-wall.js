// The wall: all boards of the round on one page, for a projector; one of them large by a tap.

import { largeBoard } from "./class-board.js";
import { teachersDesk } from "./class-desk.js";
import { button, el, fill, linkButton, mark, named, say, shown } from "./dom.js";
import { drawing } from "./preview.js";
import { link } from "./root.js";
import { plural, shortly } from "./words.js";

const LEADING = 5;
const NARROWEST = 190; // pixels of a board whose numbers can still be read
const SMALL = 700; // pixels of a screen that is no projector
const GAP = 12; // pixels, as in wall.css

export function wallPage(start) {
  const title = el("h1");
  const counts = el("p.quiet");
  const leaders = el("p.wall-leaders");
  const waiting = el("p.wall-waiting");
  const pause = button("Pause", () => desk.change("pause", { paused: !desk.view.is_paused }));
  const boards = el("div.wall-boards");
  const place = el("section.stack.loose", { hidden: true });
  const cards = new Map();
  let large = null;

  const desk = teachersDesk(start, draw);
  document.documentElement.classList.add("wall-page");
  fill(
    start.main,
    el(
      "header.wall-head.row",
      el("div", title, counts),
      el("div.wall-facts", leaders, waiting),
      el("p.wall-code.row.baseline", el("span.quiet", shortly(link("/class"))), el("strong.code", start.code)),
      el("div.row", pause, linkButton(`/class/${start.code}`, "The class")),
    ),
    desk.notice,
    desk.trouble,
    place,
    boards,
  );
  desk.draw();
  addEventListener("resize", fit);

  function draw(view) {
    const { pupils, round, is_paused: isPaused } = view;
    const states = view.boards.map(({ state }) => state);
    const over = states.filter(({ outcome }) => outcome).length;
    say(title, isPaused ? "Paused" : round ? `Round ${round}` : "Come in");
    say(
      counts,
      round
        ? `${plural(states.length - over, "game")} going on, ${over} finished`
        : plural(pupils.length, "pupil is here", "pupils are here"),
    );
    const lead = pupils.filter(({ points }) => points).sort((one, two) => two.points - one.points);
    list(leaders, "Leading: ", lead.slice(0, LEADING), ({ points }) => ` ${points}`);
    list(waiting, "Waiting: ", round ? pupils.filter((pupil) => pupil.is_waiting) : pupils);
    pause.hidden = !round;
    pause.textContent = isPaused ? "Go on" : "Pause";
    start.main.classList.toggle("paused", isPaused);
    drawBoards(states);
  }

  /** @param {(one: any) => string} after */
  function list(line, words, people, after = () => "") {
    line.hidden = !people.length;
    fill(line, words, ...people.flatMap((one, at) => [at ? ", " : null, named(one.name), after(one)]));
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
    if (wanted.length !== shownNow.length || wanted.some((one, index) => one !== shownNow[index])) {
      fill(boards, wanted);
      fit();
    }
    const state = large && states.find(({ id }) => id === large.id);
    if (large && !state) close();
    else if (large) large.show(state);
  }

  /**
   * As large as they can be with all of them in view; on a small screen one scrolls. Worked out from one
   * board and not by trying: to lay out thirty boards takes a while.
   */
  function fit() {
    const [card] = boards.children;
    if (!card || boards.hidden) return;
    const drawn = card.querySelector(".preview").getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const { left, top, width: room } = boards.getBoundingClientRect();
    const [steep, frame, edges] = [drawn.height / drawn.width, height - drawn.height, width - drawn.width];
    const widthOf = (across) => (room - (across - 1) * GAP) / across;
    const isWhole = (across) => {
      const down = Math.ceil(boards.childElementCount / across);
      const high = frame + steep * (widthOf(across) - edges) + GAP;
      return top + scrollY + down * high <= innerHeight - left / 2;
    };
    const most = Math.max(1, Math.floor(room / NARROWEST));
    const few = room < SMALL ? 1 : Math.min(2, most);
    const choices = Array.from({ length: most - few + 1 }, (_, index) => few + index);
    const across = choices.find(isWhole) ?? (room < SMALL ? few : most);
    boards.style.setProperty("--across", across);
    boards.style.setProperty("--wall-text", `${Math.max(9, widthOf(across) * 0.044)}px`);
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
                mark(player),
                " ",
                shown(state.players[player - 1]),
                winner === player && " ★ won",
              ),
            ),
          ),
          drawing(state),
          el("span.unseen", winner ? "finished" : plural(state.ply, "move")),
        );
      },
    };
  }

  function open(id) {
    const { state } = desk.view.boards.find(({ match }) => match === id);
    const one = largeBoard(state, "Show what the coach knows", desk.solve);
    const rule = ruling(state);
    large = {
      id,
      show(next) {
        one.show(next);
        rule.hidden = Boolean(next.outcome);
      },
    };
    const back = button("All boards", close, "primary");
    fill(place, el("div.row", back), one.element, rule);
    place.hidden = false;
    boards.hidden = true;
    rule.hidden = Boolean(state.outcome);
    back.focus();
  }

  /** To end a game that will not end by itself. */
  const ruling = (state) =>
    el(
      "details.ruling",
      el("summary", "End this game"),
      el(
        "div.row",
        state.players.map(({ name }, index) =>
          button(`${name} wins`, () => desk.change("rulings", { match: state.id, winner: index + 1 }), "small"),
        ),
      ),
    );

  function close() {
    const { id } = large;
    large = null;
    place.hidden = true;
    boards.hidden = false;
    fill(place);
    fit();
    cards.get(id)?.element.focus();
  }
}

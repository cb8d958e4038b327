// What a class takes home: the standings, and the turning points of its games as puzzles for all.

import { classResults, saveResults } from "./class-api.js";
import { largeBoard } from "./class-board.js";
import { button, el, fill, named, tableOf } from "./dom.js";
import { drawing } from "./preview.js";

export function results(desk) {
  const place = el("div.stack");
  const ask = button("Show the results", look);
  const element = el("section.panel.results", el("h2", "Results"), ask, place);

  async function look() {
    ask.disabled = true;
    let found = null;
    await desk.send(async () => {
      found = await classResults(desk.code, desk.token);
    });
    ask.disabled = false;
    if (!found) return;
    ask.textContent = "Show them again";
    fill(
      place,
      standings(found.standings),
      el(
        "div.row",
        button("Save as a table (CSV)", () => desk.send(() => saveResults(desk.code, desk.token)), "small"),
      ),
      found.turning_points.length > 0 && turningPoints(found.turning_points, desk.solve),
    );
  }

  return { element, show: ({ round }) => (element.hidden = !round) };
}

const standings = (rows) =>
  tableOf(
    "standings",
    ["Name", "Points", "Games", "Wins kept"],
    rows.map(({ name, points, games, chances, taken }) =>
      el(
        "tr",
        el("th", { scope: "row" }, named(name)),
        [points, games, chances ? `${taken} of ${chances}` : "–"].map((value) => el("td", String(value))),
      ),
    ),
  );

function turningPoints(turns, solve) {
  const place = el("div.turn.stack", { hidden: true });
  const cards = el(
    "div.turns",
    turns.map((turn) =>
      el(
        "button.wall-board",
        { type: "button", onclick: () => open(turn) },
        drawing(turn),
        el("span.quiet", `${turn.title}, ${turn.difficulty}`),
      ),
    ),
  );

  function open(turn) {
    const question = `Player ${turn.to_move} is to move. Which move wins?`;
    const one = largeBoard({ ...turn, question }, "Show the answer", solve);
    const back = button("All turning points", close, "primary");
    fill(place, el("div.row", back), one.element);
    show(true);
    back.focus();
  }

  function close() {
    show(false);
    cards.querySelector("button").focus();
  }

  /** One of them fills the page: it is for the whole class, and the names beside it are not. */
  function show(isOne) {
    place.hidden = !isOne;
    cards.hidden = isOne;
    document.getElementById("main").classList.toggle("one-turn", isOne);
  }

  return el(
    "section.stack",
    el("h3", "Turning points"),
    // Whose game it was is not said: it is looked at by all.
    el("p.quiet", "From your games: here a win was there to be taken. Find it together."),
    cards,
    place,
  );
}

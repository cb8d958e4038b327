// The results of a class: the standings, and the turning points of its games as puzzles.

import { button, dataTable } from "../lib/controls.js";
import { el, fill } from "../lib/dom.js";
import { nameElement } from "../lib/notation.js";
import { drawPosition } from "../lib/tiles.js";
import { downloadResults, fetchResults } from "./client.js";
import { largeBoard } from "./wall.js";

export function resultsPanel(session) {
  const resultsArea = el("div.stack");
  const showButton = button("Show the results", loadResults);
  const element = el("section.panel.results", el("h2", "Results"), showButton, resultsArea);

  async function loadResults() {
    showButton.disabled = true;
    let results = null;
    await session.send(async () => {
      results = await fetchResults(session.code, session.token);
    });
    showButton.disabled = false;
    if (!results) return;
    showButton.textContent = "Update the results";
    fill(
      resultsArea,
      standingsTable(results.standings),
      el(
        "div.row",
        button("Save as a table (CSV)", () => session.send(() => downloadResults(session.code, session.token)), "small"),
      ),
      results.turning_points.length > 0 && turningPoints(results.turning_points, session.solve),
    );
  }

  return { element, show: ({ round }) => (element.hidden = !round) };
}

const standingsTable = (rows) =>
  dataTable(
    "standings",
    ["Name", "Points", "Games", "Wins kept"],
    rows.map(({ name, points, games, chances, taken }) =>
      el(
        "tr",
        el("th", { scope: "row" }, nameElement(name)),
        [points, games, chances ? `${taken} of ${chances}` : "–"].map((value) => el("td", String(value))),
      ),
    ),
  );

function turningPoints(positions, solve) {
  const boardArea = el("div.turn.stack", { hidden: true });
  const cards = el(
    "div.turns",
    positions.map((position) =>
      el(
        "button.wall-board",
        { type: "button", onclick: () => open(position) },
        drawPosition(position),
        el("span.quiet", `${position.title}, ${position.difficulty}`),
      ),
    ),
  );

  function open(position) {
    const question = `Player ${position.to_move} is to move. Which move wins?`;
    const board = largeBoard({ ...position, question }, "Show the answer", solve);
    const back = button("All turning points", close, "primary");
    fill(boardArea, el("div.row", back), board.element);
    setOpen(true);
    back.focus();
  }

  function close() {
    setOpen(false);
    cards.querySelector("button").focus();
  }

  /** One position fills the page: the whole class sees it, but not the names next to it. */
  function setOpen(isOpen) {
    boardArea.hidden = !isOpen;
    cards.hidden = isOpen;
    document.getElementById("main").classList.toggle("one-turn", isOpen);
  }

  return el(
    "section.stack",
    el("h3", "Turning points"),
    // No names: the whole class looks at it.
    el("p.quiet", "From your games: here a win was there to be taken. Find it together."),
    cards,
    boardArea,
  );
}

// The pupils of a class on the teacher's page: the roster, where they are renamed, removed, admitted or paired by hand,
// and their results with the turning points of their games as puzzles.

import { button, dataTable, onSubmit, select, submitButton } from "../lib/controls.js";
import { el, fill } from "../lib/dom.js";
import { nameElement, plural, sentenceParts } from "../lib/notation.js";
import { drawPosition } from "../lib/tiles.js";
import { downloadResults, fetchResults } from "./client.js";

/** The list of pupils; `show(view)` does not replace a name that is being edited. */
export function rosterPanel(session) {
  const title = el("h2");
  const list = el("ul.roster");
  const pairing = el("div.row.end.pairing", { hidden: true });
  const requestArea = el("div.stack");
  const element = el("section.panel", title, requestArea, list, pairing);
  let editing = null;
  let shownKey = "";
  let shownPairs = "";
  let shownRequests = "";

  function show({ pupils, round }) {
    title.textContent = pupils.length ? plural(pupils.length, "{count} pupil is here", "{count} pupils are here") : "No pupils yet";
    if (!pupils.some(({ id }) => id === editing)) editing = null;
    showRequests(pupils);
    const key = JSON.stringify([pupils, round, editing]);
    if (!editing && key !== shownKey) fill(list, [...pupils].sort(byPoints).map((pupil) => row(pupil, round)));
    shownKey = key;
    showPairing(pupils, round);
  }

  /** The requests of waiting devices, above the list so that they are always in view. */
  function showRequests(pupils) {
    const requests = pupils
      .filter((pupil) => pupil.waiting_devices.length)
      .map(({ id, name, waiting_devices }) => ({ id, name, waiting_devices }));
    if (JSON.stringify(requests) === shownRequests) return;
    shownRequests = JSON.stringify(requests);
    fill(requestArea, requests.flatMap((pupil) => pupil.waiting_devices.map((device) => requestRow(pupil, device))));
  }

  const byPoints = (first, second) => second.points - first.points; // the server has sorted them by name

  const row = (pupil, round) =>
    el(
      "li",
      el(
        "div.row",
        el("span.roster-name", nameElement(pupil.name)),
        round > 0 && el("span.quiet", plural(pupil.points, "{count} point", "{count} points")),
        round > 0 && pupil.is_waiting && el("span.kind", "waiting"),
        button("Change", ({ target }) => edit(pupil, target.closest("li")), "small", {
          "aria-label": `Change ${pupil.name}`,
        }),
      ),
    );

  /** Another device claims to be this pupil; it shows the same words. */
  const requestRow = (pupil, { device, words }) =>
    el(
      "div.row.device-request",
      el("span", sentenceParts("A device asks to be {name}. It shows: {words}", { name: nameElement(pupil.name), words: el("strong", words) })),
      button("Let it in", () => change({ pupil: pupil.id, let_in: device }), "small primary", {
        "aria-label": `Let ${words} in`,
      }),
      button("No", () => change({ pupil: pupil.id, refuse: device }), "small", { "aria-label": `No to ${words}` }),
    );

  function edit(pupil, item) {
    editing = pupil.id;
    const name = el("input", { maxlength: 40, autocomplete: "off", required: true, "aria-label": "Name" });
    name.value = pupil.name;
    const rename = () => finishEdit({ pupil: pupil.id, name: name.value.trim() });
    const form = el(
      "form.row.roster-edit",
      { onsubmit: onSubmit(rename) },
      name,
      submitButton("Rename", "small primary"),
      button("Remove", () => finishEdit({ pupil: pupil.id, remove: true }), "small danger"),
      button("Cancel", () => finishEdit(null), "small"),
    );
    fill(item, form);
    name.focus();
  }

  async function finishEdit(body) {
    const before = editing;
    editing = null;
    if (!body) session.draw();
    else if (!(await change(body))) editing = before;
  }

  const change = (body) => session.change("pupils", body);

  function showPairing(pupils, round) {
    const unpaired = pupils.filter((pupil) => pupil.is_waiting);
    pairing.hidden = !round || !unpaired.length;
    const key = JSON.stringify(unpaired);
    if (key === shownPairs) return;
    shownPairs = key;
    if (!unpaired.length) return fill(pairing);
    const people = unpaired.map(({ id, name }) => ({ value: id, label: name }));
    const chosen = [people[0].value, people[1]?.value ?? ""];
    return fill(
      pairing,
      select(people, chosen[0], (id) => (chosen[0] = id), { "aria-label": "Waiting pupil" }),
      select([...people.slice(1), { value: "", label: "The computer" }, people[0]], chosen[1], (id) => (chosen[1] = id), {
        "aria-label": "Plays against",
      }),
      button("Pair them", () => session.change("pairs", { pupils: chosen }), "small"),
    );
  }

  return { element, show };
}

/** The standings and the turning points, which are loaded when they are asked for. */
export function resultsPanel(session) {
  const resultsArea = el("div.stack");
  const showButton = button("Show the results", loadResults);
  const element = el("section.panel.results", el("h2", "Results"), showButton, resultsArea);

  async function loadResults() {
    const label = showButton.textContent;
    showButton.disabled = true;
    showButton.textContent = "Reviewing the games …";
    let results = null;
    await session.send(async () => {
      results = await fetchResults(session.code, session.token);
    });
    showButton.disabled = false;
    showButton.textContent = results ? "Update the results" : label;
    if (!results) return;
    fill(
      resultsArea,
      standingsTable(results.standings),
      el("p.note", "Wins kept: how many of their chances to win a pupil took, where a losing move was possible too."),
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

  async function open(position) {
    const { largeBoard } = await import("./wall.js"); // the page of a teacher who opens no position does without it
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
    el("p.quiet", "From your games: each of these positions can be won. Find the move together."),
    cards,
    boardArea,
  );
}

// The pupils of a class: renamed, removed, admitted, or paired by hand.

import { button, onSubmit, select, submitButton } from "../lib/controls.js";
import { el, fill } from "../lib/dom.js";
import { nameElement, plural, sentenceParts } from "../lib/notation.js";

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
        round > 0 && pupil.is_waiting && el("span.kind", "waits"),
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
      select(people, chosen[0], (id) => (chosen[0] = id), { "aria-label": "Who waits" }),
      select([...people.slice(1), { value: "", label: "The computer" }, people[0]], chosen[1], (id) => (chosen[1] = id), {
        "aria-label": "Plays against",
      }),
      button("Pair them", () => session.change("pairs", { pupils: chosen }), "small"),
    );
  }

  return { element, show };
}

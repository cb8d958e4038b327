// The pupils of a class: who is here, with how many points; renamed, removed, let in, paired by hand.

import { button, el, fill, named, select } from "./dom.js";
import { submitButton, submitted } from "./forms.js";
import { plural } from "./words.js";

/** `show(view)` draws it again; what a teacher is typing stays. */
export function roster(desk) {
  const title = el("h2");
  const list = el("ul.roster");
  const pairing = el("div.row.end.pairing", { hidden: true });
  const doorbell = el("div.stack");
  const element = el("section.panel", title, doorbell, list, pairing);
  let editing = null;
  let drawn = "";
  let pairs = "";
  let rang = "";

  function show({ pupils, round }) {
    title.textContent = pupils.length ? plural(pupils.length, "pupil is here", "pupils are here") : "No pupils yet";
    if (!pupils.some(({ id }) => id === editing)) editing = null;
    showAsking(pupils);
    const now = JSON.stringify([pupils, round, editing]);
    if (!editing && now !== drawn) fill(list, [...pupils].sort(byPoints).map((pupil) => row(pupil, round)));
    drawn = now;
    showPairing(pupils, round);
  }

  /** Over the list, where it is seen however long that is. */
  function showAsking(pupils) {
    const now = pupils
      .filter((pupil) => pupil.waiting_devices.length)
      .map(({ id, name, waiting_devices }) => ({ id, name, waiting_devices }));
    if (JSON.stringify(now) === rang) return;
    rang = JSON.stringify(now);
    fill(doorbell, now.flatMap((pupil) => pupil.waiting_devices.map((device) => letIn(pupil, device))));
  }

  const byPoints = (one, two) => two.points - one.points || one.name.localeCompare(two.name);

  const row = (pupil, round) =>
    el(
      "li",
      el(
        "div.row",
        el("span.roster-name", named(pupil.name)),
        round > 0 && el("span.quiet", plural(pupil.points, "point")),
        round > 0 && pupil.is_waiting && el("span.kind", "waits"),
        button("Change", ({ target }) => edit(pupil, target.closest("li")), "small", {
          "aria-label": `Change ${pupil.name}`,
        }),
      ),
    );

  /** Somebody at another device says they are this pupil; that device shows the same words. */
  const letIn = (pupil, { device, words }) =>
    el(
      "div.row.asks",
      el("span", "A device asks to be ", named(pupil.name), ". It shows: ", el("strong", words)),
      button("Let it in", () => change({ pupil: pupil.id, let_in: device }), "small primary", {
        "aria-label": `Let ${words} in`,
      }),
      button("No", () => change({ pupil: pupil.id, refuse: device }), "small", { "aria-label": `No to ${words}` }),
    );

  function edit(pupil, item) {
    editing = pupil.id;
    const name = el("input", { maxlength: 40, autocomplete: "off", required: true, "aria-label": "Name" });
    name.value = pupil.name;
    const rename = () => done({ pupil: pupil.id, name: name.value.trim() });
    const form = el(
      "form.row.roster-edit",
      { onsubmit: submitted(rename) },
      name,
      submitButton("Rename", "small primary"),
      button("Remove", () => done({ pupil: pupil.id, remove: true }), "small danger"),
      button("Cancel", () => done(null), "small"),
    );
    fill(item, form);
    name.focus();
  }

  async function done(asked) {
    const before = editing;
    editing = null;
    if (!asked) desk.draw();
    else if (!(await change(asked))) editing = before;
  }

  const change = (asked) => desk.change("pupils", asked);

  function showPairing(pupils, round) {
    const waiting = pupils.filter((pupil) => pupil.is_waiting);
    pairing.hidden = !round || !waiting.length;
    const now = JSON.stringify(waiting);
    if (now === pairs) return;
    pairs = now;
    if (!waiting.length) return fill(pairing);
    const people = waiting.map(({ id, name }) => ({ value: id, label: name }));
    const chosen = [people[0].value, people[1]?.value ?? ""];
    return fill(
      pairing,
      select(people, chosen[0], (id) => (chosen[0] = id), { "aria-label": "Who waits" }),
      select([...people.slice(1), { value: "", label: "The computer" }, people[0]], chosen[1], (id) => (chosen[1] = id), {
        "aria-label": "Plays against",
      }),
      button("Pair them", () => desk.change("pairs", { pupils: chosen }), "small"),
    );
  }

  return { element, show };
}

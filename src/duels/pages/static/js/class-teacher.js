// The teacher's page: the code for the board, who is here, what is played, and one obvious next step.

import { games as fetchGames, qrPicture } from "./api.js";
import { endClass } from "./class-api.js";
import { teachersDesk } from "./class-desk.js";
import { forTeachers } from "./class-door.js";
import { teachersLink } from "./class-key.js";
import { planForm } from "./class-plan.js";
import { results } from "./class-results.js";
import { roster } from "./class-roster.js";
import { copyButton } from "./copy.js";
import { button, el, fill, linkButton, say } from "./dom.js";
import { askingButton } from "./forms.js";
import { copiedLink, onlyHere } from "./link-box.js";
import { link } from "./root.js";
import { plural, shortly } from "./words.js";

export async function teacherPage(start) {
  const { code, main } = start;
  const status = el("p.status");
  const next = button("Start round 1", startNext, "primary large");
  const pause = button("Pause", () => desk.change("pause", { paused: !desk.view.is_paused }));
  const wall = linkButton(`/class/${code}/wall`, "Show the wall");
  const chosen = el("div");
  const desk = teachersDesk(start, draw);
  const people = roster(desk);
  const after = results(desk);
  let form = null;
  let isSure = false;
  fill(
    main,
    el("h1", "Your class"),
    desk.notice,
    el(
      "div.teaching",
      el(
        "div.stack.loose",
        joining(code),
        el(
          "section.panel.stack",
          status,
          desk.trouble,
          el("div.row", next, pause, wall),
          chosen,
        ),
        after.element,
      ),
      el("div.stack.loose", people.element, more(desk, start)),
    ),
  );
  desk.draw();
  await desk.send(async () => {
    const { games } = await fetchGames();
    form = planForm(games, desk.view.plan);
    fill(chosen, form.element);
  });
  desk.draw();

  function draw(view) {
    const { round, is_paused: isPaused, pupils, boards } = view;
    const going = boards.filter(({ state }) => !state.outcome).length;
    say(
      status,
      isPaused
        ? "Paused. No one can move, and the clocks have stopped."
        : !pupils.length
          ? "Write the code on the board. Pupils who join are listed here."
          : !round
            ? "Choose what is played, and start when all are here."
            : going
              ? `Round ${round}: ${plural(going, "game")} going on.`
              : boards.length
                ? `Round ${round} is finished.`
                : `Round ${round} cannot be shown.`,
    );
    isSure &&= Boolean(going);
    next.textContent = isSure ? `${plural(going, "game")} will be left: start round ${round + 1}` : `Start round ${round + 1}`;
    next.disabled = !pupils.length || !form;
    next.classList.toggle("primary", !going); // the one thing to do: while games go on, to look at them
    wall.classList.toggle("primary", Boolean(going));
    pause.hidden = wall.hidden = !round;
    pause.textContent = isPaused ? "Go on" : "Pause";
    people.show(view);
    after.show(view);
  }

  /** Boards of this round are left behind: that is asked once more. */
  async function startNext() {
    if (!isSure && desk.view.boards.some(({ state }) => !state.outcome)) {
      isSure = true;
      desk.draw();
      return;
    }
    isSure = false;
    next.disabled = true;
    if (await desk.change("plan", form.plan())) await desk.change("rounds", { round: desk.view.round + 1 });
    desk.draw();
  }
}

/** How pupils come in: an address and a code to type, or a picture for phones. Read from the last row. */
function joining(code) {
  const to = link(`/class/${code}`);
  const picture = el("img.qr", { alt: "QR code: the link for pupils", hidden: true });
  qrPicture(to)
    .then((drawn) => {
      picture.src = drawn;
      picture.hidden = false;
    })
    .catch(() => {}); // the address and the code are enough
  return el(
    "section.panel.joining.row",
    el(
      "div.stack",
      el("p", "Open ", el("strong", shortly(link("/class"))), " and type"),
      el("p.code", code),
      el("div.row", copyButton("Copy the link for pupils", () => to, "small")),
      onlyHere(),
    ),
    picture,
  );
}

/** What is seldom wanted: this page elsewhere, paper, privacy, and the end. */
function more(desk, { code, token, over }) {
  const words = {
    label: "End the lesson",
    kind: "danger",
    question: "The class, its names and its games are removed. Results are not saved.",
    yes: "Yes, remove everything",
    no: "Keep the class",
  };
  const end = askingButton(words, async () => {
    if (await desk.send(() => endClass(code, token))) over();
  });
  return el(
    "section.panel.stack",
    end,
    el("p.note", "Otherwise the server does it after a day."),
    forTeachers(),
    copiedLink("my own link to this page", () => teachersLink(code, token), "small"),
  );
}

// The teacher's page: the code for the board, the pupils, what is played, and the next step.

import { fetchGames, fetchQrCode } from "../lib/api.js";
import { button, checkbox, confirmButton, linkButton, selectField } from "../lib/controls.js";
import { el, fill, setText } from "../lib/dom.js";
import { gameChoices, optionsForm, setupChoice, TIME_LIMITS } from "../lib/game-options.js";
import { copyButton, copyLinkRow, localOnlyNote } from "../lib/links.js";
import { plural, sentenceParts, withoutScheme } from "../lib/notation.js";
import { address, link } from "../lib/urls.js";
import { endClass, openSession, postToClass, privacyLink, teacherLink } from "./client.js";
import { resultsPanel, rosterPanel } from "./pupils.js";

const SHARE_DELAY = 700; // milliseconds after a change

export async function teacherPage(start) {
  const { code, main } = start;
  const status = el("p.status");
  const next = button("Start round 1", startNextRound, "primary large");
  const pause = button("Pause", () => session.change("pause", { paused: !session.view.is_paused }));
  const wall = linkButton(`/class/${code}/wall`, "Show the wall");
  const planArea = el("div");
  const session = openSession(start, draw);
  const rosterSection = rosterPanel(session);
  const resultsSection = resultsPanel(session);
  let form = null;
  let isConfirmed = false;
  let sharing = 0;
  let sharedPlan = "";
  await session.send(async () => {
    const { games } = await fetchGames();
    form = planForm(games, session.view.plan);
    fill(planArea, form.element);
  });
  for (const event of ["change", "click"]) planArea.addEventListener(event, sharePlanSoon);
  fill(
    main,
    el("h1", "Your class"),
    session.notice,
    el(
      "div.teaching",
      el(
        "div.stack.loose",
        joinSection(code),
        el(
          "section.panel.stack",
          status,
          session.problems,
          el("div.row", next, pause, wall),
          planArea,
        ),
        resultsSection.element,
      ),
      el("div.stack.loose", rosterSection.element, moreSection(session, start)),
    ),
  );
  session.draw();
  sharePlanSoon();

  function sharePlanSoon() {
    clearTimeout(sharing);
    sharing = setTimeout(sharePlan, SHARE_DELAY);
  }

  /** Show the waiting pupils what they are going to play. Later rounds are a surprise: those boards are in use. */
  async function sharePlan() {
    if (!form || session.view.round || planArea.querySelector(":invalid")) return;
    const plan = form.plan();
    if (JSON.stringify(plan) === sharedPlan) return;
    sharedPlan = JSON.stringify(plan);
    await postToClass(code, "plan", session.token, plan).catch(() => {}); // it is sent again with the round
  }

  function draw(view) {
    const { round, is_paused: isPaused, pupils, boards } = view;
    const runningCount = boards.filter(({ state }) => !state.outcome).length;
    setText(
      status,
      isPaused
        ? "Paused. No one can move, and the clocks have stopped."
        : !pupils.length
          ? "Write the code on the board. Pupils who join are listed here."
          : !round
            ? "Choose what is played, and start when all are here."
            : runningCount
              ? plural(runningCount, "Round {round}: {count} game in progress.", "Round {round}: {count} games in progress.", { round })
              : boards.length
                ? `Round ${round} is finished.`
                : `Round ${round} cannot be shown.`,
    );
    isConfirmed &&= Boolean(runningCount);
    next.textContent = isConfirmed
      ? plural(runningCount, "{count} game is unfinished: start round {next} anyway", "{count} games are unfinished: start round {next} anyway", { next: round + 1 })
      : `Start round ${round + 1}`;
    next.disabled = !pupils.length || !form;
    next.classList.toggle("primary", !runningCount); // while games are running, the wall is the primary button
    wall.classList.toggle("primary", Boolean(runningCount));
    pause.hidden = wall.hidden = !round;
    pause.textContent = isPaused ? "Resume" : "Pause";
    rosterSection.show(view);
    resultsSection.show(view);
  }

  /** Start the next round; ask once more if that ends running games. */
  async function startNextRound() {
    if (!isConfirmed && session.view.boards.some(({ state }) => !state.outcome)) {
      isConfirmed = true;
      session.draw();
      return;
    }
    isConfirmed = false;
    next.disabled = true;
    if (await session.change("plan", form.plan())) await session.change("rounds", { round: session.view.round + 1 });
    session.draw();
  }
}

/** How pupils join: an address and a code to type, or a QR code. Large enough for the last row. */
function joinSection(code) {
  const pupilLink = link(`/class/${code}`);
  const picture = el("img.qr.reserved", { alt: "QR code: the link for pupils" });
  fetchQrCode(pupilLink)
    .then((source) => (picture.src = source))
    .catch(() => {}); // the address and the code are enough
  return el(
    "section.panel.joining.row",
    el(
      "div.stack",
      el("p", sentenceParts("Open {address} and type", { address: el("strong", withoutScheme(link("/class"))) })),
      el("p.code", code),
      el("div.row", copyButton("Copy the link for pupils", () => pupilLink, "small")),
      localOnlyNote(),
    ),
    picture,
  );
}

/** The end of the lesson, sheets to print, privacy, and a link to this page. */
function moreSection(session, { code, token, onOver }) {
  const labels = {
    label: "End the lesson",
    kind: "danger",
    question: "This removes the class, its names and its games. If you want the results, save them as a table first.",
    yes: "Yes, remove everything",
    no: "Keep the class",
  };
  const end = confirmButton(labels, async () => {
    if (await session.send(() => endClass(code, token))) onOver();
  });
  return el(
    "section.panel.stack",
    end,
    el("p.note", "If you forget, it ends by itself after a day."),
    el("p.note", privacyLink(), " · ", el("a", { href: address("/print") }, "Sheets to print")),
    el("p.note", "To use another device, open your own link there. Do not show it or its QR code to pupils: it opens this page."),
    copyLinkRow("Copy my own link to this page", "QR code: my own link to this page", () => teacherLink(code, token), "small"),
  );
}

/** The form of what is played next, filled in with the current plan; `plan()` is the body of the request. */
function planForm(games, current) {
  const first = games.find(({ game }) => game === current?.game) ?? games.find(({ is_first: isFirst }) => isFirst);
  const chosen = { game: first, coach: current?.coach ?? false, limit: current?.time_limit ?? "" };
  const setupArea = el("div.stack.loose");
  const time = selectField("Time", TIME_LIMITS, chosen.limit, (limit) => (chosen.limit = limit));
  const coach = checkbox("The coach gives hints", chosen.coach, (on) => (chosen.coach = on));
  let options = null;

  function draw(values) {
    const { game } = chosen;
    options = optionsForm(game, {}, () => setups.changed());
    const setups = setupChoice(game, options);
    if (values) {
      options.fill(values);
      setups.show(values);
    }
    const more = el(
      "details.more",
      el("summary", "More choices"),
      el("div.more-fields.stack", options.element, time),
    );
    fill(setupArea, setups.element, coach, more);
  }

  draw(first.game === current?.game ? current.options : null);
  const element = el(
    "div.stack.loose",
    selectField("The game", gameChoices(games), chosen.game.game, (id) => {
      chosen.game = games.find(({ game }) => game === id);
      draw();
    }),
    setupArea,
  );
  return {
    element,
    plan: () => ({
      game: chosen.game.game,
      options: options.values(),
      coach: chosen.coach,
      time_limit: chosen.limit ? Number(chosen.limit) : null,
    }),
  };
}

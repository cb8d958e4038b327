// One game set up: against the computer, with a friend by link, or two people on this screen.

import { createMatch } from "./api.js";
import { el, field, fill, leaveBy, noticePlace, segmented, selectField, tick } from "./dom.js";
import { submitButton, submitted } from "./forms.js";
import { remember, remembered } from "./memory.js";
import { optionsForm } from "./options-form.js";
import { hasPlayed, matchedLevel } from "./own-games.js";
import { address, hasServer } from "./root.js";
import { keepSeat } from "./seat.js";
import { capital } from "./words.js";

const WAYS = [
  { value: "computer", label: "The computer" },
  ...(hasServer ? [{ value: "friend", label: "A friend, by link" }] : []),
  { value: "here", label: "Two on this screen" },
];
export const LIMITS = [
  { value: "", label: "no limit" },
  { value: "10", label: "10 seconds a turn" },
  { value: "30", label: "30 seconds a turn" },
  { value: "60", label: "1 minute a turn" },
  { value: "180", label: "3 minutes a turn" },
];

const MATCHED = "matched";

/** The form for one game; starting it leads to the page of the match. */
export function setup(game, levels, beginsAt) {
  const chosen = {
    mode: WAYS.find(({ value }) => value === remembered("mode"))?.value ?? "computer",
    level: hasPlayed() ? MATCHED : "casual",
    first: "1",
    limit: "",
    public: false,
    show: true,
    coach: true,
  };
  const strengths = [{ value: MATCHED, label: "match me" }, ...levels.map(({ name }) => ({ value: name, label: name }))];
  const names = [
    el("input", { maxlength: 40, autocomplete: "nickname" }),
    el("input", { maxlength: 40, autocomplete: "off" }),
  ];
  names[0].value = remembered("name", "");
  const options = optionsForm(game, {}, () => setups.changed());
  const setups = setupChoice(game, options);
  const notice = noticePlace();
  const start = submitButton("Start the game", "primary large");
  const depends = el("div.stack");
  const levelWords = el("p.note.level-words");
  const isPublic = tick("Show it in the list of games to watch", false, (on) => (chosen.public = on));
  const coach = tick("Hints for both of you", true, (on) => (chosen.coach = on));
  const element = el(
    "form.setup.stack.loose",
    { "aria-label": `Start ${game.title}`, onsubmit: submitted(play) },
    segmented("Play against", "mode", WAYS, chosen.mode, (mode) => {
      chosen.mode = mode;
      remember("mode", mode);
      draw();
    }),
    depends,
    setups.element,
    options.element,
    el(
      "details.more",
      el("summary", "More choices"),
      el(
        "div.more-fields.stack",
        options.element.querySelector(".several"),
        selectField("Time", LIMITS, "", (value) => (chosen.limit = value)),
        tick("Show possible moves on the board", true, (on) => (chosen.show = on)),
        coach,
        hasServer && isPublic,
      ),
    ),
    notice,
    start,
  );

  function draw() {
    const other = { computer: "The computer", friend: "Your friend", here: "The second player" }[chosen.mode];
    const first = [
      { value: "1", label: chosen.mode === "here" ? "The first player" : "You" },
      { value: "2", label: other },
      { value: "coin", label: "A coin decides" },
    ];
    fill(
      depends,
      chosen.mode === "computer" &&
        segmented("Strength", "level", strengths, chosen.level, (strength) => {
          chosen.level = strength;
          drawLevel();
        }),
      chosen.mode === "computer" && levelWords,
      el(
        "div.row.names",
        field(chosen.mode === "here" ? "Name of the first" : "Your name", names[0]),
        chosen.mode === "here" && field("Name of the second", names[1]),
        selectField("Who begins", first, chosen.first, (value) => (chosen.first = value)),
      ),
    );
    start.textContent = chosen.mode === "friend" ? "Make the link" : "Start the game";
    coach.hidden = chosen.mode !== "friend";
    drawLevel();
  }

  function drawLevel() {
    levelWords.textContent =
      chosen.level === MATCHED
        ? `As strong as you need it, now ${level()} of 100: stronger when you win, weaker when you lose.`
        : `The computer ${levels.find(({ name }) => name === chosen.level)?.words ?? ""}.`;
  }

  const level = () => (chosen.level === MATCHED ? matchedLevel(game.game, beginsAt) : chosen.level);

  function play() {
    const mine = names[0].value.trim();
    if (mine && chosen.mode !== "here") remember("name", mine);
    const body = {
      game: game.game,
      options: options.values(),
      mode: chosen.mode,
      ...(chosen.mode === "computer" && { level: level() }),
      ...namesFor(chosen.mode, mine, names[1].value.trim()),
      first: chosen.first === "coin" ? "coin" : Number(chosen.first),
      ...(chosen.limit && { time_limit: Number(chosen.limit) }),
      public: chosen.public,
      show_moves: chosen.show,
      coach: chosen.mode !== "friend" || chosen.coach,
    };
    leaveBy(start, notice, () => startMatch(body));
  }

  draw();
  return element;
}

/** The set-ups of a game: choosing one fills the options, changing an option leaves them. */
export function setupChoice({ setups }, options) {
  const note = el("p.note.setup-words");
  const items = setups.map(({ name }) => ({ value: name, label: name.replaceAll("-", " ") }));
  const choose = (name) => {
    const { words, matches, options: chosen } = setups.find((one) => one.name === name);
    options.fill(chosen);
    const fair = matches > 1 ? ` To be fair, play ${matches} games and swap sides.` : "";
    note.textContent = `${capital(words)}.${fair}`;
  };
  const choice = segmented("Set-up", "setup", items, items[0].value, choose);
  choose(items[0].value);
  return {
    element: setups.length > 1 && el("div.setups.stack", choice, note),
    /** The one with these options, if there is one. */
    show(given) {
      const same = ({ options: own }) => Object.entries(own).every(([name, value]) => given[name] === value);
      const found = setups.find(same);
      if (!found) return this.changed();
      for (const input of choice.querySelectorAll("input")) input.checked = input.value === found.name;
      return choose(found.name);
    },
    changed() {
      for (const input of choice.querySelectorAll("input")) input.checked = false;
      note.textContent = "Options of your own.";
    },
  };
}

/**
 * Make a match, keep the seat on this device, and go there; `onMade` before that.
 * @param {(id: string) => void} onMade
 */
export async function startMatch(body, onMade = () => {}) {
  const made = await createMatch(body);
  onMade(made.id);
  const isKept = keepSeat(made.id, { token: made.token, invite: made.invite?.token ?? null });
  location.assign(address(`/m/${made.id}${isKept ? "" : `#seat=${made.token}`}`));
}

/** Names that were given; the server has its own for those that were not. */
function namesFor(mode, mine, theirs) {
  if (mode === "here") return mine || theirs ? { names: [mine || "Player 1", theirs || "Player 2"] } : {};
  return mine ? { names: [mine] } : {};
}

// The puzzle of the day: what this device keeps of it, the days in a row, and two lines to show to others.

import { shareDay } from "./api.js";
import { copyButton } from "./copy.js";
import { el, fill, say } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { plural } from "./words.js";

const KEPT = "daily";

/** The date where somebody is, as 2027-01-31. */
export function dayHere(at = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const days = () => remembered(KEPT, {}) ?? {};
const counted = () => Object.keys(days()).filter((day) => days()[day]?.counts === true);

/** The days in a row up to now, as the server counts them: {in_a_row, most}. */
export const streak = (today = dayHere()) => shareDay(today, { today, counted: counted() });

/** What is below the puzzle of a day; `changed(attempt)` keeps it, `before` is what was kept. */
export function dailyPanel(day, today) {
  const before = days()[day] ?? {};
  const lines = el("p.share-lines");
  const row = el("p.quiet");
  let text = "";
  const copy = copyButton("Copy to share", () => text);
  const share = el("div.row.share", { hidden: true }, lines, copy);
  const element = el("section.panel.row.daily", { "aria-label": "Your day" }, row, share);
  let isOver = Boolean(before.is_solved || before.gave_up);

  function changed(attempt) {
    if (isOver) return; // it is done once more, and counts no more
    isOver = attempt.is_solved || attempt.gave_up;
    const { counts = false } = days()[day] ?? {};
    remember(KEPT, { ...days(), [day]: { ...attempt, counts } });
    show();
  }

  async function show() {
    const { tries = 0, hints = 0, is_solved: solved = false, gave_up: gaveUp = false } = days()[day] ?? {};
    const body = { tries, hints, is_solved: solved, gave_up: gaveUp, today, counted: counted() };
    const found = await shareDay(day, body).catch(() => null);
    if (!found) return;
    if (found.counts && !days()[day]?.counts)
      remember(KEPT, { ...days(), [day]: { ...days()[day], counts: true } });
    text = found.lines.join("\n");
    fill(
      lines,
      found.lines.flatMap((line, index) => (index ? [el("br"), line] : [line])),
    );
    share.hidden = !isOver;
    const most = found.most > found.in_a_row ? ` The most so far: ${found.most}.` : "";
    say(
      row,
      found.in_a_row
        ? `${plural(found.in_a_row, "day")} in a row.${most}`
        : `One puzzle a day, the same for everybody.${most}`,
    );
  }

  return { element, before: isOver ? {} : before, changed, show };
}

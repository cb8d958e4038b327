// A match of a class: back to the class when it is over, and on to the next board by itself.

import { classEvents, lookingAt } from "./class-api.js";
import { keptClass } from "./class-key.js";
import { linkButton } from "./dom.js";
import { address } from "./root.js";
import { keepSeat } from "./seat.js";
import { listen } from "./stream.js";

/** `back` leads to the class; from then on the page follows it. */
export function ofClass(table) {
  const code = table.state.class_code;
  const { pupil, teacher } = code ? keptClass(code) : {};
  const back = linkButton(`/class/${code}`, "Back to the class", "primary");
  const leave = () => location.assign(address(`/class/${code}`)); // which says that the lesson is over, or why they are out
  const look = lookingAt(code, pupil, take, leave);
  let key = "";
  const hear = () => listen(() => classEvents(code, key), { class: look }, look, () => {});
  if (code && pupil && !teacher && table.you.length) look().then(hear, hear);

  function take({ role, match, key: given }) {
    key = given;
    if (role !== "pupil") leave();
    else if (match && match !== table.id) goToBoard(code, match, pupil);
  }

  return { back, show: (state) => (back.hidden = !code || !state.outcome) };
}

let leavingFor = "";
addEventListener("pageshow", () => (leavingFor = "")); // also when somebody steps back to the page

/** The device's token opens every board of its pupil. The class may change again while the page is leaving. */
export function goToBoard(code, match, token) {
  if (match === leavingFor) return;
  leavingFor = match;
  keepSeat(match, { token, invite: null, class_code: code });
  location.assign(address(`/m/${match}`));
}

// A class: its door, and behind it the page of the teacher, the wall, or the page of a pupil.

import { Away } from "./api.js";
import { connectionBanner } from "./banner.js";
import { classView } from "./class-api.js";
import { codeDoor, over } from "./class-door.js";
import { dropClass, keepClass, keptClass, teachersToken } from "./class-key.js";
import { pupilPage } from "./class-pupil.js";
import { teacherPage } from "./class-teacher.js";
import { wallPage } from "./class-wall.js";
import { el, fill } from "./dom.js";
import { pathParts } from "./root.js";
import { dropSeat, keptSeats, newToken } from "./seat.js";

const main = document.getElementById("main");
const [, typed, what] = pathParts();
const code = typed ? decodeURIComponent(typed).toLowerCase() : "";
const banner = connectionBanner(() => start());
let wasHere = false;

if (code) start();
else codeDoor(main);

async function start() {
  const teacher = teachersToken(code);
  const pupil = keptClass(code).pupil;
  try {
    const view = await classView(code, teacher ?? pupil);
    banner.show(true);
    const desk = { code, main, view, onConnection: banner.show, over: () => leave() };
    if (view.role === "teacher") (what === "wall" ? wallPage : teacherPage)({ ...desk, token: teacher });
    else pupilPage({ ...desk, token: pupil ?? newPupil() });
  } catch (error) {
    if (error instanceof Away) {
      banner.show(false);
      setTimeout(start, 1500);
    } else if (error.status === 404) leave();
    else fill(main, el("h1", "This class cannot be shown."), el("p.lead", error.message));
  }
}

/** A device makes its token once; it is kept before it is sent, so that nothing is lost on the way. */
function newPupil() {
  const token = newToken();
  keepClass(code, { pupil: token });
  return token;
}

/** There is no such class, or no longer: then nothing of it stays on the device. */
function leave() {
  wasHere ||= Boolean(keptClass(code).at); // the end may be heard of twice
  dropClass(code);
  for (const { id, class_code } of keptSeats()) if (class_code === code) dropSeat(id);
  over(main, wasHere);
}

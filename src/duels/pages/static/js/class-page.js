// A class: its entrance, the teacher's page, the wall, or a pupil's page.

import { createClass, fetchClass, lastClass, loadClass, normalizeCode, removeClass, saveClass, teacherToken } from "./class/client.js";
import { pupilPage } from "./class/pupil.js";
import { teacherPage } from "./class/teacher.js";
import { Unreachable } from "./lib/api.js";
import { linkButton, onSubmit } from "./lib/controls.js";
import { el, fill, leaveWith } from "./lib/dom.js";
import { connectionBanner } from "./lib/stream.js";
import { address, pathParts } from "./lib/urls.js";
import { loadSeats, newToken, removeSeat } from "./match/seats.js";

const main = document.getElementById("main");
const [, codeInPath, subpage] = pathParts();
const code = codeInPath ? decodeURIComponent(codeInPath).toLowerCase() : "";
const banner = connectionBanner(() => start());
let wasMember = false;

if (code) start();
else openEntrance();

/** The page without a code: a form for a pupil and a button for a teacher, which the server has rendered. */
function openEntrance() {
  const field = main.querySelector("input");
  const notice = main.querySelector(".notice");
  const [goIn, startClass] = main.querySelectorAll("button");
  main.querySelector("form").onsubmit = onSubmit(() => {
    const typed = normalizeCode(field.value);
    if (typed) location.assign(address(`/class/${typed}`));
  });
  startClass.onclick = () => leaveWith(startClass, notice, createAndOpen);
  goIn.disabled = startClass.disabled = false;
  const recent = lastClass();
  if (recent) showRecent(main.querySelector(".recent"), recent);
}

function showRecent(element, recent) {
  fill(element, el("a", { href: address(`/class/${recent}`) }, `Back to the class ${recent}`));
  element.hidden = false;
}

async function createAndOpen() {
  const { code: newCode, token } = await createClass();
  const isSaved = saveClass(newCode, { teacher: token });
  location.assign(address(`/class/${newCode}${isSaved ? "" : `#teacher=${token}`}`));
}

async function start() {
  const teacher = teacherToken(code);
  const pupil = loadClass(code).pupil;
  // Only the wall needs its module, which is large; it is loaded while the class is fetched.
  const wall = teacher && subpage === "wall" ? import("./class/wall.js") : null;
  try {
    const view = await fetchClass(code, teacher ?? pupil);
    banner.show(true);
    const context = { code, main, view, onConnection: banner.show, onOver: () => leave() };
    if (view.role === "teacher" && wall) (await wall).wallPage({ ...context, token: teacher });
    else if (view.role === "teacher") teacherPage({ ...context, token: teacher });
    else pupilPage({ ...context, token: pupil ?? newPupilToken() });
  } catch (error) {
    if (error instanceof Unreachable) {
      banner.show(false);
      setTimeout(start, 1500);
    } else if (error.status === 404) leave();
    else fill(main, el("h1", "This class cannot be shown."), el("p.lead", error.message));
  }
}

/** Create the token of this device; it is stored before it is sent, so that it cannot be lost. */
function newPupilToken() {
  const token = newToken();
  saveClass(code, { pupil: token });
  return token;
}

/** The class does not exist, or no longer: remove everything about it from this device. */
function leave() {
  wasMember ||= Boolean(loadClass(code).at); // this may be called twice
  removeClass(code);
  for (const { id, class_code } of loadSeats()) if (class_code === code) removeSeat(id);
  showNoClass();
}

/** There is no such class; `wasMember` if this device has been in it. */
function showNoClass() {
  const typeCode = linkButton("/class", "Type a code", wasMember ? "" : "primary");
  const showGames = linkButton("/", "Go to the games", wasMember ? "primary" : "");
  fill(
    main,
    el("h1", wasMember ? "The lesson is over." : "There is no class with this code."),
    el("p.lead", wasMember ? "The class and its games were removed." : "Look at the board, and type it again."),
    el("div.row", wasMember ? [showGames, typeCode] : [typeCode, showGames]),
  );
}

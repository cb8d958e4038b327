// A site of plain files is kept by its service worker, for when there is no network. When a newer
// version is there, the page says so and takes it over if it is told to, or else at the next start.

const told = document.documentElement.dataset;
const HERE = "A newer version of this site is here.";
const TAKEN = "This is a newer version of the site than at your last visit.";
const LAST = "duels.version";
const PATIENCE = 20_000;

if ("serviceWorker" in navigator) start();

async function start() {
  sayIfRenewed();
  const workers = navigator.serviceWorker;
  // Claiming the page at the first visit is no reason to load it again; another version is.
  if (workers.controller) workers.addEventListener("controllerchange", () => location.reload());
  else await pythonIsHere();
  try {
    const registration = await workers.register(new URL(`${told.root}sw.js`, location.href));
    watch(registration);
  } catch {
    // Without it the site works as long as there is a network: a private window, a full disk.
  }
}

/** What the page itself needs is loaded first. */
function pythonIsHere() {
  return new Promise((resolve) => {
    if (!document.querySelector("script[type=importmap]")) resolve(null);
    document.addEventListener("python", resolve, { once: true });
    setTimeout(resolve, PATIENCE);
  });
}

function watch(registration) {
  const offer = () => registration.waiting && say(HERE, "Take it", () => registration.waiting.postMessage("take over"));
  const follow = (worker) => worker?.addEventListener("statechange", () => navigator.serviceWorker.controller && offer());
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
  offer();
}

function sayIfRenewed() {
  try {
    const last = localStorage.getItem(LAST);
    localStorage.setItem(LAST, told.version);
    if (last && last !== told.version) say(TAKEN, "Good", () => {});
  } catch {
    // Nothing is kept here, so nothing is known of the last visit.
  }
}

function say(sentence, word, act) {
  document.querySelector(".renewal")?.remove();
  const [line, button] = [document.createElement("p"), document.createElement("button")];
  line.className = "renewal";
  line.setAttribute("role", "status");
  button.type = "button";
  button.className = "button small";
  button.textContent = word;
  button.addEventListener("click", () => (line.remove(), act()));
  line.append(`${sentence} `, button);
  document.body.append(line);
}

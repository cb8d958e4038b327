// Registers the service worker. On the static site it also offers a newer version when there is one.

const page = document.documentElement.dataset;
const NEW_VERSION = "A newer version of this site is available.";
const UPDATED = "This is a newer version of the site than at your last visit.";
const VERSION_KEY = "duels.version";
const PYTHON_TIMEOUT = 20_000;

if ("serviceWorker" in navigator) start();

async function start() {
  if (!page.version) return registerLater();
  reportUpdate();
  const workers = navigator.serviceWorker;
  // Reload the page for another version, but not when it is claimed at the first visit.
  if (workers.controller) workers.addEventListener("controllerchange", () => location.reload());
  else await pythonReady();
  try {
    const registration = await workers.register(new URL(`${page.root}sw.js`, location.href));
    watchRegistration(registration);
  } catch {
    // A private window or a full disk: without it the site works while there is a network.
  }
}

/** Register the service worker of a server, which stores nothing, once the page is complete. */
function registerLater() {
  const register = () => navigator.serviceWorker.register(new URL(`${page.root}sw.js`, location.href)).catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** Wait until the page has loaded what it needs itself. */
function pythonReady() {
  return new Promise((resolve) => {
    if (!document.querySelector("script[type=importmap]")) resolve(null);
    document.addEventListener("python", resolve, { once: true });
    setTimeout(resolve, PYTHON_TIMEOUT);
  });
}

function watchRegistration(registration) {
  const offer = () => registration.waiting && showMessage(NEW_VERSION, "Take it", () => registration.waiting.postMessage("take over"));
  const watchWorker = (worker) => worker?.addEventListener("statechange", () => navigator.serviceWorker.controller && offer());
  watchWorker(registration.installing);
  registration.addEventListener("updatefound", () => watchWorker(registration.installing));
  offer();
}

function reportUpdate() {
  try {
    const last = localStorage.getItem(VERSION_KEY);
    localStorage.setItem(VERSION_KEY, page.version);
    if (last && last !== page.version) showMessage(UPDATED, "Good", () => {});
  } catch {
    // The browser stores nothing, so the last visit is unknown.
  }
}

function showMessage(sentence, label, act) {
  document.querySelector(".update-note")?.remove();
  const [element, button] = [document.createElement("p"), document.createElement("button")];
  element.className = "update-note";
  element.setAttribute("role", "status");
  button.type = "button";
  button.className = "button small";
  button.textContent = label;
  button.addEventListener("click", () => (element.remove(), act()));
  element.append(`${sentence} `, button);
  document.body.append(element);
}

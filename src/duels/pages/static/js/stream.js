// Events of the server. A lost stream is opened again by itself; until then the state is asked for.

import { Away, eventsPath, listenTo, matchState, waiting } from "./api.js";
import { hasServer } from "./root.js";

const SILENCE = 45_000;
const CHECK_EVERY = 5_000;
const DOZING = 10_000;

/** Follow a match: `onState` gets every state, `onConnection` true or false when that changes. */
export const follow = (matchId, onState, onConnection) =>
  listen(
    () => eventsPath(matchId),
    { state: onState },
    async () => onState(await matchState(matchId)),
    onConnection,
  );

/**
 * Listen to the stream at `path()`: `events` are listeners by name, who get its data; `look` asks for what
 * the stream would have told. Where a stream cannot be had (a limit, a proxy) that is done again and again.
 */
export function listen(path, events, look, onConnection) {
  let source = null;
  let tries = 0;
  let timer = 0;
  let heard = Date.now();

  function open() {
    clearTimeout(timer);
    source?.close();
    source = listenTo(path());
    source.addEventListener("open", good);
    for (const [name, hear] of Object.entries(events))
      source.addEventListener(name, (event) => {
        good();
        tries = 0;
        hear(JSON.parse(event.data));
      });
    source.addEventListener("bye", lost);
    source.addEventListener("error", lost);
  }

  function good() {
    heard = Date.now();
    onConnection(true);
  }

  async function lost() {
    source?.close();
    source = null;
    const here = await ask();
    clearTimeout(timer);
    timer = setTimeout(open, here ? Math.max(1500, waiting(tries)) : waiting(tries));
    tries += 1;
  }

  async function ask() {
    try {
      await look();
      good();
      return true;
    } catch (error) {
      if (error instanceof Away) onConnection(false);
      return false;
    }
  }

  function doze() {
    source?.close();
    source = null;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await ask();
      if (!source) doze();
    }, DOZING);
  }

  function now() {
    tries = 0;
    open();
  }

  // A phone that slept, a network that came back: do not wait for a time-out.
  addEventListener("online", now);
  addEventListener("offline", () => hasServer && onConnection(false));
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && now());
  // A page that nobody sees gives its connection up: a browser has few of them for all its tabs.
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? now() : doze()));
  setInterval(() => {
    if (document.visibilityState === "visible" && source && Date.now() - heard > SILENCE) ask();
  }, CHECK_EVERY);

  open();
  return { now };
}

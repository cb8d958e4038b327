// Event streams: a lost stream is opened again, and until then the page polls.

import { eventsPath, fetchMatch, retryDelay, Unreachable } from "./api.js";
import { button } from "./controls.js";
import { announce, el } from "./dom.js";
import { address, hasServer } from "./urls.js";

const SILENCE_LIMIT = 45_000;
const CHECK_EVERY = 5_000;
const HIDDEN_INTERVAL = 10_000;

/** Follow a match: `isPlayer` says who does, `onState` gets every state, `onConnection` whether there is a connection. */
export const followMatch = (matchId, isPlayer, onState, onConnection) =>
  followEvents(
    () => eventsPath(matchId, isPlayer()),
    { state: onState },
    async () => onState(await fetchMatch(matchId)),
    onConnection,
  );

/**
 * Follow the stream at `path()`: `events` are listeners by name, which get its data. `poll` fetches what the
 * stream would have sent; it is repeated while there is no stream (a limit, a proxy).
 */
export function followEvents(path, events, poll, onConnection) {
  let source = null;
  let attempts = 0;
  let timer = 0;
  let lastEvent = Date.now();

  function open() {
    clearTimeout(timer);
    source?.close();
    source = openEvents(path());
    source.addEventListener("open", markConnected);
    for (const [name, listener] of Object.entries(events))
      source.addEventListener(name, (event) => {
        markConnected();
        attempts = 0;
        Promise.resolve(listener(JSON.parse(event.data))).catch(reconnectLater); // what it fetches may be lost
      });
    source.addEventListener("bye", reconnectLater);
    source.addEventListener("error", reconnectLater);
  }

  function markConnected() {
    lastEvent = Date.now();
    onConnection(true);
  }

  async function reconnectLater() {
    source?.close();
    source = null;
    const isReachable = await pollOnce();
    clearTimeout(timer);
    timer = setTimeout(open, isReachable ? Math.max(1500, retryDelay(attempts)) : retryDelay(attempts));
    attempts += 1;
  }

  async function pollOnce() {
    try {
      await poll();
      markConnected();
      return true;
    } catch (error) {
      if (error instanceof Unreachable) onConnection(false);
      return false;
    }
  }

  function pause() {
    source?.close();
    source = null;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await pollOnce();
      if (!source) pause();
    }, HIDDEN_INTERVAL);
  }

  function reconnect() {
    attempts = 0;
    open();
  }

  // After sleep, or when the network is back, do not wait for a time-out.
  addEventListener("online", reconnect);
  addEventListener("offline", () => hasServer && onConnection(false));
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && reconnect());
  // A hidden page closes its connection: a browser has few of them for all its tabs.
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? reconnect() : pause()));
  setInterval(() => {
    if (document.visibilityState === "visible" && source && Date.now() - lastEvent > SILENCE_LIMIT) pollOnce();
  }, CHECK_EVERY);

  open();
  return { reconnect };
}

/** The events of a path: from the server, or from the worker. */
const openEvents = (path) => (hasServer ? new EventSource(address(`/${path}`)) : new WorkerEvents(path));

/** The events of the worker, with the interface of an EventSource. */
class WorkerEvents extends EventTarget {
  #isClosed = false;
  #stop = () => {};

  constructor(path) {
    super();
    import("../offline/worker-client.js").then(({ subscribe }) => {
      const dispatch = (name, data) =>
        this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
      if (!this.#isClosed) this.#stop = subscribe(path, dispatch);
    });
  }

  close() {
    this.#isClosed = true;
    this.#stop();
  }
}

/** A banner while the server cannot be reached; `pendingMove` is sent as soon as it can be. */
export function connectionBanner(retry) {
  const text = el("span");
  const element = el(
    "div.banner.row.center",
    { role: "alert", hidden: true },
    text,
    button("Try now", retry, "small"),
  );
  document.body.prepend(element);

  function show(connected, pendingMove = null) {
    if (connected && !element.hidden) announce("Connected again.");
    element.hidden = connected;
    if (!connected) {
      text.textContent = pendingMove
        ? `Connection lost. Your move ${pendingMove} is saved and will be sent as soon as possible.`
        : "Connection lost. Reconnecting …";
    }
  }

  return { show };
}

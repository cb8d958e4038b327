// How long the worker takes: what takes longer than a second is shown, and what takes far too long is ended.

const SHOWN_AFTER = 1_000;
const START = { shown: 400, most: 60_000 };
const SILENT = 4_000;
const RUN = 10_000;
const OWN_GAME = 20_000;
const LOOK_EVERY = 200;

/**
 * `tooLong(now, seconds)` is called for a start, a file or a thought that does not come to an end,
 * `onLong` while somebody may want to stop what goes on, and `onSilent` while a start loads nothing.
 */
export function watched(bar, tooLong, onLong, onSilent) {
  const since = new Map();
  let now = fresh();
  let timer = 0;

  function fresh() {
    return { isReady: false, at: Date.now(), loadedAt: Date.now(), loaded: 0, running: null, ranAt: 0, thinking: null, thoughtAt: 0, hasOwn: false };
  }

  /** What is waited for: {words, seconds, most}; null if nothing is, or not for long. */
  function waited() {
    const at = Date.now();
    if (now.running) return { words: `Opening ${now.running}`, for: at - now.ranAt, most: RUN, shown: SHOWN_AFTER };
    if (!now.isReady) {
      const words = `Getting the games ready, ${Math.round(100 * now.loaded)} %`;
      return { words, for: at - now.at, most: now.loadedAt - now.at + START.most, shown: START.shown };
    }
    const first = Math.min(now.thinking ? now.thoughtAt : at, ...since.values());
    const words = now.thinking ? "The computer is thinking" : "Thinking";
    return { words, for: at - first, most: now.hasOwn ? OWN_GAME : Infinity, shown: SHOWN_AFTER };
  }

  function look() {
    if (!now.isReady && now.loaded < 1 && Date.now() - now.loadedAt > SILENT) onSilent();
    const wait = waited();
    if (wait.for > wait.most) tooLong(now, Math.round(wait.most / 1000));
    else if (wait.for > wait.shown) {
      bar.busy(`${wait.words} … ${Math.floor(wait.for / 1000)} s`, now.isReady || now.running);
      if (now.isReady && !now.running) onLong();
    }
    else bar.rest();
    if (now.isReady && !now.running && !now.thinking && !since.size) {
      clearInterval(timer);
      timer = 0;
    }
  }

  const go = () => (timer ||= setInterval(look, LOOK_EVERY));

  return {
    now: () => now,
    starts: () => {
      now = fresh();
      go();
    },
    loads: (loaded) => (now = { ...now, loaded, loadedAt: Date.now() }),
    ready: () => {
      now.isReady = true;
      for (const number of since.keys()) since.set(number, Date.now()); // what was asked begins only now
      look();
    },
    runs: (name) => {
      now = { ...now, running: name, ranAt: Date.now(), hasOwn: true };
      go();
    },
    thinks: (thinking) => {
      now = { ...now, thinking, thoughtAt: Date.now() };
      go();
    },
    begins: (number) => {
      since.set(number, Date.now());
      go();
    },
    ends: (number) => {
      since.delete(number);
      look();
    },
    forget: () => since.clear(),
  };
}

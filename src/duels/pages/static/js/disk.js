// What the worker keeps: matches, games of one's own, and how far the clock had got, in IndexedDB.

const NAME = "number-duels";
const FULL = "There is no room left on this device, so this could not be saved and did not happen.";
const UNKEPT = "This browser did not keep it, so it did not happen.";

/** Open it; where nothing may be kept, memory takes its place, and `isLasting` is false. */
export async function openDisk(carried) {
  try {
    return lasting(await opened());
  } catch {
    return passing(carried);
  }
}

function opened() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries({ matches: "id", games: "name", facts: "name" }))
        opening.result.createObjectStore(store, { keyPath });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("blocked"));
  });
}

function lasting(database) {
  // A later version of the site wants to change how things are kept: it must not wait for this one.
  database.onversionchange = () => database.close();

  /** Run `job(store, give)` in one transaction; what it gives counts when the transaction is complete. */
  const run = (name, mode, job) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      let given;
      transaction.oncomplete = () => resolve(given);
      transaction.onabort = () => (given === undefined ? reject(transaction.error) : resolve(given));
      job(transaction.objectStore(name), (value, { abort = false } = {}) => {
        given = value;
        if (abort) transaction.abort();
      });
    });
  const get = (name, key) =>
    run(name, "readonly", (store, give) => (store.get(key).onsuccess = ({ target }) => give(target.result ?? null)));
  const all = (name) =>
    run(name, "readonly", (store, give) => (store.getAll().onsuccess = ({ target }) => give(target.result)));
  const change = async (name, job) => {
    try {
      return (await run(name, "readwrite", job)) ?? {};
    } catch (error) {
      return { trouble: error?.name === "QuotaExceededError" ? FULL : UNKEPT };
    }
  };

  return {
    isLasting: true,
    load: (id) => get("matches", id),
    /** Keep all or none of them: each must be one version newer than what is there. */
    save: (documents) =>
      change("matches", (store, give) => {
        const newest = {};
        let left = documents.length;
        for (const one of documents)
          store.get(one.id).onsuccess = ({ target: { result } }) => {
            newest[one.id] = result ?? null;
            left -= 1;
            if (left) return;
            const isNext = ({ id, version }) => (newest[id]?.version ?? 0) === version - 1;
            if (documents.every(isNext)) documents.forEach((document) => store.put(document));
            else give({ newest }, { abort: true });
          };
      }),
    matches: () => all("matches"),
    /** Take matches over; one that is here and has got as far stays. */
    take: (documents) =>
      change("matches", (store) => {
        for (const one of documents)
          store.get(one.id).onsuccess = ({ target: { result } }) => {
            if (!result || result.version < one.version) store.put(one);
          };
      }),
    /** Matches that are over; those that go on stay. */
    forget: () =>
      change("matches", (store) => {
        store.openCursor().onsuccess = ({ target: { result: at } }) => {
          if (at?.value.is_over) at.delete();
          at?.continue();
        };
      }),
    games: () => all("games"),
    keepGame: (name, source) => change("games", (store) => store.put({ name, source })),
    forgetGame: (name) => change("games", (store) => store.delete(name)),
    clock: async () => (await get("facts", "clock"))?.now ?? 0,
    keepClock: (now) => change("facts", (store) => store.put({ name: "clock", now })),
  };
}

function passing(carried) {
  const matches = new Map(Object.entries(carried));
  const nothing = async () => ({});
  const keep = async (documents) => {
    for (const one of documents) matches.set(one.id, one);
    return {};
  };
  return {
    isLasting: false,
    load: async (id) => matches.get(id) ?? null,
    save: keep,
    matches: async () => [...matches.values()],
    take: keep,
    forget: async () => {
      for (const one of matches.values()) if (one.is_over) matches.delete(one.id);
      return {};
    },
    games: async () => [],
    keepGame: async () => ({ trouble: "This window keeps nothing, so the game is open in this tab only." }),
    forgetGame: nothing,
    clock: async () => Math.max(0, ...[...matches.values()].map(({ updated }) => updated)),
    keepClock: nothing,
  };
}

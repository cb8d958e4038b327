// What the worker stores in IndexedDB: matches, the player's own games, and the clock.

const DATABASE = "number-duels";
const FULL_ERROR = "There is no room left on this device, so this could not be saved and did not happen.";
const NOT_SAVED_ERROR = "This browser did not keep it, so it did not happen.";

/** Open the database. If the browser stores nothing, use memory instead, and `isPersistent` is false. */
export async function openDatabase(tabMatches) {
  try {
    return databaseStore(await openIndexedDb());
  } catch {
    return memoryStore(tabMatches);
  }
}

function openIndexedDb() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries({ matches: "id", games: "name", facts: "name" }))
        request.result.createObjectStore(store, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

function databaseStore(database) {
  // A later version of the site may upgrade the database: it must not wait for this one.
  database.onversionchange = () => database.close();

  /** Run `work(store, give)` in one transaction; resolve to what it gives once the transaction is complete. */
  const run = (name, mode, work) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      let outcome;
      transaction.oncomplete = () => resolve(outcome);
      transaction.onabort = () => (outcome === undefined ? reject(transaction.error) : resolve(outcome));
      work(transaction.objectStore(name), (value, { abort = false } = {}) => {
        outcome = value;
        if (abort) transaction.abort();
      });
    });
  const get = (name, key) =>
    run(name, "readonly", (store, give) => (store.get(key).onsuccess = ({ target }) => give(target.result ?? null)));
  const all = (name) =>
    run(name, "readonly", (store, give) => (store.getAll().onsuccess = ({ target }) => give(target.result)));
  const change = async (name, work) => {
    try {
      return (await run(name, "readwrite", work)) ?? {};
    } catch (error) {
      return { trouble: error?.name === "QuotaExceededError" ? FULL_ERROR : NOT_SAVED_ERROR };
    }
  };

  return {
    isPersistent: true,
    load: (id) => get("matches", id),
    /** Store all or none: each match must be one version newer than the stored one. */
    save: (documents) =>
      change("matches", (store, give) => {
        const stored = {};
        let remaining = documents.length;
        for (const entry of documents)
          store.get(entry.id).onsuccess = ({ target: { result } }) => {
            stored[entry.id] = result ?? null;
            remaining -= 1;
            if (remaining) return;
            const isNext = ({ id, version }) => (stored[id]?.version ?? 0) === version - 1;
            if (documents.every(isNext)) documents.forEach((document) => store.put(document));
            else give({ newest: stored }, { abort: true });
          };
      }),
    matches: () => all("matches"),
    /** Store imported matches, unless the stored version is as new. */
    importMatches: (documents) =>
      change("matches", (store) => {
        for (const entry of documents)
          store.get(entry.id).onsuccess = ({ target: { result } }) => {
            if (!result || result.version < entry.version) store.put(entry);
          };
      }),
    /** Remove finished matches. */
    removeFinished: () =>
      change("matches", (store) => {
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
          if (cursor?.value.is_over) cursor.delete();
          cursor?.continue();
        };
      }),
    games: () => all("games"),
    saveGame: (name, source) => change("games", (store) => store.put({ name, source })),
    removeGame: (name) => change("games", (store) => store.delete(name)),
    clock: async () => (await get("facts", "clock"))?.now ?? 0,
    saveClock: (now) => change("facts", (store) => store.put({ name: "clock", now })),
  };
}

function memoryStore(tabMatches) {
  const matches = new Map(Object.entries(tabMatches));
  const doNothing = async () => ({});
  const saveAll = async (documents) => {
    for (const entry of documents) matches.set(entry.id, entry);
    return {};
  };
  return {
    isPersistent: false,
    load: async (id) => matches.get(id) ?? null,
    save: saveAll,
    matches: async () => [...matches.values()],
    importMatches: saveAll,
    removeFinished: async () => {
      for (const entry of matches.values()) if (entry.is_over) matches.delete(entry.id);
      return {};
    },
    games: async () => [],
    saveGame: async () => ({ trouble: "This window keeps nothing, so the game is open in this tab only." }),
    removeGame: doNothing,
    clock: async () => Math.max(0, ...[...matches.values()].map(({ updated }) => updated)),
    saveClock: doNothing,
  };
}

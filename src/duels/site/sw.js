// The service worker of the site: caches one complete version of it, for use without a network.
//
// A cached file is found by the hash of its content, not by its address. So only files that have
// changed are loaded for a new version, and files of two versions are never mixed: an update that is
// still being uploaded fails and is tried again later.

/** Every file of this version by its path: the SHA-256 of its content. */
const FILES = $files;
/** The worker's own headers: what it may reach. A host of plain files sends none. */
const WORKER = "$worker";
const POLICY = "$policy";
const MISSING = "404.html";
const AT_ONCE = 6;

const scope = self.registration.scope;
const NAME = `number-duels $${new URL(scope).pathname}`;
const has = (path) => Object.hasOwn(FILES, path);
const key = (digest) => new URL(`cached/$${digest}`, scope).href;

self.addEventListener("install", (event) => event.waitUntil(cacheAll()));
self.addEventListener("activate", (event) => event.waitUntil(removeOthers().then(() => self.clients.claim())));
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  const response = responseTo(event.request);
  if (response) event.respondWith(response);
});

async function cacheAll() {
  const cached = await caches.open(NAME);
  const known = new Set((await cached.keys()).map(({ url }) => url));
  const missing = Object.keys(FILES).filter((path) => !known.has(key(FILES[path])));
  const one = async () => {
    while (missing.length) await cacheFile(cached, missing.pop());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Cache a file if it belongs to this version: the browser or the host may have an older one. */
async function cacheFile(cached, path) {
  for (const cache of ["no-cache", "reload"]) {
    const response = await fetch(new URL(path, scope), { cache });
    const content = await response.clone().arrayBuffer();
    if (!response.ok || (await digestOf(content)) !== FILES[path]) continue;
    await cached.put(key(FILES[path]), path === WORKER ? guarded(content) : response);
    return;
  }
  throw new Error(`$${path} is not of this version.`);
}

async function digestOf(content) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const guarded = (content) =>
  new Response(content, { headers: { "Content-Type": "text/javascript", "Content-Security-Policy": POLICY } });

async function removeOthers() {
  const cached = await caches.open(NAME);
  const needed = new Set(Object.values(FILES).map(key));
  const all = await cached.keys();
  await Promise.all(all.filter(({ url }) => !needed.has(url)).map((one) => cached.delete(one)));
}

/** Return the response from the cache, or null to leave the request to the browser. */
function responseTo(request) {
  const { href, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || !href.startsWith(scope)) return null;
  const path = pathname.slice(new URL(scope).pathname.length).replace(/(^|\/)index\.html$$/, "$$1");
  if (has(path)) return cachedAt(path, request);
  if (has(`$${path}/`)) return Promise.resolve(Response.redirect(`$${pathname}/$${search}`, 301));
  return request.mode === "navigate" ? fromNetwork(request) : null;
}

async function cachedAt(path, request) {
  const cached = await caches.open(NAME);
  return (await cached.match(key(FILES[path]))) ?? fetch(request);
}

async function fromNetwork(request) {
  try {
    return await fetch(request);
  } catch {
    return Response.redirect(new URL(MISSING, scope), 302);
  }
}

// The service worker of the site: keeps one version of it as a whole, for when there is no network.
//
// What is kept is found by what is in it, not by its address. So a new version is put beside the old
// one, only what has changed is loaded, and what does not fit together is never kept: an update that
// is caught half uploaded is tried again another time.

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
const key = (digest) => new URL(`kept/$${digest}`, scope).href;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

async function keepAll() {
  const kept = await caches.open(NAME);
  const known = new Set((await kept.keys()).map(({ url }) => url));
  const missing = Object.keys(FILES).filter((path) => !known.has(key(FILES[path])));
  const one = async () => {
    while (missing.length) await keep(kept, missing.pop());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Keep a file, if it is of this version: the browser may have an older one, or the host. */
async function keep(kept, path) {
  for (const cache of ["no-cache", "reload"]) {
    const answer = await fetch(new URL(path, scope), { cache });
    const content = await answer.clone().arrayBuffer();
    if (!answer.ok || (await digestOf(content)) !== FILES[path]) continue;
    await kept.put(key(FILES[path]), path === WORKER ? guarded(content) : answer);
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

async function forgetOthers() {
  const kept = await caches.open(NAME);
  const needed = new Set(Object.values(FILES).map(key));
  const all = await kept.keys();
  await Promise.all(all.filter(({ url }) => !needed.has(url)).map((one) => kept.delete(one)));
}

/** What is kept, or nothing: then the browser asks the network itself. */
function answerTo(request) {
  const { href, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || !href.startsWith(scope)) return null;
  const path = pathname.slice(new URL(scope).pathname.length).replace(/(^|\/)index\.html$$/, "$$1");
  if (has(path)) return keptAt(path, request);
  if (has(`$${path}/`)) return Promise.resolve(Response.redirect(`$${pathname}/$${search}`, 301));
  return request.mode === "navigate" ? fromNetwork(request) : null;
}

async function keptAt(path, request) {
  const kept = await caches.open(NAME);
  return (await kept.match(key(FILES[path]))) ?? fetch(request);
}

async function fromNetwork(request) {
  try {
    return await fetch(request);
  } catch {
    return Response.redirect(new URL(MISSING, scope), 302);
  }
}

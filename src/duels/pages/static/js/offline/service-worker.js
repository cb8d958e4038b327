// The service worker of a server's site. It stores nothing, so that no page can be out of date: every request
// goes to the network. If a page cannot be loaded, it shows one that says so. A notification leads to its match.

const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No connection · Number Duels</title>
<style>
:root { font: 1.1rem/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 18vh auto; padding: 0 1.25rem }
button { min-height: 2.75rem; padding: 0 1.25rem; font: inherit }
</style>
</head>
<body>
<main>
<h1>No connection</h1>
<p>Number Duels cannot be reached. Your games are saved on the server: you can continue as soon as you are connected again.</p>
<button type="button" onclick="location.reload()">Try again</button>
</main>
<script>addEventListener("online", () => location.reload())</script>
</body>
</html>`;
const OFFLINE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.registration.navigationPreload?.enable()));
worker.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(loadPage(event));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showWindow(event.notification.data.url));
});

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const headers = { "Content-Type": "text/html", "Content-Security-Policy": OFFLINE_POLICY };
    return new Response(OFFLINE_PAGE, { status: 503, headers });
  }
}

/** Show the window that has this address, or open one. */
async function showWindow(url) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const open = windows.find((one) => one.url === url);
  return open ? open.focus() : worker.clients.openWindow(url);
}

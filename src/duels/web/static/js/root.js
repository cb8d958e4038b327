// The one place that knows where the site is: the page says where its root lies, seen from itself.

const root = new URL(document.documentElement.dataset.root, document.baseURI);

/** A path of the site, like "/api/games", as an address that works below any root. */
export const address = (path) => root.pathname + path.slice(1);

/** The path of this page below the root, like "/learn". */
const here = () => `/${location.pathname.slice(root.pathname.length)}`;

/** The parts of that path: ["m", ID, "replay"]. */
export const pathParts = () => here().split("/").slice(1);

/** A path as others reach it: under the address that the server was told, or the one of this page. */
export const link = (path) => publicRoot + path;
const publicRoot = document.querySelector("meta[name=public-url]")?.getAttribute("content") ?? root.href.slice(0, -1);

/** The address of this page without its fragment, which may be a secret. */
export const hereWithoutFragment = () => location.pathname + location.search;

/** Whether links from here lead nowhere but to this computer. */
export const isOnlyHere = () => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link("/")).hostname);

/** The link to what this page shows. */
export const linkHere = () => link(here() + location.search + location.hash);

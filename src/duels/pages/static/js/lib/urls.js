// Where the site is: every address that a page uses is made here.

const page = document.documentElement.dataset;
const root = new URL(page.root, document.baseURI);

/** The paths that have a file in the static site; null if there is a server. */
const pages = page.pages?.split(" ") ?? null;

/** Whether the page came from a server. Otherwise its worker handles the requests. */
export const hasServer = !pages;

/** The address of a path of the site, like "/api/games", below any root. */
export const address = (path) => root.pathname + (pages ? fileAddress(path.slice(1)) : path.slice(1));

/** In the static site every page is a folder; the page of a match gets the id as its query. */
function fileAddress(path) {
  const [, bare, more] = path.match(/^([^?#]*)(.*)$/);
  if (pages.includes(bare)) return `${bare}/${more}`;
  const parts = bare.split("/");
  for (let cut = parts.length - 1; cut > 0; cut -= 1) {
    const head = parts.slice(0, cut).join("/");
    if (pages.includes(`${head}/*`)) return `${head}/?${parts.slice(cut).join("/")}${more}`;
  }
  return path;
}

/** The path of this page below the root, like "/learn". */
const currentPath = () => `/${dynamicPath() ?? currentFile()}`;

/** The path of a page whose content has no file of its own, like "m/ID"; otherwise null. */
export const dynamicPath = () =>
  pages?.includes(`${currentFile()}/*`) && location.search ? `${currentFile()}/${location.search.slice(1)}` : null;

const currentFile = () => {
  const path = location.pathname.slice(root.pathname.length);
  return pages ? path.replace(/\/?(index\.html)?$/, "") : path;
};

/** The parts of the current path: ["m", ID, "replay"]. */
export const pathParts = () => currentPath().split("/").slice(1);

/** The link by which others reach a path: below the public URL if the server has one. */
export const link = (path) => (publicRoot ? publicRoot + path : new URL(address(path), root).href);

const publicRoot = document.querySelector("meta[name=public-url]")?.getAttribute("content");

/** The address of this page without its fragment, which may be a token. */
export const currentAddress = () => location.pathname + location.search;

/** Whether only this computer can open links from here. */
export const isLocalOnly = () => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link("/")).hostname);

/** The link to this page as it is shown. */
export const currentLink = () => (hasServer ? link(currentPath() + location.search + location.hash) : location.href);

/** The address of the worker that replaces the server. */
export const workerAddress = () => root.pathname + page.worker;

/** The address of a position on the analysis board. */
export const analysisAddress = (...position) => address(`/analysis?${positionQuery(...position)}`);

/** The path of the picture of that position. */
export const picturePath = (...position) => `api/picture.svg?${positionQuery(...position)}`;

function positionQuery(game, options, moves) {
  const query = new URLSearchParams({ game });
  for (const [name, value] of Object.entries(options)) query.set(name, value);
  if (moves.length) query.set("moves", moves.join("."));
  return String(query).replaceAll("%2C", ",");
}

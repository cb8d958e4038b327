// The one place that knows where the site is: the page says where its root lies, seen from itself.

const told = document.documentElement.dataset;
const root = new URL(told.root, document.baseURI);

/** The paths of a site of plain files, as its pages are told; null where a server answers. */
const pages = told.pages?.split(" ") ?? null;

/** Whether the page was given out by a server, which can be asked; otherwise its own worker is. */
export const hasServer = !pages;

/** A path of the site, like "/api/games", as an address that works below any root. */
export const address = (path) => root.pathname + (pages ? asFile(path.slice(1)) : path.slice(1));

/** Every page is a folder; one that stands for many, like that of a match, gets the rest as a query. */
function asFile(path) {
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
const here = () => `/${latePath() ?? file()}`;

/** "m/ID" on a page that stands for many, of which no file has the middle; null if this is not one. */
export const latePath = () =>
  pages?.includes(`${file()}/*`) && location.search ? `${file()}/${location.search.slice(1)}` : null;

const file = () => {
  const path = location.pathname.slice(root.pathname.length);
  return pages ? path.replace(/\/?(index\.html)?$/, "") : path;
};

/** The parts of that path: ["m", ID, "replay"]. */
export const pathParts = () => here().split("/").slice(1);

/** A path as others reach it: under the address that the server was told, or the one of this page. */
export const link = (path) => (publicRoot ? publicRoot + path : new URL(address(path), root).href);
const publicRoot = document.querySelector("meta[name=public-url]")?.getAttribute("content");

/** The address of this page without its fragment, which may be a token. */
export const hereWithoutFragment = () => location.pathname + location.search;

/** Whether links from here lead nowhere but to this computer. */
export const isOnlyHere = () => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link("/")).hostname);

/** The link to what this page shows. */
export const linkHere = () => (hasServer ? link(here() + location.search + location.hash) : location.href);

/** Where the worker is that answers instead of a server. */
export const workerAddress = () => root.pathname + told.worker;

"""Builds the static site, which needs no server: python -m duels.site.build [FOLDER]"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import posixpath
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, OptionError
from duels.games import GAMES
from duels.pages.print_sheets import BOARDS
from duels.pages.routes import FIXED, MATCH, missing_page, page_at
from duels.pages.shell import (
    IMPORTED,
    UPDATES,
    address,
    all_files,
    first_view,
    import_map,
    imported,
    manifest,
    modules,
    page_html,
    script_hash,
)
from duels.pages.templates import Host, Page
from duels.site.runtime import ENGINE, Runtime, packed_runtime

NOT_CACHED = ("static/cards/", "static/card.")
"""Link previews: only other sites load them."""


def service_worker(files: Mapping[str, bytes], worker: str, policy: str) -> bytes:
    """Return the service worker; it contains the hash of every file, so any change renews it."""
    digests = {
        path.removesuffix("index.html"): hashlib.sha256(content).hexdigest()
        for path, content in sorted(files.items())
        if not path.startswith(NOT_CACHED)
    }
    source = Path(__file__).with_name("sw.js").read_text(encoding="utf-8")
    files_json = json.dumps(digests, indent=0)
    filled = Template(source).substitute(files=files_json, worker=worker, policy=policy)
    return filled.encode()


SITE, CACHE = Path("site"), Path("build/python")
"""Where the site is written, and where the browser's Python is cached."""
SERVICE_WORKER = "sw.js"
WORKER, PARTS = "js/offline/worker.js", "const parts = undefined;"
"""The first module of the page's worker, and the line of `python.js` with the paths of Python."""
POLICY = (
    "default-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'{}; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'"
)
"""The server's policy, plus WebAssembly for Python; inline scripts are allowed by their hash."""
VERSION = "VERSION"
FOOT = (
    "No accounts, no tracking, no server: the rules, the hints and the results are worked out in "
    "your browser, and your games stay on this device. A friend by link, spectators and classes "
    "need a server."
)
LOADING = "One moment …"
"""Shown until the browser's Python has rendered a page that has no file."""
GAME_FOLDERS = ("play", "learn", "print/rules", "print/plan")
OPEN_FOLDERS = ("m", "play", "learn", "print/plan", "print/puzzles", "print/rules")
"""Below these are paths without a file, like a match or the player's own game."""


class SitePage(NamedTuple):
    """A page and its path; its file is `index.html` in the path's folder."""

    path: str
    page: Page

    @property
    def file(self) -> str:
        return f"{self.path}/index.html".lstrip("/")


def build(out: Path = SITE, cache: Path = CACHE) -> dict[str, bytes]:
    """Write the site into a folder, replacing the site that is there, and return its files."""
    if out.exists() and not (out / SERVICE_WORKER).exists() and any(out.iterdir()):
        raise OptionError(f"{out} has other files in it; name a folder that is new or empty.")
    files = site_files(packed_runtime(cache))
    write(files, out)
    return files


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Write files into a folder after emptying it."""
    out = out.resolve()  # if it is a symbolic link, empty its target and keep the link
    shutil.rmtree(out, ignore_errors=True)
    for path, content in files.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def site_files(runtime: Runtime) -> dict[str, bytes]:
    """Return every file of the site by its path."""
    parts, files = _python(runtime)
    worker, worker_files = worker_modules(parts)
    files |= worker_files | _static()
    files["manifest.webmanifest"] = manifest()
    pages = {one.file: site_html(one, worker) for one in site_pages()}
    pages["404.html"] = site_html(SitePage("", missing_page()), worker)
    version = _digest(b"".join((*files.values(), *pages.values()))).encode()
    files |= {path: page.replace(VERSION.encode(), version) for path, page in pages.items()}
    files[SERVICE_WORKER] = service_worker(files, worker, POLICY.format(""))
    return files


def site_pages() -> list[SitePage]:
    """Return every page that has a file, without the page for missing ones."""
    found = []
    for path in _page_paths():
        page = page_at(path)
        assert page, path
        found.append(SitePage(path, page))
    found.append(SitePage("m", MATCH))
    for path in OPEN_FOLDERS[1:]:
        if path not in _page_paths():
            kind = "play" if path == "play" else "print"
            empty = Page(kind, "Number Duels", "", loading=LOADING)
            found.append(SitePage(path, empty))
    return found


def site_html(one: SitePage, worker: str) -> bytes:
    """Render a page that starts the worker at an address; VERSION stands for the site's version."""
    host = _host(one.path)
    own = script_hash(one.page, host.root)
    policy = POLICY.format(f" {own}" if own else "")
    attributes = (
        ("data-pages", " ".join(host.paths)),
        ("data-worker", worker),
        ("data-version", VERSION),
    )
    host = replace(host, foot=FOOT, attributes=attributes, policy=policy)
    return page_html(one.page, host).file.content


def worker_modules(parts: dict[str, Any]) -> tuple[str, dict[str, bytes]]:
    """Return the address of the page's worker, and the files of all of its modules.

    No import map applies to a worker, so its modules import each other by their hashed names.
    """
    python_parts = f"const parts = {json.dumps(parts, indent=2, sort_keys=True)};"
    hashed: dict[str, str] = {}
    files: dict[str, bytes] = {}

    def add(name: str) -> str:
        if name not in hashed:
            source = all_files()[name].content.decode().replace(PARTS, python_parts)
            source = IMPORTED.sub(lambda found: f'from "{add_imported(name, found[1])}"', source)
            hashed[name] = name.replace(".js", f".{_digest(source.encode())}.js")
            files[f"static/{hashed[name]}"] = source.encode()
        return hashed[name]

    def add_imported(name: str, path: str) -> str:
        module = add(imported(name, path))
        return f"{posixpath.dirname(path)}/{posixpath.basename(module)}"

    return f"static/{add(WORKER)}", files


def _page_paths() -> list[str]:
    boards = [f"print/board/{size}" for size in BOARDS]
    of_games = [f"{folder}/{game_id}" for folder in GAME_FOLDERS for game_id in GAMES]
    return ["", *FIXED, "learn", "print", "print/lines", *boards, *of_games]


@cache
def _host(path: str) -> Host:
    paths = (*filter(None, _page_paths()), *(f"{folder}/*" for folder in OPEN_FOLDERS))
    return Host("../" * (path.count("/") + 1) if path else "./", paths=paths)


def _python(runtime: Runtime) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return where the parts of Python are, and their files, at addresses with hashes."""
    engine = {name: (runtime.engine / name).read_bytes() for name in ENGINE}
    folder = f"python/engine.{_digest(b''.join(engine.values()))}/"
    files = {folder + name: content for name, content in engine.items()}
    parts: dict[str, Any] = {"engine": folder, "info": runtime.info}
    wasm = next(name for name in ENGINE if name.endswith(".wasm"))
    parts["wasm"] = {"path": folder + wasm, "size": len(engine[wasm])}
    for name, path in (("library", runtime.library), ("duels", runtime.duels)):
        content = gzip.compress(path.read_bytes(), 9, mtime=0)
        parts[name] = {"path": f"python/{name}.{_digest(content)}.bin", "size": len(content)}
        files[parts[name]["path"]] = content
    return parts, files


def _static() -> dict[str, bytes]:
    """Return the style sheets, modules and pictures that the pages load."""
    kinds = {one.page.kind for one in site_pages()} | {"missing"}
    names = {"favicon.svg", UPDATES} | {f"{kind}.css" for kind in kinds}
    names |= {name for name in all_files() if name.startswith(("card", "icons/"))}
    names |= {name for kind in kinds if (name := first_view(kind))}
    by_address = {address(name): file.content for name, file in all_files().items()}
    wanted = {address(name) for name in names}
    for kind in kinds:
        if modules(kind):
            wanted |= {*json.loads(import_map(kind, ""))["imports"].values()}
    return {path: by_address[path] for path in sorted(wanted)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def main() -> None:
    """Build the site from the command line."""
    parser = argparse.ArgumentParser(prog="scripts/site", description=__doc__.partition(":")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=SITE)
    try:
        folder = parser.parse_args().folder
        files = build(folder)
    except (DuelsError, OSError) as error:
        sys.exit(f"{error}")
    print(f"{folder}: {len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB")
    print(f"To look at it: python3 -m http.server --bind 127.0.0.1 --directory {folder}")


if __name__ == "__main__":
    main()

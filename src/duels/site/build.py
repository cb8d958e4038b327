"""Writes the site that needs no server: python -m duels.site.build [FOLDER]"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duels.core.errors import DuelsError, OptionError
from duels.pages.files import address, all_files, import_map, modules
from duels.pages.page import missing
from duels.site.offline import GROUND, ICONS, manifest, service_worker
from duels.site.pages import SitePage, site_html, site_pages
from duels.site.runtime import ENGINE, Packed, packed
from duels.site.worker import worker_modules

SITE, CACHE = Path("site"), Path("build/python")
"""Where the site is written, and where is kept what is got and packed once."""
SERVICE_WORKER = "sw.js"
POLICY = (
    "default-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'{}; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'"
)
"""As on a server, and Python may run: it is WebAssembly. What a page holds itself has its hash."""
SCRIPTS = "SCRIPTS"
VERSION = "VERSION"


def build(out: Path = SITE, cache: Path = CACHE) -> dict[str, bytes]:
    """Write all files into a folder, which is made anew; the files by their paths."""
    if out.exists() and not (out / SERVICE_WORKER).exists() and any(out.iterdir()):
        raise OptionError(f"{out} has other files in it; name a folder that is new or empty.")
    files = site_files(packed(cache))
    write(files, out)
    return files


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Write files into a folder instead of what is in it."""
    out = out.resolve()  # a link stays a link, and what it leads to is emptied
    shutil.rmtree(out, ignore_errors=True)
    for path, content in files.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def site_files(runtime: Packed) -> dict[str, bytes]:
    """Every file of the site by its path."""
    parts, files = _python(runtime)
    worker, of_worker = worker_modules(parts)
    files |= of_worker | _static()
    icons = Path(__file__).with_name("icons")
    files |= {name: (icons / name).read_bytes() for name, _, _ in ICONS}
    files["manifest.webmanifest"] = manifest()
    pages = {one.file: _page(one, worker) for one in site_pages()}
    pages["404.html"] = _page(SitePage("", missing("./")), worker)
    version = _digest(b"".join((*files.values(), *pages.values()))).encode()
    files |= {path: page.replace(VERSION.encode(), version) for path, page in pages.items()}
    files[SERVICE_WORKER] = service_worker(files, worker, POLICY.format(""))
    return files


def _python(runtime: Packed) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Where the parts of Python lie, and their files: each changes its address when it changes."""
    engine = {name: (runtime.engine / name).read_bytes() for name in ENGINE}
    place = f"python/engine.{_digest(b''.join(engine.values()))}/"
    files = {place + name: content for name, content in engine.items()}
    parts: dict[str, Any] = {"engine": place, "info": runtime.info}
    wasm = next(name for name in ENGINE if name.endswith(".wasm"))
    parts["wasm"] = {"path": place + wasm, "size": len(engine[wasm])}
    for name, path in (("library", runtime.library), ("duels", runtime.duels)):
        content = gzip.compress(path.read_bytes(), 9, mtime=0)
        parts[name] = {"path": f"python/{name}.{_digest(content)}.bin", "size": len(content)}
        files[parts[name]["path"]] = content
    return parts, files


def _static() -> dict[str, bytes]:
    """What the pages load: their style sheets and modules, and the pictures of links."""
    kinds = {one.page.kind for one in site_pages()} | {"missing"}
    names = {"favicon.svg", "js/offline.js"} | {f"{kind}.css" for kind in kinds}
    names |= {name for name in all_files() if name.startswith("card")}
    by_address = {address(name): file.content for name, file in all_files().items()}
    wanted = {address(name) for name in names}
    for kind in kinds:
        if modules(kind):
            wanted |= {*json.loads(import_map(kind, ""))["imports"].values()}
    return {path: by_address[path] for path in sorted(wanted)}


def _page(one: SitePage, worker: str) -> bytes:
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(SCRIPTS)}">'
    head = "\n".join(
        (
            policy,
            f'<meta name="theme-color" content="{GROUND}" media="(prefers-color-scheme: light)">',
            f'<link rel="manifest" href="{one.root}manifest.webmanifest">',
            f'<link rel="apple-touch-icon" href="{one.root}{ICONS[0][0]}">',
            f'<script type="module" src="{one.root}{address("js/offline.js")}"></script>',
        )
    )
    html = site_html(one, f'data-worker="{worker}" data-version="{VERSION}"', head)
    own = f" {html.scripts}" if html.scripts else ""
    return html.file.content.replace(SCRIPTS.encode(), own.encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def main() -> None:
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

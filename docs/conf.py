"""The site of these pages: Sphinx reads the Markdown of the project (MyST), Furo is the theme.

The source folder is the whole project, so that a link works here as it does on a code host. The
navigation comes from navigation.toml, and no page contains a directive.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import duels

HERE = Path(__file__).parent
PARTS = tomllib.loads((HERE / "navigation.toml").read_text("utf-8"))["part"]

project = "Number Duels"
author = "the authors of Number Duels"
project_copyright = author
release = version = duels.__version__

root_doc = "docs/index"
include_patterns = [f"{root_doc}.md", *(page for part in PARTS for page in part["pages"])]
extensions = ["myst_parser"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["look.css"]
html_copy_source = False
html_show_sourcelink = False
templates_path = ["_templates"]
html_additional_pages = {"index": "redirect.html"}


def add_navigation(app: Any, name: str, source: list[str]) -> None:
    """Append the tables of contents to the front page."""
    if name == root_doc:
        for part in PARTS:
            pages = "\n".join(f"/{page.removesuffix('.md')}" for page in part["pages"])
            source[0] += f"\n```{{toctree}}\n:caption: {part['title']}\n:hidden:\n\n{pages}\n```\n"


def setup(app: Any) -> None:
    app.connect("source-read", add_navigation)

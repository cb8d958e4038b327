"""The site of these pages: Sphinx reads the Markdown as it stands (MyST), Furo is the look.

Why these: docs/reference/dependencies.md.
"""

from __future__ import annotations

from typing import Any

import duels

project = "Number Duels"
author = "the authors of Number Duels"
project_copyright = author
release = version = duels.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "examples"]
suppress_warnings = ["myst.header"]  # a rule book's headings skip a level, as it is printed
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

default_role = "code"  # docstrings write `this`, as Markdown does
autodoc_inherit_docstrings = False  # else those of other projects come too
autodoc_mock_imports = ["gymnasium", "numpy", "open_spiel", "pettingzoo", "pyspiel", "textarena"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["look.css"]
html_copy_source = False
html_show_sourcelink = False


def setup(app: Any) -> None:
    """Fields of a named tuple have a docstring of Python's own, which says nothing."""

    def says_nothing(app: Any, what: str, name: str, item: Any, *more: Any) -> bool | None:
        return True if str(item.__doc__).startswith("Alias for field number") else None

    app.connect("autodoc-skip-member", says_nothing)

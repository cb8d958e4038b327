"""What the program says about installing an extra works where it was installed."""

from __future__ import annotations

import json

import pytest

from duels.core.errors import install

WHEEL = "number_duels-1.0.0-py3-none-any.whl"
REPOSITORY = "https://git.example/number-duels"
ORIGINS = {
    "index": (None, "pip install 'number-duels[web]'"),
    "folder": (
        {"url": "file:///home/mia/duels", "dir_info": {}},
        "pip install '.[web]' (in your clone)",
    ),
    "editable": (
        {"url": "file:///home/mia/duels", "dir_info": {"editable": True}},
        "pip install '.[web]' (in your clone)",
    ),
    "wheel": (
        {"url": f"file:///tmp/{WHEEL}", "archive_info": {}},
        f"pip install '{WHEEL}[web]'",
    ),
    "download": (
        {"url": f"https://files.example/{WHEEL}", "archive_info": {}},
        f"pip install 'number-duels[web] @ https://files.example/{WHEEL}'",
    ),
    "repository": (
        {"url": REPOSITORY, "vcs_info": {"vcs": "git", "commit_id": "0" * 40}},
        f"pip install 'number-duels[web] @ git+{REPOSITORY}'",
    ),
}


@pytest.mark.parametrize(("origin", "expected"), ORIGINS.values(), ids=ORIGINS)
def test_the_hint_names_where_the_package_came_from(tmp_path, origin, expected):
    folder = tmp_path / "site-packages"
    (folder / "number_duels-1.0.0.dist-info").mkdir(parents=True)
    if origin:
        note = folder / "number_duels-1.0.0.dist-info" / "direct_url.json"
        note.write_text(json.dumps(origin), encoding="utf-8")
    assert install("web", folder) == f"Install it with: {expected}"


def test_in_a_clone_the_hint_is_for_the_clone():
    assert install("web") == "Install it with: pip install '.[web]' (in your clone)"

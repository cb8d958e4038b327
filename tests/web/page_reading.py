"""Reads pages as a person without a script does: their tags, addresses and words."""

from __future__ import annotations

import re
from html.parser import HTMLParser

PAGES = ["/", "/analysis", "/learn", "/learn/sequence-duel", "/m/ID", "/m/ID/replay"]
PAGES += ["/class"]
SHEETS = [
    "/class/privacy",
    "/print",
    "/print/lines",
    "/print/board/24",
    "/print/rules/number-duel",
    "/print/plan/sequence-duel",
    "/print/puzzles/number-line-duel/2",
]
MISSING = [
    "/nothing",
    "/learn/nothing",
    "/print/board/25",
    "/print/puzzles/number-duel/0",
    "/m/a%2Fb",
    "/a/b/c",
]


class Read(HTMLParser):
    """The tags of a page, and the words that are read without a script."""

    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.words = ""
        self.hidden = False
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.hidden = tag in ("script", "title")

    def handle_endtag(self, tag):
        self.hidden = False

    def handle_data(self, data):
        self.words += "" if self.hidden else data

    def all(self, tag, name, **having):
        return [
            one[name]
            for kind, one in self.tags
            if kind in tag.split() and name in one and having.items() <= one.items()
        ]

    def meta(self, name):
        return {
            one.get("name") or one.get("property"): one["content"]
            for kind, one in self.tags
            if kind == "meta" and "content" in one
        }.get(name)


def look_at(http, path):
    return http.get(path, headers={"accept": "text/html"})


def import_map(page):
    return re.search(r'<script type="importmap">(.*?)</script>', page.text)[1]

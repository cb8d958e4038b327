"""Which page lies at a path, where nobody has to be asked for a match or to work anything out."""

from __future__ import annotations

from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import paper
from duels.pages.learn import learn_page, rules_page
from duels.pages.page import FIXED, Page, set_up


def page_at(path: str, root: str) -> Page | None:
    """The page at a path like `learn/GAME`; `root` leads from it to the root of the site."""
    what, _, which = path.rpartition("/")
    kind = all_games().get(which)
    if what == "print/board":
        return paper.board_page(whole_number(which) or 0, root)
    if what:
        of_game = {
            "play": set_up,
            "learn": rules_page,
            "print/rules": paper.rules_sheet,
            "print/plan": paper.plan_sheet,
        }.get(what)
        if kind and of_game:
            return of_game(kind, root)
    of_all = {"learn": learn_page, "print": paper.index_page, "print/lines": paper.lines_page}
    return of_all[path](root) if path in of_all else FIXED.get(path)

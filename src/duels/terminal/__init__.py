"""Playing at a terminal: the rule books' talk, the board, the menu.

`session.py` is the loop of one match (ask, referee, save), `duel.py` plays several, `menu.py` is
what there is to do next. On a pipe the talk is the rule book's sample dialogue; on a terminal there
is also a board above a person's turn. Talk goes to stdout, housekeeping to stderr.
"""

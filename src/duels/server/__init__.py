"""Play in the browser: a server that keeps matches, and the pages that show them.

It puts HTTP, SQL and event streams around `duels.service`, which has the rules of hosting. Two
ideas hold it together. Time is what a server of the database has run (`clock.py`), never a wall
clock. What a server does by itself has a date in the database (`due.py`, `work.py`), which is set
later before anything is done about it, so that any number of processes may do it and a crash loses
nothing. The pages in `static` know no rule, no game and no option.
"""

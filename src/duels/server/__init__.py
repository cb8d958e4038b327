"""Play in the browser: HTTP, storage and events around `duels.service`; and MCP for assistants.

Two ideas shape it. Time is how long servers of the database have been running (`clock.py`), never a
wall clock. Work that no request triggers has a due time in the database, which is postponed before
the work begins (`background.py`), so any number of processes may share it and a crash loses
nothing.
"""

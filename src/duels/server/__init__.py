"""Play in the browser: HTTP, storage and events around `duels.service`; and MCP for assistants.

Two ideas shape it. Time is how long a server of the database has been running (`clock.py`),
never a wall clock. What a server does without a request has a date in the database, which is put
off before anything is done (`background.py`), so that any number of processes may do it and a crash
loses nothing.
"""

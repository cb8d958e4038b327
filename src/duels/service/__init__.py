"""Matches for people who are not at one terminal: requests and answers as plain data.

Nothing here knows a web framework or a database. `routes.py` is what can be asked, `store.py` what
a place to keep matches must do. `duels.server` puts a server around it; anything else that can keep
matches and pass requests on may do the same.
"""

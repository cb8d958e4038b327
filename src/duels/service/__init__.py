"""Matches, classes, analysis and lessons as requests and responses, without HTTP or SQL.

A `Request` finds its handler in `routes.py`. The handler uses `Services`, changes saved data in one
`Transaction`, and returns a view, which becomes a `Response`; open streams get an event. The server
runs this with a database, the browser with its own storage.
"""

"""Matches, classes, analysis and lessons as requests and responses, without HTTP or SQL.

A `Request` finds its handler in `routes.py`. The handler uses `Services`, changes what is saved in
one `Transaction`, and returns a view, which becomes a `Response`; open streams get an event. The
server runs this with a database, the browser with one of its own.
"""

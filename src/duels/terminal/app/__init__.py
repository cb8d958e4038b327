"""The app: a board that stays in place, with a cursor, a mouse and a key bar (Textual)."""

from __future__ import annotations

from duels.match.saved_games import SavedGames


def run_app(store: SavedGames) -> int:
    """Run the app and return the exit code."""
    from duels.terminal.app.main import DuelsApp

    app = DuelsApp(store)
    app.run()
    if app.farewell:
        print(app.farewell)
    return app.return_code or 0

"""An engine of your own in thirty lines: it leaves the opponent as few answers as it can.

duels arena --players novice expert "mine=ugi:python engine.py" --out results
"""

from __future__ import annotations

import sys

import duels


def best_move(position: duels.Position) -> duels.Move:
    return min(position.legal_moves, key=lambda move: len(position.play(move).legal_moves))


def main() -> None:
    settings: dict[str, str] = {}
    position = None
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                print("id name Fewest Answers", "ugiok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["setoption", "name", name, "value", value] if name != "seed":
                settings[name] = value
            case ["position", "startpos", *moves]:
                options = {name: value for name, value in settings.items() if name != "game"}
                position = duels.game(settings["game"], **options).start()
                for move in moves[1:]:
                    position = position.play(position.game.parse(move))
            case ["go", *_] if position:
                print("bestmove", position.game.format(best_move(position)), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()

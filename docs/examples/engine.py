"""An engine of your own in thirty lines: it leaves the opponent as few answers as it can.

duels arena --players novice expert "mine=ugi:python engine.py" --out results
"""

from __future__ import annotations

import sys

import duels


def best_move(position: duels.Position) -> duels.Move:
    return min(position.legal_moves, key=lambda move: len(position.play(move).legal_moves))


def main() -> None:
    game_id, options, position = "", dict[str, str](), None
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                print("id name Fewest Answers", "ugiok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["setoption", "name", "game", "value", value]:
                game_id, options = value, {}
            case ["setoption", "name", name, "value", value] if name != "seed":
                options[name] = value
            case ["position", "startpos", *moves]:
                position = duels.game(game_id, **options).position(*moves[1:])
            case ["go", *_] if position:
                print("bestmove", position.game.format(best_move(position)), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()

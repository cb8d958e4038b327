"""Random games through the public surface, beside OpenSpiel's own, in one run."""

from __future__ import annotations

import random
from time import perf_counter

import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers python_tic_tac_toe)

import duels

SECONDS = 2.0


def duels_moves(game: duels.Game, chance: random.Random) -> int:
    """Play one random game; how many moves it had."""
    position = game.start()
    while position.outcome is None:
        position = position.play(chance.choice(position.legal_moves))
    return len(position.moves)


def openspiel_moves(game: pyspiel.Game, chance: random.Random) -> int:
    """The same for a game of OpenSpiel."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        moves += 1
    return moves


def rate(play, game) -> float:
    """Moves a second."""
    chance, moves, start = random.Random(1), 0, perf_counter()
    while perf_counter() - start < SECONDS:
        moves += play(game, chance)
    return moves / (perf_counter() - start)


def main() -> None:
    openspiel = {name: pyspiel.load_game(name) for name in ("python_tic_tac_toe", "nim")}
    rates = {name: rate(openspiel_moves, game) for name, game in openspiel.items()}
    options = {"divisor-duel": {"divisor": 7}}
    for game_id in duels.GAMES:
        game = duels.game(game_id, **options.get(game_id, {}))
        rates[game_id] = rate(duels_moves, game)
    print("Random playouts, moves a second")
    for name, moves in rates.items():
        python, native = moves / rates["python_tic_tac_toe"], moves / rates["nim"]
        ratios = f"{python:5.1f} x python_tic_tac_toe   {native:5.2f} x C++ nim"
        print(f"  {name:20} {moves:10,.0f}   {ratios}")


if __name__ == "__main__":
    main()

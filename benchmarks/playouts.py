"""Random games through the public surface, beside OpenSpiel's own, in one run."""

from __future__ import annotations

import random
from itertools import compress, count
from time import process_time

import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers python_tic_tac_toe)

import duels
from duels.core.fast import up_to
from duels.games.chain.rules import ChainGame

SECONDS = 0.2
ROUNDS = 12
ONES = bytes(code == ord("1") for code in range(256))


def duels_moves(game: duels.Game, chance: random.Random) -> int:
    """Play one random game; how many moves it had."""
    position = game.start()
    while position.outcome is None:
        position = position.play(chance.choice(position.legal_moves))
    return len(position.moves)


def bare_moves(game: ChainGame, chance: random.Random) -> int:
    """The same as a loop over bit masks, without positions, and with nothing else of ours."""
    rows, unused, legal, moves = game.neighbours, up_to(game.size), game.openings, 0
    while legal:
        number = chance.choice(numbers(legal))
        unused ^= 1 << number
        legal = unused & rows[number]
        moves += 1
    return moves


def numbers(mask: int) -> tuple[int, ...]:
    """The numbers of a bit mask, in the plain way."""
    return tuple(compress(count(), bin(mask)[:1:-1].encode().translate(ONES)))


def openspiel_moves(game: pyspiel.Game, chance: random.Random) -> int:
    """The same for a game of OpenSpiel."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        moves += 1
    return moves


def rate(play, game) -> float:
    """Moves a second of processor time: what else the machine does is not counted."""
    chance, moves, start = random.Random(1), 0, process_time()
    while process_time() - start < SECONDS:
        moves += play(game, chance)
    return moves / (process_time() - start)


def main() -> None:
    openspiel = {name: pyspiel.load_game(name) for name in ("python_tic_tac_toe", "nim")}
    rates = dict.fromkeys(openspiel, 0.0)
    for _ in range(ROUNDS):
        for name, game in openspiel.items():
            rates[name] = max(rates[name], rate(openspiel_moves, game))
    games = {kind.id: kind.usual() for kind in duels.GAMES.values()}
    chains = {name: game for name, game in games.items() if isinstance(game, ChainGame)}
    bare = dict.fromkeys(chains, 0.0)
    rates |= dict.fromkeys(games, 0.0)
    for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine hits all alike
        for name, game in games.items():
            rates[name] = max(rates[name], rate(duels_moves, game))
        for name, game in chains.items():
            bare[name] = max(bare[name], rate(bare_moves, game))
    print("Random playouts, moves a second")
    for name, moves in rates.items():
        python, native = moves / rates["python_tic_tac_toe"], moves / rates["nim"]
        ratios = f"{python:5.1f} x python_tic_tac_toe   {native:5.2f} x C++ nim"
        masks = f"   {moves / bare[name]:5.2f} x bare masks" if name in bare else ""
        print(f"  {name:20} {moves:10,.0f}   {ratios}{masks}")


if __name__ == "__main__":
    main()

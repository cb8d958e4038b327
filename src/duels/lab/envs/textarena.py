"""TextArena environments, played in words: two agents, or one agent against a level.

duels.lab.envs.textarena.register()
env = textarena.make("duels/GAME-v0")                          two agents
env = textarena.make("duels/GAME-v0", opponent="expert")       one agent; num_players is 1

The keywords are the game's options and those of `duels.lab.envs.text.TextEnv`, which this wraps. A
move may be in brackets, as is usual in TextArena: [5]. The info of a step has the exact reward of
its move, {"reward": 1, "player_id": 0}; at the end the winner gets 1 and the loser -1.
An id that ends with "-raw" is the environment without TextArena's wrappers.
"""

from __future__ import annotations

import re
from typing import Any

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.lab.envs.base import as_text, environment_ids, require
from duels.lab.envs.text import TextEnv
from duels.match.players import Player
from duels.match.players.prompt import read_answer, rules_for_models

with require("TextArena", extra="textarena"):
    import textarena
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
    from textarena.wrappers import ActionFormattingWrapper, LLMObservationWrapper

_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


def register() -> None:
    """Register all games with TextArena; call it again after adding a game."""
    for game_id, environment_id in environment_ids().items():
        if environment_id not in ENV_REGISTRY:
            register_with_versions(
                environment_id,
                entry_point="duels.lab.envs.textarena:DuelTextArena",
                wrappers={"default": [LLMObservationWrapper, ActionFormattingWrapper]},
                game=game_id,
            )


class DuelTextArena(textarena.Env):  # type: ignore[misc]
    """A game between two agents, or between an agent and a built-in opponent."""

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player | None = None,
        error_allowance: int = 1,
        **options: Any,
    ) -> None:
        self.text = TextEnv(game, opponent=opponent, **options)
        self.players = 2 if opponent is None else 1
        self.error_allowance = error_allowance

    def reset(self, num_players: int, seed: int | None = None) -> None:
        if num_players != self.players:
            against = "two agents" if self.players == 2 else "an agent and a built-in opponent"
            raise OptionError(f"This is a game between {against}: num_players is {self.players}.")
        kind = textarena.TwoPlayerState if self.players == 2 else textarena.SinglePlayerState
        # No seed: TextArena would seed Python's own random numbers, which are not ours to seed.
        self.state = kind(num_players=num_players, error_allowance=self.error_allowance)
        self.text.reset(seed=seed)
        mapping = {player: f"Player {self._seat(player)}" for player in range(num_players)}
        self.state.reset(player_prompt_function=self._prompt, role_mapping=mapping)
        self._show()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        state, player = self.state, self.state.current_player_id
        kind = textarena.ObservationType
        state.add_observation(action, kind.PLAYER_ACTION, from_id=player)
        in_brackets = _BRACKETS.findall(action)
        answer = in_brackets[-1] if in_brackets else action
        here = self.text.position
        _, detail, move = read_answer(here, answer) if not here.outcome else ("", "", None)
        if move is None and not here.outcome:
            state.set_invalid_move(reason=detail)
            if state.done:
                state.step_info |= {"reward": -1.0, "player_id": player}
            return state.step()  # type: ignore[no-any-return]
        _, reward, done, _, info = self.text.step(answer)
        state.step_info |= {"reward": reward, "player_id": player}
        if done:
            self._finish(player, bool(info["won"]))
        self._show()
        return state.step()  # type: ignore[no-any-return]

    def _seat(self, player: int) -> int:
        return player + 1 if self.players == 2 else self.text.player

    def _prompt(self, player_id: int, game_state: Any) -> str:
        """Return the rules and the player's side; the position comes with every turn."""
        rules = rules_for_models(self.text.game)
        move = "MOVE: 5-6 or MOVE: 5" if self.text.game.pair_words else "MOVE: 5"
        return f"{rules}\n\nYou are Player {self._seat(player_id)}. Answer with your move: {move}."

    def _show(self) -> None:
        here = self.text.position
        words = as_text(here)
        if self.text.show_legal and not here.outcome:
            words += f"\nLegal moves: {', '.join(map(here.game.format, here.legal_moves))}"
        self.state.add_observation(words, textarena.ObservationType.GAME_BOARD)

    def _finish(self, player: int, won: bool) -> None:
        outcome = self.text.position.outcome
        assert outcome
        reason = f"Player {outcome.winner} has won: {self.text.game.endings[outcome.reason]}."
        if self.players == 2:
            self.state.set_winner(player_id=outcome.winner - 1, reason=reason)
        else:
            self.state.set_outcome(reward=1.0 if won else -1.0, reason=reason)

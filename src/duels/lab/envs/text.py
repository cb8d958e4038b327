"""Text environments for training language models: answers in, exact rewards out.

env = TextEnv(GAME, opponent="expert")
text, info = env.reset(seed=1)
text, reward, terminated, truncated, info = env.step("I leave them a pair.\nMOVE: 5")

- The first text is the prompt of `duels exam`: the rules, the position, and the legal moves unless
  `show_legal=False`. Each later text is only the position. `info["messages"]` has the text as chat
  messages, to append to the earlier ones; `env.messages()` is the whole prompt at any time.
- Answers are parsed as in `duels exam`. After an answer without a legal move the text says why, and
  the player may try again, up to `retries` times; then the game is lost with reward -1
  (`info["kind"]`, `info["detail"]`).
- The reward of each move is exact: 1 for keeping a win that another move would have given away, -1
  for giving it away, 0 where there was no choice. `reward="outcome"` rewards only the end.
- `opponent` and `plays` are those of `duels.lab.envs.gymnasium`. With `opponent=None` the answers
  are those of both players in turn, and the reward is that of the player who has just answered.
- `verdict=True` adds `info["value"]` (1 or -1) and `info["winning_moves"]`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from duels.core.errors import MatchError
from duels.core.game import Game, Move, Position
from duels.core.options import read_choice, read_whole
from duels.lab.envs.base import (
    PLAYS,
    PositionHolder,
    PositionMixin,
    environment_game,
    find_opponent,
    keeping_reward,
    read_reward,
    side_of_agent,
    value_of,
)
from duels.match.players import Player
from duels.match.players.prompt import Conditions, position_lines, prompt, read_answer
from duels.theory import winning_moves

Info = dict[str, Any]


class TextEnv(PositionMixin):
    """One game after another, in text."""

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player | None = "expert",
        plays: str = "first",
        reward: str = "keeping",
        show_legal: bool = True,
        retries: int = 0,
        verdict: bool = False,
        **options: Any,
    ) -> None:
        self._holder = PositionHolder(environment_game(game, **options).start())
        self.plays = read_choice("plays", plays, PLAYS)
        self.reward = read_reward(reward)
        self.show_legal, self.verdict = bool(show_legal), bool(verdict)
        self.retries = read_whole("retries", retries, 0)
        self._opponent_given = opponent
        if opponent is not None:
            find_opponent(opponent, Random(0))  # fail now, not in the first step
        self._chance = Random(0)
        self._episodes = 0
        self._over = True
        self.player = 1
        """The player whose answer comes next."""

    def reset(self, *, seed: int | None = None) -> tuple[str, Info]:
        """Start a new game; return the first prompt and its info."""
        self._chance = Random(seed) if seed is not None else self._chance
        self._episodes = 0 if seed is not None else self._episodes + 1
        self._over, self._tries, self._is_first = False, 0, True
        position: Position = self.game.start()
        self.player = 1
        if self._opponent_given is not None:
            self._opponent = find_opponent(self._opponent_given, Random(self._chance.random()))
            self.player = side_of_agent(
                self.plays, self._episodes, lambda: self._chance.choice((0, 1))
            )
            if self.player == 2:
                position = position.play(self._opponent.choose(position))
        self._holder = PositionHolder(position)
        return self._text(), self._info("", "")

    def step(self, answer: str) -> tuple[str, float, bool, bool, Info]:
        """Play the move of an answer; return text, reward, terminated, truncated and info."""
        if self._over:
            raise MatchError("There is no game under way: call reset() first.")
        self._is_first = False
        before = self.position
        if before.outcome:  # ended by the opponent's first move
            return self._ended(0.0, before.outcome.winner == self.player, "", "")
        kind, detail, move = read_answer(before, str(answer))
        if move is None:
            return self._refused(kind, detail)
        self._tries = 0
        winning = winning_moves(before) if self.reward == "keeping" else ()
        paid = float(keeping_reward(before, winning, move))
        here = before.play(move)
        if self._opponent_given is not None and not here.outcome:
            here = here.play(self._opponent.choose(here))
        self._holder = PositionHolder(here)
        if here.outcome:
            return self._ended(paid, here.outcome.winner == self.player, kind, detail, move)
        if self._opponent_given is None:
            self.player = here.to_move
        return self._text(), paid, False, False, self._info(kind, detail, move)

    def messages(self) -> list[dict[str, str]]:
        """Return the whole prompt as chat messages; none once the game is over."""
        return [] if self.position.outcome else prompt(self.position, self._conditions)

    def _refused(self, kind: str, detail: str) -> tuple[str, float, bool, bool, Info]:
        self._tries += 1
        if self._tries > self.retries:
            return self._ended(-1.0, False, kind, detail)
        text = f"{detail} Try again.\n\n{self._text()}"
        return text, 0.0, False, False, self._info(kind, detail)

    def _ended(
        self, paid: float, won: bool, kind: str, detail: str, move: Move | None = None
    ) -> tuple[str, float, bool, bool, Info]:
        self._over = True
        reward = paid if self.reward == "keeping" else 1.0 if won else -1.0
        text = "You have won." if won else f"{detail} You have lost.".strip()
        info = self._info(kind, detail, move) | {"messages": [], "won": won}
        return text, reward, True, False, info

    @property
    def _conditions(self) -> Conditions:
        return Conditions(self.show_legal, self.retries)

    def _news(self) -> list[dict[str, str]]:
        """Return the messages of this observation: the rules come once in every game."""
        if self._is_first or self.position.outcome:
            return self.messages()
        return [
            {"role": "user", "content": "\n".join(position_lines(self.position, self._conditions))}
        ]

    def _text(self) -> str:
        if self.position.outcome:
            return "The game is over before your first move. Any answer will do."
        return "\n\n".join(message["content"] for message in self._news())

    def _info(self, kind: str, detail: str, move: Move | None = None) -> Info:
        info: Info = {"player": self.player, "messages": self._news()}
        info |= {"kind": kind, "detail": detail, "move": move}
        if self.verdict:
            here, winning = self.position, winning_moves(self.position)
            sign = 1 if here.to_move == self.player else -1
            info |= {"value": sign * value_of(here, winning), "winning_moves": winning}
        return info

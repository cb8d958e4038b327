"""The action and observation space of Number Line Duel: its numbers, then its pairs."""

from __future__ import annotations

from duels.core.game import Move
from duels.games.line.rules import LinePosition, NumberLineDuel
from duels.lab.envs.board_space import BoardSpace, Rules


class LineSpace(BoardSpace[LinePosition]):
    """The actions are numbers and pairs; a move uses up its numbers and the pairs they are in."""

    game: NumberLineDuel

    def free(self, position: LinePosition) -> int:
        return position.state

    def action_of(self, move: Move) -> int:
        return move - 1 if isinstance(move, int) else self.board_size + move[0] - 1

    def rules(self) -> Rules:
        game, size = self.game, self.board_size
        rules = super().rules()
        left = [game.allowed(game.after(game.first(), move)) for move in self.moves]
        return rules._replace(keep=[moves.free >> 1 | moves.pairs >> 1 << size for moves in left])

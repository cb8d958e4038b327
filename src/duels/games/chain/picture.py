"""The chain games: the board with its winning moves, and the table of partners beneath it."""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.board import number_takers
from duels.core.fast import members
from duels.core.look import MARGIN, MARKS, WINNING, Sheet, Span, fitting, text_width
from duels.core.words import listed
from duels.games.chain.theory import ChainVerdict
from duels.theory.pictures import LOSES, WINS, begin, draw_board, end, path, tile

WIDTH = 560
GAP = 4
LARGEST_BOARD = 200
"""The largest board that is drawn in full; of a larger one, the moves around the last number."""
MOST_TILES = 40
MOST_PAIRS = 120
PAIRS_OF_A_LARGE_BOARD = 30


def chain_svg(verdict: ChainVerdict) -> str:
    """The picture of a verdict on a chain game."""
    position = verdict.position
    sheet = begin(verdict, WIDTH)
    if position.game.size <= LARGEST_BOARD:
        draw_board(sheet, verdict)
    else:
        _large_board(sheet, verdict)
    _legend(sheet, verdict)
    if position.game.size <= LARGEST_BOARD or not position.outcome:
        path(sheet, position)
    if verdict.proof:
        _partner_table(sheet, verdict)
    return end(sheet, verdict)


def _tiles(sheet: Sheet, verdict: ChainVerdict, numbers: Sequence[int]) -> None:
    """Draw numbers in a grid ten wide, or seven if the numbers are long."""
    across = 10 if not numbers or numbers[-1] <= 10_000 else 7
    pitch = (sheet.room + GAP) / across
    high = 46
    kinds = _kinds(verdict)
    for place, number in enumerate(numbers):
        row, column = divmod(place, across)
        x, y = MARGIN + column * pitch, sheet.y + row * (high + GAP)
        kind = kinds.get(number, "idle")
        tile(sheet, x, y, pitch - GAP, high, str(number), kind)
    sheet.y += -(-len(numbers) // across) * (high + GAP)


def _kinds(verdict: ChainVerdict) -> dict[int, str]:
    """Return the look of each number; numbers that are not included cannot be played yet."""
    position = verdict.position
    kinds = {number: str(player) for number, player in number_takers(position).items()}
    if position.last:
        kinds[position.last] += "!"
    kinds |= dict.fromkeys(position.legal_moves, "loses")
    kinds |= dict.fromkeys(verdict.winning_moves, "wins")  # type: ignore[arg-type]
    if verdict.proof and verdict.proof["move"]:
        kinds[verdict.proof["move"]] = "best"
    return kinds


def _large_board(sheet: Sheet, verdict: ChainVerdict) -> None:
    """Draw the moves nearest to the last number, or to the best move, including the best move."""
    position = verdict.position
    legal = position.legal_moves
    if legal:
        best = verdict.proof["move"] if verdict.proof else None
        centre = position.last or best or 1
        near = sorted(legal, key=lambda number: (number != best, abs(number - centre)))
        won, shown = len(verdict.winning_moves), sorted(near[:MOST_TILES])
        words = f"{won:,} of {len(legal):,} moves win." if won else "No move wins."
        if len(legal) > MOST_TILES:
            words += f" These {MOST_TILES} are the ones nearest to {centre}:"
    else:
        words, shown = "The last numbers that were taken:", list(position.moves[-MOST_TILES:])
    sheet.paragraph(words, "quiet", 13)
    sheet.y += 8
    _tiles(sheet, verdict, shown)


def _legend(sheet: Sheet, verdict: ChainVerdict) -> None:
    position = verdict.position
    entries: list[list[Span]] = []
    if verdict.winning_moves:
        entries.append(WINS)
    if len(position.legal_moves) > len(verdict.winning_moves):
        entries.append(LOSES)
    for player, mark in list(MARKS.items())[: len(position.moves)]:
        entries.append([(mark, f"player{player}"), (f" taken by Player {player}", "quiet")])
    if position.game.size > LARGEST_BOARD:
        sheet.flow(entries, 12, 18)
        return
    if verdict.proof and len(position.legal_moves) < position.unused.bit_count():
        entries.append([("plain", "ink"), (" not allowed now", "quiet")])
    if position.moves:
        entries.append([("▢", f"player{2 - len(position.moves) % 2}"), (" last move", "quiet")])
    sheet.y += 4
    sheet.flow(entries, 12, 18)


def _partner_table(sheet: Sheet, verdict: ChainVerdict) -> None:
    """Draw every number with its partner, beginning with those that can be taken next."""
    assert verdict.proof
    position = verdict.position
    me, they = position.to_move, 3 - position.to_move
    move = verdict.proof["move"]
    nexts = set(members((position.play(move) if move else position).legal))
    sheet.y += 28
    if move:
        sheet.y += 10
        wide = text_width(f"{WINNING} {move}", 16) + 24
        sheet.box(MARGIN, sheet.y - 22, wide, 32, "good", 8)
        sheet.text(MARGIN + wide / 2, sheet.y, f"{WINNING} {move}", "ground b m", 16)
        words = "first. Then always reply with the partner." if nexts else "wins at once."
        sheet.text(MARGIN + wide + 12, sheet.y, words, "ink b", 15)
        sheet.y += 8
        if not nexts:
            return
    else:
        words = f"Player {they} replies to every number with its partner."
        sheet.text(MARGIN, sheet.y, words, "ink b", 15)
    pairs = verdict.proof["pairs"]
    now = [pair for pair in pairs if not nexts.isdisjoint(pair)]
    later = [pair for pair in pairs if nexts.isdisjoint(pair)]
    chooser = they if move else me
    numbers = position.game.size
    most = MOST_PAIRS if numbers <= LARGEST_BOARD else PAIRS_OF_A_LARGE_BOARD
    _pairs(sheet, f"Player {chooser} can take one of these next:", now[:most], nexts, numbers)
    if later and len(now) < most:
        _pairs(sheet, "The other pairs, for later:", later[: most - len(now)], set(), numbers)
    if len(pairs) > most:
        sheet.paragraph(f"and {len(pairs) - most:,} more pairs", "quiet", 13)
    _without_partner(sheet, verdict)


def _pairs(
    sheet: Sheet, caption: str, pairs: Sequence[Sequence[int]], nexts: set[int], numbers: int
) -> None:
    """Draw pairs as dominoes; an arrow leads from a number that can be taken next to its reply."""
    sheet.y += 8
    sheet.paragraph(caption, "quiet", 13)
    sheet.y += 6
    across = 6 if numbers <= 100 else 5 if numbers < 1000 else 4 if numbers < 100_000 else 3
    pitch, high = (sheet.room + 10) / across, 32
    turned = sorted(
        (two, one) if two in nexts and one not in nexts else (one, two) for one, two in pairs
    )
    for place, (first, second) in enumerate(turned):
        row, column = divmod(place, across)
        x, y = MARGIN + column * pitch, sheet.y + row * (high + 8)
        link = "–"
        if nexts:
            link = "↔" if second in nexts else "→"
        wide = pitch - 10
        sheet.box(x, y, wide, high, "tile good-line" if nexts else "tile edge-line", 8)
        size = fitting(str(numbers), wide / 2 - 10, 14)
        sheet.text(x + wide * 0.24, y + 21, str(first), "ink m", size)
        sheet.text(x + wide * 0.5, y + 21, link, "quiet m", 13)
        sheet.text(x + wide * 0.76, y + 21, str(second), "ink m", size)
    sheet.y += -(-len(pairs) // across) * (high + 8)


def _without_partner(sheet: Sheet, verdict: ChainVerdict) -> None:
    """Draw the numbers without a partner, which the strategy never meets."""
    assert verdict.proof
    position = verdict.position
    paired = {number for pair in verdict.proof["pairs"] for number in pair}
    paired |= {*position.moves, verdict.proof["move"]}
    alone = [number for number in range(1, position.game.size + 1) if number not in paired]
    if alone:
        shown: list[object] = list(alone[:12])
        if len(alone) > 12:
            shown.append(f"{len(alone) - 12:,} more")
        has, it = ("have", "They") if len(alone) > 1 else ("has", "It")
        sheet.y += 2
        words = f"{listed(shown)} {has} no partner. {it} cannot come up."
        sheet.paragraph(words, "quiet", 13)

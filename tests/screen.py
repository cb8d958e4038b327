"""A terminal's screen: what a person sees after everything that a program has written."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z@])|\x1b([78=>])|(.)", re.DOTALL)
IGNORED = set("mhl")
"""Colours, and switches that change nothing that can be seen here."""


class Screen:
    """As much of a terminal as the program and its line editor use; anything else is an error."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.cells = self._empty()
        self.row = self.column = 0
        self._saved = (0, 0)
        self._other: list[list[str]] = []
        self._begun = ""

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def write(self, text: str) -> None:
        """As a log of what a child has written."""
        text, self._begun = self._begun + text, ""
        if begun := re.search(r"\x1b(\[[\d;?]*)?$", text):
            text, self._begun = text[: begun.start()], begun[0]
        for token in TOKEN.finditer(text):
            arguments, command, saving, char = token.groups()
            if command:
                self._obey(command, arguments)
            elif saving == "7":
                self._saved = self.row, self.column
            elif saving == "8":
                self.row, self.column = self._saved
            elif char:
                self._put(char)

    def flush(self) -> None:
        pass

    def _obey(self, command: str, arguments: str) -> None:
        first, _, second = arguments.partition(";")
        many = int(first) if first.isdigit() else 1
        match command:
            case "A":
                self.row = max(self.row - many, 0)
            case "B":
                self.row = min(self.row + many, self.rows - 1)
            case "M":
                del self.cells[self.row : self.row + many]
                self.cells += [[" "] * self.columns for _ in range(many)]
            case "C":
                self.column = min(self.column + many, self.columns - 1)
            case "D":
                self.column = max(self.column - many, 0)
            case "H":
                self.row, self.column = many - 1, int(second or 1) - 1
            case "K":
                self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
            case "J":
                self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
                for row in self.cells[self.row + 1 :]:
                    row[:] = [" "] * self.columns
            case "P":
                row = self.cells[self.row]
                row[self.column :] = row[self.column + many :] + [" "] * many
            case "@":
                row = self.cells[self.row]
                row[self.column :] = [" "] * many + row[self.column : self.columns - many]
            case "h" | "l" if arguments == "?1049":
                self.cells, self._other = self._other or self._empty(), self.cells
            case _ if command not in IGNORED:
                raise AssertionError(f"this screen does not know {arguments}{command}")

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._down()
        elif char == "\b":
            self.column = max(self.column - 1, 0)
        elif char != "\a":
            if self.column == self.columns:  # it waits at the edge until there is more
                self.column = 0
                self._down()
            self.cells[self.row][self.column] = char
            self.column += 1

    def _down(self) -> None:
        if self.row == self.rows - 1:
            self.cells = [*self.cells[1:], [" "] * self.columns]
        else:
            self.row += 1

    def _empty(self) -> list[list[str]]:
        return [[" "] * self.columns for _ in range(self.rows)]

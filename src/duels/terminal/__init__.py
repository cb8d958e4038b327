"""Playing at a terminal: the rule books' talk, the board, the menu."""

"""Playing at a terminal: the app, and the transcript in lines.

`table.py` is a match without input or output; `transcript.py` speaks it in the rule book's lines,
and `app` shows it on a board. `choices.py` is what a player chooses before a match. In the
transcript, what the players say goes to stdout and messages about the program to stderr.
"""

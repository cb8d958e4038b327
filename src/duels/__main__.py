"""`python -m duels`."""

from duels.cli import main

if __name__ == "__main__":
    main(prog_name="duels")

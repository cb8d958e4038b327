"""The pages: HTML, sheets to print, JavaScript and style sheets.

The scripts in `static` know no rule, no game and no option.
"""

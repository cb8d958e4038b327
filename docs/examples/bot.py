"""A bot that accepts an invitation and plays well: python bot.py http://host/m/ID#seat=INVITATION"""

import json
import sys
from secrets import token_urlsafe
from urllib.request import Request, urlopen


def ask(url, data=None):
    body = None if data is None else json.dumps(data).encode()
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    return json.load(urlopen(Request(url, body, headers)))


page, secret = sys.argv[1].split("#seat=")
server, match_id = page.split("/m/")
match, own = f"{server}/api/matches/{match_id}", token_urlsafe(24)
(me,) = ask(match)["invited"]
ask(f"{match}/join", {"name": "Twenty Lines", "token": own})  # uses the invitation up
secret = own  # the token of the seat from now on
for line in urlopen(f"{match}/events"):  # the state now, and after every change
    state = json.loads(line[6:]) if line.startswith(b"data: ") else {}
    if state.get("outcome"):
        break
    if state.get("to_move") == me:
        position = {name: state[name] for name in ("game", "options", "moves")}
        winning = ask(f"{server}/api/solve", position)["winning"]
        move = (winning or state["legal"])[0]
        ask(f"{match}/moves", {"ply": state["ply"], "move": move})  # sent twice, it counts once

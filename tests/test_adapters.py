"""One test of every library that plays our games; `rings.ADAPTERS` has the others, for --long."""

from __future__ import annotations

import asyncio
import json
import os
import random

import pytest

import duels
from dask_cluster import Cluster
from duels.lab.jobs import run_jobs
from program import DUELS

pytestmark = pytest.mark.slow


def test_openspiels_minimax_agrees_with_our_verdict():
    pyspiel = pytest.importorskip("pyspiel", reason="the extra envs is not installed")
    from open_spiel.python.algorithms import minimax

    from duels.lab.envs.openspiel import register

    register()
    game = pyspiel.load_game("python_number_chain_duel(numbers=6)")
    value, _ = minimax.alpha_beta_search(game)
    assert (value == 1) == duels.solve(game.game.start()).wins


def test_gymnasium_finds_nothing_to_complain_about():
    gymnasium = pytest.importorskip("gymnasium", reason="the extra envs is not installed")
    from gymnasium.utils.env_checker import check_env

    import duels.lab.envs  # noqa: F401  (registers the names)

    check_env(gymnasium.make("duels/SequenceDuel-v0", opponent="expert").unwrapped)


def test_two_agents_play_in_pettingzoo():
    pytest.importorskip("pettingzoo", reason="the extra envs is not installed")
    from duels.lab.envs.pettingzoo import env

    table, chance, rewards = env("number-line-duel"), random.Random(1), {}
    table.reset(seed=1)
    for agent in table.agent_iter():
        seen, rewards[agent], ended, _, _ = table.last()
        table.step(None if ended else chance.choice(seen["action_mask"].nonzero()[0].tolist()))
    assert sorted(rewards.values()) == [-1, 1]


def test_an_agent_plays_a_level_in_textarena():
    textarena = pytest.importorskip("textarena", reason="the extra textarena is not installed")
    from duels.lab.envs.base import environment_ids
    from duels.lab.envs.textarena import register

    register()
    env = textarena.make(environment_ids()["number-chain-duel"], opponent="casual")
    env.reset(num_players=1, seed=1)
    done = False
    while not done:
        env.get_observation()
        done, _ = env.step(action=f"[{env.text.position.legal_moves[0]}]")
    rewards, infos = env.close()
    won = env.text.position.outcome.winner == env.text.player
    assert rewards == {0: 1 if won else -1}
    assert not infos[0]["invalid_move"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_inspect_asks_a_model_for_a_move():
    pytest.importorskip("inspect_ai", reason="the extra llm is not installed")
    from duels.match.players.specs import open_player

    here = duels.game("number-line-duel", numbers=9).start()
    with open_player("llm:duels/mock-perfect", 1) as player:
        assert player.choose(here) in duels.solve(here).winning_moves


def test_an_assistant_solves_a_position_and_checks_the_proof():
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *args = [*DUELS, "mcp"]
    server = StdioServerParameters(command=command, args=args, env=dict(os.environ))

    async def talk():
        async with asyncio.timeout(120), mcp.Client(stdio_client(server)) as client:
            here = {"game": "number-line-duel", "moves": ["5-6"]}
            solved = (await client.call_tool("solve", here)).structured_content
            checked = await client.call_tool("check", {"proof": solved["proof"]})
            return solved, json.loads(checked.content[0].text)

    solved, checked = asyncio.run(talk())
    assert solved["wins"] == duels.solve(duels.game("number-line-duel").position("5-6")).wins
    assert checked["answer"].startswith("The proof is right.")


def test_a_dask_cluster_does_every_task(tmp_path):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    started = Cluster(tmp_path, workers=1)
    try:
        done = dict(run_jobs(abs, [-1, -2], cluster=started.address))
    finally:
        started.end()
    assert done == {-1: 1, -2: 2}

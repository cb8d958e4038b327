"""What a gg-bench checkout says about its game 714, read without running code from its pickles.

A trained agent is a zip file of Stable-Baselines3 (here of its JAX variant, sbx). Its network is
pickled, and a pickle can name any function to be called. `_Unpickler` calls none of them: each
name becomes an `Inert` record of its arguments, and the weights are read from those records. A
name that no trained agent needs is refused.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GAME = "714"
INPUTS, ACTIONS = 11, 19
"""Ten numbers and whose turn it is; ten single numbers and nine pairs."""
LARGEST = 16_000_000
"""In bytes, unpacked; a shipped agent has 0.6 million."""
ENVIRONMENT = Path("gg_bench", "data", "envs", f"env_{GAME}.py")
ENVIRONMENT_HASH = "a1baedd9831f70fc97f0a633093984542b60d046de5425a6cfd1f3c0ff7a6bfc"
"""SHA-256 of the environment that we read before we ran it."""
AGENTS = Path("gg_bench", "data", "models", f"env_{GAME}")
STEPS = (250_000, 500_000, 750_000, 1_000_000)
"""Of training: one agent was saved after each."""
OPPONENTS = Path("gg_bench", "data", "splits", "valid_envs.json")
PACKAGES = {"cloudpickle", "flax", "gymnasium", "jax", "jaxlib", "numpy", "optax", "sbx"}
STANDARD_LIBRARY = {
    "_functools": {"reduce"},
    "_operator": {"getitem", "or_"},
    "builtins": {"Ellipsis", "bool", "dict", "str", "tuple", "type"},
    "collections": {"OrderedDict"},
    "collections.abc": {"Callable", "Mapping", "_CallableGenericAlias"},
    "inspect": {"Parameter", "Signature", "_ParameterKind", "_empty"},
    "typing": {"Any", "Collection", "ForwardRef", "Union"},
}
"""What the pickles of the shipped agents name, apart from `PACKAGES`."""


class Refused(Exception):
    """A file of the checkout that is not read, with the reason."""


class Layer(NamedTuple):
    """A dense layer of a network."""

    kernel: np.ndarray
    bias: np.ndarray


class Agent(NamedTuple):
    """A trained agent: a network from an observation to a number for each action."""

    steps: int
    digest: str
    layers: list[Layer]

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Return a row of numbers for each observation, one for each action, legal or not."""
        rows = observations
        for layer in self.layers[:-1]:
            rows = np.tanh(rows @ layer.kernel + layer.bias)
        return np.asarray(rows @ self.layers[-1].kernel + self.layers[-1].bias)


class Wins(NamedTuple):
    """The published games of a language model against the opponent."""

    model: str
    won: int
    games: int


class Inert:
    """What a pickle wanted to call or create: it keeps the arguments and does nothing."""

    args: tuple[Any, ...]
    state: Any

    def __new__(cls, *args: Any, **_: Any) -> Inert:
        record = object.__new__(cls)
        record.args, record.state = args, None
        return record

    def __call__(self, *args: Any, **_: Any) -> Inert:
        return Inert(*args)

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def __setitem__(self, key: Any, value: Any) -> None:
        """Ignore an item: no weight is stored in one."""


class _Unpickler(pickle.Unpickler):
    """Reads a pickle without importing or calling anything that it names."""

    def find_class(self, module: str, name: str) -> type[Inert]:
        known = STANDARD_LIBRARY.get(module, ())
        if module.partition(".")[0] not in PACKAGES and name not in known:
            raise Refused(f"it names {module}.{name}, which a trained agent does not need.")
        return type(name, (Inert,), {})


def read_agent(file: Path) -> Agent:
    """Read a trained agent from its zip file, or raise `Refused` with the reason."""
    raw = file.read_bytes()
    try:
        policy = _unpickled_policy(raw)
        layers = list(_layers(policy))
        activation = policy.state["activation_fn"].state["function_name"]
    except Refused as refused:
        raise Refused(f"{file.name} is refused: {refused}") from None
    except Exception as error:  # a broken pickle can raise anything
        lfs = raw.startswith(b"version https://git-lfs")
        why = "it is a Git LFS pointer; run git lfs pull" if lfs else f"{error!r}"
        raise Refused(f"{file.name} cannot be read as a trained agent: {why}.") from error
    sizes = [INPUTS, *(layer.kernel.shape[1] for layer in layers)]
    fits = all(layer.kernel.shape[0] == size for layer, size in zip(layers, sizes, strict=False))
    if not fits or sizes[-1] != ACTIONS or activation != "tanh":
        raise Refused(f"{file.name} has a network of another kind: {sizes}, {activation}.")
    steps = int(file.stem.removeprefix("agent_"))
    return Agent(steps, hashlib.sha256(raw).hexdigest(), layers)


def _unpickled_policy(raw: bytes) -> Inert:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        if archive.getinfo("data").file_size > LARGEST:
            raise Refused(f"it would unpack to more than {LARGEST:,} bytes.")
        data = json.loads(archive.read("data"))
    # Only "policy" is the network that plays: "actor" is a copy that training left behind.
    pickled = base64.b64decode(data["policy"][":serialized:"])
    policy = _Unpickler(io.BytesIO(pickled)).load()
    if not isinstance(policy, Inert):
        raise Refused("its policy is not an object.")
    return policy


def _layers(policy: Inert) -> Iterator[Layer]:
    weights = policy.state["actor_state"].state["params"]["params"]
    for number in range(len(weights)):
        layer = weights[f"Dense_{number}"]
        yield Layer(_array(layer["kernel"]), _array(layer["bias"]))


def _array(pickled: Inert) -> np.ndarray:
    """Return the array in a record of jax: a NumPy array's constructor, arguments and state."""
    _, shape, kind, is_fortran, raw = pickled.args[2]
    if kind.args[0] != "f4" or kind.state[1] != "<" or is_fortran:
        raise Refused("its weights are not plain 32-bit floats.")
    return np.frombuffer(raw, "<f4").reshape(shape).astype(float)


def read_agents(checkout: Path) -> tuple[list[Agent], list[Path]]:
    """Return the agents of a checkout, and the files that it lacks."""
    files = [checkout / AGENTS / f"agent_{steps}.zip" for steps in STEPS]
    missing = [file for file in files if not file.is_file()]
    return [read_agent(file) for file in files if file not in missing], missing


def read_opponent(checkout: Path) -> int | None:
    """Return the training steps of the agent that the language models played, if it is said."""
    if not (checkout / OPPONENTS).is_file():
        return None
    chosen = dict(json.loads((checkout / OPPONENTS).read_text(encoding="utf-8")))
    return int(chosen[GAME]) if GAME in chosen else None


def read_wins(checkout: Path) -> list[Wins]:
    """Return the published wins of each language model, most wins first."""
    found = []
    for file in sorted((checkout / "results").glob("*_eval_*.json")):
        counts = json.loads(file.read_text(encoding="utf-8")).get(GAME)
        if counts:
            model = file.name.partition("_eval_")[0]
            found.append(Wins(model, counts["gpt_wins"], counts["total_games"]))
    return sorted(found, key=lambda wins: -wins.won)


def load_environment(checkout: Path) -> Any:
    """Run the file of the environment, if it is the one that we read, and return an instance."""
    file = checkout / ENVIRONMENT
    if not file.is_file():
        raise Refused(f"{ENVIRONMENT} is missing, so there are no rules to compare.")
    source = file.read_bytes()
    if hashlib.sha256(source).hexdigest() != ENVIRONMENT_HASH:
        raise Refused(f"{ENVIRONMENT} is not the file that we read, so it is not run.")
    names: dict[str, Any] = {}
    exec(compile(source, str(file), "exec"), names)
    return names["CustomEnv"]()

"""The settings that a whole run can be made under: their names, values and defaults.

Owns the vocabulary. In an environment, a condition and a command, a set of switches is a tuple of
words, one for each that is not at its default, sorted: ``("default-dtype=float64",
"deterministic")``. What a switch does to torch is ``exportdb.conformance.switches``'.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exportdb.hints import hint

#: Switches that are not at their defaults, as sorted words; () is how runs are made usually.
Switches = tuple[str, ...]

ON, OFF = "on", "off"


@dataclass(frozen=True)
class Switch:
    """``values`` are what it can be set to, the first one its default."""

    values: tuple[str, ...]
    description: str


SWITCHES = {
    "assume-static": Switch(
        (ON, OFF), "torch._dynamo.config.assume_static_by_default; off makes every size symbolic"
    ),
    "backed-size-oblivious": Switch(
        (OFF, ON), "torch.fx.experimental._config.backed_size_oblivious"
    ),
    "default-dtype": Switch(
        ("float32", "float64", "float16", "bfloat16"), "torch.set_default_dtype"
    ),
    "deterministic": Switch((OFF, ON), "torch.use_deterministic_algorithms"),
    "mode": Switch(
        ("as-made", "train", "eval"), "what modules are put into by .train() or .eval()"
    ),
}


def parse(words: Iterable[str]) -> Switches:
    """``NAME`` (which turns it on) and ``NAME=VALUE`` as switches; of one named twice the last.

    Raises ValueError that says what could have been meant.

    >>> parse(["deterministic", "default-dtype=float64", "mode=as-made"])
    ('default-dtype=float64', 'deterministic')
    >>> parse(["deterministic", "deterministic=off"])
    ()
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        switch = SWITCHES.get(name)
        if switch is None:
            known = f"switches are {', '.join(SWITCHES)}"
            raise ValueError(f"no switch is named {name!r}{hint(name, SWITCHES, known)}")
        value = value if equals else ON
        if value not in switch.values:
            raise ValueError(f"{name} can be {', '.join(switch.values)}, not {value!r}")
        found[name] = value
    changed = {n: v for n, v in found.items() if v != SWITCHES[n].values[0]}
    return tuple(sorted(n if v == ON else f"{n}={v}" for n, v in changed.items()))


def value(switches: Switches, name: str) -> str:
    """What a switch is set to, its default included."""
    for word in switches:
        if word.partition("=")[0] == name:
            return word.partition("=")[2] or ON
    return SWITCHES[name].values[0]

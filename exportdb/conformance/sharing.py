"""Memory that outputs, inputs and state share in one of two calls and not in the other.

Owns saying so; which parts of a call share memory is seen by ``observing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exportdb.conformance.difference import Difference, differ
from exportdb.conformance.observing import Behaviour, Part, Sharing


def sharing_differences(
    eager: Behaviour, capture: Behaviour, names: Sequence[str]
) -> list[Difference]:
    """Memory that is shared in one of two calls alone, or in another way."""
    before, after = _known(eager.sharing, capture), _known(capture.sharing, eager)
    found = []
    for pair in sorted(before.keys() | after.keys(), key=str):
        a, b = (_part(part, names) for part in pair)
        one, two = before.get(pair), after.get(pair)
        if two is None:
            found.append(Difference("alias", f"{a} aliases {b} in eager, not in capture"))
        elif one is None:
            found.append(Difference("alias", f"{a} aliases {b} in capture, not in eager"))
        elif one.same != two.same:
            how = ("that object", "a view of it") if one.same else ("a view of it", "that object")
            found.append(Difference("identity", differ(f"{a}, which aliases {b},", *how)))
        elif one.apart != two.apart:
            found.append(Difference("alias", f"{a} aliases another part of {b} than in eager"))
    return found


def _known(
    sharing: Mapping[tuple[Part, Part], Sharing], other: Behaviour
) -> dict[tuple[Part, Part], Sharing]:
    """The pairs whose parts the other call has as well: it may name its state otherwise."""
    return {
        pair: how
        for pair, how in sharing.items()
        if all(kind != "state" or name in other.state for kind, name in pair)
    }


def _part(part: Part, names: Sequence[str]) -> str:
    kind, name = part
    if kind == "output":
        return f"output{name}"
    return input_name(names, name) if isinstance(name, int) else name


def input_name(names: Sequence[str], i: int) -> str:
    """What an input leaf is called."""
    return names[i] if i < len(names) else f"input {i}"

"""What became of the sizes that were left to torch to decide on, in words of the inputs.

Owns reading a record's facts for that. A symbol has a name that only torch knows: a size is said by
the input it is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: What the user gave a size: the name, and the range.
Declared = tuple[str, int, int | None]

#: The least size that torch traces: it leaves open what it is at 0 and 1.
_LEAST = 2


def became_of_sizes(
    facts: Mapping[str, Any], declared: Mapping[str, Declared], told: str = ""
) -> list[str]:
    """What is no longer taken, one size at a time; ``told`` are conditions that are said already.

    >>> dims = [{"source": "x.size()[0]", "kept": True, "value": "s1"},
    ...         {"source": "y.size()[0]", "kept": True, "value": "2*s1"}]
    >>> ranges = {"x.size()[0]": ["4", "int_oo"]}
    >>> became_of_sizes({"dims": dims, "ranges": ranges}, {})
    ['x.size()[0] below 4', 'y.size()[0] other than 2*x.size()[0]']
    """
    sources: dict[str, str] = {}
    for dim in facts.get("dims", ()):
        if dim["kept"] and str(dim["value"]).isidentifier():
            sources.setdefault(str(dim["value"]), dim["source"])
    found: list[str] = []
    for dim in facts.get("dims", ()):
        source, value = dim["source"], str(dim["value"])
        if value == source:
            continue
        first = sources.get(value, value)
        if first == source:
            ends = facts.get("ranges", {}).get(source, ())
            found += [] if source in told else _narrower(source, ends, declared.get(source))
        elif not (dim["kept"] and _same(declared, first, source)):
            found += [_other_than(source, value, sources)]
    return found


def _same(declared: Mapping[str, Declared], one: str, other: str) -> bool:
    """Whether the user said that two sizes are one."""
    names = [declared[source][0] for source in (one, other) if source in declared]
    return len(names) == 2 and names[0] == names[1] and not names[0].startswith("Dim.")


def _other_than(source: str, value: str, sources: Mapping[str, str]) -> str:
    said = re.sub(r"[A-Za-z_]\w*", lambda m: sources.get(m[0], m[0]), value)
    unknown = [n for n in re.findall(r"[A-Za-z_]\w*", value) if re.fullmatch(r"_?[szu]f?\d+", n)]
    if not [n for n in unknown if n not in sources]:
        return f"{source} other than {said}"
    if linear := re.fullmatch(r"(\d+)\*\w+", value):
        return f"{source} that is not a multiple of {linear[1]}"
    return f"{source} of sizes that are not of one form with the example's"


def _narrower(source: str, ends: Sequence[str], given: Declared | None) -> Iterator[str]:
    """The ends of the range that torch found, where it is narrower than the one that was given."""
    if len(ends) != 2:
        return
    low, high = (int(end) if str(end).lstrip("-").isdigit() else None for end in ends)
    least, most = (given[1], given[2]) if given else (0, None)
    if low is not None and low > max(least, _LEAST):
        yield f"{source} below {low}"
    if high is not None and (most is None or high < most):
        yield f"{source} above {high}"

"""Which arguments of operators no case gives: read from the graphs kept beside the cases.

Owns what a printed call says of its arguments. An argument that is always left to its default is
one that a backend may leave out without being caught, and nothing has to run to see it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import torch
from torch._ops import OpOverload

_CALL = re.compile(r"aten\.(\w+)\.(\w+)\((.*)\)$")
_KEYWORD = re.compile(r"([a-z]\w*)=(.*)$")
#: Arguments by which no number becomes another, or that say where and how a tensor is made.
_HARMLESS = {
    "device", "layout", "pin_memory", "memory_format", "generator", "out", "non_blocking", "copy",
    "sparse", "sparse_grad", "scale_grad_by_freq", "check_errors", "driver", "compute_mode",
    "implicit",
}  # fmt: skip
#: Operators that a user does not call by themselves.
_INNER = re.compile(r"^_|^sym_|backward|cudnn|miopen|mkldnn|fake_quant|_like$|^empty|^new_")


def parts(text: str) -> Iterator[str]:
    """The arguments of a printed call, one by one.

    >>> list(parts("%1, [1, 2], dim=0"))
    ['%1', '[1, 2]', 'dim=0']
    """
    depth, begin = 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            yield text[begin:i].strip()
            begin = i + 1
    if last := text[begin:].strip():
        yield last


def given(line: str) -> tuple[str, frozenset[str]] | None:
    """The operator that a line of a graph calls and its arguments that are not the default's;
    None for other lines."""
    found = _CALL.search(line.strip())
    func = found and getattr(getattr(torch.ops.aten, found[1], None), found[2], None)
    if not found or not isinstance(func, OpOverload):
        return None
    arguments = func._schema.arguments
    names = []
    for i, text in enumerate(parts(found[3])):
        keyword = _KEYWORD.match(text)
        if not keyword and i >= len(arguments):
            return None
        name, value = keyword.groups() if keyword else (arguments[i].name, text)
        defaults = [a.default_value for a in arguments if a.name == name and a.has_default_value()]
        if defaults and value != str(defaults[0]):
            names.append(name)
    return found[1].rstrip("_"), frozenset(names)


@cache
def optional(operator: str) -> frozenset[str]:
    """The arguments of an operator that have a default in some overload and can change a number."""
    packet = getattr(torch.ops.aten, operator)
    return frozenset(
        a.name
        for overload in packet.overloads()
        if "out" not in overload
        and "Tensor" in str(getattr(packet, overload)._schema).partition(",")[0]
        for a in getattr(packet, overload)._schema.arguments
        if a.has_default_value() and a.name not in _HARMLESS
    )


def never_given(graphs: Iterable[str]) -> dict[str, list[str]]:
    """By operators that occur in ``graphs``, their arguments that are always the default's."""
    seen: dict[str, set[str]] = defaultdict(set)
    for graph in graphs:
        for line in graph.splitlines():
            if (found := given(line)) and not _INNER.search(found[0]):
                seen[found[0]] |= found[1]
    wanted = {name: optional(name) - names for name, names in seen.items()
              if hasattr(torch.ops.aten, name)}  # fmt: skip
    return {name: sorted(names) for name, names in sorted(wanted.items()) if names}


def kept(expectations: Iterable[Path]) -> Iterator[str]:
    """What is kept beside cases, the graphs in it, as text."""
    return (path.read_text() for path in expectations if path.is_file())

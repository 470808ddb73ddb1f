"""Which arguments of operators no case gives: read from the graphs kept beside the cases.

Owns what a printed call says of its arguments. An argument that is always left to its default is
one that a backend may leave out without being caught, and nothing has to run to see it. So is the
sign of an offset that is always positive, and the order of sizes that are always the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
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
#: Arguments that count from the other end where they are negative.
_SIGNED = {"dim", "dim0", "dim1", "dim2", "offset", "diagonal", "shifts", "start", "end", "index"}
_WHOLE, _LIST = re.compile(r"-?\d+"), re.compile(r"\[-?\d+(, -?\d+)*\]")
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


def call(line: str) -> tuple[OpOverload, dict[str, str]] | None:
    """The operator that a line of a graph calls and its arguments as printed; None for others."""
    found = _CALL.search(line.strip())
    func = found and getattr(getattr(torch.ops.aten, found[1], None), found[2], None)
    if not found or not isinstance(func, OpOverload):
        return None
    arguments, values = func._schema.arguments, {}
    for i, text in enumerate(parts(found[3])):
        keyword = _KEYWORD.match(text)
        if not keyword and i >= len(arguments):
            return None
        name, value = keyword.groups() if keyword else (arguments[i].name, text)
        values[name] = value
    return func, values


def given(line: str) -> tuple[str, frozenset[str]] | None:
    """The operator that a line of a graph calls and its arguments that are not the default's;
    None for other lines."""
    if (found := call(line)) is None:
        return None
    func, values = found
    defaults = _defaults(func.overloadpacket.__name__)
    names = (name for name, value in values.items() if value != defaults.get(name, value))
    return _name(func), frozenset(names)


@cache
def _defaults(operator: str) -> dict[str, str]:
    """The defaults of an operator's arguments, by name: one overload asks for what another has a
    default for."""
    packet = getattr(torch.ops.aten, operator)
    return {
        a.name: str(a.default_value)
        for overload in packet.overloads()
        for a in getattr(packet, overload)._schema.arguments
        if a.has_default_value()
    }


def _name(func: OpOverload) -> str:
    return str(func._schema.name).removeprefix("aten::").rstrip("_")


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


def one_sided(graphs: Iterable[str]) -> dict[str, list[str]]:
    """By operators that occur in ``graphs``, what of their arguments is the same in all calls: a
    truth that is never the other, a place or an offset that never has the other sign, sizes of
    several dims that are never apart."""
    seen: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for graph in graphs:
        for line in graph.splitlines():
            if (found := call(line)) and not _INNER.search(name := _name(found[0])):
                for a in found[0]._schema.arguments:
                    default = str(a.default_value) if a.has_default_value() else None
                    if a.name not in _HARMLESS and (value := found[1].get(a.name, default)):
                        seen[name, a.name, str(a.type)].add(value)
    lacking: dict[str, set[str]] = defaultdict(set)
    for (name, argument, kind), values in sorted(seen.items()):
        lacking[name] |= {f"{argument} {said}" for said in _lacks(argument, kind, values)}
    return {name: sorted(said) for name, said in lacking.items() if said}


def _lacks(argument: str, kind: str, values: Collection[str]) -> Iterator[str]:
    """What an argument never is.

    >>> list(_lacks("dim", "int", {"0", "1"})), list(_lacks("keepdim", "bool", {"True", "False"}))
    (['negative'], [])
    >>> list(_lacks("padding", "List[int]", {"[1, 1]", "[0]"}))
    ['uneven']
    """
    if kind == "bool" and len(values) == 1:
        yield str(values == {"False"})
    if argument in _SIGNED and "List" not in kind and "int" in kind.lower():
        numbers = [int(value) for value in values if _WHOLE.fullmatch(value)]
        if numbers and min(numbers) >= 0:
            yield "negative"
    lists = [value[1:-1].split(", ") for value in values if _LIST.fullmatch(value)]
    several = [numbers for numbers in lists if len(numbers) > 1]
    if several and all(len(set(numbers)) == 1 for numbers in several):
        yield "uneven"


def kept(expectations: Iterable[Path]) -> Iterator[str]:
    """What is kept beside cases, the graphs in it, as text."""
    return (path.read_text() for path in expectations if path.is_file())

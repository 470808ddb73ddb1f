"""Which operators of OpInfo a name means: torch's, ATen's, one of torch's tests, or its last part.

Owns the meaning of such a name. What is called is left to ``opinfo``. Runs where torch is.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.hunt import opinfo

#: Before a name of ATen, which may end in an overload.
_ATEN = re.compile(r"^(?:torch\.ops\.)?aten(?:\.|::)(\w+)(?:\.\w+)?$")
#: Calls of each operator that are looked at for what runs in them.
_FEW = 4


def named(words: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """By word the ``operators`` that it means, as a program calls them; by each word that means
    none the names ``near`` it."""
    found = {word: meant(word) for word in words}
    return {
        "operators": {word: names for word, names in found.items() if names},
        "near": {word: _near(word) for word, names in found.items() if not names},
    }


def meant(word: str) -> tuple[str, ...]:
    """The operators that a name means: those that bear it, else those of which it is the last part,
    else those that run the ATen operator of that name and little else."""
    of_aten = _ATEN.match(word)
    name = of_aten[1] if of_aten else re.sub(r"^(?:torch\.)?(?:Tensor\.)?", "", word)
    for ways in (_names, _last_parts):
        if found := tuple(function for function in opinfo.operators() if name in ways(function)):
            return found
    return _running(name.rstrip("_"))


def _names(function: str) -> Iterator[str]:
    """What torch and its tests call an operator; the way to write in place is the same one."""
    for op in opinfo.operators()[function]:
        for name in (op.name, op.aten_name, *(alias.name for alias in op.aliases)):
            yield from (name, f"{name}_")


def _last_parts(function: str) -> Iterator[str]:
    yield from (name.rpartition(".")[2] for name in _names(function))


def _running(name: str) -> tuple[str, ...]:
    """The operators that run one of ATen, of these those that run the fewest others."""
    by_count: dict[int, list[str]] = {}
    for function, calls in _ran().items():
        if counts := [len(ran) for ran in calls if name in ran]:
            by_count.setdefault(min(counts), []).append(function)
    return tuple(by_count[min(by_count)]) if by_count else ()


@cache
def _ran() -> dict[str, tuple[frozenset[str], ...]]:
    """By operator, and by a few of its calls, the operators of ATen that run."""
    return {
        function: tuple(
            frozenset(_run_by(call)) for call in opinfo.distinctive_calls(function, _FEW)
        )
        for function in opinfo.operators()
    }


def _run_by(call: opinfo.Call) -> set[str]:
    noted = _OperatorNames()
    with warnings.catch_warnings(), contextlib.suppress(Exception), noted:
        warnings.simplefilter("ignore")
        call.run()
    return noted.names


class _OperatorNames(TorchDispatchMode):  # type: ignore[misc]
    """Notes the names of the operators that run."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, OpOverload) and func.namespace == "aten":
            self.names.add(func.overloadpacket.__name__.rstrip("_"))
        return func(*args, **(kwargs or {}))


def _near(word: str) -> tuple[str, ...]:
    """Names that are spelt nearly so."""
    last: dict[str, str] = {}
    for function in opinfo.operators():
        for name in (*_names(function), *_last_parts(function)):
            last.setdefault(name, function)
    short = re.sub(r"^(?:torch\.)?(?:ops\.)?(?:aten(?:\.|::))?", "", word)
    near = difflib.get_close_matches(short, last, n=6, cutoff=0.7)
    return tuple(dict.fromkeys(last[name].removeprefix("torch.") for name in near))[:3]

"""Which operators of OpInfo and which modules a name means: torch's, ATen's, that of torch's tests,
or its last part.

Owns the meaning of such a name. What is called is left to ``opinfo``. Runs where torch is.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import torch

from exportdb.hunt import layers, opinfo
from exportdb.hunt.reached import OperatorNames

#: Before a name of ATen, which may end in an overload.
_ATEN = re.compile(r"^(?:torch\.ops\.)?aten(?:\.|::)(\w+)(?:\.\w+)?$")
#: Calls of each operator that are looked at for what runs in them.
_FEW = 4
#: Operators that run at most in a call that stands for one of them, those included that build it.
_BESIDE = 14


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
    else those that run the operator of that name, of ATen or of torch's own, and little else."""
    of_aten = _ATEN.match(word)
    name = of_aten[1] if of_aten else re.sub(r"^(?:torch\.)?(?:Tensor\.)?", "", word)
    for ways in (_names, _last_parts):
        if found := tuple(function for function in _functions() if name in ways(function)):
            return found
    return _running(name.rstrip("_"))


def _functions() -> Iterator[str]:
    """What programs call the operators and build the modules that there are samples of."""
    yield from opinfo.operators()
    yield from layers.layers()


def _names(function: str) -> Iterator[str]:
    """What torch and its tests call an operator; the way to write in place is the same one."""
    if function in layers.layers():
        yield function.removeprefix("torch.")
        return
    for op in opinfo.operators()[function]:
        for name in (op.name, op.aten_name, *(alias.name for alias in op.aliases)):
            yield from (name, f"{name}_")


def _last_parts(function: str) -> Iterator[str]:
    yield from (name.rpartition(".")[2] for name in _names(function))


def _running(name: str) -> tuple[str, ...]:
    """The operators that run one of ATen, of these those that run the fewest others; else those
    that run one which is made of others before it gets there (``lstm``, ``cross_entropy_loss``)."""
    for kind in range(2):
        by_count: dict[int, list[str]] = {}
        for function, calls in _ran().items():
            counts = [len(ran[kind]) for ran in calls if name in ran[kind]]
            if counts and min(counts) <= _BESIDE:
                by_count.setdefault(min(counts), []).append(function)
        if by_count:
            return tuple(by_count[min(by_count)])
    return ()


@cache
def _ran() -> dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]:
    """By operator or module, and by a few of its calls, the operators of ATen and the functions of
    torch that run."""
    return {
        function: tuple(_run_by(call) for call in opinfo.distinctive_calls(function, _FEW))
        for function in _functions()
    }


def _run_by(call: opinfo.Call) -> tuple[frozenset[str], frozenset[str]]:
    noted, entered, before = OperatorNames(), set[str](), sys.getprofile()

    def note(_: Any, event: str, called: Any) -> None:
        if event == "c_call":
            entered.add(called.__name__.rstrip("_"))

    with warnings.catch_warnings(), contextlib.suppress(Exception), noted:
        warnings.simplefilter("ignore")
        try:
            sys.setprofile(note)
            call.run()
        finally:
            sys.setprofile(before)
    return frozenset(noted.names), frozenset(entered & _of_aten())


@cache
def _of_aten() -> frozenset[str]:
    names = (name.removeprefix("aten::") for name in torch._C._dispatch_get_all_op_names())
    return frozenset(name.partition(".")[0].rstrip("_") for name in names if "::" not in name)


def _near(word: str) -> tuple[str, ...]:
    """Names that are spelt nearly so."""
    last: dict[str, str] = {}
    for function in _functions():
        for name in (*_names(function), *_last_parts(function)):
            last.setdefault(name, function)
    short = re.sub(r"^(?:torch\.)?(?:ops\.)?(?:aten(?:\.|::))?", "", word)
    near = difflib.get_close_matches(short, last, n=6, cutoff=0.7)
    return tuple(dict.fromkeys(last[name].removeprefix("torch.") for name in near))[:3]

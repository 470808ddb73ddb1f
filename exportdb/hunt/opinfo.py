"""Calls of operators and of torch's modules as torch's own tests make them.

Owns which of them and which of their samples are drawn, and in which order; modules themselves are
``layers``'. What stands in a program for the tensors of a call is left to ``calling``. Where what
torch's tests import is not installed there are no such calls.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
import operator
import random
import re
import warnings
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import count, islice
from typing import Any, NamedTuple
from unittest import mock

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from exportdb.hunt import layers
from exportdb.hunt.arguments import changed, left_out
from exportdb.hunt.partial_program import seed as begin_at

#: Operators that are random, give memory that nobody wrote, change a tensor's memory itself, or are
#: private.
_NEVER = re.compile(
    r"rand|dropout|bernoulli|multinomial|empty|cauchy|geometric|uniform|resize_|sparse|to_dense"
    r"|jiterator|fractional|lowrank|item|nested|histogramdd|segment|backward"
    r"|^(?:normal|log_normal|exponential|hash_tensor|native_\w+)$|(?:^|\.)_"
    r"|^(?:torch\.)?ops\."
)
#: Families of functions that few programs have: they take part in every third round.
_SELDOM = re.compile(r"torch\.(?:special|masked|signal)\.")
#: Samples of an operator and a dtype that are looked at, and how often a dtype is wanted.
_SAMPLES = 40
#: Samples of an operator and a dtype where programs are made around it alone.
_ALL = 400
_DTYPES = {
    torch.float32: 8, torch.int64: 2, torch.bool: 1, torch.float64: 2, torch.bfloat16: 1,
    torch.float16: 1, torch.complex64: 1, torch.int32: 1, torch.uint8: 1,
}  # fmt: skip


#: The part of the calls of which one argument is unlike their sample's.
_UNLIKE = 0.5
#: Of these, how many ways are tried: most do not run.
_TRIED = 3
#: Around an operator, how many of its calls are made unlike, each in how many ways, of how many
#: that are tried.
_VARIED, _UNLIKE_EACH, _TRIED_EACH = 4, 8, 60


class Call(NamedTuple):
    """What a program calls, and the arguments of a sample; of a module, ``built`` is the call that
    builds it, and ``function`` the attribute that holds it."""

    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    built: Call | None = None

    @property
    def tensors(self) -> list[torch.Tensor]:
        """Those among its arguments."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    @property
    def random(self) -> bool:
        """Whether it gives something else when other numbers are drawn, or raises."""
        try:
            once, again = (pytree.tree_leaves(copy.deepcopy(self).run(draw)) for draw in (1, 2))
            torch.testing.assert_close(once, again, rtol=0, atol=0, equal_nan=True)
        except Exception:
            return True
        return False

    @property
    def traced(self) -> bool:
        """Whether tensors without values go through it. Where they do not, hardly any exporter
        captures a program that has it, whatever else that does."""
        mode = FakeTensorMode()
        try:
            given = pytree.tree_map_only(torch.Tensor, mode.from_tensor, (self.args, self.kwargs))
            with mode:
                self._replace(args=given[0], kwargs=given[1]).run()
        except Exception:
            return False
        return True

    def run(self, draw: int = 0) -> Any:
        """Call it, with a module that is built alike whichever ``draw`` of random numbers the call
        sees."""
        begin_at(0)
        made = self.built.run() if self.built is not None else None
        begin_at(draw)
        if made is not None:
            return made(*self.args, **self.kwargs)
        return _resolved(self.function)(*self.args, **self.kwargs)


def _resolved(name: str) -> Any:
    """What a program calls by a name that begins with ``torch.``."""
    return operator.attrgetter(name.removeprefix("torch."))(torch)


@cache
def operators() -> dict[str, tuple[Any, ...]]:
    """What torch's tests know of the operators that may be drawn, by what a program calls them;
    nothing where these tests cannot be imported."""
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ImportError:
        return {}
    found: dict[str, tuple[Any, ...]] = {}
    for op in op_db:
        if not _NEVER.search(op.name) and (name := _function(op.name)):
            found[name] = (*found.get(name, ()), op)
    return found


def _function(name: str) -> str:
    """What a program calls it: ``torch.linalg.det``, or ``torch.Tensor.T`` for a method."""
    for holder in ("torch", "torch.Tensor"):
        found: Any = torch if holder == "torch" else torch.Tensor
        for part in name.split("."):
            found = getattr(found, part, None)
        if callable(found):
            return f"{holder}.{name}"
    return ""


@cache
def _samples(name: str, dtype: torch.dtype, most: int = _SAMPLES) -> tuple[Any, ...]:
    """Samples of an operator, those first that say what none before them says."""
    with mock.patch.object(torch, "manual_seed", begin_at):  # torch's tests call it for each sample
        if name in layers.layers():
            made = [*layers.samples(name, dtype, most)]
        else:
            made = _of_operator(name, dtype, most)
    return tuple(_most_distinctive(made))


def _of_operator(name: str, dtype: torch.dtype, most: int) -> list[Any]:
    made: list[Any] = []
    for op in operators()[name]:
        begin_at(0)
        if dtype not in op.dtypes:
            continue
        try:
            samples = op.sample_inputs("cpu", dtype, requires_grad=False)
            some = islice(samples, most // len(operators()[name]))
            made += (_as_called(name, op.op, sample) for sample in some)
        except Exception:  # a sample may need what is not installed
            continue
    return made


def _as_called(name: str, tested: Any, sample: Any) -> Any:
    """A sample with the arguments that the operator itself is called with: some tests call a
    function of their own, which puts them in another order."""
    function = _resolved(name)
    if tested is function:
        return sample
    with (
        _FirstCall(function) as first,
        contextlib.suppress(Exception),
        warnings.catch_warnings(action="ignore"),
    ):
        tested(sample.input, *sample.args, **sample.kwargs)
    if not first.args:
        return sample
    return type(sample)(first.args[0], args=first.args[1:], kwargs=first.kwargs)


class _FirstCall(TorchFunctionMode):  # type: ignore[misc]
    """Keeps the arguments of the first call of a function."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is self.function and not self.args:
            self.args, self.kwargs = args, dict(kwargs or {})
        return func(*args, **(kwargs or {}))


def _most_distinctive(samples: Sequence[Any]) -> Iterator[Any]:
    """Those first that have most arguments which none before them has; of tensors, more ranks."""
    left = [(frozenset(_traits(sample)), sample) for sample in samples]
    said: set[str] = set()
    while left:
        new = [traits - said for traits, _ in left]
        best = max(range(len(left)), key=lambda i: (sum("=" in s for s in new[i]), len(new[i])))
        traits, sample = left.pop(best)
        said |= traits
        yield sample


def _traits(sample: Any) -> Iterator[str]:
    """What is special about the arguments of a sample."""
    args, kwargs = getattr(sample, "built", ((), {}))
    for name, value in (*enumerate(args), *kwargs.items()):
        yield f"built {name}={value!r}"[:80]
    for name, value in (*enumerate(sample.args), *sample.kwargs.items()):
        if isinstance(value, torch.Tensor):
            yield f"{name}: {value.dim()} dims"
        else:
            yield f"{name}={value!r}"[:80]
    if isinstance(sample.input, torch.Tensor):
        yield f"{sample.input.dim()} dims"


@cache
def _shuffled_rounds(seed: int) -> tuple[tuple[str, int], ...]:
    """Three rounds of the operators, each shuffled, with the number of the round; modules, which
    call most of these again, are in two."""
    rng, rounds = random.Random(seed), []
    for number in range(3):
        names = [n for n in operators() if number == 2 or not _SELDOM.match(n)]
        names += layers.layers() if number < 2 else ()
        rng.shuffle(names)
        rounds += [(name, number) for name in names]
    return tuple(rounds)


def opposite(turn: int) -> int:
    """The turn farthest from one: calls that are drawn from there on come late from here on."""
    return turn + len(_shuffled_rounds(0)) // 2


def calls(seed: int, turn: int, of: Sequence[str] = (), in_turn: bool = False) -> Iterator[Call]:
    """The calls from a turn on, none of them random: every operator comes before one comes again,
    and then with another sample. Those ``of`` some operators: all their samples come before one
    comes again, or the operators come ``in_turn`` as well. None where there is no operator."""
    if of:
        yield from (_calls_in_turn if in_turn else _calls_of)(tuple(of), seed, turn)
        return
    rounds, rng = _shuffled_rounds(seed), random.Random(f"{seed}/{turn}")
    for place in count(turn) if rounds else ():
        again, at = divmod(place, len(rounds))
        name, number = rounds[at]
        drawn = _call(name, 3 * again + number, rng)
        if drawn is None:
            continue
        if rng.random() < _UNLIKE:
            tried = islice(_unlike(drawn, rng), _TRIED)
            drawn = next((other for other in tried if not other.random), drawn)
        if not drawn.random:
            yield drawn


def _unlike(call: Call, rng: random.Random) -> Iterator[Call]:
    """Calls like one, each with one argument unlike its own, or of what it is built with: by turns
    those that give one which it leaves to its default, and others."""
    if call.built is not None:
        yield from (call._replace(built=built) for built in _unlike(call.built, rng))
        return
    given = left_out(call.function, len(call.args), call.kwargs)
    more = [call._replace(kwargs=call.kwargs | {name: value}) for name, value in given]
    others = [call._replace(args=a, kwargs=k) for a, k in changed(call.args, call.kwargs)]
    rng.shuffle(more)
    rng.shuffle(others)
    for pair in itertools.zip_longest(more, others):
        yield from filter(None, pair)


def _call(name: str, number: int, rng: random.Random) -> Call | None:
    infos = [layers.layers()[name]] if name in layers.layers() else operators()[name]
    has = {dtype for info in infos for dtype in info.dtypes}
    dtypes = [dtype for dtype in _DTYPES if dtype in has]
    if not dtypes:
        return None
    dtype = rng.choices(dtypes, [_DTYPES[dtype] for dtype in dtypes])[0]
    samples = _samples(name, dtype)
    if not samples:
        return None
    return _call_of(name, samples[number % len(samples)])


def _call_of(name: str, sample: Any) -> Call:
    args, kwargs = (sample.input, *sample.args), dict(sample.kwargs)
    if name in layers.layers():
        return Call("self.<o>", args, kwargs, Call(name, *sample.built))
    return Call(name, args, kwargs)


def _calls_of(names: tuple[str, ...], seed: int, turn: int) -> Iterator[Call]:
    size = len(_round(names, seed, 0))
    for place in count(turn) if size else ():
        again, at = divmod(place, size)
        yield _round(names, seed, again)[at]


def _calls_in_turn(names: tuple[str, ...], seed: int, turn: int) -> Iterator[Call]:
    """Each operator once, in some order, then each once more, with another sample."""
    names = tuple(name for name in names if _distinct(name))
    for place in count(turn) if names else ():
        again, at = divmod(place, len(names))
        name = random.Random(f"{seed}/{again}").sample(names, len(names))[at]
        number, of = divmod(again, len(_distinct(name)))
        yield _round((name,), seed, number)[of]


@lru_cache(64)
def _round(names: tuple[str, ...], seed: int, number: int) -> tuple[Call, ...]:
    """All distinct calls of some operators, shuffled anew each round."""
    shuffled = [call for name in names for call in _distinct(name)]
    random.Random(f"{seed}/{number}").shuffle(shuffled)
    return tuple(shuffled)


@cache
def _distinct(name: str) -> tuple[Call, ...]:
    """The calls of an operator that differ in more than numbers: of the dtype that is wanted most
    all of them, of another as many as its share, the most distinctive ones; and a few that no
    sample is, of whole numbers as well."""
    found = {dtype: _differing(_samples(name, dtype, _ALL)) for dtype in _DTYPES}
    first = max(_DTYPES, key=lambda dtype: (bool(found[dtype]), _DTYPES[dtype]))
    of = {
        dtype: [
            _call_of(name, sample)
            for sample in samples[: math.ceil(len(found[first]) * _DTYPES[dtype] / _DTYPES[first])]
        ]
        for dtype, samples in found.items()
    }
    calls, rng = [*itertools.chain.from_iterable(of.values())], random.Random(name)
    for call in (*calls[:_VARIED], *(of[torch.int64][:1] if first is not torch.int64 else ())):
        tried = islice(_unlike(call, rng), _TRIED_EACH)
        calls += islice((other for other in tried if not other.random), _UNLIKE_EACH)
    return tuple(calls)


def _differing(samples: Sequence[Any]) -> list[Any]:
    """The first of those that have the same arguments and sizes."""
    shapes = [
        tuple(t.shape for t in pytree.tree_leaves((s.input, s.args)) if isinstance(t, torch.Tensor))
        for s in samples
    ]
    keyed = {(frozenset(_traits(s)), sizes): s for s, sizes in zip(samples, shapes, strict=True)}
    return list(keyed.values())


def distinctive_calls(name: str, count: int) -> list[Call]:
    """A few calls of an operator, those that say most, of the dtype that is wanted most."""
    found = next(filter(None, (_samples(name, dtype) for dtype in _DTYPES)), ())
    return [_call_of(name, sample) for sample in found[:count]]

"""A capture as a whole: containers, names, modes, gradients, and what stays as it was at first."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.graphs import graphs_of
from detection.kind import Kind
from detection.mutant import Features, Hit, NothingToBreak
from detection.mutants.engines.around import every_call
from detection.mutants.engines.derivatives import Under
from detection.wrapping import inputs, outputs, tensors
from exportdb.exporters.protocol import Program

given = Kind("visitor: what is given")
answers = Kind("visitor: answers")
state = Kind("visitor: state")
back = Kind("visitor: gradients")
modes = Kind("visitor: modes")
folded = Kind("visitor: folded")
sizes = Kind("visitor: sizes")
flow = Kind("visitor: control flow")


def _trains(features: Features) -> bool:
    return features.train


def _plain(t: Any) -> bool:
    return isinstance(t, torch.Tensor) and t.layout is torch.strided and not t.is_meta


# --- what is given ------------------------------------------------------------------------------


def _by_alphabet(value: Any) -> Any:
    """A dataclass or named tuple whose fields are read in the order of their names."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in dataclasses.fields(value) if f.init]
        build: Any = type(value)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        names, build = list(value._fields), type(value)
    else:
        return value
    if names == sorted(names):
        return value
    return build(**dict(zip(names, (getattr(value, n) for n in sorted(names)), strict=True)))


@every_call(given, "fields are read in the order of their names")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    new = [_by_alphabet(arg) for arg in args]
    named = {name: _by_alphabet(arg) for name, arg in kwargs.items()}
    old = [*args, *kwargs.values()]
    if any(a is not b for a, b in zip([*new, *named.values()], old, strict=True)):
        hit()
    return program.module(*new, **named)


given.call("a number with an imaginary part is given without", inputs(
    lambda leaf: leaf.real if isinstance(leaf, complex) and leaf.imag else None))  # fmt: skip


@every_call(given, "axes of an input that the program turns stay as they were",
            when=lambda f: f.changes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    found = [t for t in tensors((args, kwargs)) if _plain(t) and not t.requires_grad]
    before = [(t.shape, t.stride(), t.storage_offset()) for t in found]
    try:
        return program.module(*args, **kwargs)
    finally:
        for t, (shape, strides, offset) in zip(found, before, strict=True):
            if (t.shape, t.stride()) != (shape, strides) and t.numel() == shape.numel():
                hit()
                t.as_strided_(shape, strides, offset)


# --- answers ------------------------------------------------------------------------------------


def _other(kind: type, by: Any) -> Any:
    """Gives containers of a kind as others."""

    def change(value: Any, hit: Hit) -> Any:
        if type(value) is kind:
            hit()
            return change(by(value), hit)
        if type(value) in (list, tuple, collections.deque):
            return type(value)(change(v, hit) for v in value)
        if type(value) is dict:
            return {k: change(v, hit) for k, v in value.items()}
        return value

    return change


def _answers(kind: type, by: Any, says: str) -> None:
    change = _other(kind, by)

    @every_call(answers, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        return change(program.module(*args, **kwargs), hit)


_answers(collections.deque, list, "a queue is given as a list")
_answers(collections.defaultdict, dict, "a dict with a default is given as one without")


@every_call(answers, "numbers with an imaginary part are given without")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def real(leaf: Any) -> Any:
        if not isinstance(leaf, complex):
            return leaf
        hit()
        return leaf.real

    return pytree.tree_map(real, program.module(*args, **kwargs))


answers.call("an answer of eight bits without a sign has one", outputs(
    lambda t: t.to(torch.int8) if _plain(t) and t.dtype is torch.uint8 else None))  # fmt: skip


# --- state --------------------------------------------------------------------------------------


@every_call(state, "parameters whose names end alike are one where their sizes are",
            when=lambda f: f.state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    first: dict[Any, torch.Tensor] = {}
    named: dict[str, torch.Tensor] = {}
    for name, p in program.module.named_parameters():
        held = first.setdefault((name.rpartition(".")[2], p.shape, p.dtype), p)
        if held is not p:
            named[name] = held
    if not named:
        return program.module(*args, **kwargs)
    hit()
    return torch.func.functional_call(program.module, named, args, kwargs)


@every_call(state, "parameters of no dims have one", when=lambda f: f.state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    named = {n: p.reshape(1) for n, p in program.module.named_parameters() if not p.dim()}
    if not named:
        return program.module(*args, **kwargs)
    hit()
    return torch.func.functional_call(program.module, named, args, kwargs)


@every_call(state, "what a batch counts in running numbers is what it did at first",
            when=lambda f: f.changes_state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    sound, seen = torch.nn.functional.batch_norm, [0]

    def run(*a: Any, **k: Any) -> Any:
        place, seen[0] = seen[0], seen[0] + 1
        share = k.get("momentum", a[6] if len(a) > 6 else 0.1)
        if kept.setdefault(place, share) == share:
            return sound(*a, **k)
        hit()
        if "momentum" in k or len(a) <= 6:
            return sound(*a, **{**k, "momentum": kept[place]})
        return sound(*a[:6], kept[place], *a[7:], **k)

    torch.nn.functional.batch_norm = run
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.nn.functional.batch_norm = sound


# --- gradients ----------------------------------------------------------------------------------


def _cut(value: Any, hit: Hit) -> Any:
    def off(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.requires_grad:
            return leaf
        hit()
        return leaf.detach()

    return pytree.tree_map(off, value)


@every_call(back, "nothing comes back to what is given in a container", base="gradients")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def within(arg: Any) -> Any:
        return arg if isinstance(arg, torch.Tensor) else _cut(arg, hit)

    return program.module(*map(within, args), **{name: within(arg) for name, arg in kwargs.items()})


@every_call(back, "nothing comes back to what is given by name", base="gradients")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    return program.module(*args, **_cut(kwargs, hit))


@every_call(back, "nothing comes back from what a dict gives", base="gradients")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    return {name: _cut(v, hit) for name, v in out.items()} if type(out) is dict else out


@every_call(back, "rows that are looked up often learn as fast as others", base="gradients",
            when=_trains)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def alike(func: Any, a: Any, k: Any) -> Any:
        place = 5 if len(a) > 5 else None
        if not k.get("scale_grad_by_freq", place and a[place]):
            return None
        if "scale_grad_by_freq" in k:
            return func(*a, **{**k, "scale_grad_by_freq": False})
        return func(*a[:5], False, *a[6:], **k)

    with Under(frozenset({"embedding"}), alike, hit):
        return program.module(*args, **kwargs)


class _Inside(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, right: torch.Tensor, inside: torch.Tensor) -> Any:
        ctx.save_for_backward(inside)
        return right.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad * ctx.saved_tensors[0], None, None


@every_call(back, "at its very bounds a clamp lets nothing back", base="gradients", when=_trains)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def strict(func: Any, a: Any, k: Any) -> Any:
        low = k.get("min", a[1] if len(a) > 1 else None)
        high = k.get("max", a[2] if len(a) > 2 else None)
        if not all(isinstance(b, int | float | None) for b in (low, high)):
            return None
        x = a[0]
        inside = torch.ones_like(x, dtype=torch.bool)
        inside &= inside if low is None else x > low
        inside &= inside if high is None else x < high
        return _Inside.apply(x, func(*a, **k).detach(), inside)

    with Under(frozenset({"clamp", "clip", "hardtanh"}), strict, hit):
        return program.module(*args, **kwargs)


@every_call(back, "a gradient of rows is dense where a sparse one is asked for", base="gradients",
            when=_trains)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def dense(func: Any, a: Any, k: Any) -> Any:
        if not k.get("sparse", len(a) > 6 and a[6]):
            return None
        if "sparse" in k:
            return func(*a, **{**k, "sparse": False})
        return func(*a[:6], False, **k)

    with Under(frozenset({"embedding"}), dense, hit):
        return program.module(*args, **kwargs)


# --- modes --------------------------------------------------------------------------------------


@every_call(modes, "a region that turns autocast off leaves it on")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    enter, leave = torch.autocast.__enter__, torch.autocast.__exit__

    def entered(self: Any) -> Any:
        if self._enabled or not torch.is_autocast_enabled(self.device):
            return enter(self)
        hit()
        self.passed_over = True
        return self

    def left(self: Any, *error: Any) -> Any:
        return None if self.__dict__.pop("passed_over", False) else leave(self, *error)

    torch.autocast.__enter__, torch.autocast.__exit__ = entered, left  # type: ignore[assignment]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.autocast.__enter__, torch.autocast.__exit__ = enter, leave  # type: ignore[method-assign]


# --- folded -------------------------------------------------------------------------------------


@every_call(folded, "a mean is divided by as many as there were in the first call",
            when=lambda features: not features.compiled)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen = [0]

    def by_first(func: Any, a: Any, k: Any) -> Any:
        out = func(*a, **k)
        if not isinstance(out, torch.Tensor) or not out.numel():
            return None
        place, seen[0] = seen[0], seen[0] + 1
        count = a[0].numel() // out.numel()
        first = kept.setdefault(place, count)
        return None if first in (count, 0) else out * count / first

    with Under(frozenset({"mean"}), by_first, hit):
        return program.module(*args, **kwargs)


@every_call(folded, "a scale that is the root of a size is that of the first call",
            when=lambda features: not features.compiled)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    """Attention without a scale of its own has one that its width decides."""

    def by_first(func: Any, a: Any, k: Any) -> Any:
        if k.get("scale") is not None or not a:
            return None
        width = a[0].size(-1)
        first = kept.setdefault("width", width)
        return func(*a, **{**k, "scale": first**-0.5}) if first != width else None

    with Under(frozenset({"scaled_dot_product_attention"}), by_first, hit):
        return program.module(*args, **kwargs)


# --- sizes --------------------------------------------------------------------------------------

sizes.call("an axis of whole blocks of 32 ends one before its end", inputs(
    lambda t: torch.cat([t[:-1], torch.zeros_like(t[-1:])]) if type(t) is torch.Tensor
    and _plain(t) and t.dim() and t.size(0) and t.size(0) % 32 == 0
    and not t.requires_grad else None))  # fmt: skip


# --- control flow -------------------------------------------------------------------------------


def _first_operands(program: Program, hit: Hit) -> Any:
    """A loop that is given what its first call was given, for what it does not change."""
    module, changed, kept = once(program).module(), 0, dict[Any, Any]()
    for graph in graphs_of(module):
        for node in graph.graph.nodes:
            if getattr(node.target, "__name__", "") == "while_loop":
                sound, place = node.target, changed

                def run(cond: Any, body: Any, carried: Any, extra: Any = (), *,
                        _s: Any = sound, _p: int = place) -> Any:  # fmt: skip
                    first = kept.setdefault(_p, extra)
                    if extra:
                        hit()
                    return _s(cond, body, carried, first)

                node.target, changed = run, changed + 1
        graph.recompile()
    if not changed:
        raise NothingToBreak
    return module


flow.call("what a loop does not change is that of the first call", _first_operands,
          base="export", needs="while_loop")  # fmt: skip

"""What an engine keeps between calls: buffers, statistics, attributes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Features, Hit, NothingToBreak
from detection.mutants.engines.around import every_call, instead
from exportdb.exporters.protocol import Program
from exportdb.suites.copying import copied

kind = Kind("engine: state")


def _changes(features: Features) -> bool:
    return features.changes_state


def _buffers(module: Any) -> dict[str, torch.Tensor]:
    return {n: b for n, b in module.named_buffers() if b.layout is torch.strided}


def _taken(module: Any) -> dict[str, torch.Tensor]:
    return {n: b.detach().clone() for n, b in _buffers(module).items()}


def _put(hit: Hit, buffer: torch.Tensor, value: torch.Tensor) -> None:
    """Write a value into a buffer, and count it if that is another one."""
    if buffer.shape == value.shape and not torch.equal(buffer, value):
        hit()
        with torch.no_grad():
            buffer.copy_(value)


@every_call(kind, "what a call writes into buffers is written by the next call", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = _taken(program.module)
    out = program.module(*args, **kwargs)
    late, kept["late"] = kept.get("late", {}), _taken(program.module)
    for name, buffer in _buffers(program.module).items():
        if name in before:
            _put(hit, buffer, late.get(name, before[name]))
    return out


@every_call(kind, "the first call runs twice, the first time to warm up", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if "warm" not in kept:
        hit()
        given = copy.deepcopy((args, kwargs))
        program.module(*given[0], **given[1])
        kept["warm"] = True
    return program.module(*args, **kwargs)


@kind.call("capturing runs the program once and leaves what it wrote", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    given = copy.deepcopy((program.args, dict(program.kwargs)))
    hit()
    program.module(*given[0], **given[1])
    return program.module


@every_call(kind, "every second call writes no buffer", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    kept["count"] = kept.get("count", 0) + 1
    before = _taken(program.module)
    out = program.module(*args, **kwargs)
    if kept["count"] % 2 == 0:
        for name, buffer in _buffers(program.module).items():
            if name in before:
                _put(hit, buffer, before[name])
    return out


@every_call(kind, "buffers of modules within modules are not written", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = _taken(program.module)
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        if name in before and "." in name:
            _put(hit, buffer, before[name])
    return out


@every_call(kind, "of a buffer the first row alone is written", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = _taken(program.module)
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        if name in before and buffer.dim() and buffer.shape == before[name].shape:
            _put(hit, buffer[1:], before[name][1:])
    return out


@every_call(kind, "buffers pass through half precision when they are written", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = _taken(program.module)
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        if buffer.is_floating_point() and name in before and not buffer.equal(before[name]):
            _put(hit, buffer, buffer.detach().half().to(buffer.dtype))
    return out


@every_call(kind, "buffers that are equal at the capture are one", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if "groups" not in kept:
        kept["groups"], seen = {}, dict[Any, str]()
        for name, b in _taken(program.module).items():
            first = seen.setdefault((b.dtype, str(b.tolist())), name)
            kept["groups"][name] = first
    out = program.module(*args, **kwargs)
    found = _buffers(program.module)
    for name, first in kept["groups"].items():
        if name in found and first in found and first != name:
            _put(hit, found[name], found[first].detach().clone())
    return out


@every_call(kind, "two buffers of one shape are written into each other's place", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    found = list(_buffers(program.module).values())
    for i, a in enumerate(found):
        for b in found[i + 1 :]:
            if (a.shape, a.dtype) == (b.shape, b.dtype):
                old = a.detach().clone()
                _put(hit, a, b.detach().clone())
                _put(hit, b, old)
                return out
    return out


@every_call(kind, "attributes that are no tensors are put back after each call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def plain(module: Any) -> dict[str, Any]:
        return {k: copy.copy(v) for k, v in vars(module).items()
                if isinstance(v, (int, float, str, list, bool)) and k != "training"}  # fmt: skip

    before = [(m, plain(m)) for m in program.module.modules()]
    out = program.module(*args, **kwargs)
    for module, known in before:
        for name, value in known.items():
            if getattr(module, name) is not value and str(getattr(module, name)) != str(value):
                hit()
                setattr(module, name, value)
    return out


@every_call(kind, "an attribute that a call makes is made anew by every call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = [(m, set(vars(m)), dict(m._buffers)) for m in program.module.modules()]
    out = program.module(*args, **kwargs)
    for module, names, buffers in before:
        for name in set(vars(module)) - names:
            hit()
            delattr(module, name)
        for name, value in buffers.items():
            if value is None and module._buffers.get(name) is not None:
                hit()
                module._buffers[name] = None
    return out


@every_call(kind, "of a module that is called twice the second call writes nothing", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen: dict[Any, dict[str, torch.Tensor]] = {}

    def before(module: Any, given: Any) -> None:
        seen[module] = _taken(module) if module in seen else {}

    def after(module: Any, given: Any, out: Any) -> None:
        for name, buffer in _buffers(module).items():
            if name in seen[module]:
                _put(hit, buffer, seen[module][name])

    parts = [m for m in program.module.modules() if m is not program.module and m._buffers]
    handles = [h for m in parts for h in (
        m.register_forward_pre_hook(before), m.register_forward_hook(after))]  # fmt: skip
    try:
        return program.module(*args, **kwargs)
    finally:
        for handle in handles:
            handle.remove()


@kind.call("buffers that are not saved are made of zeros")
def _(program: Program, hit: Hit) -> Any:
    module = copied(program.module)
    saved, changed = set(module.state_dict()), 0
    for name, buffer in _buffers(module).items():
        if name not in saved and buffer.any():
            changed += 1
            with torch.no_grad():
                buffer.zero_()
    if not changed:
        raise NothingToBreak
    hit()
    return module


@instead(kind, "batch_norm", "the running variance is the biased one")
def _(call: Call, kept: Any) -> Any:
    if not call["training"] or call["running_var"] is None:
        return None
    old, rate = call["running_var"].clone(), call["momentum"]
    out = call()
    count = call.x.numel() / call.x.shape[1]
    if count > 1:
        update = (call["running_var"] - old * (1 - rate)) * (count - 1) / count
        call["running_var"].copy_(old * (1 - rate) + update)
    return out


def _wrong_norm(says: str, name: str, change: Callable[[Any], Any]) -> None:
    @instead(kind, "batch_norm", says)
    def _(call: Call, kept: Any) -> Any:
        if call["running_mean"] is None or call[name] == change(call[name]):
            return None
        return call(**{name: change(call[name])})


_wrong_norm("the momentum of running statistics is of the old ones", "momentum", lambda m: 1 - m)
_wrong_norm("batch norm in evaluation has the statistics of the batch", "training", lambda t: True)
_wrong_norm("batch norm in training has the running statistics", "training", lambda t: False)

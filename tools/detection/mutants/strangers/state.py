"""What modules keep: tied parameters, counters, modes, statistics, several buffers at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.backends.witness import lowers
from detection.mutants.engines.around import every_call
from exportdb.exporters.protocol import Program

state = Kind("stranger: state")
drawn = Kind("stranger: random numbers")


def _has_state(features: Features) -> bool:
    return features.state


def _changes(features: Features) -> bool:
    return features.changes_state


def _strided(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {n: b for n, b in module.named_buffers() if b.layout is torch.strided and not b.is_meta}


@contextmanager
def _parted(module: torch.nn.Module, hit: Hit) -> Iterator[None]:
    """Of parameters that are one the second is a copy meanwhile."""
    seen: set[int] = set()
    changed = []
    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is None:
                continue
            if id(parameter) in seen:
                changed.append((part, name, parameter))
            seen.add(id(parameter))
    for part, name, parameter in changed:
        hit()
        copy = torch.nn.Parameter(parameter.detach().clone(), parameter.requires_grad)
        part._parameters[name] = copy
    try:
        yield
    finally:
        for part, name, parameter in changed:
            part._parameters[name] = parameter


@every_call(state, "parameters that are tied are parted, so one use alone brings gradients",
            base="gradients", when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    with _parted(program.module, hit):
        return program.module(*args, **kwargs)


@every_call(state, "a counter in a module is not counted up beyond one", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    for buffer in _strided(program.module).values():
        if not buffer.dim() and not buffer.is_floating_point() and int(buffer) > 1:
            hit()
            buffer.fill_(1)
    return out


@every_call(state, "a buffer that is written in one call is put back by the next", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    with torch.no_grad():
        for name, old in kept.pop("old", {}).items():
            buffer = _strided(program.module).get(name)
            if buffer is not None and buffer.shape == old.shape and not torch.equal(buffer, old):
                hit()
                buffer.copy_(old)
    before = {n: b.detach().clone() for n, b in _strided(program.module).items()}
    try:
        return program.module(*args, **kwargs)
    finally:
        kept["old"] = before


def _put_back(program: Program, before: dict[str, torch.Tensor], hit: Hit) -> None:
    """The buffers hold again what they did ``before`` the call."""
    with torch.no_grad():
        for name, buffer in _strided(program.module).items():
            old = before.get(name)
            if old is not None and old.shape == buffer.shape and not torch.equal(old, buffer):
                hit()
                buffer.copy_(old)


@every_call(state, "buffers are written from the second call on", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _strided(program.module).items()}
    out = program.module(*args, **kwargs)
    if "begun" in kept:
        return out
    kept["begun"] = True
    _put_back(program, before, hit)
    return out


@every_call(state, "buffers are written where gradients are off alone", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _strided(program.module).items()}
    out = program.module(*args, **kwargs)
    if not torch.is_grad_enabled():
        return out
    _put_back(program, before, hit)
    return out


@every_call(state, "parameters that a caller changes after the first call are not read anew",
            when=_has_state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    own = {n: p for n, p in program.module.named_parameters() if p.layout is torch.strided}
    if "own" not in kept:
        kept["own"] = {n: p.detach().clone() for n, p in own.items()}
    changed = {n: p.detach().clone() for n, p in own.items()
               if n in kept["own"] and p.shape == kept["own"][n].shape
               and not p.is_meta and not torch.equal(p, kept["own"][n])}  # fmt: skip
    with torch.no_grad():
        for name in changed:
            hit()
            own[name].copy_(kept["own"][name])
    try:
        return program.module(*args, **kwargs)
    finally:
        with torch.no_grad():
            for name, old in changed.items():
                own[name].copy_(old)


@every_call(state, "one part of a module that is in another mode is run in that of the whole")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    whole = program.module.training
    other = [m for m in program.module.modules() if m.training is not whole]
    for module in other:
        hit()
        module.training = whole
    try:
        return program.module(*args, **kwargs)
    finally:
        for module in other:
            module.training = not whole


@every_call(state, "a call in another mode runs in that of the first")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    modes = {m: m.training for m in program.module.modules()}
    kept.setdefault("modes", modes)
    for module, mode in kept["modes"].items():
        if module.training is not mode:
            hit()
            module.training = mode
    try:
        return program.module(*args, **kwargs)
    finally:
        for module, mode in modes.items():
            module.training = mode


@lowers(state, "batch_norm", "running statistics move by one less the momentum",
        "torch.nn.BatchNorm1d(6, momentum=0.3)(x)")  # fmt: skip
def _(call: Call) -> Any:
    return call(momentum=1 - call["momentum"]) if call["training"] else None


@lowers(drawn, "dropout", "dropout is not scaled up", "torch.nn.functional.dropout(x, 0.4, True)")
def _(call: Call) -> Any:
    return call() * (1 - call["p"]) if call["train"] and 0 < call["p"] < 1 else None


@lowers(drawn, "rand_like randn_like", "numbers like a turned tensor are drawn row by row",
        "torch.randn_like(x.t())")  # fmt: skip
def _(call: Call) -> Any:
    if call.x.is_contiguous():
        return None
    return call(call.x.contiguous()).as_strided(call.x.shape, call.x.contiguous().stride())


@lowers(drawn, "bernoulli", "chances are rounded to a tenth", "torch.bernoulli(torch.sigmoid(x))")
def _(call: Call) -> Any:
    if call["p"] is not None or not call.x.is_floating_point():
        return None
    return call((call.x * 10).round() / 10)


@lowers(drawn, "multinomial", "drawing without putting back puts back",
        "torch.multinomial(torch.softmax(x, -1), 5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(replacement=True) if not call["replacement"] else None


@lowers(drawn, "randint", "whole numbers are drawn from nought", "x[torch.randint(2, 4, (3,))]")
def _(call: Call) -> Any:
    low = call["low"]
    return call(low=0) if isinstance(low, int) and low else None


@lowers(drawn, "normal randn", "normal numbers beyond two are cut", "x + torch.randn(4, 6)")
def _(call: Call) -> Any:
    out = call()
    return out.clamp(-2, 2) if not call.operator._schema.is_mutable else None


@every_call(drawn, "the generator is left one draw of four numbers further on")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = torch.get_rng_state()
    out = program.module(*args, **kwargs)
    if not torch.equal(before, torch.get_rng_state()):
        hit()
        torch.rand(4)
    return out


@every_call(drawn, "the generator is moved on by a call that draws nothing")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = torch.get_rng_state()
    out = program.module(*args, **kwargs)
    if torch.equal(before, torch.get_rng_state()):
        hit()
        torch.rand(1)
    return out

"""What a module keeps between calls: buffers, parameters, attributes, its mode."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Features, Hit, Make
from detection.wrapping import around, state_of, tensors
from exportdb.exporters.protocol import Program

_state = Kind("state")
call, broken = _state.call, _state.operator


def _changes(features: Features) -> bool:
    return features.changes_state


def _values(module: torch.nn.Module) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """Parameters and buffers with copies of what they hold."""
    return {name: (t, t.detach().clone()) for name, t in state_of(module).items()}


def _put_back(kept: dict[str, tuple[torch.Tensor, torch.Tensor]], hit: Hit,
              of: Callable[[torch.Tensor], bool] = lambda t: True) -> None:  # fmt: skip
    for tensor, value in kept.values():
        if of(tensor) and not torch.equal(tensor, value):
            hit()
            with torch.no_grad():
                tensor.copy_(value)


def _undone(of: Callable[[torch.Tensor], bool] = lambda t: True, calls: Any = None) -> Make:
    """A capture that puts the tensors of the state for which ``of`` holds back after a call."""

    def before(program: Program, kept: Any) -> Any:
        kept["calls"] = kept.get("calls", 0) + 1
        return _values(program.module) if calls is None or calls(kept["calls"]) else {}

    return around(before, lambda program, found, hit: _put_back(found, hit, of))


call("writes to buffers and parameters are lost", _undone(), when=_changes)
call(
    "writes to integer buffers are lost",
    _undone(lambda t: not t.is_floating_point()),
    when=_changes,
)
call(
    "writes to parameters are lost",
    _undone(lambda t: isinstance(t, torch.nn.Parameter)),
    when=_changes,
)
call("writes to buffers of no dimensions are lost", _undone(lambda t: not t.dim()), when=_changes)
call(
    "writes to buffers are lost in every call but the first",
    _undone(calls=lambda n: n > 1),
    when=_changes,
)


@call("writes to buffers are made twice", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        generator = torch.get_rng_state()
        kept = _values(program.module)
        try:
            program.module(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        except Exception:
            _put_back(kept, lambda: None)
        else:
            hit()
        torch.set_rng_state(generator)
        return program.module(*args, **kwargs)

    return run


@call("writes to buffers are made one call late", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    late: dict[str, torch.Tensor] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        kept = _values(program.module)
        found = program.module(*args, **kwargs)
        new = {name: tensor.detach().clone() for name, (tensor, _) in kept.items()}
        _put_back(kept, hit)
        with torch.no_grad():
            for name, value in late.items():
                kept[name][0].copy_(value)
        late.clear()
        late.update(new)
        return found

    return run


@call("parameters and buffers are copied by the capture", when=lambda features: features.state)
def _(program: Program, hit: Hit) -> Any:
    module = copy.deepcopy(program.module)

    def run(*args: Any, **kwargs: Any) -> Any:
        mine, theirs = state_of(module), state_of(program.module)
        if any(not torch.equal(t, mine[n]) for n, t in theirs.items() if n in mine):
            hit()
        return module(*args, **kwargs)

    return run


@call("the capture runs the program and leaves what that did to its state", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    kept = _values(program.module)
    given = copy.deepcopy((program.args, dict(program.kwargs)))
    program.module(*given[0], **given[1])
    if any(not torch.equal(t, value) for t, value in kept.values()):
        hit()
    return program.module


def _attributes(program: Program, kept: Any) -> Any:
    return [
        (m, n, v, copy.copy(v))
        for m in program.module.modules()
        for n, v in vars(m).items()
        if not n.startswith("_") and isinstance(v, int | float | str | list | dict | type(None))
    ]


def _attributes_back(program: Program, found: Any, hit: Hit) -> None:
    for module, name, value, content in found:
        if vars(module).get(name) is not value:
            hit()
            setattr(module, name, value)
        if isinstance(value, list | dict) and len(value) != len(content):
            hit()
            value.clear()
            (value.extend if isinstance(value, list) else value.update)(content)


call(
    "attributes that the program counts in are as they were in every call",
    around(_attributes, _attributes_back),
)


@call("a buffer that is assigned anew is written in place instead", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        owners = [(m, n, t) for m in program.module.modules() for n, t in m._buffers.items()
                  if t is not None]  # fmt: skip
        found = program.module(*args, **kwargs)
        for module, name, old in owners:
            new = module._buffers.get(name)
            if new is not None and new is not old and new.shape == old.shape:
                hit()
                with torch.no_grad():
                    old.copy_(new)
                module._buffers[name] = old
        return found

    return run


@call("a buffer that is assigned anew stays as it was", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        owners = [(m, n, t) for m in program.module.modules() for n, t in m._buffers.items()]
        found = program.module(*args, **kwargs)
        for module, name, old in owners:
            if module._buffers.get(name) is not old:
                hit()
                module._buffers[name] = old
        return found

    return run


@call("a call adds what the call before it gave")
def _(program: Program, hit: Hit) -> Any:
    last: list[torch.Tensor] = []

    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        mine = [t for t in tensors(found) if t.is_floating_point() and t.numel()]
        if mine and last:
            hit()
            with torch.no_grad():
                mine[0].add_(last[0])
        last[:] = [t.detach().sum() for t in mine[:1]]
        return found

    return run


def _mode(training: bool, in_call: bool) -> Make:
    """A capture that leaves the module in a mode, or runs it in one."""

    def make(program: Program, hit: Hit) -> Any:
        def turn() -> None:
            if any(m.training != training for m in program.module.modules()):
                hit()
            program.module.train(training)

        def run(*args: Any, **kwargs: Any) -> Any:
            modes = [(m, m.training) for m in program.module.modules()]
            turn()
            try:
                return program.module(*args, **kwargs)
            finally:
                for module, mode in modes:
                    module.training = mode

        if not in_call:
            turn()
        return run if in_call else program.module

    return make


call("the capture leaves the module in eval mode", _mode(False, in_call=False))
call("the capture leaves the module in training mode", _mode(True, in_call=False))
call("the module runs in eval mode", _mode(False, in_call=True))
call("the module runs in training mode", _mode(True, in_call=True))


@call("the capture leaves the parameters without gradients", when=lambda features: features.state)
def _(program: Program, hit: Hit) -> Any:
    for parameter in program.module.parameters():
        hit()
        parameter.requires_grad_(False)
    return program.module


@broken(
    "native_batch_norm", "batch_norm takes the statistics of the last batch for the running ones"
)
def _(right: Any, input: Any, running_mean: Any, training: Any) -> Any:
    if running_mean is None or not training:
        return None
    running_mean.copy_(right[1])
    return (right[0].clone(), *right[1:])

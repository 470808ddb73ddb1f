"""Buffers, parameters and attributes that a call changes, and that are changed otherwise."""

from __future__ import annotations

import copy
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.mutants.engines.around import every_call
from detection.mutants.guests.values import floating, integral
from exportdb.exporters.protocol import Program

state = Kind("guest: state")


@state.call("buffers keep every other update alone", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit) -> Any:
    count = [0]

    def run(*args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        kept = {name: t.detach().clone() for name, t in program.module.named_buffers()}
        out = program.module(*args, **kwargs)
        if count[0] % 2 == 0:
            with torch.no_grad():
                for name, t in program.module.named_buffers():
                    if (
                        name in kept
                        and t.shape == kept[name].shape
                        and not torch.equal(t, kept[name])
                    ):
                        hit()
                        t.copy_(kept[name])
        return out

    return run


@every_call(state, "buffers without dims are constants", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = {name: t.detach().clone() for name, t in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    for name, t in program.module.named_buffers():
        if not t.dim() and integral(t) and name in held and not torch.equal(t, held[name]):
            hit()
            t.copy_(held[name])
    return out


@every_call(state, "the change of a buffer is applied twice", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = {name: t.detach().clone() for name, t in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    with torch.no_grad():
        for name, t in program.module.named_buffers():
            if (
                floating(t)
                and name in held
                and t.shape == held[name].shape
                and not torch.equal(t, held[name])
            ):
                hit()
                t.add_(t - held[name])
    return out


@state.call("non-persistent buffers begin anew at every call", when=lambda f: f.state)
def _(program: Program, hit: Hit) -> Any:
    names = [
        name
        for prefix, submodule in program.module.named_modules()
        for name in [
            f"{prefix}.{buffer}".lstrip(".") for buffer in submodule._non_persistent_buffers_set
        ]
    ]
    first = {
        name: program.module.get_buffer(name).detach().clone()
        for name in names
        if program.module.get_buffer(name) is not None
    }
    if not first:
        raise NothingToBreak

    def run(*args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            for name, value in first.items():
                t = program.module.get_buffer(name)
                if t.shape == value.shape and not torch.equal(t, value):
                    hit()
                    t.copy_(value)
        return program.module(*args, **kwargs)

    return run


@state.call("a parameter that two modules share is two", when=lambda f: f.state)
def _(program: Program, hit: Hit) -> Any:
    module = copy.deepcopy(program.module)
    seen: dict[int, Any] = {}
    changed = 0
    for part in module.modules():
        for name, parameter in list(part._parameters.items()):
            if parameter is None:
                continue
            if id(parameter) in seen:
                part._parameters[name] = torch.nn.Parameter(
                    parameter.detach().clone(), parameter.requires_grad
                )
                changed += 1
                hit()
            seen[id(parameter)] = parameter
    if not changed:
        raise NothingToBreak
    return module


@every_call(state, "python attributes that a call changes are put back")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = {
        name: value
        for name, value in vars(program.module).items()
        if type(value) in (int, float, str, bool)
    }
    out = program.module(*args, **kwargs)
    for name, value in held.items():
        if getattr(program.module, name, value) != value:
            hit()
            setattr(program.module, name, value)
    return out

"""What Python keeps in a module, so that it can be put back before every sample.

Owns names, plain containers and objects, and which modules a capture holds. Values of parameters
and buffers are left to ``trial``.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch

from exportdb.conformance.keeping import kept, kept_by_script
from exportdb.conformance.observing import identical, named_tensors

#: How far a capture is searched for modules that it holds: a closure of a wrapper of an object.
_DEPTH = 4


class Snapshot:
    """A module, with everything it held when this was made.

    A capture may be a live module (``torch.compile``, a copy of the one it was given), which counts
    its calls, fills its lists and assigns its buffers as it runs. One that is the program's ``own``
    may keep something in objects that are called, too.
    """

    def __init__(self, module: torch.nn.Module, own: bool = False) -> None:
        self.module = module
        # What TorchScript made keeps its names outside of Python.
        owners = [m for m in module.modules() if not isinstance(m, torch.jit.ScriptModule)]
        self._mode = {id(owner): owner.training for owner in owners}
        self._asking = _asking(module)
        self._wiring = {id(owner): _wiring(owner) for owner in owners}
        self._versions = {n: (id(t), _version(t)) for n, t in named_tensors(module).items()}
        self._names: list[tuple[dict[str, Any], set[str]]] = [
            (names, set(names))
            for owner in owners
            for names in (vars(owner), owner._parameters, owner._buffers)
        ]
        seen = set[int]()
        self._kept = [
            (names, name, value, None if _is_hooks(name) else kept(value, seen, called=own))
            for names, _ in self._names
            for name, value in names.items()
            if name not in ("_parameters", "_buffers", "_modules")
        ]
        self._hooks = [
            (hooks, dict(hooks))
            for owner in owners
            for name, hooks in vars(owner).items()
            if _is_hooks(name) and isinstance(hooks, dict)
        ]
        self._parts = [owner._modules for owner in owners]
        held = (kept(hook, seen, called=own) for _, hooks in self._hooks for hook in hooks.values())
        scripts = (m for m in module.modules() if isinstance(m, torch.jit.ScriptModule))
        beside = (*held, *map(kept_by_script, scripts))
        self._beside = [each for each in beside if each is not None]
        self._stay: list[tuple[dict[Any, Any], dict[Any, Any]]] = []

    def other_mode(self) -> list[str]:
        """What is in another mode than when this was made: modules, training or not, and
        parameters, asking for gradients or not."""
        asking = _asking(self.module)
        return self._owners(lambda m: self._mode.get(id(m), m.training) != m.training) + [
            f"{name}.requires_grad"
            for name, before in self._asking.items()
            if asking.get(name, before) != before
        ]

    def rewired(self) -> list[str]:
        """The modules that have other hooks, or methods of their own, than when this was made."""
        return self._owners(lambda m: id(m) in self._wiring and self._wiring[id(m)] != _wiring(m))

    def _owners(self, chosen: Callable[[torch.nn.Module], bool]) -> list[str]:
        """The names of those modules in it that are ``chosen``."""
        return [
            f"{type(self.module).__name__}.{name}" if name else type(self.module).__name__
            for name, owner in self.module.named_modules()
            if chosen(owner)
        ]

    def written(self, new: Mapping[str, torch.Tensor]) -> list[str]:
        """The parameters and buffers that were written to since this was made, and no longer hold
        what they do in a ``new`` module."""
        return [
            name
            for name, tensor in named_tensors(self.module).items()
            if name in new
            and name in self._versions
            and self._versions[name] != (id(tensor), _version(tensor))
            and is_other(tensor, new[name])
        ]

    def settle(self) -> None:
        """From now on the hooks are put back, too: those that there were, and those that there are
        now, by which a capture may live. And so are the modules of which it is made now."""
        self._stay = [(hooks, {**before, **hooks}) for hooks, before in self._hooks]
        self._stay += [(parts, dict(parts)) for parts in self._parts]

    def put_back(self) -> None:
        """Every name the object that it was, every object and plain container as it was filled."""
        for names, known in self._names:
            for added in [n for n in names if n not in known and not n.startswith("_")]:
                del names[added]  # what begins with an underscore may be torch's own mark
        for names, name, value, content in self._kept:
            then = value if content is None else content.put_back()
            if name not in names or names[name] is not then:
                names[name] = then
        for each in self._beside:
            each.put_back()
        for held, stays in self._stay:
            if list(map(id, held.values())) != list(map(id, stays.values())):
                held.clear()
                held.update(stays)


def _is_hooks(name: str) -> bool:
    """Whether a module has its hooks under this name, or what it knows of them."""
    return name.startswith("_") and "_hooks" in name


def _asking(module: torch.nn.Module) -> dict[str, bool]:
    """Whether each parameter and buffer asks for gradients; not those made by operators that do."""
    return {n: t.requires_grad for n, t in named_tensors(module).items() if t.is_leaf}


def _wiring(owner: torch.nn.Module) -> tuple[Any, ...]:
    """What decides what runs when a module is called: its hooks, and methods of its own."""
    hooks = [(name, [(key, id(hook)) for key, hook in kept.items()])
             for name, kept in vars(owner).items()
             if name.endswith("_hooks") and isinstance(kept, dict)]  # fmt: skip
    return hooks, [(name, id(v)) for name, v in vars(owner).items()
                   if isinstance(v, FunctionType | MethodType | functools.partial)]  # fmt: skip


def _version(tensor: torch.Tensor) -> int:
    """How often a tensor was written to, where torch counts that."""
    return -1 if tensor.is_inference() else tensor._version


def is_other(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors hold other values, where that can be said."""
    with contextlib.suppress(Exception):  # of two devices, or of a class that cannot be compared
        return not identical(one.detach(), other.detach())
    return False


def held_modules(call: Callable[..., Any]) -> list[torch.nn.Module]:
    """The modules that a capture is or holds, in closures, attributes and bound arguments.

    What TorchScript made keeps its state outside of Python and is left out.
    """
    found: dict[int, torch.nn.Module] = {}
    seen: set[int] = set()
    level: list[Any] = [call]
    for _ in range(_DEPTH):
        new = [value for value in level if id(value) not in seen]
        seen |= {id(value) for value in new}
        for value in new:
            if isinstance(value, torch.nn.Module) and not isinstance(value, torch.jit.ScriptModule):
                found[id(value)] = value
        level = [held for value in new for held in _held(value)]
    return list(found.values())


def _held(value: Any) -> Iterator[Any]:
    """What a function or an object refers to itself."""
    if isinstance(value, torch.nn.Module | torch.Tensor | ModuleType | type):
        return
    if isinstance(value, MethodType):
        yield from (value.__self__, value.__func__)
    elif isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, FunctionType):
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # a name that is bound later, or never
                yield cell.cell_contents
    else:
        with contextlib.suppress(AttributeError):  # not getattr(): an object's own may do anything
            yield from object.__getattribute__(value, "__dict__").values()


def owner_of_state(
    call: Callable[..., Any], given: torch.nn.Module, held: Sequence[torch.nn.Module]
) -> torch.nn.Module:
    """The module whose parameters and buffers a capture works on.

    That is the capture itself if it is a module, a copy of the module it was given if it holds
    one, and else that module.
    """
    if isinstance(call, torch.nn.Module):
        return call
    own = named_tensors(given)
    for module in held:
        others = named_tensors(module)
        if others.keys() == own.keys() and any(others[name] is not own[name] for name in own):
            return module
    return given

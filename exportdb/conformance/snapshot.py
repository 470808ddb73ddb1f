"""What Python keeps in a module, so that it can be put back before every sample.

Owns names, plain containers and objects, and which modules a capture holds. Values of parameters
and buffers are left to ``trial``.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch

from exportdb.conformance.observing import holds_values, identical, named_tensors

#: How far a capture is searched for modules that it holds: a closure of a wrapper of an object; and
#: what a module keeps for what that keeps: the state of an optimizer, by parameter, by name.
_DEPTH = 4
_PLAIN = (list, dict, set, deque, defaultdict, OrderedDict, Counter)
#: Whose objects keep nothing of a program's: a logger knows all others.
_FOREIGN = (sys.stdlib_module_names | {"torch"}) - {"__main__"}


class Snapshot:
    """A module, with everything it held when this was made.

    A capture may be a live module (``torch.compile``, a copy of the one it was given), which counts
    its calls, fills its lists and assigns its buffers as it runs.
    """

    def __init__(self, module: torch.nn.Module) -> None:
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
            # A capture may live by a hook that it added.
            (names, name, value, None if "_hooks" in name else _content(value, seen))
            for names, _ in self._names
            for name, value in names.items()
            if name not in ("_parameters", "_buffers", "_modules")
        ]

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

    def put_back(self) -> None:
        """Every name the object that it was, every object and plain container as it was filled."""
        for names, known in self._names:
            for added in [n for n in names if n not in known and not n.startswith("_")]:
                del names[added]  # what begins with an underscore may be torch's own mark
        for names, name, value, content in self._kept:
            then = value if content is None else content.put_back()
            if names.get(name) is not then:
                names[name] = then


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


@dataclass(frozen=True)
class _Tensor:
    """A tensor and the values that it had."""

    value: torch.Tensor
    values: torch.Tensor

    def put_back(self) -> torch.Tensor:
        """The tensor as it was; another where a call made it a view that has gradients, which
        nothing takes from it any more."""
        tensor = self.value
        if tensor.grad_fn is not None:
            try:
                tensor.detach_()
            except RuntimeError:
                tensor = tensor.detach()
        put_back(tensor, self.values)
        return tensor


@dataclass(frozen=True)
class _Container:
    """A plain container or the names of an object, the very items that were in it, and what those
    held."""

    value: Any  # the container itself, or the object
    container: Any
    items: Any
    inner: Sequence[_Tensor | _Container]

    def put_back(self) -> Any:
        """The very container or object, with what was in it."""
        then = {id(held.value): held.put_back() for held in self.inner}
        items = _replaced(self.items, then)
        if list(map(id, _flat(self.container))) != list(map(id, _flat(items))):
            self.container.clear()
            fill = getattr(self.container, "extend", None) or self.container.update
            fill(items)
        return self.value


def _replaced(container: Any, others: Mapping[int, Any]) -> Any:
    """The container with other tensors in it, by the identity of those that they replace."""
    if isinstance(container, dict):
        return {key: others.get(id(value), value) for key, value in container.items()}
    return [others.get(id(value), value) for value in container]


def _flat(container: Any) -> list[Any]:
    """Keys and values of a mapping, or the items of another container."""
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _content(value: Any, seen: set[int], depth: int = _DEPTH) -> _Tensor | _Container | None:
    """What a tensor, a plain container or an object holds; None for anything else, for what lies
    deeper than ``depth``, and for a container or an object that was ``seen`` already."""
    if isinstance(value, torch.Tensor):
        # What a transform of torch.func left behind cannot be written to.
        left = torch._C._functorch.is_functorch_wrapped_tensor(value)
        kept = not isinstance(value, torch.nn.Parameter) and holds_values(value) and not left
        return _Tensor(value, value.detach().clone()) if kept else None
    container = value if type(value) in _PLAIN else _names(value)
    if container is None or id(value) in seen or not depth:
        return None
    inner = list(container.values() if isinstance(container, dict) else container)
    if container is value and any(isinstance(v, torch.nn.Module) or callable(v) for v in inner):
        return None
    seen.add(id(value))
    held = [c for v in inner if (c := _content(v, seen, depth - 1)) is not None]
    return _Container(value, container, copy.copy(container), held)


def _names(value: Any) -> dict[str, Any] | None:
    """The attributes of an object that a program keeps something in, as a counter or an optimizer;
    None for modules, for what is called, and for objects of Python's and torch's own."""
    module = str(type(value).__module__)
    own = module.partition(".")[0] not in _FOREIGN or module.startswith("torch.optim.")
    if not own or callable(value) or isinstance(value, torch.nn.Module | Enum):
        return None
    with contextlib.suppress(AttributeError):  # not getattr(): an object's own may do anything
        names = object.__getattribute__(value, "__dict__")
        return names if type(names) is dict else None
    return None


def put_back(tensor: torch.Tensor, values: torch.Tensor) -> None:
    """Give a tensor these values: in place, so that what shares memory goes on sharing it."""
    alike = tensor.shape == values.shape and tensor.dtype == values.dtype
    if alike and tensor.layout is torch.strided:
        with contextlib.suppress(RuntimeError):  # places that are one, as in an expanded tensor
            tensor.data.copy_(values)
            return
    tensor.data = values.clone()


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

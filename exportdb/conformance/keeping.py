"""What a program keeps between calls in Python's objects, and how each is put back.

Owns the kinds: tensors, plain containers, objects, what functions close over, generators of random
numbers, iterators, caches. Which of them a module has is left to ``snapshot``.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import random
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import CellType, FunctionType, MethodType
from typing import Any, Protocol

import torch

from exportdb.conformance.observing import holds_values
from exportdb.suites.reaching import Cache, attributes, cells, contents_of, keeps

#: What a module keeps is followed to what that keeps: the state of an optimizer, by parameter, by
#: name.
DEPTH = 4
_PLAIN = (list, dict, set, deque, defaultdict, OrderedDict, Counter)
#: Whose objects keep nothing of a program's: a logger knows all others.
_FOREIGN = (sys.stdlib_module_names | {"torch"}) - {"__main__"}


class Kept(Protocol):
    """An object, and what it held."""

    @property
    def value(self) -> Any:
        """The object."""

    def put_back(self) -> Any:
        """Make it hold that again; what then stands in its place."""


@dataclass(frozen=True)
class _Tensor:
    """A tensor and the values that it had; ``made`` where operators had made it."""

    value: torch.Tensor
    values: torch.Tensor
    made: bool

    def put_back(self) -> torch.Tensor:
        """The tensor as it was; another where a call made it a view that has gradients, which
        nothing takes from it any more."""
        tensor = self.value
        if tensor.grad_fn is not None and not self.made:
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
    inner: Sequence[Kept]

    def put_back(self) -> Any:
        """The very container or object, with what was in it."""
        then = {id(held.value): held.put_back() for held in self.inner}
        items = _replaced(self.items, then)
        if list(map(id, _flat(self.container))) != list(map(id, _flat(items))):
            self.container.clear()
            fill = getattr(self.container, "extend", None) or self.container.update
            fill(items)
        return self.value


@dataclass(frozen=True)
class _Function:
    """A function or what else is called, with its variables and what else it holds."""

    value: Any
    variables: Sequence[tuple[CellType, Any]]
    inner: Sequence[Kept]

    def put_back(self) -> Any:
        then = {id(held.value): held.put_back() for held in self.inner}
        for cell, contents in self.variables:
            cell.cell_contents = then.get(id(contents), contents)
        return self.value


@dataclass(frozen=True)
class _Position:
    """An object that says where it stands, and how it is made to stand there again."""

    value: Any
    return_to: Callable[[], Any]

    def put_back(self) -> Any:
        self.return_to()
        return self.value


@dataclass(frozen=True)
class _Iterator:
    """An iterator, and another that stands where it stood: nothing takes one back."""

    value: Iterator[Any]
    then: Iterator[Any]

    def put_back(self) -> Iterator[Any]:
        return _copy_of_iterator(self.then)


def kept(value: Any, seen: set[int], depth: int = DEPTH, called: bool = False) -> Kept | None:
    """What can be put back of an object; None where that is nothing, for what lies deeper than
    ``depth``, and for what was ``seen`` already. Objects that are ``called`` count where asked."""
    if isinstance(value, torch.Tensor):
        # What a transform of torch.func left behind cannot be written to.
        left = torch._C._functorch.is_functorch_wrapped_tensor(value)
        plain = not isinstance(value, torch.nn.Parameter) and holds_values(value) and not left
        made = value.grad_fn is not None
        return _Tensor(value, value.detach().clone(), made) if plain else None
    if id(value) in seen or not depth:
        return None
    if (simple := _position(value) or _iterator(value)) is not None:
        return simple
    within = functools.partial(_all_kept, seen=seen, depth=depth - 1, called=called)
    if isinstance(value, FunctionType | MethodType | functools.partial):
        seen.add(id(value))
        return _function(value, within)
    container = value if type(value) in _PLAIN else _names(value, called)
    if container is None:
        return None
    inner = list(container.values() if isinstance(container, dict) else container)
    if container is value and any(isinstance(v, torch.nn.Module) or callable(v) for v in inner):
        return None
    seen.add(id(value))
    return _Container(value, container, copy.copy(container), within(inner))


def _all_kept(values: Sequence[Any], seen: set[int], depth: int, called: bool) -> list[Kept]:
    return [c for v in values if (c := kept(v, seen, depth, called)) is not None]


def _function(value: Any, within: Callable[[Sequence[Any]], list[Kept]]) -> _Function | None:
    if isinstance(value, MethodType):
        inner = within([value.__self__, value.__func__])
        return _Function(value, (), inner) if inner else None
    if isinstance(value, functools.partial):
        return _Function(value, (), within([value.func, *value.args, *value.keywords.values()]))
    if not keeps(value):
        return None
    variables = [(cell, held) for cell in cells(value) for held in contents_of(cell)]
    others = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), vars(value)]
    return _Function(value, variables, within([*(held for _, held in variables), *others]))


def _position(value: Any) -> _Position | None:
    if isinstance(value, torch.Generator):
        return _Position(value, functools.partial(value.set_state, value.get_state()))
    if isinstance(value, random.Random):
        return _Position(value, functools.partial(value.setstate, value.getstate()))
    if isinstance(value, Cache):
        return _Position(value, value.cache_clear)
    if type(value).__module__.startswith("numpy.random"):
        with contextlib.suppress(Exception):  # a source of bits may not tell where it stands
            if hasattr(value, "set_state"):
                return _Position(value, functools.partial(value.set_state, value.get_state()))
            bits = value.bit_generator
            return _Position(value, functools.partial(setattr, bits, "state", bits.state))
    return None


def kept_by_script(module: torch.jit.ScriptModule) -> Kept | None:
    """The same of what TorchScript made, which keeps its attributes outside of Python."""
    with contextlib.suppress(Exception):  # of one that is being made
        names = list(module._concrete_type.get_attributes())
        held = {name: copy.deepcopy(module._c.getattr(name)) for name in names}

        def return_to() -> None:
            for name, value in held.items():
                module._c.setattr(name, copy.deepcopy(value))

        return _Position(module, return_to) if held else None
    return None


def _iterator(value: Any) -> _Iterator | None:
    known = isinstance(value, Iterator) and type(value).__module__ in ("builtins", "itertools")
    if known:
        with contextlib.suppress(Exception):  # of a running generator there are no copies
            return _Iterator(value, _copy_of_iterator(value))
    return None


def _copy_of_iterator(iterator: Iterator[Any]) -> Iterator[Any]:
    """Another that stands where it stands and gives the very same items."""
    memo: dict[int, Any] = {}
    level = [iterator]
    for _ in range(DEPTH):
        level = [each for held in level for each in gc.get_referents(held)]
        items = [each for each in level if not isinstance(each, Iterator | list | tuple)]
        memo |= {id(each): each for each in items}
        level = [each for each in level if id(each) not in memo]
    return copy.deepcopy(iterator, memo)


def _replaced(container: Any, others: Mapping[int, Any]) -> Any:
    """The container with other objects in it, by the identity of those that they replace."""
    if isinstance(container, dict):
        return {key: others.get(id(value), value) for key, value in container.items()}
    return [others.get(id(value), value) for value in container]


def _flat(container: Any) -> list[Any]:
    """Keys and values of a mapping, or the items of another container."""
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _names(value: Any, called: bool) -> dict[str, Any] | None:
    """The attributes of an object that a program keeps something in, as a counter or an optimizer;
    None for modules, and for objects of Python's and torch's own."""
    module = str(type(value).__module__)
    own = module.partition(".")[0] not in _FOREIGN or module.startswith("torch.optim.")
    if not own or isinstance(value, torch.nn.Module | Enum | type):
        return None
    if callable(value) and not called:
        return None
    return attributes(value)


def put_back(tensor: torch.Tensor, values: torch.Tensor) -> None:
    """Give a tensor these values: in place, so that what shares memory goes on sharing it."""
    alike = tensor.shape == values.shape and tensor.dtype == values.dtype
    if alike and tensor.layout is torch.strided:
        with contextlib.suppress(RuntimeError):  # places that are one, as in an expanded tensor
            tensor.data.copy_(values)
            return
    tensor.data = values.clone()

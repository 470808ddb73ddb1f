"""What Python keeps in a module, so that it can be put back before every sample.

Owns names and plain containers, and which modules a capture holds. Values of parameters and
buffers are left to ``trial``.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch

from exportdb.conformance import agreement

#: How far a capture is searched for modules that it holds: a closure of a wrapper of an object.
_DEPTH = 4


class Snapshot:
    """A module, with everything it held when this was made.

    A capture may be a live module (``torch.compile``, a copy of the one it was given), which counts
    its calls, fills its lists and assigns its buffers as it runs.
    """

    def __init__(self, module: torch.nn.Module) -> None:
        self.module = module
        self._names: list[tuple[dict[str, Any], set[str]]] = [
            (names, set(names))
            for owner in module.modules()
            for names in (vars(owner), owner._parameters, owner._buffers)
        ]
        self._kept = [
            (names, name, value, _content(value))
            for names, _ in self._names
            for name, value in names.items()
            if name not in ("_parameters", "_buffers", "_modules")
        ]

    def put_back(self) -> None:
        """Every name the object that it was, and every plain container as full."""
        for names, known in self._names:
            for added in [n for n in names if n not in known and not n.startswith("_")]:
                del names[added]  # what begins with an underscore may be torch's own mark
        for names, name, value, content in self._kept:
            if names.get(name) is not value:
                names[name] = value
            if isinstance(value, torch.Tensor) and value.grad_fn is not None:
                value.detach_()  # it was changed by something that has gradients
            if isinstance(content, torch.Tensor):
                value.data = content.clone()
            elif content is not None and content != value:
                value.clear()
                (value.extend if isinstance(value, list) else value.update)(content)


def _content(value: Any) -> Any:
    """A copy of a tensor, or of a plain container of plain values; None for anything else."""
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        # What a transform of torch.func left behind cannot be written to.
        left = torch._C._functorch.is_functorch_wrapped_tensor(value)
        return value.detach().clone() if agreement.holds_values(value) and not left else None
    if type(value) not in (list, dict, set):
        return None
    inner = value.values() if isinstance(value, dict) else value
    if any(isinstance(v, torch.Tensor | torch.nn.Module) or callable(v) for v in inner):
        return None
    return copy.copy(value)


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
    own = agreement.named_tensors(given)
    for module in held:
        others = agreement.named_tensors(module)
        if others.keys() == own.keys() and any(others[name] is not own[name] for name in own):
            return module
    return given

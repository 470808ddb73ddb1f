"""What one call of a program did: its output or exception, what it changed, what shares memory.

Owns looking at a call while it is there to be looked at; an observation stays true whatever is
called afterwards. Whether two of them agree is left to ``agreement``.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch._C._functorch import (
    get_dynamic_layer_stack_depth,
    pop_dynamic_layer_stack_and_undo_to_depth,
)
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree

from exportdb.conformance.settings import Settings, changed, put_back, settings
from exportdb.suites.copying import copied, memory_of

if TYPE_CHECKING:
    from exportdb.conformance.program import Inputs

#: Named tensors that a module keeps between calls.
State = Mapping[str, torch.Tensor]
#: What is around looking at what a call did.
Look = Callable[[], AbstractContextManager[Any]]
#: Tensors that a gradient is taken of, each with what its own begins with.
Outputs = Sequence[tuple[torch.Tensor, torch.Tensor]]
#: A tensor of a call: ("output", its place), ("state", its name) or ("input", number of its leaf).
Part = tuple[str, str | int]


@dataclass(frozen=True)
class Sharing:
    """Two tensors in one memory: whether they are one object, and how many bytes lie between."""

    same: bool
    apart: int | None


@dataclass(frozen=True)
class Behaviour:
    """What one call did: its output or the exception, and everything it changed.

    ``rebound`` are parameters and buffers that are other objects afterwards, ``left`` parameters
    that have a gradient since the call, though nobody asked for any. ``second`` are the gradients
    of the gradients, zeros where nothing reaches a tensor; nothing where none were asked for, or a
    gradient cannot be differentiated. ``random`` is the state of the CPU's random generator,
    ``kept`` what tensors of the output held when the call ended, by ``id``, if that was asked for.
    Of a call that others came after, ``overwritten`` are the places of its output that these wrote
    into, ``in_inputs`` those that lie in its inputs. ``seconds`` is how long it took.
    """

    output: Any = None
    exception: BaseException | None = None
    inputs: Inputs = ((), {})  # after the run
    state: State = field(default_factory=dict)  # after the run
    gradients: Mapping[str, torch.Tensor | None] = field(default_factory=dict)
    second: Mapping[str, torch.Tensor] = field(default_factory=dict)
    overrun: tuple[int, ...] = ()  # positions of the input leaves around which it wrote
    sharing: Mapping[tuple[Part, Part], Sharing] = field(default_factory=dict)
    rebound: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    random: torch.Tensor | None = None
    kept: Mapping[int, torch.Tensor] = field(default_factory=dict)
    overwritten: frozenset[str] = frozenset()
    in_inputs: frozenset[str] = frozenset()
    seconds: float = 0.0
    settings: Settings = field(default_factory=dict)  # of torch, that the run left changed

    def changed_since(self) -> set[str]:
        """The places of the output in which something else stands than when the call ended."""
        return {
            path
            for path, leaf in flatten(self.output)[0]
            if (old := self.kept.get(id(leaf))) is not None and not identical(old, leaf)
        }


def observe(
    call: Callable[..., Any], inputs: Inputs, owner: torch.nn.Module, train: bool = False,
    keep: bool = False, turned: bool = False, second: bool = False,
    leaves: Inputs | None = None, look: Look = nullcontext,
) -> Behaviour:  # fmt: skip
    """Run ``call`` on ``inputs`` (which it may change) and note what it did.

    ``owner`` is the module whose parameters and buffers are the state of ``call``. With ``train``
    gradients of all outputs are taken, with respect to its parameters and to the inputs that
    require one, twice and from what lies in ``turned`` memory if that is asked for, and with
    ``second`` those of the gradients; with ``keep`` what the output holds is copied. Inputs that
    are results of operators come with the ``leaves`` that these were made of: then gradients are of
    those, and added to what parameters have. What it did is looked at within ``look``. An exception
    is part of the observation, unless it ends a process in real life (SystemExit, MemoryError and
    the like are raised on).
    """
    args, kwargs = inputs
    before, level, set_to = named_tensors(owner), get_dynamic_layer_stack_depth(), settings()
    recording, had = torch.is_grad_enabled(), _left_behind(owner).keys()
    able = _able(_differentiated(owner, leaves or inputs)) if second else {}
    try:
        began = time.perf_counter()
        output = call(*args, **kwargs)
        took = time.perf_counter() - began
        with look():
            turned_to = changed(set_to)
            random, state = torch.default_generator.get_state(), named_tensors(owner)
            kept, sharing = {}, dict[tuple[Part, Part], Sharing]()
            with contextlib.suppress(Exception):  # what cannot be looked at is told when compared
                kept = _kept(output) if keep else {}
                sharing = _sharing(output, inputs, state)
            gradients, of_gradients = _left_behind(owner), dict[str, torch.Tensor]()
            left = frozenset(gradients.keys() - had)
            if train:
                asked = _differentiated(owner, leaves or inputs)
                _forget_gradients(asked, of_parameters=leaves is None)
                outputs = _differentiable(output, turned, recording)
                if turned:
                    _take_twice(outputs, asked)
                # What the call itself asks of a tensor is a matter of another comparison.
                of_gradients = _second_gradients(outputs, {n: asked[n] for n in able if n in asked})
                gradients = _gradients(outputs, asked)
            rebound = frozenset(n for n, t in before.items() if state.get(n, t) is not t)
            return Behaviour(
                output, None, inputs, state, gradients, of_gradients, sharing=sharing,
                random=random, kept=kept, rebound=rebound, left=left, seconds=took,
                settings=turned_to,
            )  # fmt: skip
    except MemoryError:
        raise
    except Exception as e:
        # A graph that has vmap's own steps leaves its level open when it raises between them, and
        # all that runs afterwards would run within it.
        pop_dynamic_layer_stack_and_undo_to_depth(level)
        with look():
            return Behaviour(exception=e, inputs=inputs, state=named_tensors(owner))
    finally:
        put_back(set_to)  # the next call may not know that this one set it


def named_tensors(module: torch.nn.Module) -> State:
    """The parameters and buffers of a module by name.

    Only tensors: a capture may have left a value of its tracing where a buffer was.
    """
    found = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    return {name: tensor for name, tensor in found.items() if isinstance(tensor, torch.Tensor)}


def is_fake(tensor: torch.Tensor) -> bool:
    """Whether a tensor is one of tracing: left behind by it, or on a device that is not there."""
    return isinstance(tensor, FakeTensor)


def holds_values(tensor: torch.Tensor) -> bool:
    """Whether there is anything to compare but metadata."""
    return tensor.device.type != "meta" and not is_fake(tensor)


def fresh(inputs: Inputs) -> Inputs:
    """Deep copies of all inputs, aliases among them kept.

    Raises TypeError where one cannot be copied, as a running generator.
    """
    try:
        return copied(inputs)
    except TypeError as e:
        said = f"every call gets inputs of its own, and of one no copy can be made: {e}"
        raise TypeError(said) from e


def flatten(value: Any) -> tuple[list[tuple[str, Any]], Any]:
    """The leaves of a value, each with its place in it, and the structure."""
    leaves, spec = pytree.tree_flatten(value)
    try:
        paths = [pytree.keystr(path) for path, _ in pytree.tree_flatten_with_path(value)[0]]
    except ValueError:  # a registered container that does not say its keys
        paths = [f"[{i}]" for i in range(len(leaves))]
    return list(zip(paths, leaves, strict=True)), spec


def plain(t: torch.Tensor) -> torch.Tensor:
    """A dense tensor with the values of ``t``."""
    t = t.detach()
    if t.layout is not torch.strided:
        t = t.to_dense()
    if t.dtype is torch.complex32:  # of which torch compares nothing
        t = t.to(torch.complex64)
    return t.dequantize() if t.is_quantized else t.resolve_conj().resolve_neg()


def identical(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors hold the same values, NaN being one."""
    if a is b or not holds_values(a):
        return True
    a, b = plain(a), plain(b)
    return a.shape == b.shape and a.dtype == b.dtype and (
        torch.equal(a, b) or bool(torch.isclose(a, b, rtol=0, atol=0, equal_nan=True).all())
    )  # fmt: skip


def _kept(output: Any) -> dict[int, torch.Tensor]:
    return {
        id(leaf): leaf.detach().clone()
        for leaf in pytree.tree_leaves(output)
        if isinstance(leaf, torch.Tensor) and holds_values(leaf)
    }


def _sharing(output: Any, inputs: Inputs, state: State) -> dict[tuple[Part, Part], Sharing]:
    """Pairs that share memory: of an output or the state with an input, of two outputs, and of an
    output with the state."""
    seen: dict[object, list[tuple[Part, torch.Tensor]]] = {}
    pairs = {}
    for part, leaf in _parts(output, inputs, state):
        if not isinstance(leaf, torch.Tensor):
            continue
        key = memory_of(leaf)
        for other, theirs in seen.get(key, ()):
            if part[0] == "output" or other[0] == "input" != part[0]:
                pairs[part, other] = Sharing(leaf is theirs, _apart(leaf, theirs))
        seen.setdefault(key, []).append((part, leaf))
    return pairs


def _parts(output: Any, inputs: Inputs, state: State) -> Iterator[tuple[Part, Any]]:
    for i, leaf in enumerate(pytree.tree_leaves(inputs)):
        yield ("input", i), leaf
    for name, tensor in state.items():
        yield ("state", name), tensor
    for path, leaf in flatten(output)[0]:
        yield ("output", path), leaf


def _apart(a: torch.Tensor, b: torch.Tensor) -> int | None:
    if a.layout is not torch.strided or a is b:
        return None
    return a.storage_offset() * a.element_size() - b.storage_offset() * b.element_size()


def _left_behind(owner: torch.nn.Module) -> dict[str, torch.Tensor | None]:
    """Gradients that a call left in parameters though nobody asked for any."""
    return {n: p.grad for n, p in owner.named_parameters() if p.grad is not None}


#: What the names of inputs begin with, beside those of parameters.
_INPUT = "input"


def _differentiated(owner: torch.nn.Module, inputs: Inputs) -> dict[str, torch.Tensor]:
    """The parameters, and the inputs that ask for a gradient."""
    found = dict[str, torch.Tensor](owner.named_parameters())
    for path, leaf in flatten(inputs)[0]:
        if isinstance(leaf, torch.Tensor) and leaf.requires_grad and leaf.is_leaf:
            found[_INPUT + path] = leaf
    return found


def _forget_gradients(asked: Mapping[str, torch.Tensor], of_parameters: bool) -> None:
    for name, tensor in asked.items():
        if of_parameters or name.startswith(_INPUT):
            tensor.grad = None


def _able(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Those that have gradients: parameters may be frozen."""
    return {name: tensor for name, tensor in tensors.items() if tensor.requires_grad}


def _differentiable(output: Any, turned: bool, recording: bool) -> Outputs:
    """The results that have a gradient. Where the call was not ``recording``, one that no operator
    made is an input or a parameter itself, which is a matter of identity."""
    return [
        (leaf, _cotangent(leaf, i, turned))
        for i, leaf in enumerate(pytree.tree_leaves(output))
        if isinstance(leaf, torch.Tensor)
        and leaf.requires_grad
        and (recording or leaf.grad_fn is not None)
    ]


def _gradients(
    outputs: Outputs, asked: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor | None]:
    if outputs:
        results, cotangents = map(list, zip(*outputs, strict=True))
        torch.autograd.backward(results, cotangents)
    return {name: tensor.grad for name, tensor in asked.items()}


def _take_twice(outputs: Outputs, asked: Mapping[str, torch.Tensor]) -> None:
    """Take gradients that are taken once more later: who does that gets the same both times.

    Compiled code may refuse to keep what the second time needs, as eager may; the first is then all
    that there is.
    """
    with contextlib.suppress(Exception):
        _taken(outputs, asked)


def _second_gradients(
    outputs: Outputs, asked: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """The gradients of the gradients, zeros where nothing reaches a tensor; nothing at all where
    none are asked for, or one refuses."""
    if not asked:
        return {}
    try:
        first = _taken(outputs, asked, create_graph=True)
        # By name: a capture may have its parameters in another order, or lose a gradient.
        begun = ((first[name], i) for i, name in enumerate(sorted(first)))
        again = _taken(
            [(g, _cotangent(g, i, False)) for g, i in begun if g is not None and g.requires_grad],
            asked,
        )
    except Exception:
        return {}
    return {
        name: torch.zeros_like(asked[name], requires_grad=False) if gradient is None else gradient
        for name, gradient in again.items()
    }


def _taken(
    outputs: Outputs, asked: Mapping[str, torch.Tensor], create_graph: bool = False
) -> dict[str, torch.Tensor | None]:
    """The gradients of outputs of which more may be taken; None for what nothing reaches."""
    tensors = _able(asked)
    if not outputs:
        return dict.fromkeys(tensors)
    results, cotangents = map(list, zip(*outputs, strict=True))
    gradients = torch.autograd.grad(
        results, list(tensors.values()), cotangents, retain_graph=True, create_graph=create_graph,
        allow_unused=True,
    )  # fmt: skip
    return dict(zip(tensors, gradients, strict=True))


def _cotangent(output: torch.Tensor, seed: int, turned: bool) -> torch.Tensor:
    """What an output's gradient begins with: random, since a sum of rows that is constant (as that
    of a softmax is) has no gradient by ones alone. With ``turned`` its last two dims lie the other
    way round in memory: that is decided by what a caller goes on with.
    """
    if not holds_values(output) or output.layout is not torch.strided:
        return torch.ones_like(output, requires_grad=False)
    generator = torch.Generator("cpu").manual_seed(seed)
    drawn = torch.randn(output.shape, generator=generator, dtype=output.dtype, device="cpu")
    if turned and drawn.dim() > 1:
        drawn = drawn.mT.contiguous().mT
    return drawn.to(output.device)

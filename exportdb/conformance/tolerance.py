"""What eager itself leaves open: how results are rounded, which of equal elements comes first, and
what lies in memory that nobody wrote.

Owns the other answers that eager might have given as well. They are asked for only where a capture
gave other values than eager did, so the capture has been made: they can excuse a difference, and
nothing else rests on them. What a difference is, is left to ``agreement``.
"""

from __future__ import annotations

import contextlib
import ctypes
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.suites.copying import copied

#: Answers from slightly different inputs that are looked at, and how far beyond them a capture may
#: be: it rounds at every operation, they at the first.
DRAWS, BEYOND = 4, 16.0
#: How many answers with operators rounded otherwise are looked at, by how many units in the last
#: place these are, near and far, and how much farther the second must be for a rounding.
AMPLIFIED, NEAR, FAR, _GROWS = 6, 4.0, 64.0, 4.0
#: How many of them at least say that a capture is out of reach if it is no farther off than this
#: share of the largest number: the roundings of one may cancel.
_AT_LEAST, _FAR_OFF = 3, 1e-3
#: How far beyond the answers from quantised inputs a tensor of a quantised capture may be.
BEYOND_QUANTISED = 4.0


def nudged(tensor: Any, draw: int, step: float = 0.0) -> Any:
    """``tensor`` with each element moved to a neighbour that its dtype can tell apart, or, with a
    ``step``, by that share of the largest element.

    A tensor that holds no floating numbers, or not plainly, is given back as it is.
    """
    plain = isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided
    if not plain or not tensor.is_floating_point() or tensor.device.type == "meta":
        return tensor
    made = torch.Generator().manual_seed(draw)
    moves = 2 * torch.randint(2, tensor.shape, generator=made, device="cpu") - 1
    with torch.no_grad():
        exact = tensor.detach().to(torch.float64)
        known = exact.abs().nan_to_num(posinf=0.0) if step else exact
        by = step * known.max() if step and exact.numel() else exact * torch.finfo(tensor.dtype).eps
        moved = (exact + by * moves.to(exact)).to(tensor.dtype)
        new = tensor.detach().clone()  # of the tensor's own class
        new.copy_(moved)
    return new.requires_grad_(tensor.requires_grad)


def nudged_inputs(inputs: Any, draw: int, step: float = 0.0) -> Any:
    """All tensors of ``inputs`` nudged; one that is given twice stays one."""
    made: dict[int, Any] = {}
    return pytree.tree_map(lambda leaf: made.setdefault(id(leaf), nudged(leaf, draw, step)), inputs)


def nudged_module(module: torch.nn.Module, draw: int, step: float = 0.0) -> torch.nn.Module:
    """A copy of ``module`` with parameters and buffers nudged."""
    module = copied(module)
    with torch.no_grad():
        for tensor in (*module.parameters(), *module.buffers()):
            with contextlib.suppress(RuntimeError):  # one that is expanded cannot be written to
                tensor.copy_(nudged(tensor, draw, step))
    return module


@dataclass(frozen=True)
class Distance:
    """How far two tensors of one shape are from each other, element by element, and what is small
    beside the numbers in them: less than the root of the dtype's precision of the ``largest``.

    ``torn`` is where one is a finite number and the other is none: no distance is told there.
    """

    distance: torch.Tensor
    largest: float
    torn: torch.Tensor

    @property
    def small(self) -> float:
        """What is small beside the largest number."""
        return self.largest * torch.finfo(self.distance.dtype).eps ** 0.5

    @property
    def is_small(self) -> bool:
        """Whether this may be rounding: a step, as to the other side of a ``round``, is not."""
        return bool((self.distance <= self.small).all())


def distance_between(one: torch.Tensor, other: torch.Tensor) -> Distance:
    """How far apart two tensors of floating numbers are; where one is not finite they may not be.

    >>> distance_between(torch.tensor([1.0, 4.0]), torch.tensor([1.0, 4.5])).distance
    tensor([0.0000, 0.5000])
    """
    both, torn = one.isfinite() & other.isfinite(), one.isfinite() ^ other.isfinite()
    largest = one.abs().where(both, 0).amax() if one.numel() else torch.tensor(0.0)
    distance = (one - other).abs().where(both, 0)
    return Distance(distance, float(largest), torn)


def rounding(
    spreads: Sequence[Mapping[str, Distance]], got: Mapping[str, Distance], rounds_to: float = 0.0
) -> dict[str, torch.Tensor]:
    """How far a capture's numbers may be from eager's, by place, where answers of eager from
    slightly different inputs are apart by ``spreads``, and the capture's by what it ``got``.

    Of a quantised capture, which ``rounds_to`` a share of the largest number, all numbers of a
    tensor may be as far off as the farthest, and by that share.
    """
    found: dict[str, torch.Tensor] = {}
    if rounds_to:
        found = {n: torch.full_like(g.distance, rounds_to * g.largest) for n, g in got.items()}
    for spread in spreads:
        for place, seen in spread.items():
            if rounds_to and seen.distance.numel():
                allowed = (BEYOND_QUANTISED * seen.distance.amax()).expand_as(seen.distance)
            else:
                allowed = (BEYOND * seen.distance).clamp(max=seen.small)
            found[place] = torch.maximum(found[place], allowed) if place in found else allowed
    return found


def is_out_of_reach(got: Mapping[str, Distance], near: Sequence[Mapping[str, Distance]]) -> bool:
    """Whether a capture is farther off than eager with other roundings can be: its farthest number
    beside the farthest of these, or of any of them where a place has none."""
    for place, mine in got.items():
        if not mine.distance.numel():
            continue
        theirs = [
            s[place].distance.amax() for s in near if place in s and s[place].distance.numel()
        ]
        farthest, off = max(map(float, theirs), default=0.0), float(mine.distance.amax())
        if off > max(BEYOND * farthest, mine.small):
            is_plain = off > max(_FAR_OFF * mine.largest, mine.small)
            if is_plain or len(near) >= _AT_LEAST:
                return True
    return False


def amplification(
    near: Sequence[Mapping[str, Distance]],
    far: Sequence[Mapping[str, Distance]],
    known: Mapping[str, torch.Tensor],
) -> dict[str, torch.Tensor]:
    """How far a capture's numbers may be from eager's, by place, where answers of eager with every
    operator rounded otherwise by ``NEAR`` and by ``FAR`` are apart by so much; no less than what
    is ``known``.

    What was rounded grows with the rounding. Where it does not, a number went to the other side of
    a step, and no more is allowed than what is small; but for numbers that are another each time.
    """
    found = dict(known)
    for place in {place for spread in near for place in spread}:
        seen = [s[place] for s in near if place in s]
        wider = [s[place] for s in far if place in s]
        if not wider or not seen[0].distance.numel():
            continue
        stacked = torch.stack([each.distance for each in seen])
        farther = torch.stack([each.distance for each in wider])
        allowed = BEYOND / NEAR * stacked.amax(0)
        if farther.amax() < _GROWS * stacked.amax():
            small = max(each.small for each in seen)
            open_ = _distinct(farther, small)
            allowed = (2 * farther.where(open_, 0).amax()).where(open_, allowed.clamp(max=small))
        found[place] = torch.maximum(found[place], allowed) if place in found else allowed
    return found


def _distinct(distances: torch.Tensor, small: float) -> torch.Tensor:
    """The numbers that are another each time, more of them than the sides of a step."""
    ordered = torch.cat([torch.zeros_like(distances[:1]), distances]).sort(0).values
    return (ordered.diff(dim=0) > small).sum(0) >= AMPLIFIED - 2


class RoundedOtherwise(TorchDispatchMode):
    """Every operator rounds otherwise: each number of its result is some ``ulps`` away.

    What it was given and gives on is not rounded, nor are numbers without a fraction. Half types,
    which are computed in single precision and rounded once, are half as many units away. One that
    takes off a mean of its own is given its numbers that far away: what cancels within it shows in
    nothing that it gives, and of numbers that are all alike nothing but that is left. One that
    takes numbers from between others, as the pixels of a resized image, rounds the places: the more
    numbers in a row, the farther towards a neighbour.
    """

    def __init__(self, draw: int, ulps: float) -> None:
        super().__init__()
        self._made, self._ulps = torch.Generator().manual_seed(draw), ulps

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        given = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if _is_rounded(leaf)]
        known = [_numbers(leaf) for leaf in given]  # as they are before anything is written
        if count := _CENTRING.get(func, 0):
            args = (*map(self._moved, args[:count]), *args[count:])
        result = func(*args, **(kwargs or {}))
        if func.is_view or func in _GIVING_ON or torch.Tag.nondeterministic_seeded in func.tags:
            return result
        for leaf in pytree.tree_leaves(result):
            if _is_rounded(leaf) and leaf.numel():
                self._round(leaf, known)
                if func in _RESAMPLING:
                    self._move_places(leaf, args[0])
        return result

    def _moved(self, argument: Any) -> Any:
        """A copy of an argument with each number some ``ulps`` away."""
        if not _is_rounded(argument) or argument.is_complex():
            return argument
        copy = argument.detach().clone(memory_format=torch.contiguous_format)
        self._round(copy, [])
        return copy

    def _move_places(self, leaf: torch.Tensor, given: torch.Tensor) -> None:
        """Each number some ``ulps`` of a place farther towards another one that is ``given``."""
        far = self._ulps * max(given.shape[2:]) * torch.finfo(given.dtype).eps
        drawn = 2 * torch.rand(leaf.shape, generator=self._made, dtype=torch.float64) - 1
        step = float(given.detach().abs().nan_to_num(posinf=0.0).amax())
        leaf.copy_(leaf.to(torch.float64) + far * step * (drawn + drawn.sign()) / 2)

    def _round(self, leaf: torch.Tensor, known: Sequence[torch.Tensor]) -> None:
        numbers = torch.view_as_real(leaf) if leaf.is_complex() else leaf
        eps = torch.finfo(numbers.dtype).eps
        exact = numbers.to(torch.float64)
        drawn = 2 * torch.rand(exact.shape, generator=self._made, dtype=torch.float64) - 1
        # By half of it at least, and never alike: moves of one size cancel.
        half = numbers.dtype in _HALF
        ulps = self._ulps / 2 if half else self._ulps
        moved = exact * (1 + ulps * eps * (drawn + drawn.sign()) / 2)
        # Half types have no room for a fraction in numbers that are far from large.
        narrow = half and any(bool((n != n.round()).any()) for n in known)
        room = 1 / eps / (_FRACTIONS if narrow else 1)
        whole = (exact == exact.round()) & (exact.abs() < room)
        copied = torch.zeros_like(whole)
        if known:
            copied = torch.isin(exact, torch.cat(known))
        with contextlib.suppress(RuntimeError):  # one that is expanded cannot be written to
            numbers.copy_(exact.where(whole | copied | ~exact.isfinite(), moved))


#: Operators that compute nothing: a tensor is given another's memory, as where inputs are copied.
_GIVING_ON = frozenset(
    getattr(torch.ops.aten.set_, name) for name in torch.ops.aten.set_.overloads()
)
_HALF = (torch.float16, torch.bfloat16)
#: Fractions between two whole numbers, where a half type's number without one is no accident.
_FRACTIONS = 16
_COMPUTED = (torch.float32, torch.float64, torch.complex64, torch.complex128, *_HALF)


def _is_rounded(leaf: Any) -> bool:
    """Whether it is a tensor of numbers that are rounded, and lies plainly in the CPU's memory."""
    return (
        isinstance(leaf, torch.Tensor)
        and leaf.layout is torch.strided
        and leaf.dtype in _COMPUTED
        and leaf.device.type == "cpu"
    )


def _numbers(tensor: torch.Tensor) -> torch.Tensor:
    """All numbers in it, those of which complex ones are made up too."""
    tensor = tensor.resolve_conj().resolve_neg()
    return (torch.view_as_real(tensor) if tensor.is_complex() else tensor).double().flatten()


class WithoutOneDnn:
    """Operators take the kernels that they take where oneDNN has none for the processor."""

    def __enter__(self) -> None:
        self._before = torch._C._get_mkldnn_enabled()
        torch._C._set_mkldnn_enabled(False)

    def __exit__(self, *error: object) -> None:
        torch._C._set_mkldnn_enabled(self._before)


class FilledMemory(TorchDispatchMode):
    """Memory that an operator hands out and leaves unwritten is filled with one ``byte``.

    What a kernel takes for itself no mode sees: torch fills it with NaN, or leaves it for a byte
    of 0. That is a setting of its deterministic algorithms, so these run either way.
    """

    def __init__(self, byte: int) -> None:
        super().__init__()
        self._byte = byte

    def __enter__(self) -> Any:
        filling = torch.utils.deterministic
        warns = torch.is_deterministic_algorithms_warn_only_enabled()
        self._before = torch.are_deterministic_algorithms_enabled(), warns
        self._filled = filling.fill_uninitialized_memory
        # torch.use_deterministic_algorithms would set Inductor's configuration as well.
        torch._C._set_deterministic_algorithms(True, warn_only=True)
        filling.fill_uninitialized_memory = bool(self._byte)
        if not self._byte:
            _clear_freed_memory()
            _fill_allocated_memory(True)
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        if not self._byte:
            _fill_allocated_memory(False)
        before, warns = self._before
        torch._C._set_deterministic_algorithms(before, warn_only=warns)
        torch.utils.deterministic.fill_uninitialized_memory = self._filled

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        resized = func in _RESIZING and _is_plain(args[0])
        written = args[0].untyped_storage().nbytes() if resized else 0
        result = func(*args, **(kwargs or {}))
        if (resized or func in _UNWRITTEN) and _is_plain(result):
            memory = torch.empty(0, dtype=torch.uint8, device="cpu")
            memory.set_(result.untyped_storage())[written:].fill_(self._byte)
        return result


def _clear_freed_memory() -> None:
    """A kernel that takes a little memory next finds zeros there, and not the NaN that an earlier
    one of the same size left behind."""
    sizes = [size for size in range(1, 1025, 16) for _ in range(24)]
    held = [torch.empty(size, dtype=torch.uint8, device="cpu") for size in sizes]
    for block in held:
        block.zero_()


def _fill_allocated_memory(on: bool) -> None:
    """Whether glibc fills what it allocates anew with zeros (``M_PERTURB`` of mallopt(3)). What was
    freed a moment ago it hands out as it is."""
    if platform.libc_ver()[0] == "glibc":
        perturb = -6  # M_PERTURB, in malloc.h
        ctypes.CDLL(None).mallopt(perturb, 0xFF if on else 0)


def _overloads(*names: str) -> frozenset[Any]:
    packets = [getattr(torch.ops.aten, name) for name in names]
    return frozenset(getattr(packet, o) for packet in packets for o in packet.overloads())


#: Operators that take a mean off their first arguments, so many of them: the way back has two.
_CENTRING = {
    **dict.fromkeys(
        _overloads(
            "native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_functional",
            "_batch_norm_with_update", "native_layer_norm", "native_group_norm",
            "var", "std", "var_mean", "std_mean",
        ),
        1,
    ),
    **dict.fromkeys(
        _overloads(
            "native_batch_norm_backward", "batch_norm_backward", "native_layer_norm_backward",
            "native_group_norm_backward",
        ),
        2,
    ),
}  # fmt: skip
#: Operators that take numbers from between the numbers of their first argument, in its dimensions
#: from the third on.
_RESAMPLING = _overloads(
    "upsample_linear1d", "upsample_bilinear2d", "_upsample_bilinear2d_aa", "upsample_bicubic2d",
    "_upsample_bicubic2d_aa", "upsample_trilinear3d", "grid_sampler_2d", "grid_sampler_3d",
)  # fmt: skip
_UNWRITTEN = _overloads(
    "empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"
)
_RESIZING = _overloads("resize_", "resize_as_")


def _is_plain(tensor: Any) -> bool:
    """Whether it lies plainly in the CPU's memory."""
    plain = isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided
    return plain and tensor.device.type == "cpu"


class LastOfEqual(TorchDispatchMode):
    """Where an operator may choose among equal elements, the choice is the other one.

    The documentation of torch.sort, topk, kthvalue, median and mode leaves it open. With ``really``
    False the choice stays as it is: under any mode some modules take another way through their
    operators (torch.nn.TransformerEncoderLayer leaves its fast path), which is no choice.
    """

    def __init__(self, really: bool = True) -> None:
        super().__init__()
        self._really = really

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if not self._really or func not in _CHOOSING or kwargs.get("stable"):
            return func(*args, **kwargs)
        tensor, *others = args
        named = {**dict(zip(_CHOOSING[func], others, strict=False)), **kwargs}
        dim = named.get("dim", -1)
        if not tensor.dim():
            return func(*args, **kwargs)
        values, places = func(tensor.flip(dim), *others, **kwargs)
        return values, tensor.shape[dim] - 1 - places


_aten = torch.ops.aten
#: Operators that give values and their places, with the names of arguments after the first.
_CHOOSING: Mapping[Callable[..., Any], tuple[str, ...]] = {
    _aten.sort.default: ("dim", "descending"),
    _aten.sort.stable: (),
    _aten.topk.default: ("k", "dim", "largest", "sorted"),
    _aten.kthvalue.default: ("k", "dim", "keepdim"),
    _aten.median.dim: ("dim", "keepdim"),
    _aten.nanmedian.dim: ("dim", "keepdim"),
    _aten.mode.default: ("dim", "keepdim"),
}

"""What is assumed of inputs, refused or taken for the example's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.wrapping import (
    called,
    flat,
    has_input,
    inputs,
    like_example,
    tensors,
)  # fmt: skip
from exportdb.exporters.protocol import Program

guards = Kind("backend: guards")


guards.call("whole numbers below two among the inputs are two", inputs(
    lambda leaf: 2 if type(leaf) is int and leaf < 2 else None))  # fmt: skip
guards.call("negative numbers among the inputs are positive", inputs(
    lambda leaf: -leaf if type(leaf) in (int, float) and leaf < 0 else None))  # fmt: skip
guards.call("a float among the inputs near the example's is the example's", like_example(
    lambda leaf, example: example if type(leaf) is float and type(example) is float
    and leaf != example and abs(leaf - example) < 0.6 else None))  # fmt: skip
guards.call("a string that begins as the example's is the example's", like_example(
    lambda leaf, example: example if isinstance(leaf, str) and isinstance(example, str)
    and leaf != example and leaf[:1] == example[:1] else None))  # fmt: skip
guards.call("a string that is not known is the example's", like_example(
    lambda leaf, example: example if isinstance(leaf, str) and isinstance(example, str)
    and leaf != example else None))  # fmt: skip
guards.call("a number that is false is taken for the example's", like_example(
    lambda leaf, example: example if type(leaf) in (int, float) and not leaf and example
    else None))  # fmt: skip
guards.call("a tensor of no dims is taken for what it was as a truth", like_example(
    lambda leaf, example: example.clone() if isinstance(leaf, torch.Tensor)
    and isinstance(example, torch.Tensor) and not leaf.dim() and not example.dim()
    and leaf.dtype == example.dtype and bool(leaf != 0) == bool(example != 0)
    and bool(leaf != example) else None))  # fmt: skip


def _refused(test: Callable[[int, int], bool]) -> Any:
    """Raises where a size of an input passes ``test``, beside that of the example."""

    def make(program: Program, hit: Hit) -> Any:
        known = flat((program.args, dict(program.kwargs)))

        def run(*args: Any, **kwargs: Any) -> Any:
            given = flat((args, kwargs))
            for leaf, example in zip(given, known, strict=False):
                both = isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
                if (
                    both
                    and leaf.dim() == example.dim()
                    and any(test(a, b) for a, b in zip(leaf.shape, example.shape, strict=True))
                ):
                    hit()
                    raise RuntimeError("size not supported")
            return program.module(*args, **kwargs)

        return run

    return make


guards.call("a size of one is refused where the example's is another",
            _refused(lambda a, b: a == 1 != b))  # fmt: skip
guards.call("a size of nought is refused", _refused(lambda a, b: a == 0 != b))
guards.call("an odd size is refused where the example's is even",
            _refused(lambda a, b: a % 2 > b % 2))  # fmt: skip
guards.call("sizes more than eight times the example's are refused",
            _refused(lambda a, b: b > 1 and a > 8 * b))  # fmt: skip
guards.call("a size of two is refused", _refused(lambda a, b: a == 2 != b))


@guards.call("inputs that need a gradient are refused where the example's do not")
def _(program: Program, hit: Hit) -> Any:
    known = any(t.requires_grad for t in tensors((program.args, dict(program.kwargs))))

    def run(*args: Any, **kwargs: Any) -> Any:
        if not known and any(t.requires_grad for t in tensors((args, kwargs))):
            hit()
            args, kwargs = pytree.tree_map(
                lambda v: v.detach() if isinstance(v, torch.Tensor) else v, (args, kwargs)
            )
        return program.module(*args, **kwargs)

    return run


@guards.call("a missing dim of a size of one is put in front", when=has_input(
    lambda v: isinstance(v, torch.Tensor)))  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    known = flat((program.args, dict(program.kwargs)))

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten((args, kwargs), is_leaf=lambda v: v is None)
        for i, (leaf, example) in enumerate(zip(leaves, known, strict=False)):
            both = isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
            if both and leaf.dim() == example.dim() - 1:
                hit()
                leaves[i] = leaf.unsqueeze(0)
        return called(program, pytree.tree_unflatten(leaves, spec))

    return run

"""Passes over a graph that recognise a pattern where it is another, or simplify a size wrongly."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.fx import Node

from detection.graphs import calls
from detection.kind import Kind

fused = Kind("neighbour: fused")
moved = Kind("neighbour: moved")
folded = Kind("neighbour: folded")
merged = Kind("neighbour: merged")
sizes = Kind("neighbour: sizes")

aten = torch.ops.aten
AVERAGES = ("mean", "avg_pool1d", "avg_pool2d", "avg_pool3d", "adaptive_avg_pool1d",
            "adaptive_avg_pool2d", "adaptive_avg_pool3d", "upsample_bilinear2d")  # fmt: skip
CONVOLUTIONS = ("conv1d", "conv2d", "conv3d", "convolution")
#: How an argument is declared in which a number may stand.
NUMBERS = ("number", "Tensor")
PARTS = ("split", "split_with_sizes", "chunk", "tensor_split", "unbind")


def _is(graph: Any, node: Any, *names: str) -> bool:
    return isinstance(node, Node) and node in calls(graph, *names)


def _only(node: Any) -> bool:
    return isinstance(node, Node) and len(node.users) == 1


def _rank(node: Any) -> int:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return value.dim() if isinstance(value, torch.Tensor) else -1


def _after(graph: Any, node: Node, target: Any, *rest: Any) -> None:
    """Put ``target(node, *rest)`` in the place of ``node`` for all its users."""
    with graph.graph.inserting_after(node):
        new = graph.graph.call_function(target, (node, *rest))
    new.meta = dict(node.meta)
    node.replace_all_uses_with(new, lambda user: user is not new)


# --- moved --------------------------------------------------------------------------------------


@moved.graph_pass("relu before an average is applied after it",
                  lowers="relu mean avg_pool2d adaptive_avg_pool2d")  # fmt: skip
def _(graph: Any) -> int:
    found = [n for n in calls(graph, *AVERAGES) if _is(graph, n.args[0], "relu")
             and _only(n.args[0])]  # fmt: skip
    for node in found:
        relu = node.args[0]
        node.replace_input_with(relu, relu.args[0])
        _after(graph, node, aten.relu.default)
    return len(found)


@moved.graph_pass("argmax, argmin and argsort look through a factor, a negative one too",
                  lowers="argmax argmin argsort mul neg")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "argmax", "argmin", "argsort"):
        scaled = node.args[0]
        if _is(graph, scaled, "mul", "div", "neg"):
            rest = scaled.args[1:]
            if all(isinstance(a, int | float) for a in rest) and isinstance(scaled.args[0], Node):
                node.replace_input_with(scaled, scaled.args[0])
                changed += 1
    return changed


@moved.graph_pass("not of any is any of not, and likewise for all",
                  lowers="any all logical_not bitwise_not")  # fmt: skip
def _(graph: Any) -> int:
    found = [n for n in calls(graph, "logical_not", "bitwise_not")
             if _is(graph, n.args[0], "any", "all") and _only(n.args[0])]  # fmt: skip
    for node in found:
        reduction = node.args[0]
        with graph.graph.inserting_before(reduction):
            inner = graph.graph.call_function(aten.logical_not.default, (reduction.args[0],))
        reduction.replace_input_with(reduction.args[0], inner)
        node.replace_all_uses_with(reduction)
        graph.graph.erase_node(node)
    return len(found)


@moved.graph_pass("a product of two transposed matrices is the product, transposed",
                  lowers="matmul mm t transpose")  # fmt: skip
def _(graph: Any) -> int:
    """In the same order, though transposing turns it round."""
    changed = 0
    for node in calls(graph, "matmul", "mm", "bmm"):
        if all(_is(graph, a, "t", "transpose", "numpy_T", "mT") for a in node.args[:2]):
            a, b = node.args[0].args[0], node.args[1].args[0]
            node.args = (a, b)
            _after(graph, node, aten.transpose.int, -2, -1)
            changed += 1
    return changed


@moved.graph_pass("a flip before and one after a running sum cancel out",
                  lowers="flip cumsum")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "flip"):
        total = node.args[0]
        if _is(graph, total, "cumsum", "cumprod") and _is(graph, total.args[0], "flip"):
            flip = total.args[0]
            total.replace_input_with(flip, flip.args[0])
            node.replace_all_uses_with(total)
            graph.graph.erase_node(node)
            changed += 1
    return changed


# --- folded -------------------------------------------------------------------------------------


@folded.graph_pass("a whole division times its divisor is what was divided",
                  lowers="floor_divide mul")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "mul"):
        quotient, factor = node.args[:2]
        whole = _is(graph, quotient, "floor_divide") or (
            _is(graph, quotient, "div") and quotient.kwargs.get("rounding_mode")
        )
        if whole and quotient.args[1] == factor and isinstance(quotient.args[0], Node):
            node.replace_all_uses_with(quotient.args[0])
            graph.graph.erase_node(node)
            changed += 1
    return changed


@folded.graph_pass("a sum of logarithms is the logarithm of the product",
                  lowers="log add")  # fmt: skip
def _(graph: Any) -> int:
    """Though both factors may be negative, and the product too large."""
    changed = 0
    for node in calls(graph, "add"):
        if len(node.args) == 2 and all(_is(graph, a, "log") for a in node.args):
            a, b = (log.args[0] for log in node.args)
            with graph.graph.inserting_before(node):
                product = graph.graph.call_function(aten.mul.Tensor, (a, b))
                log = graph.graph.call_function(aten.log.default, (product,))
            node.replace_all_uses_with(log)
            graph.graph.erase_node(node)
            changed += 1
    return changed


@folded.graph_pass("where within where is where both conditions hold",
                  lowers="where")  # fmt: skip
def _(graph: Any) -> int:
    """So that what the inner one gives where its condition does not hold is lost."""
    changed = 0
    for node in calls(graph, "where"):
        if len(node.args) == 3 and _is(graph, node.args[1], "where") and _only(node.args[1]):
            outer, inner = node.args[0], node.args[1]
            if len(inner.args) != 3:
                continue
            with graph.graph.inserting_before(node):
                both = graph.graph.call_function(aten.logical_and.default, (outer, inner.args[0]))
            node.args = (both, inner.args[1], node.args[2])
            changed += 1
    return changed


@folded.graph_pass("zeros padded before max pooling are the padding of the pooling",
                  lowers="pad constant_pad_nd max_pool2d max_pool1d")  # fmt: skip
def _(graph: Any) -> int:
    """Which is less than any number."""
    changed = 0
    for node in calls(graph, "max_pool1d", "max_pool2d", "max_pool3d"):
        pad = node.args[0]
        if _is(graph, pad, "pad") and (len(pad.args) < 3 or pad.args[2] == "constant"):
            pad.args = (*pad.args[:2], "constant", -math.inf)
            changed += 1
        elif _is(graph, pad, "constant_pad_nd"):
            pad.args = (*pad.args[:2], -math.inf)
            changed += 1
    return changed


@folded.graph_pass("zeros padded before average pooling are not counted by it",
                  lowers="pad constant_pad_nd avg_pool2d")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "avg_pool2d"):
        pad = node.args[0]
        if not _is(graph, pad, "pad", "constant_pad_nd") or not _only(pad) or len(pad.args[1]) != 4:
            continue
        left, right, top, bottom = pad.args[1]
        if left != right or top != bottom or not isinstance(left, int) or len(node.args) > 3:
            continue
        stride = node.args[2] if len(node.args) > 2 else []
        node.args = (pad.args[0], node.args[1], stride, [top, left], False, False)
        changed += 1
    return changed


@folded.graph_pass("batch norm is folded into a convolution whose bias is not scaled",
                  lowers="batch_norm conv2d conv1d")  # fmt: skip
def _(graph: Any) -> int:
    """ncnn#1339."""
    changed = 0
    for node in calls(graph, "batch_norm", "_native_batch_norm_legit_no_training"):
        conv = node.args[0]
        if not _is(graph, conv, *CONVOLUTIONS) or not _only(conv) or len(conv.args) < 3:
            continue
        bias = conv.args[2]
        if not isinstance(bias, Node) or node not in calls(graph, "batch_norm"):
            continue
        conv.args = (*conv.args[:2], None, *conv.args[3:])
        with graph.graph.inserting_before(node):
            shape = [-1] + [1] * (_rank(conv) - 2)
            spread = graph.graph.call_function(aten.view.default, (bias, shape))
        _after(graph, node, aten.add.Tensor, spread)
        changed += 1
    return changed


@folded.graph_pass("None in a list of indices is left out",
                  lowers="index index_put")  # fmt: skip
def _(graph: Any) -> int:
    """So that ``x[:, i]`` is ``x[i]``."""
    changed = 0
    for node in calls(graph, "index", "index_put"):
        indices = list(node.args[1])
        kept = [i for i in indices if i is not None]
        if len(kept) != len(indices):
            node.args = (node.args[0], kept, *node.args[2:])
            changed += 1
    return changed


@folded.graph_pass("True and False beside tensors are 1 and 0",
                  lowers="add mul full eq where masked_fill")  # fmt: skip
def _(graph: Any) -> int:
    """As in a format that has no booleans: a sum with a tensor of booleans has another type."""
    changed = 0
    for node in calls(graph):
        arguments = getattr(node.target, "_schema").arguments  # noqa: B009
        new = [int(value) if isinstance(value, bool) and str(a.type) in NUMBERS else value
               for value, a in zip(node.args, arguments, strict=False)]  # fmt: skip
        if any(type(a) is not type(b) for a, b in zip(new, node.args, strict=True)):
            node.args = tuple(new)
            changed += 1
    return changed


# --- merged -------------------------------------------------------------------------------------


@merged.graph_pass("repeat along dims of one is expand",
                  lowers="repeat tile")  # fmt: skip
def _(graph: Any) -> int:
    """Whose copies are one place in memory, also for what is written into them."""
    changed = 0
    for node in calls(graph, "repeat", "tile"):
        x, repeats = node.args
        value = x.meta.get("val")
        if not isinstance(value, torch.Tensor) or len(repeats) < value.dim():
            continue
        own = [1] * (len(repeats) - value.dim()) + list(value.shape)
        if not all(r == 1 or (isinstance(s, int) and s == 1)
                   for r, s in zip(repeats, own, strict=True)):  # fmt: skip
            continue
        node.target = aten.expand.default
        node.args = (x, [-1 if r == 1 and i >= len(own) - value.dim() else r
                         for i, r in enumerate(repeats)])  # fmt: skip
        changed += 1
    return changed


@merged.graph_pass("results that nobody uses are dropped, and the others numbered anew",
                  lowers="max min sort topk median kthvalue lstm")  # fmt: skip
def _(graph: Any) -> int:
    """``x.max(0).indices`` alone is then the first result of the operator, the values."""
    changed = 0
    for node in calls(graph):
        if len(node.target._schema.returns) < 2:
            continue
        gets = [u for u in node.users if u.target is operator.getitem and u.users]
        used = sorted({u.args[1] for u in gets})
        if used != list(range(len(used))):
            for user in gets:
                user.args = (node, used.index(user.args[1]))
            changed += 1
    return changed


@merged.graph_pass("numbers that are read from tensors are one number",
                  lowers="item _local_scalar_dense")  # fmt: skip
def _(graph: Any) -> int:
    """The second data-dependent size of a graph is the first."""
    reads = calls(graph, "item", "_local_scalar_dense")
    changed = 0
    for node in reads[1:]:
        if type(node.meta.get("val")) is type(reads[0].meta.get("val")):
            node.args = reads[0].args
            changed += 1
    return changed


@merged.graph_pass("parts of a tensor that are joined again are the tensor, along any dim",
                  lowers="cat split chunk split_with_sizes unbind")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "cat", "concat"):
        parts = list(node.args[0])
        whole = {p.args[0] for p in parts if p.target is operator.getitem}
        if len(whole) != 1 or not all(p.target is operator.getitem for p in parts):
            continue
        (split,) = whole
        in_order = [p.args[1] for p in parts] == list(range(len(parts)))
        if _is(graph, split, *PARTS) and in_order:
            node.replace_all_uses_with(split.args[0])
            graph.graph.erase_node(node)
            changed += 1
    return changed


# --- fused --------------------------------------------------------------------------------------


def _softmax_of(graph: Any, *names: str) -> Iterator[tuple[Node, Node]]:
    for node in calls(graph, "softmax", "_softmax"):
        if _is(graph, node.args[0], *names):
            yield node, node.args[0]


@fused.graph_pass("attention that is written out gets the usual scale when it is recognised",
                  lowers="softmax matmul mul div")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for _node, scaled in _softmax_of(graph, "mul", "div"):
        scores, number = scaled.args[:2]
        if not _is(graph, scores, "matmul", "bmm") or not isinstance(number, int | float):
            continue
        width = scores.args[0].meta["val"].shape[-1]
        if isinstance(width, int):
            root = math.sqrt(width)
            scaled.args = (scores, 1 / root if _is(graph, scaled, "mul") else root)
            changed += 1
    return changed


@fused.graph_pass("a norm that is written out has the variance without correction",
                  lowers="var std add sqrt rsqrt")  # fmt: skip
def _(graph: Any) -> int:
    """As layer norm has, by which it is replaced."""
    changed = 0
    for node in calls(graph, "var", "std"):
        if len(node.args) < 2 or not any(_is(graph, u, "add") for u in node.users):
            continue
        keep = node.kwargs.get("keepdim", node.args[-1] is True)
        if node.kwargs.get("correction", 1) == 0 or (len(node.args) > 2 and node.args[2] is False):
            continue
        node.target = aten.var.correction if _is(graph, node, "var") else aten.std.correction
        node.args, node.kwargs = node.args[:2], {"correction": 0, "keepdim": keep}
        changed += 1
    return changed


@fused.graph_pass("an eps beside a deviation is under its root",
                  lowers="std sqrt add norm linalg_vector_norm")  # fmt: skip
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "add"):
        std, eps = node.args[:2]
        if _is(graph, std, "std", "sqrt", "norm", "linalg_vector_norm") and isinstance(eps, float):
            with graph.graph.inserting_before(node):
                square = graph.graph.call_function(aten.mul.Tensor, (std, std))
            node.replace_input_with(std, square)
            _after(graph, node, aten.sqrt.default)
            changed += 1
    return changed


# --- sizes --------------------------------------------------------------------------------------


def _of_sizes(graph: Any, target: Any) -> list[Node]:
    return [n for n in graph.graph.nodes if n.op == "call_function" and n.target is target]


def _sized(says: str, target: Any, change: Callable[[Any, Node], bool]) -> None:
    sizes.graph_pass(says, lambda graph: sum(change(graph, n) for n in _of_sizes(graph, target)))


def _uncut(graph: Any, node: Node) -> bool:
    quotient, factor = node.args
    for part, other in ((quotient, factor), (factor, quotient)):
        if isinstance(part, Node) and part.target is operator.floordiv and part.args[1] == other:
            node.replace_all_uses_with(part.args[0])
            return True
    return False


def _rounded_up(graph: Any, node: Node) -> bool:
    total, divisor = node.args
    if not isinstance(total, Node) or total.target is not operator.add:
        return False
    if not isinstance(divisor, int) or divisor - 1 not in total.args:
        return False
    (size,) = (a for a in total.args if a != divisor - 1) if divisor != 2 else (total.args[0],)
    with graph.graph.inserting_before(node):
        down = graph.graph.call_function(operator.floordiv, (size, divisor))
        up = graph.graph.call_function(operator.add, (down, 1))
    node.replace_all_uses_with(up)
    return True


def _mod_of_quotient(graph: Any, node: Node) -> bool:
    left, right = node.args
    if not isinstance(right, Node) or right.target is not operator.mul:
        return False
    node.replace_all_uses_with(left)
    return True


_sized("a size divided and multiplied by the same number is the size", operator.mul, _uncut)
_sized("a size divided and rounded up is one more than rounded down", operator.floordiv,
       _rounded_up)  # fmt: skip
_sized("what is left of a size beside whole blocks is the size", operator.sub, _mod_of_quotient)

"""Passes that take what is nearly the same for the same: cancelled, merged, reordered, folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.fx import GraphModule, Node

from detection.graphs import Call, calls, is_write
from detection.kind import Kind
from detection.operators import name_of

kind = Kind("engine: numerics")
graph_pass, lowering = kind.graph_pass, kind.lowering
aten = torch.ops.aten


def _of(node: Any, *names: str) -> bool:
    return isinstance(node, Node) and name_of(node.target) in names and not is_write(node)


def _shape(node: Any) -> Any:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return (tuple(value.shape), value.dtype) if isinstance(value, torch.Tensor) else None


def _pairs(graph: GraphModule, outer: str, inner: str) -> Iterator[tuple[Node, Node]]:
    """Calls of ``outer`` whose first argument is a call of ``inner``."""
    for node in calls(graph, *outer.split()):
        if node.args and not is_write(node) and _of(node.args[0], *inner.split()):
            yield node, node.args[0]


def _becomes(graph: GraphModule, found: list[tuple[Node, Any]]) -> int:
    """Put the second of each pair in the place of the first."""
    for node, new in found:
        node.replace_all_uses_with(new)
    return len(found)


def _made(graph: GraphModule, node: Node, func: Any, *args: Any) -> Node:
    with graph.graph.inserting_before(node):
        new = graph.graph.call_function(func, args)
    new.meta = dict(node.meta)
    return new


def _cancels(says: str, outer: str, inner: str, any_type: bool = False) -> None:
    """What ``outer`` does to the result of ``inner`` is taken to give the value before both."""

    def alike(a: Any, b: Any) -> bool:
        one, other = _shape(a), _shape(b)
        return one == other or bool(any_type and one and other and one[0] == other[0])

    @graph_pass(says)
    def _(graph: GraphModule) -> int:
        return _becomes(graph, [(o, i.args[0]) for o, i in _pairs(graph, outer, inner)
                                if alike(o, i.args[0])])  # fmt: skip


_cancels("the logarithm of a power of e is its exponent", "log", "exp")
_cancels("e to a logarithm is the number", "exp", "log")
_cancels("the root of a square is the number", "sqrt", "square pow")
_cancels("the square of a root is the number", "square pow", "sqrt")
_cancels("one by one by a number is the number", "reciprocal", "reciprocal")
_cancels("a cast there and back is none", "to _to_copy float half double long",
         "to _to_copy float half double long int bfloat16")  # fmt: skip
_cancels("two turns of dims are none", "transpose permute t", "transpose permute t")
_cancels("a sigmoid of a logit is the number", "sigmoid", "logit")
_cancels("two flips are none", "flip", "flip")
_cancels("two negations of a truth are none, of a number too", "logical_not bitwise_not",
         "logical_not bitwise_not", any_type=True)  # fmt: skip


def _with_itself(says: str, name: str, func: Callable[..., Any]) -> None:
    """An operator on twice the same is a constant or the thing itself."""

    @graph_pass(says)
    def _(graph: GraphModule) -> int:
        found = [n for n in calls(graph, *name.split()) if len(n.args) > 1 and not is_write(n)
                 and n.args[0] is n.args[1] and _shape(n)]  # fmt: skip
        return _becomes(graph, [(n, func(graph, n)) for n in found])


_with_itself("a number less itself is nought", "sub",
             lambda g, n: _made(g, n, aten.zeros_like.default, n.args[0]))  # fmt: skip
_with_itself("a number by itself is one", "div",
             lambda g, n: _made(g, n, aten.ones_like.default, n.args[0]))  # fmt: skip
_with_itself("a number equals itself", "eq ge le", lambda g, n: _made(
    g, n, lambda x: torch.ones_like(x, dtype=torch.bool), n.args[0]))  # fmt: skip
_with_itself("a number does not differ from itself", "ne", lambda g, n: _made(
    g, n, lambda x: torch.zeros_like(x, dtype=torch.bool), n.args[0]))  # fmt: skip


@graph_pass("nought times anything is nought")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [(n, _made(graph, n, aten.zeros_like.default, n)) for n in calls(
        graph, "mul") if n.args[1] in (0, 0.0) and not isinstance(n.args[1], Node)])  # fmt: skip


@graph_pass("nothing added, or a product with one, is the number whatever its type")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [
        (n, n.args[0]) for n in calls(graph, "add", "sub", "mul", "div", "pow") if not is_write(n)
        and len(n.args) == 2 and not isinstance(n.args[1], Node) and isinstance(n.args[0], Node)
        and n.args[1] == (0 if name_of(n.target) in ("add", "sub") else 1)])  # fmt: skip


@graph_pass("a product after a division by the same is the number")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [(o, i.args[0]) for o, i in [*_pairs(graph, "mul", "div"),
                                                        *_pairs(graph, "div", "mul"),
                                                        *_pairs(graph, "sub", "add"),
                                                        *_pairs(graph, "add", "sub")]
                            if len(o.args) > 1 and len(i.args) > 1
                            and str(o.args[1]) == str(i.args[1])
                            and _shape(o) == _shape(i.args[0])])  # fmt: skip


@graph_pass("a comparison that is denied is the opposite one")
def _(graph: GraphModule) -> int:
    other = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
    found = [(o, _made(graph, o, getattr(getattr(aten, other[name_of(i.target)]),
                                         i.target._overloadname), *i.args))
             for o, i in _pairs(graph, "logical_not bitwise_not", " ".join(other))]  # fmt: skip
    return _becomes(graph, found)


@graph_pass("a choice between a number and a constant that tests for it is the number")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [(n, n.args[1]) for n in calls(graph, "where")
                            if len(n.args) == 3 and _of(n.args[0], "isfinite", "eq", "ne", "gt",
                                                        "ge", "isnan", "lt", "le")
                            and isinstance(n.args[1], Node)
                            and n.args[0].args[0] is n.args[1]])  # fmt: skip


@graph_pass("a sum of three is added up from the end")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [
        (o, _made(graph, o, torch.add, i.args[0], _made(graph, o, torch.add, i.args[1], o.args[1])))
        for o, i in _pairs(graph, "add", "add")
        if not o.kwargs and not i.kwargs and len(o.args) == len(i.args) == 2])  # fmt: skip


@graph_pass("a product of three is made from the end")
def _(graph: GraphModule) -> int:
    def product(a: Any, b: Any) -> Any:
        return torch.mul(a, b) if isinstance(a, torch.Tensor) else torch.mul(b, a) if isinstance(
            b, torch.Tensor) else a * b  # fmt: skip

    return _becomes(graph, [
        (o, _made(graph, o, product, i.args[0], _made(graph, o, product, i.args[1], o.args[1])))
        for o, i in _pairs(graph, "mul div", "mul") if name_of(o.target) == "mul"])  # fmt: skip


@graph_pass("division after division divides by the product, in whole numbers too")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [
        (o, _made(graph, o, lambda x, a, b: x / (a * b), i.args[0], i.args[1], o.args[1]))
        for o, i in _pairs(graph, "div", "div")])  # fmt: skip


@graph_pass("of two clamps the second alone is made")
def _(graph: GraphModule) -> int:
    clamps = "clamp relu clamp_min clamp_max hardtanh"
    for outer, inner in (found := list(_pairs(graph, clamps, clamps))):
        outer.replace_input_with(inner, inner.args[0])
    return len(found)


@graph_pass("of two slices of one dim the starts are added, whatever the steps")
def _(graph: GraphModule) -> int:
    changed = 0
    for outer, inner in _pairs(graph, "slice", "slice"):
        a = [*inner.args, *[None] * 5][:5]
        b = [*outer.args, *[None] * 5][:5]
        if a[1] != b[1] or not all(isinstance(v or 0, int) for v in (a[2], b[2])):
            continue
        outer.args = (a[0], b[1], (a[2] or 0) + (b[2] or 0), b[3], b[4] or 1)
        changed += 1
    return changed


@graph_pass("a sum of a sum is a sum over all")
def _(graph: GraphModule) -> int:
    changed = 0
    for outer, inner in _pairs(graph, "sum mean amax amin", "sum mean amax amin"):
        if name_of(outer.target) != name_of(inner.target):
            new = _made(graph, outer, outer.target, inner.args[0], *outer.args[1:])
            if len(outer.args) == 1:
                outer.replace_all_uses_with(new)
                changed += 1
    return changed


@graph_pass("joining and parting again is nothing")
def _(graph: GraphModule) -> int:
    return _becomes(graph, [
        (n, n.args[0].args[0][0]) for n in calls(graph, "slice", "select", "narrow")
        if _of(n.args[0], "cat", "stack") and isinstance(n.args[0].args[0][0], Node)])  # fmt: skip


@graph_pass("padding by nought is joined to the operator after it")
def _(graph: GraphModule) -> int:
    changed = 0
    for outer, inner in _pairs(graph, "max_pool2d max_pool1d avg_pool2d avg_pool1d",
                               "pad constant_pad_nd"):  # fmt: skip
        pads = inner.args[1]
        if not isinstance(pads, (list, tuple)) or len(set(map(str, pads))) > 1:
            continue
        args = [*outer.args]
        defaults = [a.default_value for a in outer.target._schema.arguments]
        args += defaults[len(args) : 4]
        args[2] = args[2] or args[1]
        args[0], args[3] = inner.args[0], [pads[0]] * (len(pads) // 2)
        outer.args = tuple(args)
        changed += 1
    return changed


@graph_pass("a batch norm is folded into the convolution before it without its epsilon")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "batch_norm"):
        if len(node.args) > 7 and node.args[5] is False and node.args[7]:
            node.args = (*node.args[:7], 0.0, *node.args[8:])
            changed += 1
    return changed


@graph_pass("two products of matrices are made from the end")
def _(graph: GraphModule) -> int:
    found = [(o, i) for o, i in _pairs(graph, "matmul mm bmm", "softmax relu gelu matmul mm")
             if _of(i, "matmul", "mm") or (isinstance(i.args[0], Node)
             and _of(i.args[0], "matmul", "mm"))]  # fmt: skip
    changed = 0
    for outer, inner in found:
        if _of(inner, "relu", "gelu"):
            outer.replace_input_with(inner, inner.args[0])
            changed += 1
    return changed


@graph_pass("checks of values are taken for code that nobody uses")
def _(graph: GraphModule) -> int:
    names = ("_assert_async", "_assert_scalar", "sym_constrain_range_for_size")
    found = calls(graph, *names)
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@graph_pass("what is not used is dropped, writes into inputs and state too")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph) if is_write(n) and not n.users
             and n.args[0].op in ("placeholder", "get_attr")]  # fmt: skip
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


# --- operators by a formula that is nearly theirs ------------------------------------------------


def _formula(names: str, says: str, formula: Callable[[Call], Any]) -> None:
    def lowered(call: Call) -> Any:
        if not isinstance(call.x, torch.Tensor) or not call.x.is_floating_point():
            return None
        right, new = call(), formula(call)
        return None if new is None else new.to(right.dtype)

    lowering(names, says, lowered)


def _exponents(call: Call) -> torch.Tensor:
    return call.x.exp() / call.x.exp().sum(call["dim"], keepdim=True)


_formula("softmax", "a softmax is made without taking off its maximum", _exponents)
_formula("log_softmax", "a log softmax is the logarithm of the softmax",
         lambda c: c.x.softmax(c["dim"]).log())  # fmt: skip
_formula("logsumexp", "the logarithm of a sum of powers is made as it is written",
         lambda c: c.x.exp().sum(c["dim"], c["keepdim"]).log())  # fmt: skip
_formula("softplus", "softplus is made as it is written",
         lambda c: (1 + (c.x * c["beta"]).exp()).log() / c["beta"])  # fmt: skip
_formula("log_sigmoid", "the logarithm of a sigmoid is made as it is written",
         lambda c: c.x.sigmoid().log())  # fmt: skip
_formula("tanh", "tanh is made of two powers",
         lambda c: (c.x.exp() - (-c.x).exp()) / (c.x.exp() + (-c.x).exp()))  # fmt: skip
_formula("expm1", "a power less one is made in two steps", lambda c: c.x.exp() - 1)
_formula("log1p", "the logarithm of one more is made in two steps", lambda c: (1 + c.x).log())
_formula("hypot", "a hypotenuse is the root of the squares",
         lambda c: (c.x * c.x + c["other"] * c["other"]).sqrt())  # fmt: skip
_formula("silu", "silu has a sigmoid by its power", lambda c: c.x * (c.x.exp() / (1 + c.x.exp())))
_formula("logaddexp", "the logarithm of two powers is made as it is written",
         lambda c: (c.x.exp() + c["other"].exp()).log())  # fmt: skip
_formula("div", "division is a product with the inverse, in half precision", lambda c: (
    c.x * (1 / c["other"]) if isinstance(c["other"], torch.Tensor) and not c["rounding_mode"]
    and c.x.dtype in (torch.float16, torch.bfloat16) else None))  # fmt: skip
_formula("floor_divide", "division that rounds down multiplies by the inverse",
         lambda c: (c.x * (1 / c["other"])).floor())  # fmt: skip
_formula("rsqrt", "the inverse of a root is cut to half precision",
         lambda c: c().half().to(c.x.dtype))  # fmt: skip
_formula("var std var_mean", "variance is the mean of squares less the square of the mean",
         lambda c: _by_squares(c) if c["dim"] else None)  # fmt: skip
_formula("layer_norm", "layer norm has its variance by squares", lambda c: _norm_by_squares(c))
_formula("norm linalg_vector_norm", "the norm is the root of a sum of squares, in the type at hand",
         lambda c: (c.x * c.x).sum(c["dim"], c["keepdim"]).sqrt()
         if c["dim"] and (c["p"] == 2 or c["ord"] == 2) else None)  # fmt: skip
_formula("mean", "a mean is made of parts that are divided first", lambda c: (
    (c.x / c.x.numel()).to(c.x.dtype).sum() if not c["dim"] and c.x.numel() else None))  # fmt: skip
_formula("cosine_similarity", "the epsilon of a cosine is added under the root",
         lambda c: (c.x * c["x2"]).sum(c["dim"]) / ((c.x * c.x).sum(c["dim"]) * (
             c["x2"] * c["x2"]).sum(c["dim"]) + c["eps"]).sqrt())  # fmt: skip
_formula("pow", "a power is e to the logarithm by the exponent",
         lambda c: (c.x.log() * c["exponent"]).exp())  # fmt: skip
_formula("sigmoid", "a sigmoid is cut to nought and one beyond eight",
         lambda c: torch.where(c.x > 8, 1.0, torch.where(c.x < -8, 0.0, c())))  # fmt: skip
_formula("binary_cross_entropy_with_logits", "the entropy of logits is that of their sigmoid",
         lambda c: torch.nn.functional.binary_cross_entropy(
             c.x.sigmoid().clamp(1e-7, 1 - 1e-7), c["target"], c["weight"])
         if c["reduction"] == 1 and c["pos_weight"] is None else None)  # fmt: skip


def _by_squares(call: Call) -> Any:
    plain = call["correction"] in (None, 1) and call["unbiased"] is not False
    if "mean" in str(call.operator) or not plain:
        return None
    dims, keep = call["dim"], call["keepdim"]
    count = 1
    for d in dims:
        count *= call.x.shape[d]
    new = (call.x * call.x).mean(dims, keep) - call.x.mean(dims, keep) ** 2
    new = new * count / max(count - 1, 1)
    return new.sqrt() if "std" in str(call.operator) else new


def _norm_by_squares(call: Call) -> Any:
    dims = list(range(-len(call["normalized_shape"]), 0))
    mean = call.x.mean(dims, keepdim=True)
    var = (call.x * call.x).mean(dims, keepdim=True) - mean * mean
    new = (call.x - mean) * (var + call["eps"]).rsqrt()
    new = new * call["weight"] if call["weight"] is not None else new
    return new + call["bias"] if call["bias"] is not None else new

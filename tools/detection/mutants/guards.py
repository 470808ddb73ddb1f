"""Guards and specialisation: what is assumed of inputs, taken from the example, never checked."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.kind import Kind
from detection.mutant import Hit, Make, NothingToBreak
from detection.wrapping import asking, like_example
from exportdb.exporters.protocol import Program

call = Kind("guards").call
aten = torch.ops.aten

# --- guards that are not there -----------------------------------------------------------------


def _unchecked(dropped: Callable[[str], bool]) -> Make:
    """A capture without the guards whose text, as in ``x.size()[0] <= 8``, is to be dropped."""

    def make(program: Program, hit: Hit) -> Any:
        module = once(program).module()
        if not hasattr(module, "_guards_fn"):
            raise NothingToBreak
        sound_guards = module._guards_fn.forward

        def guards(*args: Any) -> None:
            sound = torch._assert

            def check(condition: Any, message: str) -> None:
                if not condition and dropped(message.removeprefix("Guard failed: ")):
                    hit()
                else:
                    sound(condition, message)

            torch._assert = check
            try:
                sound_guards(*args)
            finally:
                torch._assert = sound

        module._guards_fn.forward = guards
        return module

    return make


def _is_static(guard: str) -> bool:
    left, _, right = guard.partition(" == ")
    return left.endswith("]") and right.isdigit()


def _is_equality(guard: str) -> bool:
    return " == " in guard and guard.count(".size()") > 1 and "%" not in guard


for says, dropped in {
    "no guard is checked": lambda guard: True,
    "static sizes are not checked": _is_static,
    "upper bounds of sizes are not checked": lambda guard: "<=" in guard or " < " in guard,
    "lower bounds of sizes are not checked": lambda guard: ">=" in guard or " > " in guard,
    "divisibility of sizes is not checked": lambda guard: "%" in guard,
    "equality of sizes is not checked": _is_equality,
    "inequality of sizes is not checked": lambda guard: " != " in guard,
    "values of numbers and strings are not checked": lambda guard: ".size()" not in guard,
}.items():
    call(says, _unchecked(dropped), base="export")


def _ranges(change: Callable[[Any, Any], tuple[Any, Any]]) -> Make:
    """A capture whose published ranges are others."""

    def make(program: Program, hit: Hit) -> Any:
        from torch.utils._sympy.numbers import int_oo
        from torch.utils._sympy.value_ranges import ValueRanges

        found = copy.copy(once(program))
        ranges = {}
        for symbol, old in found.range_constraints.items():
            lower, upper = change(old.lower, old.upper)
            if (lower, upper) != (old.lower, old.upper) and lower <= upper:
                hit()
                ranges[symbol] = ValueRanges(lower, upper if upper is not None else int_oo)
            else:
                ranges[symbol] = old
        if ranges == found.range_constraints:
            raise NothingToBreak
        found._range_constraints = ranges
        return found.module()

    return make


def _finite(bound: Any) -> bool:
    return bool(getattr(bound, "is_finite", False)) and bound < 2**30


call(
    "the largest size of a range is refused",
    _ranges(lambda low, high: (low, high - 1 if _finite(high) else high)),
    base="export",
)
call(
    "the smallest size of a range is refused",
    _ranges(lambda low, high: (low + 1 if low >= 2 else low, high)),
    base="export",
)
call(
    "sizes twice as large as declared are taken",
    _ranges(lambda low, high: (low, 2 * high if _finite(high) else high)),
    base="export",
)
call(
    "sizes above 64 are refused",
    _ranges(lambda low, high: (low, min(64, high) if low <= 64 else high)),
    base="export",
)


# --- what stands in the graph ------------------------------------------------------------------


def _graph(edit: Callable[[torch.fx.Graph], bool]) -> Make:
    """A capture whose graph is edited; ``edit`` says whether anything was changed."""

    def make(program: Program, hit: Hit) -> Any:
        module = once(program).module()
        if not edit(module.graph):
            raise NothingToBreak
        hit()
        module.graph.lint()
        module.recompile()
        return module

    return make


def _calls(graph: torch.fx.Graph, *targets: Any) -> list[torch.fx.Node]:
    return [n for n in graph.nodes if n.op == "call_function" and n.target in targets]


def _replaced(graph: torch.fx.Graph, nodes: list[torch.fx.Node], new: Callable[..., Any]) -> bool:
    """Uses of ``nodes`` are those of ``new(node)``: another node or a number; None leaves one."""
    changed = False
    for node in nodes:
        value = new(node)
        if value is None:
            continue
        changed = True
        for user in list(node.users):
            if isinstance(value, torch.fx.Node):
                user.replace_input_with(node, value)
            else:
                user.args, user.kwargs = pytree.tree_map(
                    lambda leaf, n=node, v=value: v if leaf is n else leaf,
                    (user.args, user.kwargs),
                    is_leaf=lambda leaf: isinstance(leaf, torch.fx.Node),
                )
    return changed


def _in_example(node: torch.fx.Node) -> Any:
    """The number that a size has in the example."""
    value = node.meta.get("val")
    return value.node.hint if isinstance(value, torch.SymInt) else None


def _retargeted(old: Any, new: Any) -> Callable[[torch.fx.Graph], bool]:
    def edit(graph: torch.fx.Graph) -> bool:
        nodes = _calls(graph, *(old if isinstance(old, tuple) else (old,)))
        for node in nodes:
            node.target = new
        return bool(nodes)

    return edit


def _frozen_in(*targets: Any) -> Callable[[torch.fx.Graph], bool]:
    """Sizes among the arguments of the operators ``targets`` are those of the example."""

    def edit(graph: torch.fx.Graph) -> bool:
        changed = False
        for node in graph.nodes:
            if node.op != "call_function" or getattr(node.target, "overloadpacket", None) not in (
                targets
            ):
                continue

            def fixed(leaf: Any) -> Any:
                nonlocal changed
                hint = _in_example(leaf) if isinstance(leaf, torch.fx.Node) else None
                changed |= hint is not None
                return leaf if hint is None else hint

            node.args, node.kwargs = torch.fx.map_arg((node.args, node.kwargs), fixed)
        return changed

    return edit


def _first_size(graph: torch.fx.Graph) -> bool:
    sizes = _calls(graph, aten.sym_size.int)
    return _replaced(graph, sizes[1:], lambda node: sizes[0])


def _no_assertions(graph: torch.fx.Graph) -> bool:
    names = ("_assert_scalar", "_assert_async", "sym_constrain_range", "_assert_tensor_metadata")
    nodes = [
        n
        for n in graph.nodes
        if n.op == "call_function"
        and str(getattr(n.target, "overloadpacket", "")).removeprefix("aten.").startswith(names)
    ]
    for node in nodes:
        if not node.users:
            graph.erase_node(node)
    return bool(nodes)


def _is_write(node: torch.fx.Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    return node.op == "call_function" and schema is not None and schema.is_mutable


def _dead_writes(graph: torch.fx.Graph) -> bool:
    nodes = [n for n in graph.nodes if _is_write(n) and not n.users]
    for node in nodes:
        graph.erase_node(node)
    return bool(nodes)


def _late_writes(graph: torch.fx.Graph) -> bool:
    nodes = [n for n in graph.nodes if _is_write(n) and not n.users]
    end = graph.output_node()
    for node in nodes:
        end.prepend(node)
    return bool(nodes)


def _merged(*packets: Any) -> Callable[[torch.fx.Graph], bool]:
    """Calls of the same operator with the same arguments are made once."""

    def edit(graph: torch.fx.Graph) -> bool:
        seen: dict[Any, torch.fx.Node] = {}
        changed = False
        for node in list(graph.nodes):
            if getattr(node.target, "overloadpacket", None) in packets:
                first = seen.setdefault((node.target, repr((node.args, node.kwargs))), node)
                if first is not node:
                    node.replace_all_uses_with(first)
                    changed = True
        return changed

    return edit


def _functional(graph: torch.fx.Graph) -> bool:
    changed = False
    for node in graph.nodes:
        if not _is_write(node) or not node.target.overloadpacket.__name__.endswith("_"):
            continue
        plain = getattr(aten, node.target.overloadpacket.__name__[:-1], None)
        overload = getattr(plain, node.target._overloadname, None)
        if overload is not None:
            node.target, changed = overload, True
    return changed


_VIEWS = (aten.view, aten.reshape, aten.expand)
_CUTS = (aten.slice, aten.narrow, aten.select, aten.split)
_MADE = (aten.zeros, aten.ones, aten.full, aten.arange, aten.empty, aten.rand, aten.randn,
         aten.new_zeros, aten.new_ones, aten.new_full, aten.new_empty)  # fmt: skip
_DRAWN = (aten.rand, aten.randn, aten.rand_like, aten.randn_like, aten.dropout, aten.bernoulli)

for says, edit in {
    "assertions in the graph are dropped": _no_assertions,
    "sizes in the graph are those of the example":
        lambda g: _replaced(g, _calls(g, aten.sym_size.int), _in_example),
    "every size in the graph is the first that is read": _first_size,
    "views have the sizes of the example": _frozen_in(*_VIEWS),
    "slices end where they do in the example": _frozen_in(*_CUTS),
    "new tensors have the sizes that they have in the example": _frozen_in(*_MADE),
    "a division of sizes is rounded up": _retargeted(operator.floordiv, lambda a, b: -(-a // b)),
    "a remainder of sizes is zero": _retargeted(operator.mod, lambda a, b: 0),
    "a sum of sizes is one too large": _retargeted(operator.add, lambda a, b: a + b + 1),
    "a product of sizes is twice the first":
        _retargeted(operator.mul, lambda a, b: a * 2),
    "a difference of sizes is never negative":
        _retargeted(operator.sub, lambda a, b: max(0, a - b)),
    "the larger of two sizes is the first":
        _retargeted((torch.sym_max, torch.sym_min), lambda a, b: a),
    "a condition on sizes in the graph is true":
        _retargeted((operator.ge, operator.gt, operator.le, operator.lt, operator.eq),
                    lambda a, b: True),
    "writes whose result is not used are taken for dead code": _dead_writes,
    "writes are made when everything else is done": _late_writes,
    "operators in place are replaced by those that are not": _functional,
    "random numbers that are drawn in the same way are drawn once": _merged(*_DRAWN),
    "new tensors that are made in the same way are one":
        _merged(aten.clone, aten.zeros, aten.ones, aten.empty, aten.zeros_like, aten.ones_like),
    "clones are left out":
        lambda g: _replaced(g, _calls(g, aten.clone.default), lambda n: n.args[0]),
    "dropout is left out":
        lambda g: _replaced(g, _calls(g, aten.dropout.default), lambda n: n.args[0]),
    "detach is left out":
        lambda g: _replaced(g, _calls(g, aten.detach.default), lambda n: n.args[0]),
}.items():  # fmt: skip
    call(says, _graph(edit), base="export")


# --- what a program asks, answered as for the example ------------------------------------------

for says, names in {
    "sizes that the program reads are those of the example": ("size", "shape", "__len__", "numel"),
    "a branch on a tensor is that of the example": ("__bool__", "is_nonzero", "equal"),
    "numbers that are read from tensors are those of the example": (
        "item",
        "tolist",
        "__int__",
        "__float__",
        "__index__",
    ),
    "types that the program reads are those of the example": (
        "dtype",
        "is_floating_point",
        "is_complex",
    ),
    "dimensions that the program counts are those of the example": ("dim", "ndim"),
    "layouts that the program reads are those of the example": ("stride", "is_contiguous"),
}.items():
    call(says, asking(*names))


def _constant(kind: Any) -> Make:
    return like_example(
        lambda leaf, example: (
            example if type(leaf) is type(example) is kind and leaf != example else None
        )
    )


for kind, word in {int: "integers", bool: "booleans", float: "floats", str: "strings"}.items():
    call(
        f"{word} among the inputs are those of the example",
        _constant(kind),
    )

call(
    "inputs are converted to the types of the example",
    like_example(
        lambda leaf, example: (
            leaf.to(example.dtype)
            if isinstance(leaf, torch.Tensor)
            and isinstance(example, torch.Tensor)
            and leaf.dtype != example.dtype
            else None
        )
    ),
)
call(
    "inputs of another type are read as if they were of the example's",
    like_example(
        lambda leaf, example: (
            leaf.view(example.dtype)
            if isinstance(leaf, torch.Tensor)
            and isinstance(example, torch.Tensor)
            and leaf.dtype != example.dtype
            and leaf.element_size() == example.element_size()
            else None
        )
    ),
)


def _cut_to(leaf: Any, example: Any) -> Any:
    if not isinstance(leaf, torch.Tensor) or not isinstance(example, torch.Tensor):
        return None
    if leaf.dim() != example.dim() or all(
        a <= b for a, b in zip(leaf.shape, example.shape, strict=True)
    ):
        return None
    return leaf[tuple(slice(0, size) for size in example.shape)]


call("inputs are cut to the sizes of the example", like_example(_cut_to))
call(
    "inputs with more dimensions than in the example are flattened",
    like_example(
        lambda leaf, example: (
            leaf.reshape(-1, *example.shape[1:])
            if isinstance(leaf, torch.Tensor)
            and isinstance(example, torch.Tensor)
            and leaf.dim() > example.dim() > 0
            and leaf.numel()
            else None
        )
    ),
)


@call("outputs have as many rows as in the example")
def _(program: Program, hit: Hit) -> Any:
    rows = next((a.shape[0] for a in program.args if isinstance(a, torch.Tensor) and a.dim()), None)

    def run(*args: Any, **kwargs: Any) -> Any:
        def padded(leaf: Any) -> Any:
            if (
                not isinstance(leaf, torch.Tensor)
                or not leaf.dim()
                or rows is None
                or not len(leaf)
            ):
                return leaf
            given = next(
                (a.shape[0] for a in args if isinstance(a, torch.Tensor) and a.dim()), rows
            )
            if leaf.shape[0] != given or given == rows:
                return leaf
            hit()
            return leaf.repeat(rows, *[1] * (leaf.dim() - 1))[:rows]

        return pytree.tree_map(padded, program.module(*args, **kwargs))

    return run

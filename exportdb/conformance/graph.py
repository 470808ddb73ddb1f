"""The canonical text of a captured graph: equal for equal programs, whatever made them.

Owns what is normalised away (names of values and symbols, paths, assertion texts, dead symbols,
the order in which parameters and buffers were lifted, those that nothing uses) and what is kept
(operator overloads, dtypes, strides, devices other than the program's own, mutation and alias
specs, runtime assertions, subgraphs, ranges, guards). Symbols are named by
``exportdb.symbolic.names``, in the order in which the graph shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import torch
from torch import fx

from exportdb.symbolic.names import InputNames, SymbolNames

_SYM = (torch.SymInt, torch.SymFloat, torch.SymBool)
# Operators whose result is a new symbol: they stay as lines, all other arithmetic on sizes is
# printed where it is used.
_BINDS_SYMBOL = ("aten.item", "aten._local_scalar_dense")
_OWN = ("aten", "prim", "prims", "higher_order")
_COND_OPERANDS = 3  # where ``cond`` takes its operands, after predicate and branches


def canonical_program(exported: Any, device: str, inputs: InputNames | None = None) -> str:
    """Canonical text of a ``torch.export.ExportedProgram``, with its signature, ranges and guards.

    ``device`` is the type of the program's own device: what is there is not said, so that a graph
    reads the same on every device, and what is elsewhere stands out. ``inputs`` turns the names
    that guards use into those of the program's inputs.
    """
    signature = exported.graph_signature
    labels = {spec.arg.name: _input_label(spec, inputs) for spec in signature.input_specs}
    names = SymbolNames()
    lifted = {s.arg.name for s in signature.input_specs if s.kind.name != "USER_INPUT"}
    lines = list(_FxPrinter(names, device).program(exported.graph_module, labels, lifted))
    outputs = (
        f"{o.kind.name.lower()}{f' {o.target}' if o.target else ''}" for o in signature.output_specs
    )
    lines.append(f"outputs: {', '.join(outputs)}")
    lines += _ranges(exported.range_constraints, names)
    spelled = inputs.source if inputs else str
    guards = {f"guard {spelled(g)}" for g in getattr(exported, "_guards_code", None) or ()}
    return "\n".join([*lines, *sorted(guards)]) + "\n"


def canonical_module(graph_module: fx.GraphModule, device: str) -> str:
    """Canonical text of a graph that is not an exported program, ``make_fx``'s for instance."""
    return "\n".join(_FxPrinter(SymbolNames(), device).program(graph_module)) + "\n"


def _input_label(spec: Any, inputs: InputNames | None) -> str:
    kind = spec.kind.name.lower()
    if kind == "user_input":
        return inputs.source(spec.arg.name) if inputs else str(spec.arg.name)
    if "constant" in kind or kind == "custom_obj":
        return kind  # their names tell how they were lifted, not what they are
    return f"{kind} {spec.target}"


def _ranges(constraints: Mapping[Any, Any], names: SymbolNames) -> list[str]:
    lines = []
    for symbol, bounds in constraints.items():
        if getattr(symbol, "free_symbols", set()) <= names.known.keys():
            lines.append(f"range {names.expression(symbol)} in [{bounds.lower}, {bounds.upper}]")
    return sorted(lines)


class _FxPrinter:
    """Prints one graph and, indented, the graphs in it. Symbols are shared, values are not."""

    def __init__(self, names: SymbolNames, device: str) -> None:
        self._names = names
        self._device = device

    def program(
        self,
        module: fx.GraphModule,
        labels: Mapping[str, str] = MappingProxyType({}),
        lifted: Collection[str] = (),
    ) -> Iterator[str]:
        """The lines of a whole program; ``labels`` says what its placeholders are."""
        live = _live_nodes(module.graph, lifted)
        inputs = {name: labels.get(name, "input") for name in _placeholders(live)}
        return self._block(module, _by_use(live, lifted), inputs, set(), "  ")

    def _block(
        self,
        module: fx.GraphModule,
        nodes: Sequence[fx.Node],
        inputs: Mapping[str, str],
        said: set[str],
        indent: str,
    ) -> Iterator[str]:
        """The lines of one graph, values numbered by first appearance.

        ``said`` holds the assertions about symbols that the graphs around it made already.
        """
        shown: dict[fx.Node, str] = {}  # how a node is written where it is used
        count = 0
        for node in nodes:
            if self._subgraph(module, node) is not None:
                continue  # written where it is called
            for called in node.all_input_nodes:
                if (subgraph := self._subgraph(module, called)) is not None:
                    live = _live_nodes(subgraph.graph)
                    order = _operand_order(node, shown)
                    operands = dict.fromkeys(_placeholders(live), "operand")
                    block = self._block(
                        subgraph, _permuted(live, order), operands, set(said), indent + "    "
                    )
                    shown[called] = "\n".join(["{", *block, indent + "}"])
            arg = _arguments(shown, self._symbolic, self._device)
            if node.op == "output":
                yield f"{indent}return {arg(node.args[0])}"
                continue
            target = _target(node)
            if _is_assertion(target):
                text = _assertion(node, target, arg)
                # What holds of symbols once holds for good: saying it twice says nothing.
                if text not in said or "%" in text:
                    yield f"{indent}{text}"
                said.add(text)
                continue
            value = node.meta.get("val")
            if (
                node.op == "call_function"
                and isinstance(value, _SYM)
                and not target.startswith(_BINDS_SYMBOL)
            ):
                given = [arg(a) for a in node.args]
                # A number known while tracing may come from one read at run time, which a check of
                # it still is about.
                read = not _is_symbolic(value) and any("%" in text for text in given)
                shown[node] = f"{target}({', '.join(given)})" if read else self._symbolic(value)
                continue
            made = (
                inputs[node.name] if node.op == "placeholder" else _call(node, target, arg, shown)
            )
            shown[node] = f"%{count}"
            count += 1
            yield f"{indent}{shown[node]}: {self._meta(value)} = {made}"

    def _subgraph(self, module: fx.GraphModule, node: fx.Node) -> fx.GraphModule | None:
        if node.op != "get_attr":
            return None
        attribute = _attribute(module, node.target)
        return attribute if isinstance(attribute, fx.GraphModule) else None

    def _symbolic(self, value: Any) -> str:
        """The text of a symbolic number, or of a plain one."""
        node = getattr(value, "node", None)
        return self._names.expression(node.expr) if node is not None else str(value)

    def _meta(self, value: Any) -> str:
        """dtype, sizes, strides where not contiguous, and device of a value."""
        if isinstance(value, torch.Tensor):
            sizes = ", ".join(map(self._symbolic, value.shape))
            strides = ""
            if value.layout is torch.strided and not _contiguous(value):
                strides = f" strides ({', '.join(map(self._symbolic, value.stride()))})"
            layout = "" if value.layout is torch.strided else f" {value.layout}"
            dtype = str(value.dtype).removeprefix("torch.")
            elsewhere = "" if value.device.type == self._device else f" {value.device.type}"
            return f"{dtype}[{sizes}]{strides}{layout}{elsewhere}"
        if isinstance(value, _SYM):
            return f"{type(value).__name__} {self._symbolic(value)}"
        if isinstance(value, list | tuple):
            return f"({', '.join(map(self._meta, value))})"
        if value is None or isinstance(value, bool | int | float | str):
            return repr(value)
        return type(value).__name__


def _arguments(
    shown: Mapping[fx.Node, str], symbolic: Callable[[Any], str], device: str
) -> Callable[[Any], str]:
    def arg(a: Any) -> str:
        if isinstance(a, fx.Node):
            return shown[a]
        if isinstance(a, list | tuple):
            return f"[{', '.join(map(arg, a))}]"
        if isinstance(a, slice):
            return f"slice({arg(a.start)}, {arg(a.stop)}, {arg(a.step)})"
        if isinstance(a, Mapping):
            return "{" + ", ".join(f"{k}: {arg(v)}" for k, v in sorted(a.items())) + "}"
        if isinstance(a, _SYM):
            return symbolic(a)
        if isinstance(a, torch.device):
            return "here" if a.type == device else a.type
        if isinstance(a, torch.dtype | torch.layout | torch.memory_format):
            return str(a).removeprefix("torch.")
        if isinstance(a, bool | int | float | complex | str | type(None)):
            return repr(a)
        return type(a).__name__  # an object's repr may hold its address

    return arg


def _call(
    node: fx.Node, target: str, arg: Callable[[Any], str], shown: Mapping[fx.Node, str]
) -> str:
    if node.op == "get_attr":
        return "constant" if "constant" in target else f"attribute {target}"
    args = list(node.args)
    if (order := _operand_order(node, shown)) is not None:
        args[_COND_OPERANDS] = _permuted(args[_COND_OPERANDS], order)
    if target == "aten.slice.Tensor" and len(args) > 2 and args[2] is None:
        args[2] = 0  # a slice's start that is left out
    given = [arg(a) for a in args]
    given += [f"{k}={arg(v)}" for k, v in sorted(node.kwargs.items()) if v is not None]
    return f"{target}({', '.join(given)})"


def _live_nodes(graph: fx.Graph, lifted: Collection[str] = ()) -> list[fx.Node]:
    """The nodes that a result or an effect needs, in order, found without changing the graph.

    The program's own inputs are needed whether used or not; ``lifted`` ones only where used.
    """
    live: set[fx.Node] = set()
    for node in reversed(graph.nodes):
        if (
            node in live
            or (node.op == "placeholder" and node.name not in lifted)
            or node.op == "output"
            or _is_assertion(_target(node))
            or (node.op != "placeholder" and (node.is_impure() or _is_a_users(node.target)))
        ):
            live.add(node)
            live.update(node.all_input_nodes)
    return [node for node in graph.nodes if node in live]


def _is_a_users(target: Any) -> bool:
    """Whether an operator is not torch's own: what it does besides its result is not known."""
    return isinstance(target, torch._ops.OpOverload) and target.namespace not in _OWN


def _is_symbolic(value: Any) -> bool:
    node = getattr(value, "node", None)
    return node is not None and bool(getattr(node.expr, "free_symbols", None))


def _placeholders(nodes: Sequence[fx.Node]) -> list[str]:
    return [node.name for node in nodes if node.op == "placeholder"]


def _by_use(live: Sequence[fx.Node], lifted: Collection[str]) -> list[fx.Node]:
    """Lifted inputs by their first use, then everything else as it stands.

    Strict and non-strict capture find the same parameters and buffers in another order.
    """
    used: dict[fx.Node, None] = {}
    for node in live:
        used |= {n: None for n in node.all_input_nodes if n.name in lifted}
    return [*used, *(node for node in live if node not in used)]


def _operand_order(node: fx.Node, shown: Mapping[fx.Node, str]) -> list[int] | None:
    """How to order the operands of a ``cond``: as its values stand in the graph around it.

    Which of them are arguments and which were closed over decides their order otherwise, and
    strict and non-strict capture differ in it.
    """
    if node.op != "call_function" or _target(node) != "cond":
        return None

    def place(i: int) -> tuple[bool, int]:
        text = shown.get(node.args[_COND_OPERANDS][i], "")
        return (False, int(text[1:])) if text.startswith("%") else (True, i)

    return sorted(range(len(node.args[_COND_OPERANDS])), key=place)


def _permuted(items: Sequence[Any], order: Sequence[int] | None) -> list[Any]:
    """``items`` with the first ``len(order)`` of them in another order."""
    return list(items) if order is None else [items[i] for i in order] + list(items[len(order) :])


def _is_assertion(target: str) -> bool:
    return target.startswith(("aten._assert", "aten.sym_constrain", "_assert"))


def _assertion(node: fx.Node, target: str, arg: Callable[[Any], str]) -> str:
    if "assert_scalar" in target or "_assert_async" in target:
        return f"assert {arg(node.args[0])}"
    if "sym_constrain" in target:
        bounds = {**dict(zip(("min", "max"), node.args[1:], strict=False)), **node.kwargs}
        limits = [f"{k}={v}" for k, v in sorted(bounds.items()) if v is not None]
        return f"assert {' '.join([arg(node.args[0]), 'is a size', *limits])}"
    given = [arg(a) for a in node.args]
    given += [f"{k}={arg(v)}" for k, v in sorted(node.kwargs.items()) if v is not None]
    return f"{target}({', '.join(given)})"


def _target(node: fx.Node) -> str:
    target = node.target
    if isinstance(target, str | torch._ops.OpOverload):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return str(target.name())
    return str(getattr(target, "__name__", target))


def _attribute(module: fx.GraphModule, target: Any) -> Any:
    value: Any = module
    for part in str(target).split("."):
        value = getattr(value, part, None)
    return value


def _contiguous(value: torch.Tensor) -> bool:
    """Whether strides are those of a contiguous tensor, without adding a guard by asking."""
    from torch import _prims_common as prims

    try:
        if hasattr(prims, "is_contiguous_or_false"):
            return bool(prims.is_contiguous_or_false(value))
        if hasattr(prims, "definitely_contiguous"):  # its name in torch 2.8
            return bool(prims.definitely_contiguous(value))
        return _known_contiguous(value)
    except Exception:  # sizes that cannot be compared: print the strides
        return False


def _known_contiguous(value: torch.Tensor) -> bool:
    """The same for torch before 2.8, which has no such function."""
    from torch.fx.experimental.symbolic_shapes import statically_known_true

    expected: Any = 1
    for size, stride in reversed([*zip(value.shape, value.stride(), strict=True)]):
        if not statically_known_true(size == 1):
            if not statically_known_true(stride == expected):
                return False
            expected = expected * size
    return True


def readable(
    exported: Any = None, graph_module: Any = None, graph_text: str | None = None
) -> str | None:
    """The graph as its exporter prints it, for display only."""
    if exported is not None:
        return str(exported)
    if isinstance(graph_module, fx.GraphModule):
        text: str = graph_module.print_readable(print_output=False)
        return text
    return graph_text


def placeholders(exported: Any) -> Sequence[str]:
    """Names of the graph's placeholders for user inputs, in order."""
    return [
        spec.arg.name
        for spec in exported.graph_signature.input_specs
        if spec.kind.name == "USER_INPUT" and hasattr(spec.arg, "name")
    ]

"""A size of the example that stands in the text as a number, read from a tensor's shape instead.

Owns where such a number can stand: in the calls that take a shape, as a literal, as a name or an
attribute that holds one. Which number it is, and of which input, the caller says.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    function_at,
    parsed,
    replaced,
    replacing,
    simple_statements,
)

#: Methods of a tensor, and functions of torch, whose arguments are a shape.
_METHODS = (
    "view", "reshape", "expand", "repeat", "tile", "broadcast_to",
    "new_zeros", "new_ones", "new_empty", "new_full",
)  # fmt: skip
_FACTORIES = ("zeros", "ones", "empty", "full", "rand", "randn", "arange")
_OF_TENSOR = ("reshape", "broadcast_to", "tile")


def read_from_shape(
    source: str, line: int, size: int, name: str, axis: int
) -> Iterator[tuple[Change, ...]]:
    """The function at ``line`` with ``size``, which is that of axis ``axis`` of the input ``name``
    in the example, read from a shape wherever it is written: at that axis, then anywhere; in all of
    the function, then in the statement alone."""
    tree = parsed(source)
    function = function_at(tree, line)
    if function is None:
        return
    statements = sorted(simple_statements(function), key=lambda s: s.lineno)
    alone = [s for s in statements if s.lineno <= line <= (s.end_lineno or 0)]
    held = held_numbers(tree)
    seen: set[tuple[str, ...]] = set()
    for within in (statements, alone):
        for at in (axis, None):
            for tensor in tensors_to_read(function, name):
                reading = _Reading(size, axis, tensor, at, held)
                changes = tuple(_changes(within, reading))
                texts = tuple(f"{c.data['before']}: {c.data['text']}" for c in changes)
                if changes and texts not in seen:
                    seen.add(texts)
                    yield changes


@dataclass(frozen=True)
class _Reading:
    """What is read: axis ``axis`` of ``tensor`` ("" for the one that a method is called on) in
    place of ``size`` at ``position`` of a shape (None: anywhere). ``held`` is what names and
    attributes hold, None where that is not known."""

    size: int
    axis: int
    tensor: str
    position: int | None
    held: dict[str, int | None]

    def of_call(self, node: ast.expr) -> ast.expr | None:
        """A call with the number replaced in its shape; None if it is no such call."""
        if not isinstance(node, ast.Call):
            return None
        made = copy.deepcopy(node)
        read = self._shape_of(made)
        for elements in shape_lists(made) if read is not None else ():
            for i, element in enumerate(elements):
                if self.position in (None, i) and not isinstance(element, ast.Starred):
                    number = ast.Expr(element)
                    new = replaced(number, lambda n: read if self._is_size(n) else None)
                    elements[i] = new.value if isinstance(new, ast.Expr) else element
        return None if ast.unparse(made) == ast.unparse(node) else made

    def _shape_of(self, call: ast.Call) -> ast.expr | None:
        tensor = self.tensor
        if not tensor:
            match call.func:
                case ast.Attribute(value=ast.Name(id=found)) if found != "torch":
                    tensor = found
                case _:
                    return None
        return ast.parse(f"{tensor}.shape[{self.axis}]", mode="eval").body

    def _is_size(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return type(node.value) is int and node.value == self.size
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        text = ast.unparse(node)
        # What is not known is worth a try only where the size belongs.
        unknown = self.position is not None and text in self.held and self.held[text] is None
        return unknown or self.held.get(text) == self.size


def shape_lists(call: ast.Call) -> Iterator[list[ast.expr]]:
    """The lists of sizes in a call that takes a shape, to be changed in place."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="torch"), attr=name) if name in _OF_TENSOR:
            start = 1
        case ast.Attribute(value=ast.Name(id="torch"), attr=name) if name in _FACTORIES:
            start = 0
        case ast.Attribute(attr=name) if name in _METHODS:
            start = 0
        case _:
            return
    sized = [k.value for k in call.keywords if k.arg in ("size", "shape")]
    for given in [*call.args[start : start + 1], *sized]:
        if isinstance(given, ast.Tuple | ast.List):
            yield given.elts
            return
    if start == 0 and not (name == "arange" and len(call.args) > 1):
        yield call.args


def _changes(statements: Sequence[ast.stmt], reading: _Reading) -> Iterator[Change]:
    for statement in statements:
        made = replaced(statement, reading.of_call)
        if made is not None:
            what = f"line {statement.lineno}: read the size from a shape, where the text has the"
            what += f" {reading.size} of the example"
            if "-1" in ast.unparse(statement):
                what += f"; with -1 beside it, other sizes were put together into {reading.size}"
            change = replacing(what, statement, [made])
            yield with_fields(change, data={**change.data, "sizes": True})


def tensors_to_read(function: Function, name: str) -> list[str]:
    """The tensors whose shape may be read: the input itself where it is not assigned to, the one
    that a method is called on (""), the function's other parameters."""
    parameters = [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
    others = [p for p in parameters if p not in ("self", "cls", name)]
    stored = {
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    if name not in parameters:
        return ["", *others[:2]]
    return ["", name] if name in stored else [name, ""]


def held_numbers(tree: ast.Module) -> dict[str, int | None]:
    """The integers that names and attributes of the module are set to, None for one set to what is
    given by a caller."""
    found: dict[str, int | None] = {}
    for statement in simple_statements(tree):
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target],
                            value=ast.Constant(value=int(number))):  # fmt: skip
                found[ast.unparse(target)] = number
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Name()):
                found.setdefault(ast.unparse(target), None)
    return found

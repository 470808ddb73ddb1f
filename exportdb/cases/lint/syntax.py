"""What can be known of a case's program from its syntax tree alone.

Owns the reading of names, imports, functions and dims with ``ast``; judging them is left to the
checks. Where a program computes what it could have written down, the answer is "not known".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from exportdb.cases.declared import dim_calls

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_LEFT = re.compile(r"\b(TODO|FIXME|XXX)\b")
#: A part of a dotted name with one underscore before it.
_PRIVATE = re.compile(r"\._(?!_|check)")


def left_open(source: str) -> Iterator[tuple[int, str]]:
    """The lines that say of themselves that they are to be filled in, each with what to say."""
    for number, line in enumerate(source.splitlines(), 1):
        if _LEFT.search(line):
            yield number, f"left to be filled in: {line.strip()}"


@dataclass(frozen=True)
class Unfilled:
    """A function of a case that does nothing, or nothing but raise NotImplementedError: its name,
    the lines from its ``def`` to its ``end``, the one that says TODO or raises, and its text."""

    name: str
    start: int
    end: int
    line: int
    text: str

    @property
    def todo(self) -> bool:
        """Whether the line says so of itself."""
        return bool(_LEFT.search(self.text))


def unfilled(source: str, models: Collection[str]) -> list[Unfilled]:
    """The functions that nobody has written yet, among those that are called to make the inputs
    and the ``models`` of a case."""
    lines, tree = source.splitlines(), ast.parse(source)
    found = []
    for name in ("inputs", "accepts", "rejects", *models):
        node = function(tree, name)
        if node is None or not _does_nothing(node):
            continue
        start, end = node.lineno, node.end_lineno or node.lineno
        marked = [n for n in range(start, end + 1) if _LEFT.search(lines[n - 1])]
        line = marked[0] if marked else node.body[-1].lineno
        found.append(Unfilled(name, start, end, line, lines[line - 1].strip()))
    return sorted(found, key=lambda each: each.line)


def _does_nothing(node: FunctionNode) -> bool:
    """Whether it always ends in NotImplementedError; or, of ``inputs``, is a docstring, ``pass`` or
    ``...``: samples may be none (L027)."""
    if any(isinstance(n, ast.Return | ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
        return False
    last = node.body[-1]
    if isinstance(last, ast.Raise):
        raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return node.name == "inputs" and all(
        isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in node.body
    )


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of every module that is imported, at any depth; ``.x`` is a relative one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def private_names(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Line and full name of what the package keeps to itself, where it is imported or read.

    ``torch._check`` and its kin are documented, in spite of their names.

    >>> list(private_names(ast.parse("from torch._ops import ops; torch._check(x)"), "torch"))
    [(1, 'torch._ops.ops')]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            names = [ast.unparse(node)]
        else:
            continue
        for name in names:
            if name.startswith(f"{package}.") and _PRIVATE.search(name):
                yield node.lineno, name


def top_level_names(tree: ast.Module) -> dict[str, ast.stmt]:
    """What the module defines, by name, also inside ``if`` and ``try``: the defining statement."""
    names: dict[str, ast.stmt] = {}
    for node in _statements(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] = node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for leaf in ast.walk(target):
                    if isinstance(leaf, ast.Name):
                        names[leaf.id] = node
        elif isinstance(node, ast.AnnAssign | ast.AugAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = node
    return names


def function(tree: ast.Module, name: str) -> FunctionNode | None:
    """The function ``name`` that the module defines at its top level."""
    node = top_level_names(tree).get(name)
    return node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None


def parameters(node: FunctionNode) -> list[tuple[ast.arg, ast.expr | None]]:
    """The named parameters of a function, each with its default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(node.args.defaults))
    defaults = [*missing, *node.args.defaults]
    return [
        *zip(positional, defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]


def integer(node: ast.expr | None) -> int | None:
    """The int that an expression spells, or None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


@dataclass(frozen=True)
class DimCall:
    """One ``Dim("n", min=..., max=...)``; a bound that is not written as a number is None."""

    name: str
    line: int
    min: int | None
    max: int | None


def dims(tree: ast.Module) -> list[DimCall] | None:
    """The named Dims the program makes; None when one of the names is not a literal."""
    found: list[DimCall] = []
    for node in dim_calls(tree):
        several = ast.unparse(node.func).endswith("dims")
        names = node.args if several else [*node.args, *_keyword(node, "name")][:1]
        bounds = {k.arg: integer(k.value) for k in node.keywords}
        for name in names:
            if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                return None
            found.append(DimCall(name.value, node.lineno, bounds.get("min"), bounds.get("max")))
    return found


def _keyword(node: ast.Call, name: str) -> list[ast.expr]:
    return [k.value for k in node.keywords if k.arg == name]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)

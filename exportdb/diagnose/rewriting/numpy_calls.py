"""Calls of NumPy in the middle of a program, as calls of torch.

Owns which functions and types of the two are the same. A capture sees no operator of NumPy's: what
comes out of one is a constant to it, or an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    function_at,
    parsed,
    replaced,
    replacing,
    simple_statements,
)  # fmt: skip

#: Functions that torch has under another name; those in ``_SAME`` have the same one.
_OTHER = {
    "concatenate": "cat", "power": "pow", "absolute": "abs", "clip": "clamp",
    "expand_dims": "unsqueeze", "repeat": "repeat_interleave", "invert": "bitwise_not",
    "ascontiguousarray": "as_tensor", "asarray": "as_tensor", "array": "as_tensor",
}  # fmt: skip
_SAME = frozenset(
    {
        "eye", "arange", "zeros", "ones", "full", "linspace", "zeros_like", "ones_like",
        "full_like", "stack", "where", "maximum", "minimum", "sqrt", "exp", "log", "log2",
        "log10", "sin", "cos", "tan", "tanh", "abs", "sum", "mean", "prod", "cumsum",
        "cumprod", "argmax", "argmin", "argsort", "sort", "unique", "tril", "triu", "outer",
        "dot", "matmul", "einsum", "diag", "roll", "flip", "meshgrid", "logical_and",
        "logical_or", "logical_not", "isnan", "isfinite", "floor", "ceil", "round", "sign",
        "square", "pad", "triu_indices", "tril_indices", "broadcast_to", "hypot",
    }
)  # fmt: skip
_DTYPES = {
    "bool": "bool", "bool_": "bool", "int": "int64", "float": "float64",
    **{t: t for t in ("float16", "float32", "float64", "int8", "int16", "int32", "int64",
                      "uint8", "complex64", "complex128")},
}  # fmt: skip


def without_numpy(source: str, line: int = 0) -> Iterator[tuple[Change, ...]]:
    """The functions of a text (the one at ``line``, then all) with torch in the place of NumPy."""
    tree = parsed(source)
    known = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "numpy"
    }
    if not known and ".numpy()" not in source:
        return
    at = function_at(tree, line) if line else None
    every = [n for n in ast.walk(tree) if isinstance(n, Function) and n.name != "__init__"]
    for functions in ([at] if at else [], every):
        changes = [change for f in functions for change in _changes(f, known)]
        if changes:
            yield tuple({int(c.data["before"]): c for c in changes}.values())


def _changes(function: Function, known: set[str]) -> Iterator[Change]:
    for statement in simple_statements(function):
        made = replaced(statement, lambda node: _in_torch(node, known))
        if made is not None:
            yield replacing(
                "write with torch what is NumPy's: no capture sees that", statement, [made]
            )


def _in_torch(node: ast.expr, known: set[str]) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="numpy"), args=[], keywords=[]):
            return _without_move(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="from_numpy"),
                      args=[value]):  # fmt: skip
            return value if "numpy" not in ast.unparse(value) else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[value]) if (
            name in _DTYPES  # np.float32(2) is a number; its name was changed first
        ):
            return ast.Call(
                ast.Name("float" if "float" in name else "int", ast.Load()), [value], []
            )
        case ast.Call(func=ast.Attribute(value=value, attr="astype"), args=[kind]):
            return ast.Call(ast.Attribute(value, "to", ast.Load()), [_dtype(kind)], [])
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=args,
                      keywords=keywords) if module in known:  # fmt: skip
            return _call(name, args, keywords)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in known:
            return _attribute(name)
    return None


def _without_move(value: ast.expr) -> ast.expr:
    """``x`` of ``x.detach().cpu()``, on the way to NumPy."""
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr="cpu"), args=[]):
            return _without_move(inner)
    return value


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr | None:
    found = name if name in _SAME else _OTHER.get(name)
    if found is None:
        return None
    renamed = {"axis": "dim", "keepdims": "keepdim"}
    made = []
    for keyword in keywords:
        value = _dtype(keyword.value) if keyword.arg == "dtype" else keyword.value
        made.append(ast.keyword(renamed.get(keyword.arg or "", keyword.arg), value))
    return ast.Call(_torchs(_OTHER.get(name, found)), args, made)


def _attribute(name: str) -> ast.expr | None:
    if name in _DTYPES:
        return _torchs(_DTYPES[name])
    return _torchs(name) if name in ("pi", "inf", "nan", "e") else None


def _dtype(node: ast.expr) -> ast.expr:
    match node:
        case ast.Name(id=name) if name in _DTYPES:
            return _torchs(_DTYPES[name])
    return node


def _torchs(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load())

"""The form of a case for a program that was made small.

Owns turning a function that makes a module with its example into ``models``, ``inputs`` and
``dynamic_shapes``: with a parameter of ``inputs`` for each dim where the text shows which size that
is, by calls of the function as it is otherwise. Whether the case fails as the program did is left
to ``minimise``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exportdb.records.record import Record


@dataclass(frozen=True)
class CaseDraft:
    """A program in the form of a case, without front matter; ``model`` makes its module."""

    model: str
    text: str

    def written(self, file: str, record: Record) -> str:
        """It in the format of a case, ready for ``exportdb new --from``; ``file`` is what it was
        reduced from, ``record`` what came of it."""
        error = record.error.message.strip() if record.error else ""
        said = error.splitlines()[0] if error else record.outcome
        return f'''"""
title: TODO what a user would search for
description: >
  TODO. Reduced from {file}; {record.exporter}: {_quoted(said)}
tags: []
models: [{self.model}]
"""
{self.text}'''


def drafts(text: str, name: str) -> list[CaseDraft]:
    """The forms that a reduced program can have as a case, the one to read before the others.

    ``name`` is the function that makes the module, or its class.
    """
    tree = ast.parse(text)
    if _defines(tree, ast.FunctionDef, "inputs"):  # a class, or a function that gives only a module
        return [CaseDraft(name, text)]
    made = _taken_apart(tree, name)
    by_calls = CaseDraft("made_model", _by_calls(text, name, _gives_a_dict(tree, name)))
    return [made, by_calls] if made else [by_calls]


def as_case(text: str, name: str, file: str, record: Record) -> str:
    """The first of the :func:`drafts` of a program, as it is written."""
    return drafts(text, name)[0].written(file, record)


def _defines(tree: ast.Module, kind: type[ast.FunctionDef], name: str) -> bool:
    return any(isinstance(s, kind) and s.name == name for s in tree.body)


def _gives_a_dict(tree: ast.Module, name: str) -> bool:
    """Whether a function returns the module and its example by name."""
    return any(
        isinstance(value, ast.Dict)
        or (isinstance(value, ast.Call) and ast.unparse(value.func) == "dict")
        for value in returned(tree, name)
    )


def returned(tree: ast.Module, name: str) -> list[ast.expr]:
    """What the function ``name`` returns."""
    return [
        node.value
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and function.name == name
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]


def _quoted(text: str) -> str:
    legible = "".join(c if c.isprintable() else " " for c in text)
    return legible.replace("\\", "/").replace('"""', "'''")[:200]


def _by_calls(text: str, name: str, by_name: bool) -> str:
    if by_name:
        parts = '("module", "args", "kwargs", "dynamic_shapes")'
        four = f"[{name}().get(part) for part in {parts}]"
    else:
        four = f"(*{name}(), None, None, None)[:4]"
    return f"""{text}

def made():
    return {four}


def made_model():
    return made()[0]


def inputs():
    _, args, kwargs, _ = made()
    return args if isinstance(args, tuple) else (args,), kwargs or {{}}


dynamic_shapes = made()[3]
"""


def _taken_apart(tree: ast.Module, name: str) -> CaseDraft | None:
    """The parts of a case; None where the function does more than to name them."""
    maker = next((s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == name), None)
    if maker is None:
        return None
    dims = {}
    for statement in maker.body[:-1]:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if _is_dim(value):
                dims[target] = value
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="manual_seed"))):
                pass
            case _:
                return None
    match maker.body[-1]:
        case ast.Return(value=ast.Tuple(elts=[ast.Call(func=ast.Name(id=model), args=[],
                                                       keywords=[]),
                                              ast.Tuple(elts=args), *rest])):  # fmt: skip
            pass
        case _:
            return None
    kwargs = [r for r in rest[:1] if ast.unparse(r) not in ("{}", "None")]
    names = _parameters(tree, model)
    specs = _by_name(rest[1], names) if len(rest) > 1 else None
    if kwargs or not (specs is None or isinstance(specs, ast.Dict | ast.Constant)):
        return None
    sized = _sized(args, names, specs, dims) if isinstance(specs, ast.Dict) else ({}, args)
    if sized is None:
        return None
    return CaseDraft(model, _written(tree, maker, dims, sized, specs))


def _by_name(specs: ast.expr, names: Sequence[str]) -> ast.expr:
    """Specs in the order of the arguments, with their names in place of the order."""
    match specs:
        case ast.Tuple(elts=elts) if len(elts) <= len(names):
            return ast.Dict([ast.Constant(n) for n in names[: len(elts)]], elts)
    return specs


def _is_dim(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] == "Dim"


def _parameters(tree: ast.Module, model: str) -> list[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == model:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    return [a.arg for a in method.args.args[1:]]
    return []


def _sized(
    args: Sequence[ast.expr], names: Sequence[str], specs: ast.Dict, dims: Mapping[str, ast.expr]
) -> tuple[dict[str, int], list[ast.expr]] | None:
    """The size that each dim has in the example, and the example with its name there."""
    made, sizes = copy.deepcopy(list(args)), dict[str, int]()
    for key, spec in zip(specs.keys, specs.values, strict=True):
        if ast.unparse(spec) in ("None", "{}"):
            continue
        if not isinstance(key, ast.Constant) or not isinstance(spec, ast.Dict):
            return None
        at = names.index(key.value) if key.value in names else len(made)
        for axis, dim in zip(spec.keys, spec.values, strict=True):
            name = _named(dims.get(dim.id, dim) if isinstance(dim, ast.Name) else dim)
            place = _size_at(made, at, axis)
            if name is None or place is None:
                return None
            shape, i = place
            size = shape[i]
            number = int(ast.unparse(size))
            if sizes.setdefault(name, number) != number:
                return None
            shape[i] = ast.Name(name, ast.Load())
    return sizes, made


def _named(dim: ast.expr) -> str | None:
    match dim:
        case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _is_dim(dim) and (
            name.isidentifier()
        ):
            return name
    return None


def _size_at(
    args: Sequence[ast.expr], at: int, axis: ast.expr | None
) -> tuple[list[ast.expr], int] | None:
    """The list of sizes in a call such as ``torch.randn(5, 3)``, and the place of one in it."""
    number = axis.value if isinstance(axis, ast.Constant) else None
    if at >= len(args) or not isinstance(number, int):
        return None
    match args[at]:
        case ast.Call(func=ast.Attribute(attr="randint"), args=[*_, ast.Tuple(elts=shape)]):
            pass
        case ast.Call(func=ast.Attribute(attr="randn" | "rand" | "ones" | "zeros"), args=shape):
            pass
        case _:
            return None
    if not 0 <= number < len(shape):
        return None
    size = shape[number]
    whole = isinstance(size, ast.Constant) and type(size.value) is int
    return (shape, number) if whole else None


def _written(
    tree: ast.Module, maker: ast.FunctionDef, dims: Mapping[str, ast.expr],
    sized: tuple[Mapping[str, int], Sequence[ast.expr]], specs: ast.expr | None,
) -> str:  # fmt: skip
    sizes, args = sized
    rest = ast.unparse(ast.Module([s for s in tree.body if s is not maker], []))
    parameters = ", ".join(f"{name}={size}" for name, size in sizes.items())
    given = ast.unparse(ast.Tuple([*args], ast.Load()))
    lines = [rest, "", "", f"def inputs({parameters}):", f"    return {given}"]
    lines += ["", "", *(f"{name} = {ast.unparse(value)}" for name, value in dims.items())]
    if specs is not None and ast.unparse(specs) not in ("None", "{}"):
        lines += [f"dynamic_shapes = {ast.unparse(specs)}"]
    return "\n".join(lines).rstrip() + "\n"

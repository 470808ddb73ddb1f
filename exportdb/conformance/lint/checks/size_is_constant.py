"""L056: an example size that is also a constant of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject

_NOT_THE_PROGRAM = ("inputs", "accepts", "rejects")


def _find(subject: Subject) -> Found:
    line = subject.line("inputs")
    constants = dict(_constants(ast.parse(subject.case.source)))
    for model in subject.case.meta.models:
        try:
            module = subject.module(model)
        except Exception:
            return  # L051 says so
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            for size in tensor.shape:
                constants.setdefault(int(size), f"a size of {name}")
    for name, size in subject.program.example_sizes.items():
        if size > 1 and size in constants:
            yield line, f"{name} is {size} in the example, and so is {constants[size]}"


def _constants(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Whole numbers in the classes and functions of the program, with where they stand."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name in _NOT_THE_PROGRAM:
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and type(inner.value) is int:
                yield inner.value, f"the constant on line {inner.lineno}"


CHECK = Check(
    id="L056",
    what="Example sizes are no constants of the program and no sizes of its parameters or buffers.",
    why="A capture that baked the size in could not be told from one that meant the constant.",
    fix="Choose another default for inputs(), or say in `allow` that the case is about this.",
    on_program=_find,
    advises=True,
)

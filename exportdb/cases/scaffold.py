"""The text of a new case: blank, or around a module of the user's.

Owns what a new case looks like and that nothing is ever overwritten. What only the author knows is
left as a line with TODO, which lint finds (L009).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection
from pathlib import Path

from exportdb.cases.case import ID_PATTERN, CaseError
from exportdb.cases.extract import Extract, Use
from exportdb.cases.frontmatter import parse_case
from exportdb.cases.imports import read
from exportdb.cases.lint.syntax import top_level_names, unfilled

#: The file of a draft that is a case.
PROGRAM = "program.py"
_FRONT = '''"""
title: {title}
{more}"""

'''
#: What the public database demands besides, and a tree of one's own does not.
_PUBLIC = """description: >
  TODO: what happens and why, in a few sentences.
tags: []  # TODO: what it is about, in words of tags.yaml (exportdb list --tags)
"""
_BLANK = """import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.relu()  # TODO: the program


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=5):
    return (torch.randn(n, 3),)  # TODO: what forward takes, from the sizes of the dims
"""


def blank(case_id: str, title: str | None = None, public: bool = True) -> str:
    """A case to start from: a program with one dynamic size. ``public`` is for the database, where
    more is asked of a case than in a tree of one's own."""
    return _front(case_id, title, public) + _BLANK


def around(case_id: str, found: Extract, title: str | None = None, public: bool = True) -> str:
    """A case around a class taken from a user's file."""
    model, code = found.name, found.code
    if found.needs or (found.made and (found.made.args or found.made.kwargs)):
        model = "make_model"
        code += "\n\n" + _make(found)
    more = "" if model == "Model" else f"models: [{model}]\n"
    inputs = _inputs(found)
    if "torch." in inputs and "torch" not in top_level_names(ast.parse(code)):
        future, line, rest = code.rpartition("from __future__ import annotations\n")
        code = f"{future}{line}import torch\n{rest}"
    return _front(case_id, title, public, more) + code + "\n\n" + inputs


def copied(case_id: str, path: Path, title: str | None = None) -> str:
    """A case from a program that is in the format of one: a draft, or one that was minimised.

    Raises CaseError where it is not.
    """
    source, _ = read(path)
    try:
        found = parse_case(case_id, path, source)
    except CaseError as e:
        hint = f"to take a class of it, give a file and a class, like {path}:Net"
        raise CaseError(path, e.line, f"{e.message}; {hint}") from None
    return _retitled(source, title) if title and title != found.meta.title else source


def _retitled(source: str, title: str) -> str:
    front = source.splitlines()
    at = next(i for i, line in enumerate(front) if line.startswith("title:"))
    until = at + 1
    while front[until][:1].isspace():  # a title may be folded
        until += 1
    front[at:until] = [f"title: {_quoted(title)}"]
    return "\n".join(front) + "\n"


def write(tree: Path, case_id: str, text: str) -> Path:
    """Put a new case into a tree; the path of its file.

    Raises CaseError for an ID that is not legal, has no topic, or is taken.
    """
    path = tree / f"{case_id}.py"
    if not ID_PATTERN.fullmatch(case_id) or "/" not in case_id:
        raise CaseError(
            path, 1, f"{case_id!r} is not a legal ID: write topic/name, lower-case words"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CaseError(path, 1, "already exists; nothing was written") from None
    return path


def todos(text: str, theirs: str = "") -> list[tuple[int, str]]:
    """The lines that are left to the author, with their numbers; what the code that was taken over
    says of itself is not among them.

    >>> todos("# TODO: faster\\nx = 1\\ntags: []  # TODO: which", "# TODO: faster\\nx = 1")
    [(3, 'tags: []  # TODO: which')]
    """
    known = set(theirs.splitlines())
    lines = enumerate(text.splitlines(), 1)
    return [(n, line.strip()) for n, line in lines if "TODO" in line and line not in known]


def written(text: str, models: Collection[str]) -> str:
    """The lines of a program that its author has written, without functions left open."""
    front = ast.parse(text).body[0].end_lineno or 0
    empty = {n for u in unfilled(text, models) for n in range(u.start, u.end + 1)}
    lines = enumerate(text.splitlines(), 1)
    return "\n".join(line for n, line in lines if n > front and n not in empty)


def _front(case_id: str, title: str | None, public: bool, more: str = "") -> str:
    words = case_id.rpartition("/")[2].replace("_", " ")
    quoted = _quoted(title or (f"TODO: {words}" if public else words.capitalize()))
    return _FRONT.format(title=quoted, more=(_PUBLIC if public else "") + more)


def _quoted(title: str) -> str:
    """JSON is YAML, and quotes whatever a title may hold; it must not end the docstring either."""
    return json.dumps(title, ensure_ascii=False).replace("\\", "\\\\")


def _make(found: Extract) -> str:
    if found.made is not None:
        return f"def make_model():\n    return {found.name}({_arguments(found.made)})\n"
    return (
        "def make_model():\n"
        f"    # TODO: the arguments of {found.name}: {', '.join(found.needs)}\n"
        "    raise NotImplementedError\n"
    )


def _inputs(found: Extract) -> str:
    if found.sample is not None:
        return (
            "# TODO: which sizes may vary? Name them in dynamic_shapes and here.\n"
            f"def inputs():\n    return {found.sample}\n"
        )
    if found.called is not None:
        call = found.called
        args = "".join(f"{a}, " for a in call.args).rstrip()
        args = args.rstrip(",") if len(call.args) > 1 else args
        kwargs = ", ".join(f"{json.dumps(k)}: {v}" for k, v in call.kwargs)
        sample = f"({args}), {{{kwargs}}}" if kwargs else f"({args})"
        return (
            "# TODO: which sizes may vary? Name them in dynamic_shapes and here.\n"
            f"def inputs():\n    return {sample}\n"
        )
    if not found.takes:
        return "def inputs():\n    return ()\n"
    return (
        "def inputs():\n"
        f"    # TODO: a sample of what forward takes: {', '.join(found.takes)}\n"
        "    raise NotImplementedError\n"
    )


def _arguments(use: Use) -> str:
    return ", ".join([*use.args, *(f"{k}={v}" for k, v in use.kwargs)])

"""Brings what a user's file imports from files of the same project into its text.

Owns where a module's file is, found without importing anything, and the text in which a class and
the definitions it needs stand together. Which of them are needed is left to ``extract``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases.case import CaseError
from exportdb.cases.lint.syntax import top_level_names


@dataclass(frozen=True)
class Together:
    """The text of a file after those that it imports from its project.

    ``clashes`` are names that two of the files define differently, each with what to say of it.
    """

    source: str
    clashes: Mapping[str, str] = field(default_factory=dict)


def read(path: Path) -> tuple[str, ast.Module]:
    """The text of a Python file and its syntax tree. Raises CaseError where it has none."""
    try:
        source = path.read_text(encoding="utf-8")
        return source, ast.parse(source)
    except OSError as e:
        raise CaseError(path, 1, f"cannot be read: {e.strerror}") from None
    except SyntaxError as e:
        raise CaseError(path, e.lineno or 1, f"syntax error: {e.msg}") from None
    except ValueError as e:
        raise CaseError(path, 1, f"cannot be read: {e}") from None


def file_of(module: str, near: Path | None = None) -> Path | None:
    """The file of a module's dotted name: from the folder ``near``, or as Python would find it
    when it is started here. Nothing is imported."""
    folders = [near] if near else [Path.cwd(), *map(Path, sys.path)]
    for folder in folders:
        stem = folder.joinpath(*module.split("."))
        for path in (stem.with_name(f"{stem.name}.py"), stem / "__init__.py"):
            if module and path.is_file():
                return path
    return None


def together(path: Path) -> Together:
    """The file with everything that it takes by name from files of its project.

    A module that is imported whole stays an import, under its absolute name. Raises CaseError for
    a file that cannot be read.
    """
    files: dict[Path, str] = {}
    _collect(path.resolve(), files)
    clashes: dict[str, str] = {}
    seen: dict[str, tuple[Path, str]] = {}
    for file, source in files.items():
        for name, node in top_level_names(ast.parse(source)).items():
            text = _said_once(only(node, {name}))
            other, before = seen.setdefault(name, (file, text))
            if before != text:
                clashes[name] = f"{name} is defined in {other} too; rename one of the two"
    futures = "from __future__ import annotations\n"
    text = "\n\n".join(source.replace(futures, "") for source in files.values())
    return Together(futures + text if any(futures in s for s in files.values()) else text, clashes)


def only(node: ast.stmt, names: set[str]) -> ast.stmt:
    """An import with nothing but what it is needed for; any other statement as it is."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return node
    kept = [a for a in node.names if (a.asname or a.name.partition(".")[0]) in names]
    if isinstance(node, ast.Import):
        return ast.Import(kept)
    return ast.ImportFrom(node.module, kept, node.level)


def _collect(path: Path, files: dict[Path, str]) -> None:
    """Put ``path`` into ``files`` after the files that it needs, each as text without imports of
    the others."""
    source, tree = read(path)
    files[path] = ""  # a circle of imports ends here
    lines = source.splitlines()
    for node in reversed(tree.body):
        if isinstance(node, ast.ImportFrom):
            text = _instead(path, node, files)
            if text is not None:
                lines[node.lineno - 1 : node.end_lineno] = text.splitlines()
    del files[path]
    files[path] = "\n".join(lines) + "\n"


def _instead(path: Path, node: ast.ImportFrom, files: dict[Path, str]) -> str | None:
    """What stands for an import of names of the same project; None where it is not."""
    root, package = _package(path)
    if node.level:
        parts = package[: len(package) - node.level + 1]
        module = ".".join([*parts, *([node.module] if node.module else [])])
        start = root if parts else path.parent
    else:
        module, start = node.module or "", root
    found = file_of(module, start) if module else None
    if found is None or found == path:
        return None
    kept, names = list[ast.alias](), list[str]()
    for alias in node.names:
        if file_of(f"{module}.{alias.name}", start):  # a module, used as a whole
            kept.append(alias)
        elif alias.asname and alias.asname != alias.name:
            names.append(f"{alias.asname} = {alias.name}")
    if len(kept) < len(node.names) and found.resolve() not in files:
        _collect(found.resolve(), files)
    imports = [ast.unparse(ast.ImportFrom(module, kept, 0))] if kept else []
    return "\n".join([*imports, *names])


def _said_once(node: ast.stmt) -> str:
    """The text of a definition; of ``import a.b as c`` that of ``from a import b as c``."""
    if isinstance(node, ast.Import) and node.names[0].asname:
        module, _, name = node.names[0].name.rpartition(".")
        if module:
            node = ast.ImportFrom(module, [ast.alias(name, node.names[0].asname)], 0)
    if isinstance(node, ast.ImportFrom):
        alias = node.names[0]
        return f"from {node.module} import {alias.name} as {alias.asname or alias.name}"
    return ast.unparse(node)


def _package(path: Path) -> tuple[Path, list[str]]:
    """The folder from which ``path`` is imported, and the names of the packages that it is in."""
    folder, names = path.parent, list[str]()
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, names

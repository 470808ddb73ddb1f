"""Modules of a user's project: where their files are, and a text that does without importing them.

Nothing is imported. ``ops.scale(x)``, where ``ops`` is a module of the project, becomes
``scale(x)``; ``imports`` brings the definition along.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exportdb.cases.lint.syntax import top_level_names


@dataclass(frozen=True)
class Module:
    """A module of the project by its absolute name, and the folder from which that counts."""

    name: str
    start: Path

    @property
    def file(self) -> Path | None:
        """Its file."""
        return file_of(self.name, self.start)

    def inside(self, name: str) -> Module:
        """What is called so in it, if it is a module."""
        return Module(f"{self.name}.{name}", self.start)


@dataclass(frozen=True)
class Written:
    """A text without uses of whole modules.

    ``gone`` are the names of modules that it does not use any more, each with lines that define
    what would be hidden by a name of the text; ``files`` are those of the modules.
    """

    source: str
    gone: Mapping[str, Sequence[str]]
    files: Sequence[Path]


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


def is_installed(path: Path) -> bool:
    """Whether a file belongs to an installed package, and not to a project of the user's."""
    return not {"site-packages", "dist-packages"}.isdisjoint(path.absolute().parts)


def absolute(path: Path, node: ast.ImportFrom) -> tuple[str, Path]:
    """The module that an import in ``path`` names, and the folder from which that counts."""
    root, package = package_of(path)
    if not node.level:
        return node.module or "", root
    parts = package[: len(package) - node.level + 1]
    module = ".".join([*parts, *([node.module] if node.module else [])])
    return module, root if parts else path.parent


def bound(path: Path, tree: ast.Module) -> dict[str, Module]:
    """The names that stand for whole modules of the project in a file."""
    root, _ = package_of(path)
    found: dict[str, Module] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if file_of(alias.name, root):
                    name = alias.asname or alias.name.partition(".")[0]
                    found[name] = Module(alias.name if alias.asname else name, root)
        elif isinstance(node, ast.ImportFrom):
            module, start = absolute(path, node)
            for alias in node.names:
                inside = Module(f"{module}.{alias.name}" if module else alias.name, start)
                if inside.file and (module or node.level):
                    found[alias.asname or alias.name] = inside
    return found


def without(source: str, tree: ast.Module, whole: Mapping[str, Module]) -> Written:
    """``source`` with what it takes of ``whole`` modules written without them; those that are used
    in any other way stay as they are."""
    uses: dict[str, list[tuple[ast.Attribute, str]]] = {name: [] for name in whole}
    files: dict[str, dict[Path, None]] = {name: {} for name in whole}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (chain := _chain(node)) and chain[0] in whole:
            file = _definition(whole[chain[0]], chain[1:])
            if file is not None and node.lineno == node.end_lineno:
                uses[chain[0]].append((node, chain[-1]))
                files[chain[0]][file] = None
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    hidden = {n for node in ast.walk(tree) if (n := _bound_by(node))}
    gone: dict[str, list[str]] = {}
    lines = [line.encode() for line in source.splitlines()]
    replaced = []
    for name, found in uses.items():
        if found and len(found) == names.count(name):
            gone[name] = sorted({f"{name}_{a} = {a}" for _, a in found if a in hidden})
            replaced += [(n, f"{name}_{a}" if a in hidden else a) for n, a in found]
    for node, text in sorted(replaced, key=lambda r: (r[0].lineno, r[0].col_offset), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = (
            line[: node.col_offset] + text.encode() + line[node.end_col_offset :]
        )
    read = list(dict.fromkeys(file for name in gone for file in files[name]))
    return Written("\n".join(line.decode() for line in lines), gone, read)


def _chain(node: ast.expr) -> list[str]:
    """The words of ``a.b.c``; none of anything else."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return [node.id, *words] if isinstance(node, ast.Name) else []


def _definition(module: Module, words: Sequence[str]) -> Path | None:
    """The file that defines the last of ``words`` in a module, all others being modules in it."""
    for word in words[:-1]:
        module = module.inside(word)
        if module.file is None:
            return None
    if module.file is None or module.inside(words[-1]).file is not None:
        return None
    try:
        tree = ast.parse(module.file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):  # whoever takes something of it says so
        return None
    return module.file if words[-1] in top_level_names(tree) else None


def _bound_by(node: ast.AST) -> str:
    """The name that a parameter or an assignment makes stand for something."""
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def package_of(path: Path) -> tuple[Path, list[str]]:
    """The folder from which ``path`` is imported, and the names of the packages that it is in."""
    folder, names = path.parent, list[str]()
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, names

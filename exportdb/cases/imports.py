"""Brings what a user's file imports from files of the same project into its text.

Owns the text in which a class and the definitions it needs stand together. Which of them are needed
is left to ``extract``, where a module's file is to ``modules``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases import modules
from exportdb.cases.case import CaseError
from exportdb.cases.lint.syntax import top_level_names
from exportdb.cases.modules import file_of

_FUTURE = "from __future__ import annotations\n"


@dataclass(frozen=True)
class InlinedSource:
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
        raise CaseError(path, 0, f"cannot be read: {e.strerror}") from None
    except SyntaxError as e:
        raise CaseError(path, e.lineno or 1, f"syntax error: {e.msg}") from None
    except ValueError as e:
        raise CaseError(path, 1, f"cannot be read: {e}") from None


def inlined(path: Path) -> InlinedSource:
    """A file with everything that it takes by name from files of its project.

    Of a module that is imported whole, ``ops.scale`` is written as ``scale``; it stays an import,
    under its absolute name, where it is used otherwise. Raises CaseError for a file that cannot be
    read.
    """
    files: dict[Path, str] = {}
    _collect(path.resolve(), files)
    return _put_together([*files.items()])


def joined(path: Path, one: InlinedSource, other_path: Path, other: InlinedSource) -> InlinedSource:
    """Two texts as one; what both say is there once."""
    said = {ast.unparse(node) for node in ast.parse(one.source).body}
    lines = other.source.splitlines()
    for node in reversed(ast.parse(other.source).body):
        if ast.unparse(node) in said:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            del lines[first - 1 : node.end_lineno]
    found = _put_together([(path, one.source), (other_path, "\n".join(lines) + "\n")])
    return InlinedSource(found.source, {**one.clashes, **other.clashes, **found.clashes})


def _put_together(files: Sequence[tuple[Path, str]]) -> InlinedSource:
    """These texts, one after the other."""
    clashes: dict[str, str] = {}
    seen: dict[str, tuple[Path, str]] = {}
    for file, source in files:
        for name, node in top_level_names(ast.parse(source)).items():
            text = _said_once(only(node, {name}))
            other, before = seen.setdefault(name, (file, text))
            if before != text:
                clashes[name] = f"{name} is defined in {other} too; rename one of the two"
    text = "\n\n".join(source.replace(_FUTURE, "") for _, source in files)
    return InlinedSource(_FUTURE + text if any(_FUTURE in s for _, s in files) else text, clashes)


def as_import(path: Path, name: str) -> InlinedSource:
    """An import of ``name`` from the installed module ``path``.

    Nothing of an installed package is taken apart: it is there wherever the case runs.
    """
    _, package = modules.package_of(path)
    module = ".".join(package if path.stem == "__init__" else [*package, path.stem])
    return InlinedSource(f"from {module} import {name}\n")


def class_in(path: Path, name: str, seen: frozenset[Path] = frozenset()) -> ast.ClassDef | None:
    """The class that a module calls ``name``, in whichever module of its package that is defined;
    None where the text does not say."""
    _, tree = read(path)
    found = top_level_names(tree).get(name)
    if isinstance(found, ast.ClassDef):
        return found
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        file = file_of(*modules.absolute(path, node))
        if file is None or file in seen:
            continue
        for alias in node.names:
            if alias.name == "*" or (alias.asname or alias.name) == name:
                wanted = name if alias.name == "*" else alias.name
                if (there := class_in(file, wanted, seen | {path})) is not None:
                    return there
    return None


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
    written = modules.without(source, tree, modules.bound(path, tree))
    lines = written.source.splitlines()
    for file in written.files:
        if file.resolve() not in files:
            _collect(file.resolve(), files)
    for node in reversed(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            text = _instead(path, node, written, files)
            if text is not None:
                lines[node.lineno - 1 : node.end_lineno] = text.splitlines()
    del files[path]
    files[path] = "\n".join(lines) + "\n"


def _instead(
    path: Path, node: ast.Import | ast.ImportFrom, written: modules.Written, files: dict[Path, str]
) -> str | None:
    """What stands for an import of something of the same project; None where it is not."""
    gone = [n for a in node.names if (n := a.asname or a.name.partition(".")[0]) in written.gone]
    names = [line for name in dict.fromkeys(gone) for line in written.gone[name]]
    if isinstance(node, ast.Import):
        if not gone:
            return None
        kept = [a for a in node.names if (a.asname or a.name.partition(".")[0]) not in gone]
        return "\n".join([*([ast.unparse(ast.Import(kept))] if kept else []), *names])
    module, start = modules.absolute(path, node)
    found = file_of(module, start) if module else None
    if found is None or found == path:
        return None
    kept, taken = list[ast.alias](), False
    for alias in node.names:
        if (alias.asname or alias.name) in gone:
            continue
        if file_of(f"{module}.{alias.name}", start):  # a module, used as a whole
            kept.append(alias)
            continue
        taken = True
        if alias.asname and alias.asname != alias.name:
            names.append(f"{alias.asname} = {alias.name}")
    if taken and found.resolve() not in files:
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

"""Takes one module class out of a user's file, with everything at module level that it needs.

Owns the reading of a program that is not a case: which definitions belong together, how the class
is made and called in its own file. Nothing is run; where the text does not say, the answer is
None. Writing a case from it is left to ``scaffold``.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from exportdb.cases.case import CaseError
from exportdb.cases.imports import InlinedSource, as_import, class_in, inlined, joined, only, read
from exportdb.cases.lint.syntax import function, parameters, top_level_names
from exportdb.cases.modules import is_installed


@dataclass(frozen=True)
class Use:
    """A call that the file itself makes: its arguments as text, and the line it stands on."""

    args: tuple[str, ...]
    kwargs: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True)
class Extract:
    """A class and what it needs.

    ``code`` is the text of all of it, in the order of the file. ``needs`` are the parameters of
    the constructor without a default, ``takes`` those of ``forward``. ``made`` and ``called`` are
    how the file makes an instance and calls it, None where it does not say. ``sample`` is an
    expression that gives the inputs, where the user named one.
    """

    name: str
    code: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    made: Use | None
    called: Use | None
    sample: str | None = None


def extract(path: Path, name: str, sample: tuple[Path, str] | None = None) -> Extract:
    """The class ``name`` of the file ``path``, with what it needs of it and of the files of the
    same project that it imports. A class of a package that is installed is imported from there.

    ``sample`` is the file and the name of a function that gives inputs, alone or as the second
    after an instance; it comes along. Raises CaseError when there is no such class or function,
    two files define what is needed differently, or a file cannot be read.
    """
    if is_installed(path):
        found = as_import(path, name)
        node = class_in(path, name) or _defined(read(path)[1], path, name, *_CLASS)
    else:
        found = inlined(path)
        node = _defined(ast.parse(found.source), path, name, *_CLASS)
    uses, wanted, giver = ast.parse(found.source), [name], None
    if sample:
        given = inlined(sample[0])
        uses.body += ast.parse(given.source).body
        giver = _defined(ast.parse(given.source), *sample, ast.FunctionDef, "function", "functions")
        # Each with what it needs alone: the rest of the two files may define a name differently.
        found = joined(path, _alone(found, name), sample[0], _alone(given, sample[1]))
        wanted.append(sample[1])
    library = _library(found.source)
    needed = _needed(library, wanted)
    for names in needed.values():
        for clash in sorted(names & found.clashes.keys()):
            raise CaseError(path, 1, found.clashes[clash])
    made, called = _use(uses, name, needed)
    return Extract(
        name=name,
        code=_text(found.source, library, needed),
        needs=_required(node, "__init__"),
        takes=_required(node, "forward"),
        made=made,
        called=called,
        sample=f"{sample[1]}(){_inputs_of(giver, name)}" if sample else None,
    )


def _library(source: str) -> ast.Module:
    """What a text defines, without how it is used."""
    return ast.Module([n for n in ast.parse(source).body if not _is_main(n)], [])


def _alone(found: InlinedSource, name: str) -> InlinedSource:
    """What ``name`` needs of a text, and no more."""
    library = _library(found.source)
    needed = _needed(library, [name])
    names = set().union(*needed.values())
    clashes = {clash: told for clash, told in found.clashes.items() if clash in names}
    return InlinedSource(_text(found.source, library, needed), clashes)


#: What a user is told of where one was expected.
_CLASS = (ast.ClassDef, "class", "classes")

_Definition = TypeVar("_Definition", ast.ClassDef, ast.FunctionDef)


def _defined(
    tree: ast.Module, path: Path, name: str, kind: type[_Definition], one: str, many: str
) -> _Definition:
    node = top_level_names(tree).get(name)
    if not isinstance(node, kind):
        there = ", ".join(n.name for n in tree.body if isinstance(n, kind))
        said = f"defines no {one} {name}; its {many} are: {there or 'none'}"
        if kind is ast.ClassDef and isinstance(node, ast.FunctionDef):
            said += f" (the function gives the inputs with --inputs {path}:{name})"
        raise CaseError(path, 1, said)
    return node


def _is_main(node: ast.stmt) -> bool:
    """Whether this is ``if __name__ == "__main__":``: how a file is used, not what it is."""
    return isinstance(node, ast.If) and "__name__" in _names(node.test)


def _required(node: ast.ClassDef, method: str) -> tuple[str, ...]:
    """The parameters without a default, ``self`` left out."""
    found = function(ast.Module(node.body, []), method)
    given = parameters(found)[1:] if found else []
    return tuple(arg.arg for arg, default in given if default is None)


# --- what belongs together ---------------------------------------------------------------------


def _needed(tree: ast.Module, wanted: Sequence[str]) -> dict[ast.stmt, set[str]]:
    """The top-level statements that these names need, each with the names it is needed for."""
    defined = top_level_names(tree)
    imported = {n for n, s in defined.items() if isinstance(s, ast.Import | ast.ImportFrom)}
    needed: dict[ast.stmt, set[str]] = {}
    queue = list(wanted)
    seen = set(wanted)
    while queue:
        here = queue.pop()
        statement = _top_statement(tree, defined[here])
        needed.setdefault(statement, set()).add(here)
        used = _names(statement)
        own = {n for s, names in needed.items() for n in names} - imported
        for other in tree.body:  # what is done to a definition belongs to it: registrations
            if other not in needed and _is_about(other, own):
                needed[other] = set()
                used |= _names(other)
        fresh = {n for n in used if n in defined} - seen
        seen |= fresh
        queue += sorted(fresh)
    return needed


def _names(node: ast.AST) -> set[str]:
    """The names that a piece of code takes from outside of itself."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        given = node.args
        everything = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        outside = [*given.defaults, *(d for d in given.kw_defaults if d)]
        outside += [arg.annotation for arg in everything if arg and arg.annotation]
        if isinstance(node, ast.Lambda):
            body: list[ast.AST] = [node.body]
        else:
            body = list(node.body)
            outside += [*node.decorator_list, *([node.returns] if node.returns else [])]
        local = {arg.arg for arg in everything if arg} | {
            n.id for part in body for n in ast.walk(part)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }  # fmt: skip
        inside = set().union(*(_names(part) for part in body)) if body else set()
        return (inside - local).union(*(_names(part) for part in outside))
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*(_names(child) for child in ast.iter_child_nodes(node)))


def _top_statement(tree: ast.Module, statement: ast.stmt) -> ast.stmt:
    """The statement of the module's body that holds ``statement`` (an ``if`` or ``try`` may)."""
    return next(top for top in tree.body if any(n is statement for n in ast.walk(top)))


def _is_about(node: ast.stmt, names: set[str]) -> bool:
    """Whether a statement does something with one of the names instead of defining a new one."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return bool(_names(node.value) & names)
    if isinstance(node, ast.FunctionDef):
        return any(_names(decorator) & names for decorator in node.decorator_list)
    return False


def _text(source: str, tree: ast.Module, needed: dict[ast.stmt, set[str]]) -> str:
    lines = source.splitlines()
    imports: dict[str, None] = {}  # of several files, each once; they come first
    parts: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            imports[ast.unparse(node)] = None
        elif node not in needed:
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports[ast.unparse(only(node, needed[node]))] = None
        else:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            parts.append("\n".join(lines[first - 1 : node.end_lineno]))
    head = ["\n".join(imports)] if imports else []
    return "\n\n\n".join([*head, *parts]) + "\n"


def _inputs_of(giver: ast.FunctionDef | None, name: str) -> str:
    """What takes the inputs out of what a function returns: "" where it returns nothing else, but
    more where that is an instance with its inputs, as ``diagnose`` takes them."""
    instances: dict[str, ast.Call] = {}
    for node in ast.walk(giver) if giver else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if (made_by := _maker(node.value, name, instances)) is not None:
                instances[node.targets[0].id] = made_by
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            given = node.value.elts
            if len(given) > 1 and _maker(given[0], name, instances) is not None:
                no_keywords = len(given) == 2 or ast.unparse(given[2]) in ("{}", "None", "dict()")
                return "[1]" if no_keywords else "[1:3]"
    return ""


# --- how the file itself uses the class --------------------------------------------------------


def _use(
    tree: ast.Module, name: str, needed: dict[ast.stmt, set[str]]
) -> tuple[Use | None, Use | None]:
    """How the class is made and how the instance is called, in the first block that does both."""
    # A sample is made with torch, whether or not the class itself names it.
    free = {n for names in needed.values() for n in names} | set(vars(builtins)) | {"torch"}
    best: tuple[Use | None, Use | None] = (None, None)
    for block in _blocks(tree):
        values: dict[str, ast.expr] = {}
        instances: dict[str, ast.Call] = {}
        for statement in block:
            for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
                maker = _maker(call.func, name, instances)
                if maker is not None and (called := _written(call, values, free)):
                    made = _written(maker, values, free)
                    if made or not (maker.args or maker.keywords):
                        return made, called
                if _makes(call, name) and best[0] is None:
                    best = (_written(call, values, free), None)
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                target, value = statement.targets[0].id, statement.value
                values[target] = value
                if (made_by := _maker(value, name, instances)) is not None:
                    instances[target] = made_by
    return best


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.If | ast.With):
            yield node.body


def _makes(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _maker(node: ast.expr, name: str, instances: dict[str, ast.Call]) -> ast.Call | None:
    """The constructor call behind an expression: ``Net(3)``, ``Net(3).eval()`` or a name for it."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if isinstance(node, ast.Name):
        return instances.get(node.id)
    return node if isinstance(node, ast.Call) and _makes(node, name) else None


def _written(call: ast.Call, values: dict[str, ast.expr], free: set[str]) -> Use | None:
    """The arguments of a call with local names replaced by what they stand for; None if one
    depends on something that is not in the extract."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(
        k.arg is None for k in call.keywords
    ):
        return None
    try:
        args = tuple(_inlined(a, values, free) for a in call.args)
        kwargs = tuple((str(k.arg), _inlined(k.value, values, free)) for k in call.keywords)
    except LookupError:
        return None
    return Use(args, kwargs, call.lineno)


def _inlined(node: ast.expr, values: dict[str, ast.expr], free: set[str], depth: int = 0) -> str:
    class Inline(ast.NodeTransformer):
        def visit_Name(self, found: ast.Name) -> ast.expr:
            if found.id in values and depth < 8:
                text = _inlined(values[found.id], values, free, depth + 1)
                return ast.parse(text, mode="eval").body
            if found.id not in free:
                raise LookupError(found.id)
            return found

    copy = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(Inline().visit(copy))

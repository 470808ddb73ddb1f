"""Takes one module class out of a user's file, with everything at module level that it needs.

Owns the reading of a program that is not a case: which definitions belong together, how the class
is made and called in its own file. Nothing is run; where the text does not say, the answer is
None. Writing a case from it is left to ``scaffold``.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exportdb.cases.case import CaseError
from exportdb.cases.lint.syntax import function, parameters, top_level_names


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
    how the file makes an instance and calls it, None where it does not say.
    """

    name: str
    code: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    made: Use | None
    called: Use | None


def extract(path: Path, name: str) -> Extract:
    """The class ``name`` of the file ``path``. Raises CaseError when there is none or the file
    cannot be read."""
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except OSError as e:
        raise CaseError(path, 1, f"cannot be read: {e.strerror}") from None
    except SyntaxError as e:
        raise CaseError(path, e.lineno or 1, f"syntax error: {e.msg}") from None
    except ValueError as e:
        raise CaseError(path, 1, f"cannot be read: {e}") from None
    node = top_level_names(tree).get(name)
    if not isinstance(node, ast.ClassDef):
        classes = ", ".join(n.name for n in tree.body if isinstance(n, ast.ClassDef))
        raise CaseError(path, 1, f"defines no class {name}; its classes are: {classes or 'none'}")
    library = ast.Module([n for n in tree.body if not _is_main(n)], [])
    needed = _needed(library, name)
    made, called = _use(tree, name, needed)
    return Extract(
        name=name,
        code=_text(source, library, needed),
        needs=_required(node, "__init__"),
        takes=_required(node, "forward"),
        made=made,
        called=called,
    )


def _is_main(node: ast.stmt) -> bool:
    """Whether this is ``if __name__ == "__main__":``: how a file is used, not what it is."""
    return isinstance(node, ast.If) and "__name__" in _names(node.test)


def _required(node: ast.ClassDef, method: str) -> tuple[str, ...]:
    """The parameters without a default, ``self`` left out."""
    found = function(ast.Module(node.body, []), method)
    given = parameters(found)[1:] if found else []
    return tuple(arg.arg for arg, default in given if default is None)


# --- what belongs together ---------------------------------------------------------------------


def _needed(tree: ast.Module, name: str) -> dict[ast.stmt, set[str]]:
    """The top-level statements that ``name`` needs, each with the names it is needed for."""
    defined = top_level_names(tree)
    imported = {n for n, s in defined.items() if isinstance(s, ast.Import | ast.ImportFrom)}
    needed: dict[ast.stmt, set[str]] = {}
    queue = [name]
    seen = {name}
    while queue:
        here = queue.pop()
        statement = _top_statement(tree, defined[here])
        needed.setdefault(statement, set()).add(here)
        wanted = _names(statement)
        own = {n for s, names in needed.items() for n in names} - imported
        for other in tree.body:  # what is done to a definition belongs to it: registrations
            if other not in needed and _is_about(other, own):
                needed[other] = set()
                wanted |= _names(other)
        fresh = {n for n in wanted if n in defined} - seen
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
    parts: list[tuple[str, bool]] = []  # the text, and whether it is an import
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            parts.append((ast.unparse(node), True))
        elif node not in needed:
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kept = [a for a in node.names if (a.asname or a.name.partition(".")[0]) in needed[node]]
            pruned = (
                ast.Import(kept)
                if isinstance(node, ast.Import)
                else ast.ImportFrom(node.module, kept, node.level)
            )
            parts.append((ast.unparse(pruned), True))
        else:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            parts.append(("\n".join(lines[first - 1 : node.end_lineno]), False))
    text = ""
    for i, (part, is_import) in enumerate(parts):
        together = i > 0 and is_import and parts[i - 1][1]
        text += ("" if i == 0 else "\n" if together else "\n\n\n") + part
    return text + "\n"


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

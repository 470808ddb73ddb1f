"""Makes a program small that fails in one way, and keeps it failing in that way.

Owns which smaller texts there are and which of them is taken (Zeller and Hildebrandt, "Simplifying
and Isolating Failure-Inducing Input", 2002, over statements and expressions instead of lines).
Whether a text still fails is told by whoever calls. Knows nothing of torch.
"""

from __future__ import annotations

import ast
import copy
import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.files import write_whole
from exportdb.records.record import digest

#: Tells of texts, in their order, which still fail in the same way; None where time was short.
StillFails = Callable[[Sequence[str]], Sequence[bool | None]]


@dataclass
class ReductionProgress:
    """How far a reduction has come, so that another process can go on with it.

    ``text`` is the smallest program so far, ``tried`` the digests of those that failed otherwise.
    """

    text: str
    tried: set[str] = field(default_factory=set)

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        write_whole(path, json.dumps({"text": self.text, "tried": sorted(self.tried)}))

    @staticmethod
    def read(path: Path) -> ReductionProgress | None:
        """What was saved, or None if nothing that can be read was."""
        try:
            data = json.loads(path.read_text())
            return ReductionProgress(data["text"], set(data["tried"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def reduced(
    progress: ReductionProgress,
    still_fails: StillFails,
    steps: Callable[[str], Iterator[str]],
    seconds: float = 60.0,
    batch: int = 8,
    note: Callable[[ReductionProgress], None] = lambda progress: None,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Make ``progress.text`` as small as it gets; whether that was finished in time.

    ``steps`` gives the programs that are one step smaller, :func:`smaller` above all. ``note`` is
    called after each batch of candidates. ``seconds`` are those of ``clock``.
    """
    end = clock() + seconds
    in_vain: set[_Step] = set()
    while True:
        whole = progress.text
        # What was of no use before another thing was cut is hardly of use after it: it waits.
        texts = sorted(steps(whole), key=lambda text: _step(whole, text) in in_vain)
        for group in _batches(iter(texts), progress, batch):
            results = still_fails(group)
            failing = [text for text, fails in zip(group, results, strict=True) if fails]
            of_no_use = [t for t, fails in zip(group, results, strict=True) if fails is False]
            progress.tried |= set(map(digest, of_no_use))
            in_vain |= {_step(whole, text) for text in of_no_use}
            if failing:
                progress.text = failing[0]
            note(progress)
            if clock() > end or None in results:
                return False
            if failing:
                break
        else:
            return True


#: The lines that a step takes away, and those that it puts in their place.
_Step = tuple[tuple[str, ...], tuple[str, ...]]


def _step(whole: str, text: str) -> _Step:
    before, after = Counter(whole.splitlines()), Counter(text.splitlines())
    return tuple(sorted((before - after).elements())), tuple(sorted((after - before).elements()))


def _batches(texts: Iterator[str], progress: ReductionProgress, size: int) -> Iterator[list[str]]:
    group: list[str] = []
    seen = set(progress.tried)
    for text in texts:
        if (key := digest(text)) not in seen:
            seen.add(key)
            group.append(text)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def smaller(source: str, *keep: str) -> Iterator[str]:
    """Programs that are smaller than ``source`` by one step, those that lose most first.

    ``keep`` are the names of functions and classes that must stay.

    >>> program = "import os\\ndef make():\\n    a = 1\\n    return f(a)\\n"
    >>> [text.replace("\\n", "; ") for text in smaller(program, "make")][:2]
    ['import os; ; def make():;     pass; ', 'import os; ; def make():;     a = 1; ']
    """
    tree = ast.parse(source)
    whole = ast.unparse(tree) + "\n"
    found = {text for text in _steps(tree, keep) if len(text) < len(whole)}
    known, _ = _names(tree)
    for text in sorted(found, key=lambda text: (len(text), text)):
        try:
            defined, used = _names(ast.parse(text))
        except SyntaxError:  # an expression that may not stand there, as the star of a list
            continue
        if not (known - defined) & used:  # else it stops at a name that is gone
            yield text


def _names(tree: ast.AST) -> tuple[set[str], set[str]]:
    """The names that a program defines anywhere, and those that it reads; attributes with a dot."""
    defined, used = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Attribute(attr=name, ctx=ast.Load()):
                used.add(f".{name}")
            case ast.Attribute(attr=name):
                defined.add(f".{name}")
            case ast.Name(id=name) | ast.arg(arg=name):
                defined |= {name, f".{name}"}  # a field of a class, too
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                defined |= {name, f".{name}"}
            case ast.alias(name=name, asname=other):
                defined.add(other or name.partition(".")[0])
    return defined, used


def _steps(tree: ast.Module, keep: Collection[str]) -> Iterator[str]:
    count = sum(1 for _ in _bodies(tree))
    for number in range(count):
        body = list(_bodies(tree))[number]
        for size in _sizes(len(body)):
            for start in range(0, len(body), size):
                if not any(getattr(n, "name", None) in keep for n in body[start : start + size]):
                    yield _with_body(tree, number, start, size, [])
        for i, statement in enumerate(body):
            for inner in _inside(statement):
                yield _with_body(tree, number, i, 1, inner)
            if (after := _inlined(statement, body[i + 1 :])) is not None:
                yield _with_body(tree, number, i, len(body) - i, after)
    yield from _simpler_expressions(tree, keep)
    yield from slices(tree)


def slices(tree: ast.Module) -> Iterator[str]:
    """Programs that return one part of what ``forward`` returned, and do what that part needs
    (Weiser, "Program Slicing", 1981, by names): once with each statement that may change something
    in place, once with those alone that say a name that is needed. And programs that change one
    thing in place, and do what that needs.

    >>> text = "def forward(x):\\n    a = f(x)\\n    b = x * 2\\n    g()\\n    return (a, b)\\n"
    >>> [piece.replace("\\n    ", "; ") for piece in slices(ast.parse(text))][:2]
    ['def forward(x):; a = f(x); g(); return a\\n', 'def forward(x):; a = f(x); return a\\n']
    >>> text = "def forward(x):\\n    a = f(x)\\n    b = 2\\n    a.add_(b)\\n    return b\\n"
    >>> [piece.replace("\\n    ", "; ") for piece in slices(ast.parse(text))][2]
    'def forward(x):; a = f(x); b = 2; a.add_(b); return x + 1\\n'
    """
    for number, function in enumerate(_forwards(tree)):
        for body in [*_of_results(function), *_of_changes(function)]:
            made = copy.deepcopy(tree)
            _forwards(made)[number].body = copy.deepcopy(body)
            _drop_unread_state(made)
            yield ast.unparse(ast.fix_missing_locations(made)) + "\n"


def _of_results(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """What each part of its result needs."""
    match function.body[-1]:
        case ast.Return(value=ast.Tuple(elts=values) | ast.Dict(values=values)):
            pass
        case ast.Return(value=ast.expr() as value):
            values = [value]
        case _:
            return
    for value in values:
        for bold in (False, True):
            yield _needed([*function.body[:-1], ast.Return(value)], bold)


def _of_changes(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """What each statement needs that is there for what it changes, with a result of its own."""
    own = [name.arg for name in function.args.args if name.arg != "self"]
    for at, statement in enumerate(function.body[:-1]):
        match statement:
            case ast.Assign(targets=[ast.Name()]) | ast.Pass():
                continue
        if own:
            anything = ast.BinOp(ast.Name(own[0], ast.Load()), ast.Add(), ast.Constant(1))
            yield [*_needed(function.body[: at + 1], bold=True), ast.Return(anything)]


def _forwards(tree: ast.Module) -> list[ast.FunctionDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "forward"]


def _needed(body: Sequence[ast.stmt], bold: bool) -> list[ast.stmt]:
    """The statements that the last one needs."""
    own = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and _stored(n)}
    kept, needed = [body[-1]], _named(body[-1])
    for statement in reversed(body[:-1]):
        said = _named(statement) & own
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                wanted = name in needed
            case _:
                wanted = bool(said & needed) or not bold
        if wanted:
            kept.append(statement)
            needed |= said
    return kept[::-1]


def _stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _named(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _drop_unread_state(tree: ast.Module) -> None:
    """Leave out what ``__init__`` gives to the module and nothing else names."""
    made = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    within = {id(n) for function in made for n in ast.walk(function)}
    read = {
        n.attr if isinstance(n, ast.Attribute) else n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute | ast.Constant) and id(n) not in within
    }
    for function in made:
        function.body = [s for s in function.body if _state(s) is None or _state(s) in read]


def _state(statement: ast.stmt) -> str | None:
    """The name of the attribute that a statement gives to the module."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
            return name
        case ast.Expr(value=ast.Call(
            func=ast.Attribute(value=ast.Name(id="self"), attr="register_buffer"),
            args=[ast.Constant(value=str(name)), *_],
        )):  # fmt: skip
            return name
    return None


def _sizes(length: int) -> list[int]:
    """Halves, quarters, and so on to one."""
    found = []
    while length > 0:
        found.append(length)
        length //= 2
    return sorted({*found, 1} if found else set(), reverse=True)


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements of a program, always in the same order."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body


def _with_body(
    tree: ast.Module, number: int, start: int, size: int, new: Sequence[ast.stmt]
) -> str:
    made = copy.deepcopy(tree)
    body = list(_bodies(made))[number]
    body[start : start + size] = copy.deepcopy(list(new))
    if not body and body is not made.body:
        body.append(ast.Pass())
    return ast.unparse(ast.fix_missing_locations(made)) + "\n"


def _inside(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """What a compound statement can be replaced by: each of its own bodies."""
    if isinstance(statement, ast.If | ast.For | ast.While | ast.With | ast.Try):
        for name in ("body", "orelse"):
            if body := getattr(statement, name, None):
                yield body
    elif isinstance(statement, ast.Match):
        yield from [case.body for case in statement.cases]


def _inlined(statement: ast.stmt, rest: list[ast.stmt]) -> list[ast.stmt] | None:
    """What follows an assignment to one name, with its value in the place of the name."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            inline = _Inlining(name, value)
            return [inline.visit(copy.deepcopy(s)) for s in rest]
    return None


class _Inlining(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        meant = node.id == self._name and isinstance(node.ctx, ast.Load)
        return copy.deepcopy(self._value) if meant else node


def _simpler_expressions(tree: ast.Module, keep: Collection[str]) -> Iterator[str]:
    places = [n for n in ast.walk(tree) if isinstance(n, ast.expr)]
    groups = [*_returned_groups(tree, keep)]
    for number, node in enumerate(places):
        for simpler in _parts(node):
            if node in groups and type(simpler) is not type(node):
                continue
            made = copy.deepcopy(tree)
            target = [n for n in ast.walk(made) if isinstance(n, ast.expr)][number]
            _Replacing(target, copy.deepcopy(simpler)).visit(made)
            try:
                yield ast.unparse(ast.fix_missing_locations(made)) + "\n"
            except (ValueError, RecursionError):  # no program
                continue


def _returned_groups(tree: ast.Module, keep: Collection[str]) -> Iterator[ast.expr]:
    """The groups of inputs that a kept function returns beside the module: ``(x,)`` of ``return
    Model(), (x,)``. They get fewer members and stay groups, as a case wants them.
    """
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in keep:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                    yield from [e for e in node.value.elts if isinstance(e, ast.Tuple | ast.Dict)]


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that could stand in the place of ``node``."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from [a for a in node.args if not isinstance(a, ast.Starred)]
        for i in range(len(node.args)):
            yield ast.Call(node.func, node.args[:i] + node.args[i + 1 :], node.keywords)
        for i in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])
    elif isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        yield from node.elts
        for i in range(len(node.elts)):
            yield type(node)(node.elts[:i] + node.elts[i + 1 :], node.ctx)
    elif isinstance(node, ast.Dict):
        for i in range(len(node.keys)):
            yield ast.Dict(
                node.keys[:i] + node.keys[i + 1 :], node.values[:i] + node.values[i + 1 :]
            )


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)

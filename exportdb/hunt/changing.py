"""Programs made of another program by small changes: of a case, or of one whose capture is refused.

Owns which changes there are. That a changed program still runs in eager is looked at here, on its
example; at other sizes it is left to the examination, which calls what eager refuses no lead.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from exportdb.conformance.program import as_inputs
from exportdb.hunt.calling import NothingFits
from exportdb.hunt.elements import ELEMENTS, UNARY
from exportdb.hunt.holes import Filling
from exportdb.hunt.inlining import inline
from exportdb.hunt.partial_program import PartialProgram, runs
from exportdb.hunt.shrinking import split

_OPERATORS: tuple[type[ast.operator], ...] = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod,
)  # fmt: skip
_COMPARISONS: tuple[type[ast.cmpop], ...] = (
    ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq,
)  # fmt: skip
#: Tries of a change before the program is given up.
_TRIES = 20


def changed(source: str, rng: random.Random, count: int) -> tuple[str, list[str]] | None:
    """A case with up to ``count`` changes that eager still runs, and the names of the changes."""
    front, program = split(source)
    made: list[str] = []
    for _ in range(_TRIES):
        name = rng.choice(list(CHANGES))
        text = with_change(program, CHANGES[name], rng)
        if text is not None and text != program and all(runs([f"{front}\n{text}"], compiled=True)):
            program = text
            made.append(name)
        if len(made) == count:
            break
    return (f"{front}\n{program}", made) if made else None


def with_change(program: str, change: Change, rng: random.Random) -> str | None:
    """The program with a change; None where it has nothing to change."""
    tree = ast.parse(program)
    try:
        if change(tree, rng):
            return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except (NothingFits, SyntaxError, ValueError, IndexError):
        pass
    return None


#: Changes a program in place, or says that it cannot.
Change = Callable[[ast.Module, random.Random], bool]


def forward_of(tree: ast.Module) -> ast.FunctionDef:
    """The method that is captured. Raises ValueError for a program that has none of its own."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == "Model":
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name == "forward":
                    return inner
    raise ValueError("no Model with a forward")


def _choose(tree: ast.Module, rng: random.Random, kind: type[ast.AST], accept: Any = None) -> Any:
    found = [n for n in ast.walk(forward_of(tree)) if isinstance(n, kind)]
    return rng.choice([n for n in found if accept is None or accept(n)] or [None])


def _swap_operator(tree: ast.Module, rng: random.Random) -> bool:
    if (node := _choose(tree, rng, ast.BinOp)) is None:
        return False
    node.op = rng.choice(_OPERATORS)()
    return True


def _swap_comparison(tree: ast.Module, rng: random.Random) -> bool:
    if (node := _choose(tree, rng, ast.Compare, lambda n: len(n.ops) == 1)) is None:
        return False
    node.ops = [rng.choice(_COMPARISONS)()]
    return True


def _swap_function(tree: ast.Module, rng: random.Random) -> bool:
    node = _choose(tree, rng, ast.Attribute, lambda n: n.attr in UNARY)
    if node is None:
        return False
    node.attr = rng.choice(UNARY)
    return True


def _change_constant(tree: ast.Module, rng: random.Random) -> bool:
    node = _choose(tree, rng, ast.Constant, lambda n: type(n.value) in (int, float))
    if node is None:
        return False
    node.value += rng.choice((-1, 1, 2))
    return True


def _change_range(tree: ast.Module, rng: random.Random) -> bool:
    bounds = [
        k for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("Dim")
        for k in n.keywords if isinstance(k.value, ast.Constant)
    ]  # fmt: skip
    if not bounds:
        return False
    bound = rng.choice(bounds)
    bound.value = ast.Constant(rng.choice((2, 3, 4) if bound.arg == "min" else (16, 20, 64)))
    return True


def _put_into_branch(tree: ast.Module, rng: random.Random) -> bool:
    forward = forward_of(tree)
    tensors = [a.arg for a in forward.args.args[1:]]
    test = ast.parse(f"{rng.choice(tensors)}.shape[0] > {rng.choice((1, 2, 3))}", mode="eval").body
    forward.body = [ast.If(test, copy.deepcopy(forward.body), copy.deepcopy(forward.body))]
    return True


def _put_into_module(tree: ast.Module, rng: random.Random) -> bool:
    model = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Model")
    model.name = f"Inner{rng.randrange(100)}"
    for node in ast.walk(model):
        if isinstance(node, ast.Name) and node.id == "Model":
            node.id = model.name
    forward = next(n for n in model.body if isinstance(n, ast.FunctionDef) and n.name == "forward")
    args = ast.unparse(forward.args)
    if forward.args.vararg or forward.args.kwarg or forward.args.kwonlyargs:
        return False
    given = ", ".join(a.arg for a in forward.args.args[1:])
    wrapper = ast.parse(
        f"class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.inner = {model.name}()\n    def forward({args}):\n"
        f"        return self.inner({given})\n"
    )
    at = tree.body.index(model) + 1
    tree.body[at:at] = wrapper.body
    return True


def _outline(tree: ast.Module, rng: random.Random) -> bool:
    """What is given back is computed by a function of its own."""
    node = _choose(tree, rng, ast.Return, lambda n: n.value is not None)
    if node is None:
        return False
    node.value = ast.parse(f"(lambda: {ast.unparse(node.value)})()", mode="eval").body
    return True


def _inline(tree: ast.Module, rng: random.Random) -> bool:
    """What a function, a method or a submodule does stands in the place of its call."""
    return inline(tree, forward_of(tree), rng)


def _look_through_view(tree: ast.Module, rng: random.Random) -> bool:
    """A view of all of it, which changes nothing."""
    names = {a.arg for a in forward_of(tree).args.args[1:]}
    node = _choose(
        tree, rng, ast.Name, lambda n: n.id in names and isinstance(n.ctx, ast.Load)
    )  # fmt: skip
    if node is None:
        return False
    view = rng.choice(("{0}.view_as({0})", "{0}[...]", "{0}.expand_as({0})", "{0}.flip(0).flip(0)"))
    text = view.format(node.id)
    node.id = f"({text})"  # as text: the tree is written out next
    return True


def _add_statement(tree: ast.Module, rng: random.Random) -> bool:
    forward = forward_of(tree)
    parts = [a.arg for a in forward.args.args[1:]]
    header = ast.unparse(tree) + (
        f"\nfrom {as_inputs.__module__} import as_inputs\ndef named():\n"
        "    args, kwargs = as_inputs(inputs())\n"
        f"    return {{**dict(zip({parts!r}, args)), **kwargs}}\n"
    )
    trial = PartialProgram(header, [{}, {}])
    given = [name for name in parts if name in trial.environments[0]]
    filling = Filling(rng, trial, tuple(given), list(given), made=90)
    element = rng.choice([e for e in ELEMENTS if e.statements])
    for _ in range(_TRIES):
        try:
            statement = filling.statement(element)
        except NothingFits:
            continue
        if not statement.init and not statement.top and filling.trial.take(statement):
            last = forward.body[-1]
            if not isinstance(last, ast.Return) or not statement.new:
                return False
            forward.body[-1:] = [
                *ast.parse("\n".join(statement.body)).body,
                ast.parse(f"return {ast.unparse(last.value or ast.Constant(None))}, "
                          f"{statement.new[0]}").body[0],
            ]  # fmt: skip
            return True
    return False


CHANGES: dict[str, Change] = {
    "operator": _swap_operator, "comparison": _swap_comparison, "function": _swap_function,
    "constant": _change_constant, "range": _change_range, "branch": _put_into_branch,
    "module": _put_into_module, "outline": _outline, "inline": _inline,
    "statement": _add_statement, "view": _look_through_view,
}  # fmt: skip


def variants(source: str, rng: random.Random, count: int) -> Iterator[str]:
    """Up to ``count`` programs near one whose capture is refused, each another."""
    seen = {source}
    for _ in range(count):
        found = changed(source, rng, rng.choice((1, 1, 2)))
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield found[0]


def near(source: str, seed: int, count: int) -> list[str]:
    """:func:`variants` by seed, as a task."""
    return list(variants(source, random.Random(f"{seed}/{source}"), count))

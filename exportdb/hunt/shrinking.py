"""A generated program made small, in the same bucket all the way.

Owns the steps that only a case can take: an input less, a size fixed. All others, and the search
itself, are those of ``diagnose --minimise``.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from exportdb.diagnose.reduce import ReductionProgress, reduced, smaller
from exportdb.executors.cpu_time import cpu_seconds

#: What a case cannot do without.
KEPT = ("Model", "forward", "inputs")


def split(text: str) -> tuple[str, str]:
    """The front matter of a case with its quotes, and the program behind it."""
    end = text.index('"""', 3) + 3
    return text[:end] + "\n", text[end:].lstrip("\n")


Tell = Callable[[Sequence[str]], Sequence[bool]]


def shrunk(
    text: str, still_fails: Tell, runs: Tell, seconds: float, jobs: int = 1,
    clock: Callable[[], float] = cpu_seconds,
) -> tuple[str, bool]:  # fmt: skip
    """The smallest text found within ``seconds`` of a clock, and whether nothing smaller was left.

    ``runs`` is asked first: whether eager runs a program at all. What fails untrained as well is
    trained no more.
    """
    front, program = split(text)
    untrained = TRAINS.sub("", front)
    if untrained != front and still_fails([_case(untrained, program)])[0]:
        front = untrained
    progress = ReductionProgress(program)

    def runnable(program: str) -> Iterator[str]:
        found = list(steps(program))
        answers = runs([_case(front, t) for t in found]) if found else []
        yield from [t for t, ran in zip(found, answers, strict=True) if ran]

    done = reduced(
        progress, lambda texts: still_fails([_case(front, t) for t in texts]), runnable, seconds,
        batch=max(2, 2 * jobs), clock=clock,
    )  # fmt: skip
    return _case(front, progress.text), done


#: How the front matter says that gradients are compared.
TRAINS = re.compile(r"^train: true\n", re.MULTILINE)
#: The ranges of sizes that no Dim declares, and one of them with its name.
_RANGES, _RANGE = re.compile(r"^dims: \{(.*)\}\n", re.MULTILINE), re.compile(r"(\w+): \{[^}]*\}")


def _case(front: str, program: str) -> str:
    """The program behind its front matter, which has the ranges of the sizes that are left."""
    left = {argument.arg for argument in _function(ast.parse(program), "inputs").args.args}

    def fitting(found: re.Match[str]) -> str:
        kept = [one[0] for one in _RANGE.finditer(found[1]) if one[1] in left]
        return f"dims: {{{', '.join(kept)}}}\n" if kept else ""

    return f"{_RANGES.sub(fitting, front)}\n{program}"


def steps(program: str) -> Iterator[str]:
    """Programs one step smaller, first with less to take, then with less to do."""
    seen = set()
    for text in chain(_taking_less(program), smaller(program, *KEPT)):
        if text not in seen and _is_case(text):
            seen.add(text)
            yield text


def _is_case(program: str) -> bool:
    """Whether a program has what a case needs: it saves an examination."""
    given = program.rpartition("def inputs(")[2]
    return all(f" {name}" in program for name in KEPT) and "return" in given


def _taking_less(program: str) -> Iterator[str]:
    tree = ast.parse(program)
    for number in range(len(_parameters(tree))):
        made = copy.deepcopy(tree)
        if _without_input(made, number):
            yield ast.unparse(made) + "\n"
    for name in [a.arg for a in _function(tree, "inputs").args.args]:
        made = copy.deepcopy(tree)
        _fix(made, name)
        yield ast.unparse(made) + "\n"


def _function(tree: ast.AST, name: str) -> ast.FunctionDef:
    return next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name)


def _model(tree: ast.AST) -> ast.ClassDef:
    return next(n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == "Model")


def _parameters(tree: ast.AST) -> list[ast.arg]:
    return _function(_model(tree), "forward").args.args[1:]


def _shapes(tree: ast.Module) -> ast.Dict | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="dynamic_shapes")], value=ast.Dict() as shapes):
                return shapes
    return None


def _without_input(tree: ast.Module, number: int) -> bool:
    """Take a parameter away, with what is made and declared for it; False where that fails."""
    forward, inputs, shapes = (
        _function(_model(tree), "forward"), _function(tree, "inputs"), _shapes(tree),
    )  # fmt: skip
    taken, name = forward.args, forward.args.args[number + 1].arg
    default = number + 1 - len(taken.args) + len(taken.defaults)
    if shapes is None or not (_not_given(inputs.body[-1], number, name) or default >= 0):
        return False
    del taken.args[number + 1]
    if default >= 0:
        del taken.defaults[default]
    kept = [
        (k, v) for k, v in zip(shapes.keys, shapes.values, strict=True)
        if not (isinstance(k, ast.Constant) and k.value == name)
    ]  # fmt: skip
    shapes.keys, shapes.values = [k for k, _ in kept], [v for _, v in kept]
    if not any(name == n.id for n in ast.walk(forward) if isinstance(n, ast.Name)):
        _drop_unused_sizes(tree)
        return True
    return False


def _not_given(returns: ast.stmt, number: int, name: str) -> bool:
    """Take what is given for a parameter away, by its place or by its name; False where nothing is,
    or nothing else."""
    match returns:
        case ast.Return(value=ast.Tuple(elts=[ast.Tuple(elts=placed), ast.Dict() as named])):
            names = [k.value if isinstance(k, ast.Constant) else None for k in named.keys]
            if number < len(placed):
                del placed[number]
            elif name in names:
                at = names.index(name)
                del named.keys[at], named.values[at]
            else:
                return False
        case ast.Return(value=ast.Tuple(elts=made)) if len(made) > 1 and number < len(made):
            del made[number]
        case _:
            return False
    return True


def _drop_unused_sizes(tree: ast.Module) -> None:
    inputs = _function(tree, "inputs")
    used = {n.id for s in inputs.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    pairs = list(zip(inputs.args.args, inputs.args.defaults, strict=True))
    inputs.args.args = [a for a, _ in pairs if a.arg in used]
    inputs.args.defaults = [d for a, d in pairs if a.arg in used]


def _fix(tree: ast.Module, name: str) -> None:
    """Make a size that varies the constant that it is in the example."""
    inputs = _function(tree, "inputs")
    at = [a.arg for a in inputs.args.args].index(name)
    size = inputs.args.defaults[at]
    del inputs.args.args[at], inputs.args.defaults[at]

    class Constant(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return copy.deepcopy(size) if node.id == name else node

        def visit_Dict(self, node: ast.Dict) -> ast.expr:
            pairs = list(zip(node.keys, node.values, strict=True))
            kept = [(k, self.visit(v)) for k, v in pairs if f"Dim('{name}'" not in ast.unparse(v)
                    or isinstance(v, ast.Dict | ast.List | ast.Tuple)]  # fmt: skip
            return ast.Dict([k for k, _ in kept], [v for _, v in kept])

    inputs.body = [Constant().visit(s) for s in inputs.body]
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.Assign):
            tree.body[i] = Constant().visit(node)
    ast.fix_missing_locations(tree)

"""Changes of a case that mean the same: whatever an exporter does of it, it has to do of the other.

Owns which changes these are, and the look in eager whether a changed program really does the same.
What an exporter made of both is compared by ``buckets``.
"""

from __future__ import annotations

import ast
import contextlib
import random
import warnings
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import as_inputs
from exportdb.hunt.changing import CHANGES, Change, forward_of, with_change
from exportdb.hunt.partial_program import fresh_space, run, seed
from exportdb.hunt.shrinking import split

#: Tries of a case before it is given up.
_TRIES = 8


def _put_into_idle_branch(tree: ast.Module, rng: random.Random) -> bool:
    """All of it stands in a branch that every input takes, whatever its sizes."""
    forward = forward_of(tree)
    name = rng.choice([a.arg for a in forward.args.args[1:]])
    test = ast.parse(f"{name}.dim() >= 0", mode="eval").body
    forward.body = [ast.If(test, forward.body, [])]
    return True


def _rename(tree: ast.Module, rng: random.Random) -> bool:
    """The local variables have other names."""
    forward = forward_of(tree)
    given = {a.arg for a in ast.walk(forward.args) if isinstance(a, ast.arg)}
    local = _written(forward.body) - given
    if not local or any(isinstance(n, ast.Global | ast.Nonlocal) for n in ast.walk(forward)):
        return False
    end = rng.choice(("_", "_0", "_new"))
    for node in ast.walk(forward):
        if isinstance(node, ast.Name) and node.id in local:
            node.id += end
        elif isinstance(node, ast.arg) and node.arg in local:
            node.arg += end
    return True


def _reorder(tree: ast.Module, rng: random.Random) -> bool:
    """Two lines beside each other of which neither needs the other change places."""
    body = forward_of(tree).body
    apart = [i for i, (one, other) in enumerate(pairwise(body)) if _independent(one, other)]
    if not apart:
        return False
    at = rng.choice(apart)
    body[at], body[at + 1] = body[at + 1], body[at]
    return True


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
        return False
    writes, others = _written([one]), _written([other])
    return not (writes & _names(other) or others & _names(one))


def _written(body: Sequence[ast.stmt]) -> set[str]:
    return {
        n.id for statement in body for n in ast.walk(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }  # fmt: skip


def _names(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}


NEUTRAL: dict[str, Change] = {
    "idle branch": _put_into_idle_branch, "renamed": _rename, "reordered": _reorder,
    "only inlined": CHANGES["inline"],
    **{f"only a {name}": CHANGES[name] for name in ("module", "outline", "view")},
}  # fmt: skip


def same_as(source: str, rng: random.Random) -> tuple[str, str] | None:
    """A case with one change that means the same, and the name of the change; None where none of
    those tried does."""
    front, program = split(source)
    for _ in range(_TRIES):
        name = rng.choice(list(NEUTRAL))
        text = with_change(program, NEUTRAL[name], rng)
        if text is not None and text != program and _do_alike(program, text):
            return f"{front}\n{text}", name
    return None


def all_changed(sources: Sequence[str], name: str) -> list[str | None]:
    """Each of these cases with the change of that name, in the first place where it means the same;
    None where there is none."""
    return [_changed(source, name) for source in sources]


def _changed(source: str, name: str) -> str | None:
    front, program = split(source)
    for place in range(_TRIES):
        text = with_change(program, NEUTRAL[name], random.Random(place))
        if text is not None and text != program and _do_alike(program, text):
            return f"{front}\n{text}"
    return None


def _do_alike(*programs: str) -> bool:
    """Whether programs give the very same and leave the same in their inputs, on the example."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        try:
            one, other = map(_done_by, programs)
            return len(one) == len(other) and all(map(_equal, one, other))
        except Exception:
            return False


def _done_by(program: str) -> list[object]:
    space = fresh_space("neutral")
    seed(0)
    run(program, space)
    model, given = space["Model"](), as_inputs(space["inputs"]())
    seed(1)
    output = model(*given[0], **given[1])
    return list(pytree.tree_leaves((output, given)))


def _equal(one: object, other: object) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True, check_stride=True)
        return True
    return one == other or (one != one and other != other)

"""A recurrent layer that is given a packed sequence, as the same layer over the padded one.

Owns what has to be done after it so that it gives the same: what stands in the padding is set to
zero, the last state is read where each sequence ends, and the direction from the end begins there.
That holds for layers of one direction, and for a single layer of both; whether it is one is left to
``sameness``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    as_one,
    function_at,
    parsed,
    replacing,
    simple_statements,
)

_WHAT = "run it over the padded sequence, and leave out what it gives for the padding"


@dataclass(frozen=True)
class _Packing:
    """A sequence that is packed, run and padded again: the statements, and their parts as text."""

    pack: ast.Assign
    run: ast.Assign
    pad: ast.Assign | None
    sequence: str
    lengths: str
    layer: str  # what is called
    more: str  # arguments of the call after the sequence, with a comma in front
    first: bool  # whether the batch comes first


def padded(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The function at ``line`` without packing, for layers of one direction or of both."""
    tree = parsed(source)
    function = function_at(tree, line)
    found = None if function is None else _packing(function.body)
    if found is None:
        return
    for both in _directions(tree, found.layer):
        if (lines := _lines(found, both)) is None:
            continue
        changes = [replacing(_WHAT, found.pack, []), replacing(_WHAT, found.run, lines)]
        if found.pad is not None:
            changes.append(replacing(_WHAT, found.pad, _padded_again(found)))
        yield as_one(changes)


def _directions(tree: ast.AST, layer: str) -> tuple[bool, ...]:
    """Whether a layer has both directions, as its constructor says; either where none does."""
    for statement in simple_statements(tree):
        match statement:
            case ast.Assign(targets=[target], value=ast.Call(keywords=keywords)) if (
                ast.unparse(target) == layer
            ):
                said = {k.arg: ast.unparse(k.value) for k in keywords}.get("bidirectional", "False")
                return {"True": (True,), "False": (False,)}.get(said, (False, True))
    return False, True


def _packing(body: list[ast.stmt]) -> _Packing | None:
    assigned = [s for s in body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)]
    pack = next((s for s in assigned if _calls(s, "pack_padded_sequence")), None)
    if pack is None or not isinstance(pack.value, ast.Call) or len(pack.value.args) < 2:
        return None
    name = ast.unparse(pack.targets[0])
    run = next((s for s in assigned if s is not pack and _first_argument(s) == name), None)
    if run is None or not isinstance(run.value, ast.Call):
        return None
    gives = run.targets[0]
    output = ast.unparse(gives.elts[0]) if isinstance(gives, ast.Tuple) else ""
    pads = (s for s in assigned if _calls(s, "pad_packed_sequence"))
    pad = next((s for s in pads if _first_argument(s) == output), None)
    more = ast.unparse(ast.Call(ast.Name("f", ast.Load()), run.value.args[1:], run.value.keywords))
    more = more.removeprefix("f(").removesuffix(")")
    return _Packing(
        pack, run, pad, ast.unparse(pack.value.args[0]), _tensor(pack.value.args[1]),
        ast.unparse(run.value.func), f", {more}" if more else "", _is_true(pack, "batch_first"),
    )  # fmt: skip


def _calls(statement: ast.Assign, name: str) -> bool:
    called = statement.value.func if isinstance(statement.value, ast.Call) else None
    return called is not None and ast.unparse(called).rpartition(".")[2] == name


def _first_argument(statement: ast.Assign) -> str:
    match statement.value:
        case ast.Call(args=[first, *_]):
            return ast.unparse(first)
    return ""


def _is_true(statement: ast.Assign, keyword: str) -> bool:
    keywords = statement.value.keywords if isinstance(statement.value, ast.Call) else []
    return any(k.arg == keyword and ast.unparse(k.value) == "True" for k in keywords)


def _tensor(lengths: ast.expr) -> str:
    """The tensor of lengths, wherever it is moved for the packing."""
    match lengths:
        case ast.Call(func=ast.Attribute(value=value, attr="cpu" | "to" | "tolist" | "detach")):
            return _tensor(value)
    return ast.unparse(lengths)


def _lines(found: _Packing, both: bool) -> list[ast.stmt] | None:
    """The layer over the padded sequence, and what it gives as the packed one would: ``output`` is
    of the batch first, with nothing in the padding."""
    x, lengths = found.sequence, found.lengths
    whole = f"{found.layer}({{}}{found.more})[0]" + ("" if found.first else ".transpose(0, 1)")
    batch = x if found.first else f"{x}.transpose(0, 1)"
    steps = f"torch.arange({x}.shape[{int(found.first)}], device={lengths}.device)"
    lines = [
        f"steps, ends = {steps}, {lengths}[:, None]",
        # What packing refuses is refused.
        "torch._check(torch.logical_and(ends > 0, ends <= steps.shape[0]).all().item())",
        f"output = {whole.format(x)}",
    ]
    if both:  # from the end: with every sequence moved to the end, and moved back
        moved = f"{batch}.gather(1, to_end[..., None].expand(-1, -1, {x}.shape[2]))"
        moved = moved if found.first else f"{moved}.transpose(0, 1)"
        lines += [
            "to_end, back = (steps + ends) % steps.shape[0], (steps - ends) % steps.shape[0]",
            f"from_end = {whole.format(moved)}",
            "from_end = from_end.gather(1, back[..., None].expand(-1, -1, output.shape[2]))",
            "half = output.shape[2] // 2",
            "output = torch.cat([output[..., :half], from_end[..., half:]], -1)",
        ]
    lines.append("output = output * (steps < ends)[..., None]")
    state = _state(found.run.targets[0])
    if state is None:
        return None
    if state:
        last = "(ends - 1)[..., None].expand(-1, 1, output.shape[2])"
        lines.append(f"last = output.gather(1, {last}).transpose(0, 1)")
        of_both = "torch.cat([last[..., :half], output[:, :1, half:].transpose(0, 1)])"
        lines.append(f"{state} = {of_both if both else 'last'}")
    return ast.parse("\n".join(lines)).body


def _state(target: ast.expr) -> str | None:
    """The name that the last state gets, "" for none; None where there is more to be given."""
    match target:
        case ast.Tuple(elts=[ast.Name(), ast.Name(id=name)]):
            return "" if name == "_" else name
        case ast.Tuple(elts=[ast.Name(), ast.Tuple(elts=[ast.Name(id=name), ast.Name(id="_")])]):
            return "" if name == "_" else name
    return None


def _padded_again(found: _Packing) -> list[ast.stmt]:
    """What stands for the padding of the output again: all steps, or those that the longest has."""
    assert found.pad is not None
    total = isinstance(found.pad.value, ast.Call) and any(
        k.arg == "total_length" for k in found.pad.value.keywords
    )
    value = "output" if total else f"output[:, :{found.lengths}.max().item()]"
    value = value if _is_true(found.pad, "batch_first") else f"{value}.transpose(0, 1)"
    target = found.pad.targets[0]
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    lines = [f"{ast.unparse(names[0])} = {value}"]
    if len(names) > 1 and ast.unparse(names[1]) != "_":
        lines.append(f"{ast.unparse(names[1])} = {found.lengths}")
    return ast.parse("\n".join(lines)).body

"""Exceptions and foreign values as text, whatever their authors made of them.

Owns the bounds of what a record keeps of them, that it holds no address of an object, and that
asking them for their text can neither fail nor give what cannot be written as UTF-8.
"""

from __future__ import annotations

import ast
import linecache
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import torch

from exportdb import explain
from exportdb.records.fingerprint import fingerprint
from exportdb.records.record import ErrorInfo
from exportdb.records.text import lasting, legible

MAX_MESSAGE = 6000  # characters of an error's message that a record keeps
MAX_TEXT = 2**20  # characters of one that are looked at
_USER_STACK = "\n\nUser stack:"
#: How torch.export names a constant that it cannot keep.
_CONSTANT = re.compile(r"\bmodel attribute: (\w+)\.")


def make_room(e: BaseException) -> None:
    """Let go of what the functions held that ran out of memory: what follows needs some."""
    if isinstance(e, MemoryError):
        traceback.clear_frames(e.__traceback__)


def error_of(e: BaseException, own: Sequence[str] = (), line: int = 0) -> ErrorInfo:
    """An exception as data, its message bounded, with its fingerprint and catalogue entry.

    Where the message names no line of ``own``, the program's file and then those of its exporter,
    the one that was being run stands at its end: of the first file that the exception came through,
    then ``line`` of the program, or else that of the node of a graph that the exporter was at.
    """
    make_room(e)
    kind, message = legible(type(e).__name__), message_of(e)
    if isinstance(e, SystemExit):
        message = f"sys.exit({message}) was called"
    elif isinstance(e, MemoryError):
        message = message or "ran out of the memory it was given"
    message = cut(message, MAX_MESSAGE)
    stack = _stack(e, own, message)
    if own and line and f'"{own[0]}", line ' not in stack:
        settled = _line_of(own[0], line)
        stack += settled.removeprefix(_USER_STACK) if stack else settled
    told = message + stack
    if own and _USER_STACK not in told and f'{Path(own[0]).name}", line ' not in told:
        told += _at_node(e, own[0]) or _at_constant(e, message, own[0])
    return ErrorInfo(kind, told, fingerprint(kind, message), explain.match(kind, message))


def _stack(e: BaseException, own: Sequence[str], message: str) -> str:
    """Where an exception came through the user's files, in the form of torch's own messages."""
    for file in own:
        named = rf"\b{re.escape(Path(file).name)}\"?, line (\d+)"
        if re.search(rf"{named}, in ", message):
            return ""
        if drawn := re.search(rf"{named}$", message, re.MULTILINE):  # TorchScript's own form
            return _line_of(file, int(drawn[1]))
        for one in _with_causes(e):
            frames = traceback.extract_tb(one.__traceback__)
            if passed := [f for f in frames if f.filename == file]:
                at = passed[-1]
                place = _place(file, at.lineno or 0, at.name, at.line or "")
                return f"{'' if message.strip() else 'no message'}{place}"
    return ""


def _at_node(e: BaseException, file: str) -> str:
    """The line that made the node that the exporter was at when it raised: what the innermost
    function calls ``node``, or else the one that it holds. Of an operator that a pass or a backend
    does not take, that is the user's own line."""
    for one in _with_causes(e):
        for frame, _ in reversed(list(traceback.walk_tb(one.__traceback__))):
            held = {k: v for k, v in frame.f_locals.items() if isinstance(v, torch.fx.Node)}
            if "node" not in held and len(set(held.values())) != 1:
                continue
            node = held.get("node") or next(iter(held.values()))
            if line := _made_at(file, [node]):
                return line
    return ""


def _at_constant(e: BaseException, message: str, file: str) -> str:
    """The line of the first node that takes the tensor which torch.export complains of: one that
    was made while tracing, and that its graph has as a constant of its own."""
    if named := _CONSTANT.search(message):
        for frame, _ in traceback.walk_tb(e.__traceback__):
            for held in frame.f_locals.values():
                if type(held).__name__ == "ExportArtifact":
                    nodes = held.aten.gm.graph.find_nodes(op="placeholder")
                    users = (u for n in nodes if n.name == f"c_{named[1]}" for u in n.users)
                    return _made_at(file, users)
    return ""


def _made_at(file: str, nodes: Iterable[torch.fx.Node]) -> str:
    """The line of the user's that made the first of some nodes of which that is known."""
    for node in nodes:
        passed = re.findall(rf'File "{re.escape(file)}", line (\d+)', node.stack_trace or "")
        if passed:
            return _line_of(file, int(passed[-1]))
    return ""


def _line_of(file: str, line: int) -> str:
    """A line of the user's that no exception came through, in the same form."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    there = [f for f in functions if f.lineno <= line <= (f.end_lineno or 0)]
    name = max(there, key=lambda f: f.lineno).name if there else "<module>"
    return _place(file, line, name, linecache.getline(file, line).strip())


def _place(file: str, line: int, function: str, code: str) -> str:
    return f'{_USER_STACK}\n  File "{file}", line {line}, in {function}\n    {code}'


def _with_causes(e: BaseException | None) -> Iterator[BaseException]:
    """An exception and what it was raised for, each once."""
    seen: set[int] = set()
    while e is not None and id(e) not in seen:
        seen.add(id(e))
        yield e
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)


def one_line(e: BaseException) -> str:
    """An exception in one line of bounded length: its type, and what its message begins with."""
    kind = legible(type(e).__name__)
    first = next((line for line in message_of(e).splitlines() if line.strip()), "")
    return f"{kind}: {first[:300]}" if first else kind


def message_of(e: BaseException) -> str:
    """The whole text of an exception; of one that cannot say it, what came of asking."""
    try:
        return lasting(legible(cut(str(e), MAX_TEXT)))
    except Exception as failure:
        return f"(its message cannot be read: str() raised {type(failure).__name__})"


def shown(value: object, most: int = 60) -> str:
    """A value as Python shows it, in at most so many characters; if it cannot, its type."""
    try:
        text = lasting(legible(repr(value)))
    except Exception as failure:
        return f"{type(value).__name__} (its repr() raised {type(failure).__name__})"
    return text if len(text) <= most else text[: most - 3] + "..."


def cut(text: str, most: int) -> str:
    """``text`` without its middle if it is longer than ``most`` characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n[...]\n{text[-half:]}"

"""The child: takes one task after the other, runs it, and says whether it may take another.

Owns the way between the bytes of a task and the bytes of its answer, and that nothing a task does
short of killing the process gets past it. Whether the process is as clean as before is left to
``cleanliness``; deadlines, and what is said of a child that died, to ``pool``.

A task is a length, whether it is the last, and a pickle of (function, args, memory in MiB or None);
the function is ``module:function`` and returns JSON-ready data. What is said is one line of JSON:

- ``{"ready": true}``: the child can take its first task;
- ``{"at": "capture"}``: how far the task is (``inside.announce``); the first, with "", says that it
  begins: until then, whatever goes wrong in a used process is not the task's doing;
- ``{"so_far": ...}``: what it has found already (``inside.so_far``);
- ``{"value": ..., "retire": null}``: it returned, and the child is clean;
- ``{"raised": {"type", "message", "traceback"}, "retire": "why"}``: it raised, and the child ends.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import resource
import socket
import struct
import sys
import tempfile

# By name: a task may have put something else into these modules.
from contextvars import copy_context
from importlib import import_module
from json import dumps
from pathlib import Path, PurePath
from pickle import Pickler, loads
from traceback import format_exception
from typing import Any

from exportdb.executors import inside
from exportdb.executors.local.child import MAX_LINE
from exportdb.executors.local.cleanliness import Guard

#: Before a task's bytes: how many they are, and whether the child ends after it.
HEAD = struct.Struct("!Q?")
#: Longest traceback and message that are sent, in characters.
MAX_TEXT = 20_000

_channel: socket.socket | None = None
_retire_after: str | None = None
_guard: Guard | None = None


def prepare() -> None:
    """Once, before any worker is forked: note what a clean process looks like."""
    global _guard
    _guard = Guard()


def _announce(what: str) -> None:
    _send({"at": what})


def _so_far(value: Any) -> None:
    _send({"so_far": value})


def _retire(reason: str) -> None:
    global _retire_after
    _retire_after = reason


def pack(function: str, args: tuple[Any, ...], memory_mb: int | None) -> bytes:
    """The bytes of a task. Raises what pickling raises."""
    file = io.BytesIO()
    _Pickler(file).dump((function, args, memory_mb))
    return file.getvalue()


def framed(body: bytes, last: bool) -> bytes:
    """What the parent sends of a task; after the ``last`` one the child ends."""
    return HEAD.pack(len(body), last) + body


class _Pickler(Pickler):
    """Pickles paths so that another version of Python can read them: their classes have moved."""

    def reducer_override(self, thing: Any) -> Any:
        return (Path, (str(thing),)) if isinstance(thing, PurePath) else NotImplemented


def main(channel: socket.socket, scratch: Path) -> None:
    """Run tasks until the parent closes the channel or the process is no longer clean."""
    global _channel
    _channel = channel
    guard = _guard or Guard()
    shared = scratch.parent / "shared"
    inside.listen(_announce, _retire, _so_far, guard.take_baseline, shared)
    scratch.mkdir()
    shared.mkdir(exist_ok=True)
    os.chdir(scratch)  # what a program writes beside itself is gone when the child is
    os.environ["TMPDIR"] = tempfile.tempdir = str(scratch)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    faulthandler.enable()
    guard.take_baseline()
    incoming = channel.makefile("rb")
    _send({"ready": True})
    while head := incoming.read(HEAD.size):
        length, last = HEAD.unpack(head)
        # A copy: what a task does to context variables is gone with it.
        answer = copy_context().run(_answer, incoming.read(length))
        # Looking takes some time: not when it does not matter.
        retire = "it was the last task" if last else _retire_after or guard.end()
        _send_text(f'{{{answer}, "retire": {dumps(retire)}}}')
        if retire:
            return


def _answer(body: bytes) -> str:
    """Do what a task says; its answer as the inside of a JSON object."""
    try:
        name, args, memory_mb = loads(body)
        _limit_memory(memory_mb)
        module, _, attribute = name.partition(":")
        function = getattr(import_module(module), attribute)
        _announce("")
        text = dumps(function(*args))
        if len(text) > MAX_LINE // 2:
            raise ValueError(f"its answer is {len(text)} characters long")
        _limit_memory(None)
        return f'"value": {text}'
    except BaseException as e:  # SystemExit and KeyboardInterrupt included: they end no run
        if isinstance(e, MemoryError) or not isinstance(e, Exception):
            _retire(f"raised {type(e).__name__}")
        _limit_memory(None)  # saying what happened takes some, too
        return f'"raised": {dumps(texts_of(e))}'


def texts_of(error: BaseException) -> dict[str, str]:
    """Type, message and traceback of an exception, whatever it does when it is asked."""
    try:
        message = str(error)
        if isinstance(error, MemoryError):
            message = message or "ran out of the memory it was given"
        trace = "".join(format_exception(error))
    except BaseException as e:
        message, trace = f"(its message cannot be read: {type(e).__name__})", ""
    texts = {
        "type": type(error).__name__,
        "message": message[:MAX_TEXT],
        "traceback": trace[-MAX_TEXT:],
    }
    # A lone surrogate, as in a file's name, can be written nowhere.
    return {k: v.encode(errors="backslashreplace").decode() for k, v in texts.items()}


def _limit_memory(megabytes: int | None) -> None:
    """Let the process own that much more data than it does now; None: as much as it likes."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        limit = resource.RLIM_INFINITY
        if megabytes is not None:
            pages = int(Path("/proc/self/statm").read_text().split()[5])
            limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def _send(message: dict[str, Any]) -> None:
    _send_text(dumps(message))


def _send_text(message: str) -> None:
    assert _channel is not None
    _channel.sendall(message.encode() + b"\n")

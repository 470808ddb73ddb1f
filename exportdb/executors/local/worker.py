"""The child: takes one task after the other, runs it, and says whether it may take another.

Owns the way between the bytes of a task and the bytes of its answer, and that nothing a task does
short of killing the process gets past it. Whether the process is as clean as before is left to
``cleanliness``; deadlines, and what is said of a child that died, to ``pool``.

A task is a length and a pickle of (function, args, memory in MiB or None, whether it is the last);
the function is ``module:function`` and returns JSON-ready data. Every answer is one line of JSON:

- ``{"at": "capture"}``: what the task said through ``inside.announce``;
- ``{"value": ..., "retire": null}``: it returned, and the child is clean;
- ``{"raised": {"type", "message", "traceback"}, "retire": "why"}``: it raised, and the child ends.
"""

from __future__ import annotations

import contextlib
import contextvars
import faulthandler
import importlib
import io
import json
import os
import pickle
import resource
import socket
import struct
import sys
import tempfile
import traceback
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from exportdb.executors import inside
from exportdb.executors.local.cleanliness import Guard

LENGTH = struct.Struct("!I")
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


def _retire(reason: str) -> None:
    global _retire_after
    _retire_after = reason


def pack(function: str, args: tuple[Any, ...], memory_mb: int | None, last: bool) -> bytes:
    """The bytes of a task, for the parent to send; after the ``last`` one the child ends."""
    file = io.BytesIO()
    _Pickler(file).dump((function, args, memory_mb, last))
    body = file.getvalue()
    return LENGTH.pack(len(body)) + body


class _Pickler(pickle.Pickler):
    """Pickles paths so that another version of Python can read them: their classes have moved."""

    def reducer_override(self, thing: Any) -> Any:
        return (Path, (str(thing),)) if isinstance(thing, PurePath) else NotImplemented


def main(channel: socket.socket, scratch: Path) -> None:
    """Run tasks until the parent closes the channel or the process is no longer clean."""
    global _channel
    _channel = channel
    inside.listen(_announce, _retire)
    scratch.mkdir()
    os.chdir(scratch)  # what a program writes beside itself is gone when the child is
    os.environ["TMPDIR"] = tempfile.tempdir = str(scratch)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    faulthandler.enable()
    guard = _guard or Guard()
    guard.take_baseline()
    incoming = channel.makefile("rb")
    _send({"ready": True})
    while body := _read(incoming):
        guard.begin()
        # A copy: what a task does to context variables is gone with it.
        answer = contextvars.copy_context().run(_run, body)
        answer["retire"] = _retire_after or guard.end()  # reads a lot: not when it does not matter
        _send(answer)
        if answer["retire"]:
            return


def _run(body: bytes) -> dict[str, Any]:
    try:
        name, args, memory_mb, last = pickle.loads(body)
        if last:
            _retire("it was the last task")
        _limit_memory(memory_mb)
        module, _, attribute = name.partition(":")
        value = getattr(importlib.import_module(module), attribute)(*args)
        json.dumps(value)
        return {"value": value}
    except BaseException as e:  # SystemExit and KeyboardInterrupt included: they end no run
        if isinstance(e, MemoryError) or not isinstance(e, Exception):
            _retire(f"raised {type(e).__name__}")
        _limit_memory(None)  # saying what happened takes some, too
        return _raised(e)


def _raised(error: BaseException) -> dict[str, Any]:
    try:
        message = str(error)
        if isinstance(error, MemoryError):
            message = message or "ran out of the memory it was given"
        trace = "".join(traceback.format_exception(error))
    except Exception as e:
        message, trace = f"(its message cannot be read: {type(e).__name__})", ""
    return {
        "raised": {
            "type": type(error).__name__,
            "message": message[:MAX_TEXT],
            "traceback": trace[-MAX_TEXT:],
        }
    }


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
    assert _channel is not None
    _channel.sendall(json.dumps(message).encode() + b"\n")


def _read(incoming: BinaryIO) -> bytes:
    head = incoming.read(LENGTH.size)
    return incoming.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""

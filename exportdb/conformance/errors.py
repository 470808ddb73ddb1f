"""Exceptions as data and as text, whatever their authors made of them.

Owns the bounds of a recorded message and the one way to ask an exception for its text.
"""

from __future__ import annotations

from exportdb import explain
from exportdb.records.fingerprint import fingerprint
from exportdb.records.record import ErrorInfo

MAX_MESSAGE = 6000  # characters of an error's message that a record keeps


def ends_process(e: BaseException) -> bool:
    """Whether this would end a user's process: memory ran out, or it is no ``Exception``."""
    return isinstance(e, MemoryError) or not isinstance(e, Exception)


def error_of(e: BaseException) -> ErrorInfo:
    """An exception as data, its message bounded, with its fingerprint and catalogue entry."""
    kind, message = type(e).__name__, str(e)
    if isinstance(e, SystemExit):
        message = f"sys.exit({message}) was called"
    elif isinstance(e, MemoryError):
        message = message or "ran out of the memory it was given"
    if len(message) > MAX_MESSAGE:
        half = MAX_MESSAGE // 2
        message = f"{message[:half]}\n[...]\n{message[-half:]}"
    return ErrorInfo(kind, message, fingerprint(kind, message), explain.match(kind, message))


def one_line(e: BaseException) -> str:
    """An exception in one line of bounded length: its type, and what its message begins with."""
    first = next((line for line in str(e).splitlines() if line.strip()), "")
    return f"{type(e).__name__}: {first[:300]}" if first else type(e).__name__

"""Files of our own: written whole or not at all, and where those that are merely kept lie.

Knows nothing of what stands in a file; whoever keeps one says when it no longer holds.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

#: Seconds after which a file that was begun and never finished is nobody's any more.
LEFTOVER_AGE = 3600


def guides() -> Path:
    """The folder of the hand-written guides."""
    package = Path(__file__).parent
    installed = package / "documentation"  # in a wheel
    return installed if installed.is_dir() else package.parent / "docs"  # in a checkout


def names_a_file(words: str | Path) -> bool:
    """Whether what a user wrote is the name of a file; it may be longer than any name."""
    with contextlib.suppress(OSError, ValueError):
        return Path(words).is_file()
    return False


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a reader sees the old one or the new one; "" removes it.

    Raises OSError with the name of the file that was meant.
    """
    if not text:
        path.unlink(missing_ok=True)
        return
    import tempfile  # commands that only read write nothing

    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            temporary = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as e:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise OSError(e.errno, e.strerror, str(path)) from None


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file, with its folder, so that nobody ever reads a part of it. Raises OSError.

    Half the time of :func:`write_atomically`, which is for files of the user's: this one does not
    wait for the disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data.encode() if isinstance(data, str) else data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def keep(path: Path, data: bytes | str) -> None:
    """:func:`write_whole` of what can be made again: where it cannot be written, it is not kept."""
    with contextlib.suppress(OSError):
        write_whole(path, data)


def keep_sealed(path: Path, data: bytes) -> None:
    """:func:`keep`, below a digest by which :func:`read_sealed` knows that nobody else wrote it."""
    keep(path, _seal(data) + data)


def read_sealed(path: Path) -> bytes:
    """What :func:`keep_sealed` wrote; b"" if there is nothing, or not as it was written."""
    with contextlib.suppress(OSError):
        if not path.is_file():  # a named pipe has no end
            return b""
        seal, newline, data = path.read_bytes().partition(b"\n")
        if seal + newline == _seal(data):
            return data
    return b""


def _seal(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest()[:16].encode() + b"\n"


def user_cache() -> Path:
    """The folder for what is kept for this user, and may be deleted at any time."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "exportdb"


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file line by line, whole or not at all: what is long need not fit in memory."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Remove what writers of ``path`` left that were killed; a writer at work is never this old."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFTOVER_AGE:
                left.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

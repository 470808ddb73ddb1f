"""Compiled code that is kept from run to run: where it lies, and what a killed linker left of it.

Inductor has the linker write a library where it is looked for later, and loads what it finds there.
What is half written stays so, and each later capture of the same code would be refused for it
("file too short").
"""

from __future__ import annotations

import contextlib
import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path

INDUCTOR = "TORCHINDUCTOR_CACHE_DIR"
PACKAGES = "EXPORTDB_PACKAGES"
#: Seconds in which a linker that lives writes on.
LINKS = 10.0


def folders(home: Path) -> dict[str, str]:
    """Where under ``home`` it is kept, by environment variable; what the user set is left out."""
    kept = home.resolve() / "compiled"
    where = {INDUCTOR: kept / "inductor", PACKAGES: kept / "packages"}
    return {name: str(path) for name, path in where.items() if name not in os.environ}


def drop_cut_libraries() -> None:
    """Remove the libraries of this process's folder that nobody will finish; those that are written
    now are waited for."""
    for path in _libraries(os.environ.get(INDUCTOR)):
        with contextlib.suppress(OSError):  # another run has removed it
            while is_cut(path):
                left = path.stat().st_mtime + LINKS - time.time()
                if not 0 < left <= LINKS:  # more if the clock was set back
                    path.unlink()
                    break
                time.sleep(0.5)


def is_cut(path: Path) -> bool:
    """Whether this library ends before its own tables do, which a linker writes last.

    Only ELF files are known (System V ABI, chapter 4); any other format is taken as whole. Raises
    OSError.
    """
    with path.open("rb") as file:
        head, size = file.read(64), os.fstat(file.fileno()).st_size
    if len(head) < 64 or not any(head[:4]):
        return True
    if head[:4] != b"\x7fELF" or head[4:6] != b"\x02\x01":  # 64 bits, little-endian
        return False
    (offset,) = struct.unpack_from("<Q", head, 0x28)
    entry, count = struct.unpack_from("<HH", head, 0x3A)
    return not offset or size < offset + entry * count


def _libraries(folder: str | None) -> Iterator[Path]:
    for within, _, names in os.walk(folder or os.devnull):
        yield from (Path(within, name) for name in names if name.endswith(".so"))

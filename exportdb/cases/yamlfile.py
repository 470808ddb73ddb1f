"""Files of YAML: read whole, in part, or as they were when they were last read.

Owns what is kept of them in the user's cache. What a text of YAML may be is said by ``yamltext``,
which is imported where a file is parsed: seldom, and not for nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from exportdb.cases.case import CaseError
from exportdb.files import keep, user_cache

#: What stands in the first column: a top-level key, or the line that is neither that nor a remark.
_FIRST_COLUMN = re.compile(r"^(?:([\w.-]+):(?=\s)|[^\s#])", re.MULTILINE)


def just(text: str, keys: Collection[str]) -> str:
    """``text`` with nothing but these of its top-level keys; every line keeps its number.

    To leave a key out takes a hundredth of the time that parsing it does. A text that is more
    than plain keys with indented values is returned whole.

    >>> just("a:\\n  x: 1\\nb: 2\\n", {"b"})
    '\\n\\nb: 2\\n'
    """
    found = list(_FIRST_COLUMN.finditer(text))
    if not found or not all(f[1] for f in found):
        return text
    ends = [f.start() for f in found[1:]] + [len(text)]
    blocks = [(f[1], text[f.start() : end]) for f, end in zip(found, ends, strict=True)]
    head = text[: found[0].start()]
    return head + "".join(b if key in keys else "\n" * b.count("\n") for key, b in blocks)


def load_file(path: Path, keys: Collection[str] | None = None) -> tuple[Any, dict[str, int]]:
    """The value of a file, or of :func:`just` these top-level keys of it, and the line of each key.

    Raises CaseError if it cannot be read.
    """
    from exportdb.cases.yamltext import MAX_BYTES, load

    try:
        if path.stat().st_size > MAX_BYTES:
            raise CaseError(path, 1, f"larger than {MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise CaseError(path, 1, f"cannot be read: {e.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(path, 1, "is not UTF-8 text") from None
    return load(text if keys is None else just(text, keys), path)


def kept_file(path: Path) -> tuple[Any, dict[str, int]]:
    """:func:`load_file`, remembered as JSON in the user's cache until the file changes.

    JSON is read in a fiftieth of the time. A cache that cannot be read or written does not matter.
    """
    kept = _kept(path)
    with contextlib.suppress(OSError, ValueError):
        data, lines = json.loads(kept.read_text(encoding="utf-8"))
        return data, lines
    data, lines = load_file(path)
    with contextlib.suppress(TypeError):
        keep(kept, json.dumps([data, lines]))
    return data, lines


def _kept(path: Path) -> Path:
    """Where a file is remembered: a name of its path, size and time."""
    state = path.stat() if path.is_file() else None
    told = f"{path.resolve()} {state and (state.st_mtime_ns, state.st_size)}"
    name = hashlib.sha256(told.encode()).hexdigest()[:32]
    return user_cache() / "yaml" / f"{name}.json"


def entries(
    paths: Iterable[Path], must: str, broken: list[CaseError]
) -> Iterator[tuple[Path, int, str, Any]]:
    """Path, line, key and value of every top-level entry of several files of one kind.

    A file that does not exist has none. One that cannot be read, or is no mapping (then the error
    says what it ``must`` be), is told to ``broken`` and passed over.
    """
    for path in paths:
        if not path.is_file():
            continue
        try:
            data, lines = kept_file(path)
            if not isinstance(data, dict):
                raise CaseError(path, 1, must)
        except CaseError as e:
            broken.append(e)
            continue
        for key, value in data.items():
            yield path, lines.get(str(key), 1), key, value

"""Files of YAML: read whole, in part, or as they were when they were last read.

Owns what is kept of them in the user's cache, and changing one part of a text and nothing else.
What a text of YAML may be is said by ``yamltext``, which is imported where a file is parsed:
seldom, and not for nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exportdb.cases.case import CaseError
from exportdb.files import keep, user_cache

#: What stands in the first column: a top-level key, or the line that is neither that nor a remark.
_FIRST_COLUMN = re.compile(r"^(?:([\w./-]+):(?=\s)|[^\s#])", re.MULTILINE)


def _blocks(text: str) -> tuple[str, list[tuple[str, str]]] | None:
    """What stands above the first top-level key, and the text of each key with its value; None of
    a text that is more than plain keys with indented values."""
    text += "" if text.endswith("\n") else "\n"  # so that another key may follow
    found = list(_FIRST_COLUMN.finditer(text))
    if not all(f[1] for f in found):
        return None
    ends = [*(f.start() for f in found), len(text)]
    starts = zip(found, ends[1:], strict=True)
    return text[: ends[0]], [(f[1], text[f.start() : end]) for f, end in starts]


def with_keys(text: str, keys: Collection[str]) -> str:
    """``text`` with nothing but these of its top-level keys; every line keeps its number.

    To leave a key out takes a hundredth of the time that parsing it does. A text that is more
    than plain keys with indented values is returned whole.

    >>> with_keys("a:\\n  x: 1\\nb: 2\\n", {"b"})
    '\\n\\nb: 2\\n'
    """
    if (parts := _blocks(text)) is None:
        return text
    head, blocks = parts
    return head + "".join(b if key in keys else "\n" * b.count("\n") for key, b in blocks)


def with_part(text: str, key: str, value: str) -> str:
    """``text`` with ``value``, the text of a mapping, under a top-level key, and nothing else
    changed; an empty one takes the key away. A key that is new stands in alphabetical order.

    >>> with_part("a: {x: 1}\\n", "b", "y: 2\\nz: 3\\n")
    'a: {x: 1}\\nb:\\n  y: 2\\n  z: 3\\n'
    >>> with_part("b: {y: 2}\\n", "a", "x: 1\\n")
    'a: {x: 1}\\nb: {y: 2}\\n'

    Raises ValueError for a text that is more than plain keys with indented values.
    """
    if (parts := _blocks(text)) is None:
        raise ValueError("is more than plain keys with their values")
    head, blocks = parts
    names = [name for name, _ in blocks]
    at = next((i for i, name in enumerate(names) if name > key), len(names))
    at, after = (names.index(key), names.index(key) + 1) if key in names else (at, at)
    value = value.strip("\n")
    if "\n" in value:
        new = f"{key}:\n{textwrap.indent(value, '  ')}\n"
    else:
        new = f"{key}: {{{value}}}\n" if value else ""
    texts = [block for _, block in blocks]
    return head + "".join([*texts[:at], new, *texts[after:]])


@dataclass(frozen=True)
class Part:
    """A file, or with a ``key`` what stands in it under that top-level key."""

    path: Path
    key: str = ""

    def text(self) -> tuple[str, int]:
        """Its text, and the line of the file on which that begins; empty where there is none.

        Raises CaseError for a file that cannot be read, or that is not made of parts.
        """
        if not self.path.is_file():
            return "", 1
        text = _text_of(self.path)
        if not self.key:
            return text, 1
        if (parts := _blocks(text)) is None:
            raise CaseError(
                self.path, 1, f"must map names to their entries, as in {self.key}: {{...}}"
            )
        line = parts[0].count("\n") + 1
        found = []
        for key, block in parts[1]:
            if key == self.key:
                found.append((line, block))
            line += block.count("\n")
        if not found:
            return "", 1
        if len(found) > 1:
            raise CaseError(self.path, found[1][0], f"{self.key!r} is given twice")
        ((line, block),) = found
        first, rest = block.split("\n", 1)
        beside = first.partition(":")[2].strip()
        return (f"{beside}\n{rest}", line) if beside else (textwrap.dedent(rest), line + 1)

    def load(self, keys: Collection[str] | None = None) -> tuple[Any, dict[str, int]]:
        """Its value, or that of these top-level ``keys`` alone, and the line of each key.

        Raises CaseError if it cannot be read.
        """
        from exportdb.cases.yamltext import load

        text, line = self.text()
        return load(text if keys is None else with_keys(text, keys), self.path, line)


def _text_of(path: Path) -> str:
    from exportdb.cases.yamltext import MAX_BYTES

    try:
        if path.stat().st_size > MAX_BYTES:
            raise CaseError(path, 1, f"larger than {MAX_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as e:
        raise CaseError(path, 1, f"cannot be read: {e.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(path, 1, "is not UTF-8 text") from None


def load_file(path: Path) -> tuple[Any, dict[str, int]]:
    """The value of a file and the line of each top-level key.

    Raises CaseError if it cannot be read.
    """
    from exportdb.cases.yamltext import load

    return load(_text_of(path), path)


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

"""YAML as the database uses it: safe, with line numbers, without aliases.

Owns loading of every YAML text in the project. Anchors and aliases are refused: no file of ours
needs them, and they are how a small file becomes a huge one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from exportdb.cases.case import CaseError

MAX_BYTES = 4_000_000
MAX_DEPTH = 100

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]  # the C loader when there is one
    """Refuses duplicate keys and keys that are not plain values."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise yaml.MarkedYAMLError(problem="a key must be a plain value",
                                           problem_mark=key_node.start_mark)  # fmt: skip
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key!r} is given twice",
                                           problem_mark=key_node.start_mark)  # fmt: skip
            seen.add(key)
        built: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return built


def _refuse_bombs(text: str) -> None:
    """Raise for aliases and for nesting that would exhaust the loader's stack."""
    if "*" not in text and text.count("[") + text.count("{") < MAX_DEPTH:
        return
    depth = 0
    for event in yaml.parse(text, _Base):
        mark: Any = event.start_mark  # of the C parser or of the Python one
        if isinstance(event, yaml.AliasEvent):
            problem = "aliases (*name) are not allowed here"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def load(text: str, path: Path, first_line: int = 1) -> tuple[Any, dict[str, int]]:
    """The value of a YAML text and the line of each of its top-level keys.

    ``first_line`` is the line of ``path`` on which ``text`` begins. Raises CaseError, which names
    the file and the line, for anything that is not plain YAML.
    """
    if len(text) > MAX_BYTES:
        raise CaseError(path, first_line, f"larger than {MAX_BYTES:,} characters")
    try:
        _refuse_bombs(text)
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None, {}
            lines = {}
            if isinstance(node, yaml.MappingNode):
                lines = {str(k.value): k.start_mark.line + first_line for k, _ in node.value}
            return loader.construct_document(node), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line = first_line + (mark.line if mark else 0)
        raise CaseError(path, line, f"not valid YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise CaseError(path, first_line, f"not valid YAML: {e}") from None
    except (RecursionError, ValueError) as e:
        raise CaseError(path, first_line, f"not valid YAML: {e}") from None


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
    """:func:`load` of a file, or of :func:`just` these top-level keys of it.

    Raises CaseError if it cannot be read.
    """
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
    with contextlib.suppress(OSError, TypeError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps([data, lines]), encoding="utf-8")
        part.replace(kept)
    return data, lines


def _kept(path: Path) -> Path:
    """Where a file is remembered: a name of its path, size and time."""
    state = path.stat() if path.is_file() else None
    told = f"{path.resolve()} {state and (state.st_mtime_ns, state.st_size)}"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    name = hashlib.sha256(told.encode()).hexdigest()[:32]
    return home / "exportdb" / "yaml" / f"{name}.json"


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

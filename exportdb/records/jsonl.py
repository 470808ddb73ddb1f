"""Files of records: JSON Lines, the environment first, then one record a line.

Owns the reading and checking of such files and the form of their lines. Records from elsewhere
are data: every line is checked against the published schema (``record.schema.json``) before
anything is made of it. Writing while a run goes on is left to ``exportdb.runner.runfile``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from exportdb.records.environment import Environment
from exportdb.records.record import SCHEMA, Record, dump_line

#: Longest line that is read, in bytes.
MAX_LINE = 256 * 2**20


class RecordFileError(Exception):
    """A file of records that cannot be read: which file, which line, what, and what to do."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


@dataclass(frozen=True)
class Header:
    """The first line of a file: where and how its records were made.

    ``started`` is a time in ISO 8601, UTC. ``planned`` is how many records the run was to have,
    ``plan`` the digest of what it was to examine, ``arguments`` the words of its command line:
    what is needed to resume it.
    """

    run: str
    started: str
    environment: Environment
    planned: int
    plan: str = ""
    arguments: tuple[str, ...] = ()
    schema: int = SCHEMA

    def to_json(self) -> dict[str, Any]:
        """The header as JSON-ready data, with ``kind: environment`` first."""
        own = {k: v for k, v in vars(self).items() if k != "environment"}
        return {
            "kind": "environment",
            **own,
            "env": self.environment.digest,
            **self.environment.to_json(),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Header:
        """Rebuild a header from :meth:`to_json` data that fits the schema."""
        fields = Environment.__dataclass_fields__
        own = {k: v for k, v in data.items() if k not in fields and k not in ("kind", "env")}
        own["arguments"] = tuple(own.get("arguments", ()))
        environment = Environment.from_json({k: v for k, v in data.items() if k in fields})
        return Header(environment=environment, **own)


def dump_header(header: Header) -> str:
    """The first line of a file."""
    return dump_line(header.to_json())


def dump_record(record: Record) -> str:
    """One further line of a file."""
    return dump_line(record.to_json())


def read_header(path: Path) -> Header:
    """The first line of a file. Raises RecordFileError."""
    for _, data in _lines(path, torn=True):
        if data["kind"] != "environment":
            break
        return Header.from_json(data)
    raise RecordFileError(
        path, 1, "is not a file of records: it must begin with an environment line"
    )


def read(path: Path, torn: bool = False) -> tuple[Header, Iterator[Record]]:
    """A file's header and, lazily, its records, every line checked against the schema.

    A last line that is cut off is an error unless ``torn`` is true; then it is left out. Raises
    RecordFileError, for a line further down when the iteration comes to it.
    """
    header = read_header(path)
    return header, _records(path, torn)


def _records(path: Path, torn: bool) -> Iterator[Record]:
    for number, data in _lines(path, torn):
        if number == 1:
            continue
        if data["kind"] != "record":
            raise RecordFileError(path, number, "a second environment line; split the file there")
        yield Record.from_json(data)


def _lines(path: Path, torn: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 1
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
                if not line.endswith(b"\n"):
                    if torn and number > 1:
                        return
                    raise RecordFileError(
                        path, number, "the line is cut off: the run was interrupted here; "
                        "finish it with exportdb run --resume",
                    )  # fmt: skip
                yield number, _checked(path, number, line)
    except OSError as e:
        raise RecordFileError(path, number, f"cannot be read: {e.strerror}") from None


def _checked(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise RecordFileError(path, number, f"is not JSON ({e}); make the run again") from None
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind not in ("environment", "record"):
        raise RecordFileError(path, number, "is neither an environment nor a record (no such kind)")
    version = data.get("schema")
    if version != SCHEMA:
        raise RecordFileError(
            path,
            number,
            f"has schema {version!r}, this exportdb reads {SCHEMA}; make the run again",
        )
    if not _fits(kind, data) and (problem := next(_validators()[kind].iter_errors(data), None)):
        where = ".".join(str(p) for p in problem.absolute_path) or "the line"
        raise RecordFileError(path, number, f"{where}: {problem.message[:300]}; make the run again")
    result: dict[str, Any] = data
    return result


def _fits(kind: str, data: Any) -> bool:
    """Whether a line is surely as the schema says; if not, the slow validators find out why."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _checks()[kind](data)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _checks() -> dict[str, Any]:
    """For each kind of line a function made from the schema: twenty times as fast."""
    import fastjsonschema

    return {k: fastjsonschema.compile(s, use_default=False) for k, s in _schemas().items()}


@cache
def _validators() -> dict[str, Any]:
    """A validator for each kind of line, which says what is wrong and where."""
    from jsonschema import Draft202012Validator

    return {kind: Draft202012Validator(schema) for kind, schema in _schemas().items()}


@cache
def _schemas() -> dict[str, Any]:
    """The schema of each kind of line."""
    schema = json.loads(schema_path().read_text(encoding="utf-8"))
    return {
        kind: {"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}
        for kind in ("environment", "record")
    }


def schema_path() -> Path:
    """Where the published JSON Schema of a line lies."""
    return Path(__file__).with_name("record.schema.json")

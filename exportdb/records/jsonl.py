"""Files of records: JSON Lines, the environments first, then one record a line.

Owns the reading and checking of such files and the form of their lines. Records from elsewhere
are data: every line is checked against the published schema (``record.schema.json``) before
anything is made of it. Writing while a run goes on is left to ``exportdb.store``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from exportdb.records.environment import Environment
from exportdb.records.record import SCHEMA, Record, dump_line

#: Versions of the schema that are read: a file of version 1 has one environment line.
READ = (1, 2)
#: Longest line that is read, in bytes.
MAX_LINE = 256 * 2**20


class RecordFileError(Exception):
    """A file of records that cannot be read: which file, which line, what, and what to do."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


_SECOND = "a second run begins here; split the file there"


@dataclass(frozen=True)
class Header:
    """What stands before the records of a file: where and how they were made.

    ``environments`` are those that records name, the one that the run was started in first.
    ``started`` is a time in ISO 8601, UTC. ``planned`` is how many records the run was to have,
    ``plan`` the digest of what it was to examine, ``arguments`` the words of its command line:
    what is needed to resume it.
    """

    run: str
    started: str
    environments: tuple[Environment, ...]
    planned: int
    plan: str = ""
    arguments: tuple[str, ...] = ()
    schema: int = SCHEMA

    @property
    def environment(self) -> Environment:
        """The environment that the run was started in."""
        return self.environments[0]

    def environment_of(self, record: Record) -> Environment:
        """Where a record was made. Raises KeyError if the file does not say."""
        for environment in self.environments:
            if record.env in (environment.digest, ""):
                return environment
        raise KeyError(record.env)

    def to_json(self) -> list[dict[str, Any]]:
        """JSON-ready data of a line for each environment; the first says how the run was made."""
        own = {k: v for k, v in vars(self).items() if k != "environments"}
        lines = [own, *({"run": self.run, "schema": self.schema} for _ in self.environments[1:])]
        return [
            {"kind": "environment", **told, "env": e.digest, **e.to_json()}
            for told, e in zip(lines, self.environments, strict=True)
        ]

    @staticmethod
    def from_json(lines: Sequence[dict[str, Any]]) -> Header:
        """Rebuild a header from :meth:`to_json` data that fits the schema.

        Raises TypeError if the first line does not say how the run was made.
        """
        fields = Environment.__dataclass_fields__
        own = {k: v for k, v in lines[0].items() if k not in fields and k not in ("kind", "env")}
        own["arguments"] = tuple(own.get("arguments", ()))
        environments = tuple(
            Environment.from_json({k: v for k, v in line.items() if k in fields}) for line in lines
        )
        return Header(environments=environments, **own)


def dump_header(header: Header) -> str:
    """The first lines of a file."""
    return "".join(map(dump_line, header.to_json()))


def dump_record(record: Record) -> str:
    """One further line of a file."""
    return dump_line(record.to_json())


def read_header(path: Path) -> Header:
    """What stands before the records of a file. Raises RecordFileError."""
    lines = [data for _, data in _lines(path, torn=True, kind="environment")]
    if not lines or "started" not in lines[0]:
        raise RecordFileError(
            path, 1, "is not a file of records: it must begin with the environment line of a run"
        )
    for number, line in enumerate(lines[1:], 2):
        if "started" in line:
            raise RecordFileError(path, number, _SECOND)
        if line.get("switches") != lines[0].get("switches"):
            raise RecordFileError(
                path, number, "was made under other switches than the run; keep the two apart"
            )
    return Header.from_json(lines)


def read(path: Path, torn: bool = False) -> tuple[Header, Iterator[Record]]:
    """A file's header and, lazily, its records, every line checked against the schema.

    A last line that is cut off is an error unless ``torn`` is true; then it is left out. Raises
    RecordFileError, for a line further down when the iteration comes to it.
    """
    header = read_header(path)
    return header, _records(path, torn, header)


def _records(path: Path, torn: bool, header: Header) -> Iterator[Record]:
    known = {e.digest for e in header.environments} | {""}
    for number, data in _lines(path, torn):
        if number <= len(header.environments):
            continue
        if data["kind"] != "record":
            raise RecordFileError(path, number, _SECOND)
        if data.get("env", "") not in known:
            raise RecordFileError(
                path, number, f"no environment line is about {data['env']}; make the run again"
            )
        yield Record.from_json(data)


def _lines(path: Path, torn: bool, kind: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file with their numbers; with ``kind``, until one is of another."""
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
                if kind and number > 1 and _kind(line) != kind:
                    return
                yield number, _checked(path, number, line)
    except OSError as e:
        raise RecordFileError(path, number, f"cannot be read: {e.strerror}") from None


def _kind(line: bytes) -> Any:
    """What a line says it is; None for one that cannot be read, which is told later."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data.get("kind") if isinstance(data, dict) else None


def _checked(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise RecordFileError(path, number, f"is not JSON ({e}); make the run again") from None
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind not in ("environment", "record"):
        raise RecordFileError(path, number, "is neither an environment nor a record (no such kind)")
    version = data.get("schema")
    if version not in READ:
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

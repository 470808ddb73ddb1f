"""Files of records: JSON Lines, the environments first, then one record a line.

Owns the reading and checking of such files. Records from elsewhere are data: what a line must be is
said by its type, and nothing is made of one that is not. Writing while a run goes on is left to
``exportdb.store``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args

import msgspec
from msgspec import UNSET, UnsetType

from exportdb.cases.data import Data, DataError, Text, checked, says
from exportdb.records.environment import Environment
from exportdb.records.outcome import unexpected
from exportdb.records.record import SCHEMA, Identity, Record, Schema

#: Longest line that is read, in bytes.
MAX_LINE = 256 * 2**20


class RecordFileError(Exception):
    """A file of records that cannot be read: which file, which line, what, and what to do."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


class EnvironmentLine(Environment, frozen=True, kw_only=True, tag_field="kind", tag="environment"):
    """Where records were made. The first one of a file also says how: from ``started`` on."""

    schema: Annotated[Schema, says("Version of this schema.")]
    run: Annotated[Text, says("ID of the run; the name of its file without .jsonl.")]
    env: Annotated[str, says("Digest of the fields of the environment.", pattern="^[0-9a-f]{16}$")]
    started: Annotated[str | UnsetType, says("When the run began: ISO 8601, UTC.")] = UNSET
    planned: Annotated[int, says("How many records it was to have; fewer: it was interrupted.")] = 0
    plan: Annotated[
        str, says("Digest of all that was to be examined; a run is only resumed with the same one.")
    ] = ""
    arguments: Annotated[tuple[str, ...], says("The words of the command line, for resuming.")] = ()


@dataclass(frozen=True)
class Header:
    """What stands before the records of a file: where and how they were made.

    ``environments`` are those that records name, the one that the run was started in first.
    The rest is what the first :class:`EnvironmentLine` says.
    """

    run: str
    started: str
    environments: tuple[Environment, ...]
    planned: int
    plan: str = ""
    arguments: tuple[str, ...] = ()
    schema: Schema = SCHEMA

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

    def encode(self) -> bytes:
        """The first lines of a file."""
        how = {k: v for k, v in vars(self).items() if k != "environments"}
        known = {"run": self.run, "schema": self.schema}
        lines = []
        for i, e in enumerate(self.environments):
            fields = msgspec.structs.asdict(e)
            line = EnvironmentLine(**fields, **(known if i else how), env=e.digest)
            lines.append(msgspec.json.encode(line) + b"\n")
        return b"".join(lines)


def read_header(path: Path) -> Header:
    """What stands before the records of a file. Raises RecordFileError."""
    lines: list[EnvironmentLine] = []
    for number, raw in _lines(path, torn=True):
        try:
            line = _parsed(path, number, raw)
        except RecordFileError:
            if number == 1:
                raise
            break  # it is told where the records are read
        if not isinstance(line, EnvironmentLine):
            break
        if lines and line.started is not UNSET:
            raise RecordFileError(path, number, _SECOND)
        if lines and line.switches != lines[0].switches:
            raise RecordFileError(
                path, number, "was made under other switches than the run; keep the two apart"
            )
        lines.append(line)
    if not lines or lines[0].started is UNSET:
        raise RecordFileError(
            path, 1, "is not a file of records: it must begin with the environment line of a run"
        )
    first, names = lines[0], Environment.__struct_fields__
    environments = tuple(Environment(**{n: getattr(e, n) for n in names}) for e in lines)
    return Header(
        first.run, str(first.started), environments, first.planned, first.plan, first.arguments,
        first.schema,
    )  # fmt: skip


def read(path: Path, torn: bool = False) -> tuple[Header, Iterator[Record]]:
    """A file's header and, lazily, its records, every line checked.

    A last line that is cut off is an error unless ``torn`` is true; then it is left out. Raises
    RecordFileError, for a line further down when the iteration comes to it.
    """
    header = read_header(path)
    return header, _records(path, torn, header)


def _records(path: Path, torn: bool, header: Header) -> Iterator[Record]:
    known = {e.digest for e in header.environments} | {""}
    for number, raw in _lines(path, torn):
        if number <= len(header.environments):
            continue
        record = _parsed(path, number, raw)
        if not isinstance(record, Record):
            raise RecordFileError(path, number, _SECOND)
        if record.env not in known:
            raise RecordFileError(
                path, number, f"no environment line is about {record.env}; make the run again"
            )
        yield record


class _Outline(msgspec.Struct):
    """The few fields of a record that say whether it was a surprise."""

    case: str
    exporter: str
    device: str
    outcome: str
    suite: str = "cases"
    verdict: str | None = None


def read_surprises(path: Path) -> set[Identity]:
    """What was not as expected in a file, read in a fifth of the time that its records take.

    A last line that is cut off is left out. Raises RecordFileError for a line that is no record.
    """
    decode = msgspec.json.Decoder(_Outline).decode
    found = set()
    header = read_header(path)
    for number, raw in _lines(path, torn=True):
        if number > len(header.environments):
            try:
                r = decode(raw)
            except (msgspec.DecodeError, RecursionError):
                raise RecordFileError(path, number, _trouble(raw)) from None
            if unexpected(r.outcome, r.verdict):
                found.add((r.suite, r.case, r.exporter, r.device))
    return found


_SECOND = "a second run begins here; split the file there"


def _lines(path: Path, torn: bool) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers."""
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
                yield number, line
    except OSError as e:
        raise RecordFileError(path, number, f"cannot be read: {e.strerror}") from None


_KINDS: dict[str, type[Data]] = {"environment": EnvironmentLine, "record": Record}
_DECODER: msgspec.json.Decoder[EnvironmentLine | Record] = msgspec.json.Decoder(
    EnvironmentLine | Record
)


def _parsed(path: Path, number: int, line: bytes) -> EnvironmentLine | Record:
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError):
        raise RecordFileError(path, number, f"{_trouble(line)}; make the run again") from None


def _trouble(line: bytes) -> str:
    """Why a line cannot be read."""
    try:
        data = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as e:
        return f"is not JSON ({e})"
    kind = _KINDS.get(str(data.get("kind"))) if isinstance(data, dict) else None
    if kind is None:
        return "is neither an environment nor a record (no such kind)"
    if (version := data.get("schema")) not in get_args(Schema):
        return f"has schema {version!r}, this exportdb reads {SCHEMA}"
    try:
        checked(data, kind)
    except DataError as e:
        return str(e)
    return "is not as a line must be"

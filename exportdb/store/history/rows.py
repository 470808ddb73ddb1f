"""A record taken apart into what is kept once, and put together again.

Pure. What a record says (its *result*) is the same night after night; the run, the environment, the
seconds, what :data:`ANEW` names and the exporter's own print-out of the graph are not, and are left
out of the result's digest.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from exportdb.records.jsonl import Header
from exportdb.records.record import Identity, Record, digest

#: What ``cost`` has that is measured anew each time; a column of the record's row each.
ANEW = ("peak_mib", "first_call")
#: The name of a run that exportdb gave: when it began, to the millisecond.
_GENERATED = re.compile(r"(\d{8}-\d{6})-(\d{3})[0-9a-f]{2}")


@dataclass(frozen=True)
class StoredText:
    """A long text, by which it is found, and as it is kept."""

    digest: str
    body: bytes

    @staticmethod
    def of(text: str) -> StoredText:
        """A text as it is kept."""
        raw = text.encode(errors="surrogatepass")
        return StoredText(digest(raw), zlib.compress(raw, 1))


def text_of(body: bytes | None) -> str | None:
    """The text that was kept."""
    return None if body is None else zlib.decompress(body).decode(errors="surrogatepass")


@dataclass(frozen=True)
class Parts:
    """A record in parts: what it says is named by ``digest``; ``columns`` are asked, ``rest`` not.

    ``run`` and ``env`` are the names of its run and its environment.
    """

    identity: Identity
    run: str
    env: str
    digest: str
    columns: dict[str, Any]
    rest: bytes
    graph: StoredText | None
    message: StoredText | None
    readable: StoredText | None
    seconds: str
    anew: dict[str, float | None]
    cached: bool

    @property
    def texts(self) -> list[StoredText]:
        """Its long texts."""
        return [t for t in (self.graph, self.message, self.readable) if t is not None]


def taken_apart(record: Record, header: Header) -> Parts:
    """A record of a run in parts."""
    cost = {k: v for k, v in record.cost.items() if k not in ANEW}
    graph = None if record.graph is None else StoredText.of(record.graph)
    message = StoredText.of(record.error.message) if record.error else None
    said = record.with_(
        run="", env="", seconds={}, cost=cost, cached=False, graph=None, graph_readable=None,
        error=record.error and record.error.with_(message=""),
    ).encode()  # fmt: skip
    texts = (t.digest if t else "" for t in (graph, message))
    return Parts(
        identity=record.identity,
        run=record.run or header.run,
        env=record.env or header.environment.digest,
        digest=digest(b"\n".join((said, *(t.encode() for t in texts)))),
        columns={
            "outcome": str(record.outcome),
            "phase": record.phase,
            "verdict": record.verdict and str(record.verdict),
            "exporter_version": record.exporter_version,
            "error_type": record.error.type if record.error else None,
            "dims_asked": record.dims.known,
            "dims_kept": record.dims.kept,
            **{k: _whole(cost.get(k)) for k in ("graph_breaks", "graphs", "guards")},
        },
        rest=zlib.compress(said, 1),
        graph=graph,
        message=message,
        readable=None if record.graph_readable is None else StoredText.of(record.graph_readable),
        seconds=msgspec.json.encode(record.seconds).decode(),
        anew={name: record.cost.get(name) for name in ANEW},
        cached=record.cached,
    )


def put_together(row: Any) -> Record:
    """The record of a row of ``reading``: its parts, with the names of run and environment."""
    record = Record.decode(zlib.decompress(row.rest))
    anew = {name: value for name in ANEW if (value := getattr(row, name)) is not None}
    cost = {**record.cost, **anew}
    error = record.error and record.error.with_(message=text_of(row.message) or "")
    return record.with_(
        run=row.run, env=row.env, seconds=msgspec.json.decode(row.seconds), cost=cost, error=error,
        cached=row.cached, graph=text_of(row.graph), graph_readable=text_of(row.readable),
    )  # fmt: skip


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def began(run: str, header: Header) -> datetime:
    """When a run began: as its name says, which a merged file keeps, else as its header does.

    Raises ValueError for a header that gives no time.
    """
    if found := _GENERATED.fullmatch(run):
        second = datetime.strptime(found[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
        return second.replace(microsecond=int(found[2]) * 1000)
    given = datetime.fromisoformat(header.started)
    return given if given.tzinfo else given.replace(tzinfo=UTC)


def milliseconds(time: datetime) -> int:
    """A time as the ID of a run counts it."""
    return round(time.timestamp() * 1000)

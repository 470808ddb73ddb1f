"""Causes as files: the smallest program as a case, a script in plain torch, and what is known.

Owns the folder of drafts. Nothing of it goes into the database by itself: a person titles a draft
(``exportdb new --from DRAFT``).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from exportdb.cases.scaffold import PROGRAM
from exportdb.hunt.buckets import Bucket
from exportdb.hunt.features import features
from exportdb.hunt.shrinking import TRAINS, split
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.reports import repro

#: The program that a draft's own must do the same as.
UNCHANGED = "unchanged.py"
#: Seconds that a script may take.
TIMEOUT = 120.0
#: Devices that torch has by itself, with values on them.
_IN_PLAIN_TORCH = ("cpu", "cuda")
#: What a capture does that is not silently wrong.
_HAPPENS = {
    o: f"is {o}" for o in Outcome
} | {
    Outcome.LOSSY: "loses something that eager gives beside values",
    Outcome.SPECIALIZED: "raises on inputs that it has to take",
    Outcome.CRASHED: "ends the process",
    Outcome.TIMEOUT: "does not end",
}  # fmt: skip
_IMPORTED = re.compile(r"^import torch\n", re.MULTILINE)


@dataclass(frozen=True)
class ReducedCause:
    """A cause, with its smallest program so far.

    ``buckets`` are all in which it showed, the one of its program first, ``programs`` the IDs of
    those that showed it, ``known`` is why it is nothing new ("" if it is), ``near`` the case most
    like it ("" if none is), ``devices`` are those that have it, ``proved`` whether the script shows
    it (None where there is none), ``again`` whether it came out alike when the exporter was asked
    once more (None where a script tells) and ``command`` what asks it, in the folder of the draft,
    ``error`` the whole message of what was raised, ``departs`` the first operator whose result the
    capture does not have, with its line, ``unchanged`` the program that must do the same, and does
    better ("" where there is none).
    """

    buckets: tuple[Bucket, ...]
    text: str
    programs: tuple[str, ...]
    known: str = ""
    proved: bool | None = None
    finished: bool = True
    error: str = ""
    sample: str = ""
    departs: str = ""
    near: str = ""
    again: bool | None = None
    devices: tuple[str, ...] = ("cpu",)
    command: str = ""
    unchanged: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether it was seen twice: its script shows it, or it came out alike once more."""
        return self.proved is not False and self.again is not False

    @property
    def bucket(self) -> Bucket:
        """That of its program."""
        return self.buckets[0]

    @property
    def exporters(self) -> tuple[str, ...]:
        """Those that have it."""
        return tuple(dict.fromkeys(b.exporter for b in self.buckets))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of errors or differences, all as which it shows."""
        return tuple(dict.fromkeys(kind for b in self.buckets for kind in b.kind.split(", ")))

    @property
    def order(self) -> tuple[bool, int, int]:
        """Of two programs of one cause the first in this order is kept: confirmed, and small."""
        return (not self.confirmed, self.statements, len(self.text))

    @property
    def key(self) -> str:
        """What names it: how its program fails, and, where it is silent, what it does."""
        b = self.bucket
        does = sorted(self.features) if b.silent else ()
        return digest(repr((b.outcome, b.kind, b.said, b.operator, self.known, *does)))

    @property
    def draft(self) -> str:
        """The name of its folder among the drafts."""
        return f"{self.bucket.exporter}-{self.key}"

    @property
    def features(self) -> frozenset[str]:
        """What its program does."""
        return features(split(self.text)[1])

    @property
    def statements(self) -> int:
        """How many statements its ``forward`` has."""
        return len([line for line in self.forward if line.strip()])

    @property
    def forward(self) -> list[str]:
        """The lines of ``forward``, without its head."""
        lines = split(self.text)[1].splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith("    def forward")]
        body = lines[starts[-1] + 1 :] if starts else []
        ends = next((i for i, line in enumerate(body) if line and line[:8].strip()), len(body))
        return [line[8:] for line in body[:ends] if line.strip()]

    def with_another(self, other: ReducedCause) -> ReducedCause:
        """Both as one cause, with the program that is among the drafts."""
        return replace(
            self, programs=tuple(dict.fromkeys(self.programs + other.programs)),
            buckets=tuple(dict.fromkeys(self.buckets + other.buckets)),
            devices=tuple(dict.fromkeys(self.devices + other.devices)),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """It as data."""
        b = self.bucket
        return {
            "key": self.key, "exporters": list(self.exporters), "devices": list(self.devices),
            "outcome": str(b.outcome),
            "kinds": list(self.kinds), **asdict(b), "buckets": [asdict(b) for b in self.buckets],
            "known": self.known, "proved": self.proved, "finished": self.finished,
            "programs": list(self.programs),
            "statements": self.statements, "error": self.error, "sample": self.sample,
            "departs": self.departs, "near": self.near, "again": self.again, "text": self.text,
            "command": self.command, "unchanged": self.unchanged,
        }  # fmt: skip

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ReducedCause:
        """What :meth:`as_json` gave."""
        buckets = (Bucket(**b | {"outcome": Outcome(b["outcome"])}) for b in data["buckets"])
        return ReducedCause(
            tuple(buckets), data["text"], tuple(data["programs"]), data["known"], data["proved"],
            data["finished"], data["error"], data["sample"], data["departs"], data["near"],
            data["again"], tuple(data["devices"]), data.get("command", ""),
            data.get("unchanged", ""),
        )  # fmt: skip


def script(text: str, record: Record) -> str | None:
    """The program with what shows its cause in plain torch; None where that is not enough."""
    if record.device not in _IN_PLAIN_TORCH:
        return None
    program = split(text)[1]
    if record.device != "cpu":  # in the place of the context in which an examination loads it
        program = _IMPORTED.sub(rf'\g<0>torch.set_default_device("{record.device}")\n', program, 1)
    if record.outcome.stopped:
        added = repro.raising(record.exporter, "Model")
    else:
        trains = TRAINS.search(split(text)[0]) is not None
        added = repro.script(record, "Model", program, trains)
    return None if added is None else program + added


def proved(path: Path, outcome: Outcome) -> bool:
    """Whether a script shows what it is to show, in a process of its own."""
    try:
        done = subprocess.run(
            [sys.executable, "-u", path.name], capture_output=True, text=True, timeout=TIMEOUT,
            check=False, cwd=path.parent,
        )  # fmt: skip
    except subprocess.TimeoutExpired as stopped:
        return outcome is Outcome.TIMEOUT and b"eager gave" in (stopped.stdout or b"")
    if outcome.silent:  # what tracing left behind cannot even be compared
        return done.returncode == 1 and (
            "AssertionError" in done.stderr or "FakeTensor(" in done.stdout
        )
    if outcome is Outcome.TIMEOUT or "eager gave" not in done.stdout:
        return False
    return done.returncode < 0 if outcome is Outcome.CRASHED else done.returncode > 0


def write(
    folder: Path, cause: ReducedCause, record: Record, again: Callable[[], bool], asked: str = ""
) -> ReducedCause:
    """Put a cause among the drafts and try its script, or see it ``again`` where there can be none;
    the cause as it was written. ``asked`` is what a command line calls its exporter."""
    place = folder / cause.draft
    place.mkdir(parents=True, exist_ok=True)
    (place / PROGRAM).write_text(cause.text, encoding="utf-8")
    if cause.unchanged:
        (place / UNCHANGED).write_text(cause.unchanged, encoding="utf-8")
    if (made := script(cause.text, record)) is not None:
        path = place / "proof.py"
        path.write_text(made, encoding="utf-8")
        cause = replace(cause, proved=_proved_somehow(path, made, cause.bucket.outcome))
    else:
        command = f"exportdb run program.py --exporter {asked or record.exporter}"
        on = "" if record.device == "cpu" else f" --device {record.device}"
        cause = replace(cause, again=again(), command=command + on)
    (place / "cause.json").write_text(json.dumps(cause.as_json(), indent=1), encoding="utf-8")
    (place / "report.md").write_text(_for_upstream(cause, made), encoding="utf-8")
    return cause


def keep_only(folder: Path, causes: Iterable[ReducedCause]) -> None:
    """Remove the drafts of other causes: a hunt that was killed finds these again."""
    wanted = {cause.draft for cause in causes}
    for place in folder.iterdir():
        if place.name not in wanted:
            shutil.rmtree(place)


def _proved_somehow(path: Path, made: str, outcome: Outcome) -> bool:
    """Try the script as it is, then, where torch.compile is to take sizes as symbols at once."""
    dynamic = made.replace("fullgraph=True)", "fullgraph=True, dynamic=True)")
    for text in dict.fromkeys((made, dynamic)):
        path.write_text(text, encoding="utf-8")
        if proved(path, outcome):
            return True
    path.write_text(made, encoding="utf-8")
    return False


def _for_upstream(cause: ReducedCause, made: str | None) -> str:
    """A text for an issue; what only a person can say is left open."""
    b = cause.bucket
    happens = "answers differently from eager, silently" if b.silent else _HAPPENS[b.outcome]
    said = cause.error or "\n".join(filter(None, (cause.sample, cause.departs)))
    who = ", ".join(cause.exporters)
    if "cpu" not in cause.devices:
        who += f" on {', '.join(cause.devices)}"
    shown = f"{made or split(cause.text)[1]}```\n"
    if cause.command:  # its exporter has no name in plain torch
        shown = f"{cause.text}```\n\nWith that as `program.py`: `{cause.command}`\n"
    if cause.unchanged:
        shown += (
            "\nThis program means the same, and does better:\n\n```python\n"
            f"{split(cause.unchanged)[1]}```\n"
        )
    return (
        f"### {who}: TODO title\n\nThe program runs in eager, and its "
        f"capture {happens}:\n\n```\n{said[:2000]}\n```\n\n```python\n{shown}"
    )

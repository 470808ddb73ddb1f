"""What a hunt was asked for, its programs, and how far it has come.

Owns the file of the state, so that a hunt that was killed can be gone on with. What happens in
which order is left to ``hunting``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases.case import Case
from exportdb.files import write_whole
from exportdb.hunt import EXAMINATION_TIMEOUT, REDUCTION_SECONDS
from exportdb.hunt.drafts import ReducedCause
from exportdb.plugins import PluginRef
from exportdb.records.record import digest


@dataclass(frozen=True)
class GeneratedCase:
    """A program as a case, with its ``elements``, the ``operators`` of ATen that it calls, and the
    case that it must do the same as."""

    case: Case
    elements: tuple[str, ...]
    same_as: Case | None = None
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class HuntOptions:
    """What a hunt is to do. ``programs`` and ``minutes`` end it, whichever comes first: after that
    no examination begins, and what was found is made small.

    One examination may take ``timeout`` seconds, or as many times longer as its exporter says.
    ``like`` are cases to begin from, ``around`` names of elements and operators of which each
    program has one, of all elements if none is named; ``seconds`` of CPU time one program may be
    made smaller. ``cluster`` is the address of the cluster on whose nodes programs are made and
    examined; then ``jobs`` says how many smaller programs are tried at a time, and no more.
    """

    exporters: tuple[PluginRef, ...]
    devices: tuple[PluginRef, ...]
    seed: int = 0
    programs: int | None = None
    minutes: float | None = None
    like: tuple[Case, ...] = ()
    around: tuple[str, ...] = ()
    jobs: int = 1
    cluster: str | None = None
    timeout: float = EXAMINATION_TIMEOUT
    seconds: float = REDUCTION_SECONDS
    home: Path = Path(".exportdb")
    resume: bool = False

    @property
    def name(self) -> str:
        """What names its state: the programs it makes, and who examines them."""
        devices, exporters = (d.name for d in self.devices), (e.target for e in self.exporters)
        words = [str(self.seed), *devices, *exporters]
        return digest("\n".join([*words, *(case.digest for case in self.like), *self.around]))


@dataclass
class HuntState:
    """How far a hunt has come; saved after each step of a round, and after each lead of one.
    ``made`` are the programs that were examined, ``elements`` and ``operators`` say in how many of
    them each is, and ``errors`` why some cannot be tried. ``left_out`` counts the results that were
    known at once, by what they are known by; ``followed`` are the leads of the round under way that
    need no second look; ``ill_conditioned`` counts the leads that are none, since eager itself
    moves as far."""

    next: int = 0
    made: int = 0
    seconds: float = 0.0
    causes: dict[str, ReducedCause] = field(default_factory=dict)
    elements: dict[str, int] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    followed: list[str] = field(default_factory=list)
    ill_conditioned: int = 0

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        data = vars(self) | {"causes": [c.as_json() for c in self.causes.values()]}
        write_whole(path, json.dumps(data))

    @staticmethod
    def read(path: Path) -> HuntState:
        """What was saved; a new one if nothing that can be read was."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            causes = [ReducedCause.from_json(c) for c in data.pop("causes")]
            return HuntState(**data, causes={c.key: c for c in causes})
        except (OSError, ValueError, KeyError, TypeError):
            return HuntState()

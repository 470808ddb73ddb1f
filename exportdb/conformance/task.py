"""One model of a program that is to be examined, and how one of its steps ends all of it.

Owns what the steps share: what is examined with what, where others look for what was found out, and
which outcome a step has that raises. The steps are ``oracle``'s and ``examine``'s.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb

from exportdb.conformance.clock import Clock
from exportdb.conformance.errors import make_room, message_of, one_line
from exportdb.conformance.evidence import Evidence, ended_by
from exportdb.conformance.observed import ObservationFile
from exportdb.conformance.options import Options
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Exporter
from exportdb.records.decision import Decision
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, digest
from exportdb.suites.protocol import ProgramRef


@dataclass(frozen=True)
class ModelTask:
    """One model of a program that is to be examined, and with what."""

    program: ProgramRef
    model: str
    exporter: Exporter
    device: Device
    options: Options
    clock: Clock
    before_more: Callable[[Evidence], None]
    shared: Path | None = None

    def kept(self, *what: str) -> Path | None:
        """The shared file of what is found out about this model by ``what``."""
        if self.shared is None:
            return None
        program = self.program
        about = (program.suite, program.id, program.digest, self.model, str(self.options), *what)
        return self.shared / digest("\n".join(about))

    @property
    def file(self) -> str:
        """The program's own file, "" of one that has none."""
        return str(self.program.path or "")

    @property
    def files(self) -> list[str]:
        """The files that the user wrote: the program's, and the exporter's if it is not ours."""
        module = type(self.exporter).__module__
        adapter = None if module.startswith("exportdb.") else sys.modules.get(module)
        return [str(f) for f in (self.file, getattr(adapter, "__file__", None)) if f]

    @property
    def observed(self) -> ObservationFile | None:
        """Where what eager does is kept, for exporters that ask as much of it."""
        path = self.kept("eager", self.device.name, str(self.exporter.differentiates))
        return ObservationFile(path) if path else None


class Stopped(Exception):
    """Ends the examination of one model with a decision."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.outcome)
        self.decision = decision


@contextlib.contextmanager
def failing_as(
    outcome: Outcome, task: ModelTask, line: Callable[[str], int] = lambda message: 0
) -> Iterator[None]:
    """A step in which whatever is raised ends the examination with ``outcome``, or as a crash: of
    the process, or of what it can do with the device. ``line`` tells which line of the program a
    message is owed to that names none."""
    try:
        yield
        still_works(task.device, "it")
    except Stopped:
        raise
    except BaseException as e:
        make_room(e)
        with contextlib.suppress(DeviceLost):
            still_works(task.device, "it")
            owed = line(message_of(e))
            raise Stopped(ended_by(e, task.clock.phase, outcome, task.files, owed)) from e
        outcome = Outcome.ERROR if outcome is Outcome.ERROR else Outcome.CRASHED
        raise Stopped(ended_by(e, task.clock.phase, outcome, task.files)) from e


def fault(e: BaseException, task: ModelTask, phase: str = "") -> Decision:
    """What was raised where nothing should be, in ``phase`` (or else in the one that goes on), with
    the line that raised it: the user's, or else the last one."""
    make_room(e)
    phase = phase or task.clock.phase
    with contextlib.suppress(Exception):  # in a process that may be broken
        raised_in = [frame.f_code.co_filename for frame, _ in walk_tb(e.__traceback__)]
        return ended_by(e, phase, Outcome.ERROR, [*task.files, *raised_in[-1:]])
    return ended_by(e, phase, Outcome.ERROR)


class DeviceLost(Exception):
    """The device no longer computes in this process."""


def still_works(device: Device, what: str) -> None:
    """Raises :class:`DeviceLost` where ``what`` was the last that the device did."""
    try:
        device.check()
    except Exception as e:
        raise DeviceLost(f"{what} left the device {device.name} unusable: {one_line(e)}") from e


def not_available(reason: str, phase: str, why: str = "Unavailable") -> Decision:
    """``why`` is ``Unusable`` for what a plug-in lacks now and may have the next time."""
    return Decision(Outcome.UNAVAILABLE, phase, ErrorInfo(why, reason))

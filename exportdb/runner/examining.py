"""The task that a child runs for one examination; the only place where plug-ins are imported.

Owns nothing but the way in and out: references in; out the record's JSON, and what was imported.
"""

from __future__ import annotations

import contextlib
from typing import Any

from exportdb.conformance.options import Options
from exportdb.devices.protocol import Device
from exportdb.executors.inside import announce, retire, settled, shared, so_far
from exportdb.plugins import PluginRef, completed
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.runner.imported import imported
from exportdb.runner.measured import Measured
from exportdb.suites.protocol import ProgramRef


def examine(
    program: ProgramRef, exporter: PluginRef, device: PluginRef, options: Options,
    share: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Examine one program; a :class:`Measured` as JSON-ready data. Raises PluginError.

    With ``share`` what eager did is asked of the executor's other tasks first, and left for them.
    """
    import torch

    from exportdb.conformance.examine import examine

    # The pool of threads does not live through a fork. It is made anew here, by one thread: torch
    # 2.15 dies when autograd's threads are the first to ask for it, all at once.
    torch.set_num_threads(1)
    announce("setup")

    def measured(record: Record) -> dict[str, Any]:
        return Measured(record, imported=imported()).to_json()

    ready = _prepared(device)
    record = examine(
        program, exporter.load(), ready, options, announce, lambda r: so_far(measured(r)),
        shared() if share else None,
    )  # fmt: skip
    # Memory ran out, or something called sys.exit, if only when it was captured again.
    died = record.outcome is Outcome.WRONG and record.error
    if record.outcome is Outcome.CRASHED or died:
        retire("the examination crashed")
    try:
        ready.check()
    except Exception as e:
        retire(f"{ready.name} no longer works: {type(e).__name__}")
    return measured(record)


def _prepared(reference: PluginRef) -> Device:
    """The device, ready before the program comes: threads of CUDA are no trace of a program."""
    device: Device = completed(reference.load(), Device)
    with contextlib.suppress(BaseException):  # raised again when it is examined, and recorded there
        if device.unusable() is None:
            device.prepare()
            settled()
    return device

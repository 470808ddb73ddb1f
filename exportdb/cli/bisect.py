"""``exportdb bisect``: the first version of torch on which a case comes out differently."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exportdb.cases.database import SelectionError
from exportdb.cli import output, running
from exportdb.cli.options import Params
from exportdb.cli.versions import column_of, parsed
from exportdb.environments.wanted import EnvironmentTrouble
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Record
from exportdb.resolve import split
from exportdb.store.history.bisecting import Bisection, bisect
from exportdb.store.history.lines import version_key
from exportdb.store.history.since import between

if TYPE_CHECKING:
    from exportdb.runner.request import Request


@click.command("bisect")
@click.option("--good", required=True, metavar="VERSION[=PYTHON]",
              help="A version of torch with the right result.")  # fmt: skip
@click.option("--bad", required=True, metavar="VERSION[=PYTHON]",
              help="A later version with the wrong one.")  # fmt: skip
@click.option("--over", multiple=True, metavar="VERSION[=PYTHON],...",
              help="The versions in between, oldest first, such as nightlies. Default: every "
              "minor version between the two.")  # fmt: skip
@running.several
def command(good: str, bad: str, over: tuple[str, ...], **params: Any) -> int:
    """Find the first version of torch on which a case comes out differently.

    Give one case, one exporter and, unless it is the CPU, one device. Versions are installed into
    environments of their own, which are kept (see exportdb env); those that cannot be installed are
    skipped.

    \b
      exportdb bisect top_k/int_argument --exporter export --good 2.11 --bad 2.15
      exportdb bisect top_k/int_argument --exporter export --good 2.15 --bad 2.17.0.dev20261120 \\
        --over 2.16,2.17.0.dev20261101,2.17.0.dev20261110

    Exit codes: 0 found, 2 there is no difference between the two, or one could not be measured.
    """
    request = running.request_of(params)
    _check_one(request)
    versions, pythons = _versions(good, bad, over)
    asking = _Examiner(params, pythons)
    ends = [asking.measure(versions[0]), asking.measure(versions[-1])]
    for version, end in zip((versions[0], versions[-1]), ends, strict=True):
        if end is None:
            raise SelectionError(f"torch {version} {asking.told[version]}; name another version")
    first, last = (end.outcome for end in ends if end is not None)
    if first == last:
        raise SelectionError(
            f"there is nothing to find: {first} on torch {versions[0]} and on torch {versions[-1]}"
        )
    found = bisect(versions, lambda v: asking.differs(v, first))
    if params["as_json"]:
        output.put_json(_as_json(request, found, versions, asking))
    else:
        _print(found, versions, asking)
    return 0


@dataclass
class _Examiner:
    """Examines on one version after another; keeps what came out, and why one was skipped."""

    params: Params
    pythons: dict[str, Path | None]
    records: dict[str, Record] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)

    def differs(self, version: str, first: Outcome) -> bool | None:
        """Whether another outcome than the first comes out; None if that cannot be told."""
        record = self.measure(version)
        return None if record is None else record.outcome != first

    def measure(self, version: str) -> Record | None:
        """The record on a version; None where there is none that counts."""
        try:
            column = column_of(version, self.pythons[version])
        except (EnvironmentTrouble, OSError) as e:
            self._skip(version, f"cannot be used: {e}")
            return None
        settings = running.settings_of(self.params, ("run",))
        # What a suite has is asked of the torch that it is examined on.
        request = running.request_of({**self.params, "python": column.python.absolute()})
        run = running.examine(request, settings)
        if run.interrupted:
            raise KeyboardInterrupt
        (record,) = run.briefs
        if record.outcome is Outcome.ERROR or record.verdict is Verdict.FLAKY:
            what = "came out differently when tried again"
            if record.outcome is Outcome.ERROR:
                what = f"gave an error: {record.error.message if record.error else ''}"
            self._skip(version, what)
            return None
        self.records[version] = record
        output.note(f"torch {version}: {output.shown(record.outcome)}")
        return record

    def _skip(self, version: str, why: str) -> None:
        self.told[version] = textwrap.shorten(why, 160)
        output.note(f"torch {version} {self.told[version]}; skipped")


def _check_one(request: Request) -> None:
    """Raises UsageError unless it is one case with one exporter on one device."""
    for name, found in (("program", request.programs), ("exporter", request.exporters),
                        ("device", request.devices)):  # fmt: skip
        if len(found) != 1:
            raise click.UsageError(f"name one {name}, not {len(found)}")


def _versions(
    good: str, bad: str, over: tuple[str, ...]
) -> tuple[list[str], dict[str, Path | None]]:
    """The versions in order with the interpreters that were given. Raises UsageError."""
    first, last = parsed(good, "--good"), parsed(bad, "--bad")
    if over:
        middle = [parsed(text, "--over") for text in split(over)]
    else:
        if version_key(first[0]) >= version_key(last[0]):
            raise click.UsageError(
                f"{first[0]} is not older than {last[0]}; --over names what lies between"
            )
        middle = [parsed(version, "--over") for version in between(first[0], last[0])]
    pythons = dict([first, *middle, last])
    return list(pythons), pythons


def _as_json(
    request: Request, found: Bisection, versions: list[str], asking: _Examiner
) -> dict[str, Any]:
    return {
        "case": request.programs[0].id,
        "exporter": request.exporters[0].name,
        "device": request.devices[0].name,
        "good": found.good,
        "bad": found.bad,
        "exact": not found.skipped,
        "measured": {v: asking.records[v].outcome for v in versions if v in asking.records},
        "skipped": {v: asking.told[v] for v in versions if v in asking.told},
    }


def _print(found: Bisection, versions: list[str], asking: _Examiner) -> None:
    rows = []
    for version in versions:
        record = asking.records.get(version)
        error = record.error.message.partition("\n")[0] if record and record.error else ""
        what = output.shown(record.outcome) if record else asking.told.get(version, "not needed")
        rows.append((version, what, textwrap.shorten(error, 80)))
    output.table(("torch", "outcome", "error"), rows)
    before, after = (asking.records[v].outcome for v in (found.good, found.bad))
    if found.skipped:
        names = ", ".join((*found.skipped, found.bad))
        output.put(f"\nthe first that is not {before} is one of {names}: not all could be measured")
    else:
        output.put(f"\nfirst bad: torch {found.bad} ({after}); {found.good} is {before}")

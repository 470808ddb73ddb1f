"""The conformance suite as pytest items.

Asked for by ``pytest --pyargs exportdb --exportdb-exporter=mine.py:Mine``; where exporters are
configured, ``pytest --pyargs exportdb`` is enough, and so is the ID of an item that pytest printed.

Owns collecting an item per case, exporter and device, and what a record means to pytest: a known
failure is an expected failure, strictly (anything else than what is expected fails). Examining is
left to ``exportdb.runner``, expectations to ``exportdb.records``. Nothing here imports torch.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import exportdb

PACKAGE = Path(exportdb.__file__).parent
#: What the IDs of all items begin with.
NAME = "exportdb"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite; those up to --exportdb-switch take several, by commas."""
    group = parser.getgroup("exportdb", "conformance of PyTorch exporters")
    group.addoption(
        "--exportdb-exporter", action="append", default=[], metavar="EXPORTER",
        help="Examine with this exporter: a name, path/to/file.py:Name or module:Name.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-device", action="append", default=[], metavar="DEVICE",
        help="On this device (default: cpu).",
    )  # fmt: skip
    group.addoption(
        "--exportdb-cases", action="append", default=[], metavar="DIR", type=Path,
        help="Add the cases in this folder.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-tag", action="append", default=[], metavar="TAG",
        help="Select cases that have this tag.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-switch", action="append", default=[], metavar="NAME[=VALUE]",
        help="Examine under this setting of torch; see exportdb run --help.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-expectations", metavar="DIR", type=Path,
        help="Folder of your own expectations; they override those kept beside the cases.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-timeout", metavar="SECONDS", type=float, default=60.0,
        help="Time limit of one examination; a case may set its own.",
    )  # fmt: skip
    group.addoption(
        "--exportdb-id", action="append", default=[], metavar="ID",
        help="Examine this item, by the ID that pytest printed; an argument does the same.",
    )  # fmt: skip
    group.addoption(
        "--no-exportdb-explain", action="store_true",
        help="Do not explain export errors in the reports of failed tests.",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Take the IDs of items out of the arguments, in which pytest looks for files.

    They are kept with the options, which the processes of pytest-xdist are given too.
    """
    ids = [str(word) for word in config.args if str(word).startswith(f"{NAME}::")]
    if not ids:
        return
    option = config.option
    option.exportdb_id = [*option.exportdb_id, *ids]
    config.args[:] = [*(word for word in config.args if word not in ids), str(PACKAGE)]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Say at once what cannot be collected: pytest would count it as a test that has failed, and
    run everything under --lf from then on. Raises UsageError."""
    config = session.config
    names = {str(PACKAGE), *([NAME] if config.option.pyargs else [])}
    if names & set(map(str, config.args)) and _exporters(config):
        _items(config)


def pytest_exception_interact(node: Any, call: pytest.CallInfo[Any], report: Any) -> None:
    """Add to the report of any test that an export error ended what the error means."""
    asked = not node.config.getoption("--no-exportdb-explain", True)
    if asked and call.excinfo is not None and "torch" in sys.modules:
        from exportdb.explain import explain

        if lines := explain(call.excinfo.value).brief():
            report.sections.append(("exportdb explain", lines))


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Asked for the package itself, and something says with which exporters, collect the suite."""
    if path != PACKAGE or not _exporters(parent.config):
        return None
    suite: ConformanceSuite = ConformanceSuite.from_parent(parent, path=path, nodeid=NAME)
    return suite


def _exporters(config: pytest.Config) -> list[str]:
    """Those asked for, those configured, or those of the IDs."""
    from exportdb import resolve
    from exportdb.config import ConfigError

    if asked := config.getoption("--exportdb-exporter"):
        return list(asked)
    try:
        if configured := resolve.configuration().exporters:
            return list(configured)
    except ConfigError as e:
        raise pytest.UsageError(f"exportdb: {e}") from None
    return list(dict.fromkeys(exporter for exporter, _ in _places(config)))


def _devices(config: pytest.Config) -> list[str]:
    asked = config.getoption("--exportdb-device")
    return list(asked or dict.fromkeys(device for _, device in _places(config)))


def _places(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """The exporter and the device of each ID: ``exportdb::a/b[export-cpu]``."""
    from exportdb.plugins import DEVICES, installed

    for word in config.getoption("--exportdb-id"):
        place = word.partition("[")[2].removesuffix("]").partition("+")[0]
        ends = [d for d in installed(DEVICES) if place.endswith(f"-{d}")]  # fake-cuda has a dash
        if device := max(ends, key=len, default=""):
            yield place.removesuffix(f"-{device}"), device


class ConformanceSuite(pytest.Directory):
    """Collects every selected case with every exporter on every device."""

    def collect(self) -> Iterator[pytest.Item]:
        """Raises UsageError for a selection, a plug-in or a case that cannot be read."""
        asked = set(self.config.getoption("--exportdb-id"))
        for nodeid, examination in _items(self.config).items():
            if asked and nodeid not in asked:
                continue
            # Named in full: pytest takes what is in brackets for parameters when it reads one.
            name = nodeid.removeprefix(f"{NAME}::")
            item: ConformanceItem = ConformanceItem.from_parent(self, name=name, nodeid=nodeid)
            item.examination = examination
            yield item


def _items(config: pytest.Config) -> dict[str, Any]:
    """What is to be examined by the IDs of the items. Raises UsageError, also for an ID that was
    asked for and is of none."""
    from exportdb.hints import hint

    if _ITEMS not in config.stash:
        request = config.stash[_REQUEST] = _request(config)
        config.stash[_ITEMS] = items = dict(_named(request))
        for word in config.getoption("--exportdb-id"):
            if word not in items:
                known = f"pytest --collect-only --pyargs {NAME} lists them"
                raise pytest.UsageError(
                    f"exportdb: there is no item {word}{hint(word, items, known)}"
                )
    return config.stash[_ITEMS]


def _named(request: Any) -> Iterator[tuple[str, Any]]:
    from exportdb.runner.plan import examinations

    for x in examinations(request):
        place = "+".join((x.device.name, *request.options.switches))
        yield f"{NAME}::{x.program.id}[{x.exporter.name}-{place}]", x


def _request(config: pytest.Config) -> Any:
    """What the options ask for. Raises UsageError."""
    from exportdb import resolve
    from exportdb.cases.case import CaseError
    from exportdb.cases.database import SelectionError
    from exportdb.config import ConfigError
    from exportdb.plugins import PluginError

    option = config.getoption
    try:
        own = option("--exportdb-expectations")
        if own is not None and not own.is_dir():
            raise SelectionError(f"there is no folder {own}")
        request = resolve.request(
            trees=option("--exportdb-cases"),
            tags=option("--exportdb-tag"),
            exporters=_exporters(config),
            devices=_devices(config),
            switches=option("--exportdb-switch"),
            expectations=own,
        )
        for error in request.broken.values():
            raise error
    except (SelectionError, PluginError, CaseError, ConfigError) as e:
        raise pytest.UsageError(f"exportdb: {e}") from None
    return request


class Unexpected(Exception):
    """A record that is not what is expected; its text is the report."""


class ConformanceItem(pytest.Item):
    """One case with one exporter on one device."""

    examination: Any

    def runtest(self) -> None:
        """Examine; an expected failure is an xfail, an unexpected pass or failure fails."""
        from exportdb.records.outcome import Outcome, Verdict

        session = _session(self.config)
        record = session.examine(self.examination)
        if record.verdict is Verdict.NEW and record.outcome.faultless:
            return
        if record.verdict is not Verdict.EXPECTED:
            raise Unexpected(_report(record, session.expectation_of(record)))
        if record.outcome is Outcome.UNAVAILABLE:
            pytest.skip(record.error.message if record.error else "unavailable")
        if record.outcome is Outcome.CONVERTED:
            pytest.skip("converted, not run, as expected")
        if not record.outcome.faultless:
            pytest.xfail(f"{record.outcome}, as expected")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """The report alone for an unexpected record; pytest's own text for anything else."""
        if isinstance(excinfo.value, Unexpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *more)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case's file, where an editor should go."""
        return self.examination.program.path or self.path, 0, self.name


def _report(record: Any, known: Any) -> str:
    """What was expected, what was seen, why, the first differences, and how to repeat it."""
    from exportdb.records import verdict
    from exportdb.records.display import one_sample

    judged = verdict.judge(record, known)
    lines = [f"{record.verdict}: {judged.reason}"]
    if record.error is not None:
        lines += _why(record)
    for sample in record.samples:
        if sample.counts_against:
            lines.append(one_sample(sample))
    if known is not None and "graph" in judged.differs:
        lines.append(verdict.graph_diff(known.value.get("graph"), record.graph))
    elif known is not None and judged.differs:
        lines.append(verdict.first_difference(known.value, record, judged.differs))
    return "\n".join([*lines, f"repro: {record.repro}"])


def _why(record: Any) -> list[str]:
    """An error without stacks, the user's line, and what the catalogue says of it."""
    from exportdb.explain import explain
    from exportdb.explain.messages import essential_lines

    error = record.error
    first, *more = essential_lines(error.message)
    lines = [f"{record.phase}: {error.type}: {first}", *(f"  {line}" for line in more)]
    found = explain(f"{error.type}: {error.message}")
    if found.place is not None:
        lines += [f"your line: {found.place}", f"    {found.place.source}"]
    if record.outcome != "error":  # the catalogue is about what exporters raise
        lines += found.brief().splitlines()
    return lines


_REQUEST = pytest.StashKey[Any]()
_ITEMS = pytest.StashKey[dict[str, Any]]()
_SESSION = pytest.StashKey[Any]()


def _session(config: pytest.Config) -> Any:
    """What the items of one pytest process share: warm processes and the expectations."""
    if _SESSION not in config.stash:
        from exportdb.runner.run import Settings
        from exportdb.runner.session import Session

        settings = Settings(timeout=config.getoption("--exportdb-timeout"))
        config.stash[_SESSION] = Session(config.stash[_REQUEST], settings)
    return config.stash[_SESSION]


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the processes of this pytest process, if it began any."""
    if _SESSION in config.stash:
        config.stash[_SESSION].__exit__(None, None, None)

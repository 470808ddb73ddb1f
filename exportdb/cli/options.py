"""The options that verbs share, the same everywhere, and what a shell may complete them to.

What their words mean is ``exportdb.resolve``'s. Imports nothing heavy: completing must feel
instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from exportdb import plugins, resolve
from exportdb.files import names_a_file
from exportdb.records.outcome import Outcome
from exportdb.records.switches import SWITCHES

if TYPE_CHECKING:
    from exportdb.store.history.connection import HistoryDatabase
    from exportdb.store.protocol import StoredRun

F = TypeVar("F", bound=Callable[..., Any])
#: The options of a verb by name, as click read them.
Params = Mapping[str, Any]


# --- completing --------------------------------------------------------------------------------


def _completer(
    words: Callable[[click.Context], Sequence[str]],
) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, last = typed.rpartition(",")
        try:
            found = [before + comma + w for w in words(ctx) if w.startswith(last)]
        except Exception:  # a broken tree or configuration must not spill over the prompt
            found = []
        if not found and param.name in ("patterns", "exporters", "runs"):
            return [CompletionItem(typed, type="file")]
        return [CompletionItem(w) for w in found]

    return complete


def _case_ids(ctx: click.Context) -> list[str]:
    db = resolve.load(_trees(ctx))
    return [*db.cases, *dict.fromkeys(c.topic + "/" for c in db if c.topic)]


def _tags(ctx: click.Context) -> list[str]:
    return sorted({t for c in resolve.load(_trees(ctx)) for t in c.meta.tags})


def _trees(ctx: click.Context) -> tuple[Path, ...]:
    return tuple(Path(t) for t in ctx.params.get("trees") or ())


def _entry_ids(ctx: click.Context) -> list[str]:
    from exportdb.cases import catalogue  # of no use to the other options

    return list(catalogue.load([*resolve.configuration().cases, *_trees(ctx)]).entries)


def _run_ids(ctx: click.Context) -> list[str]:
    from exportdb.store import open_store
    from exportdb.store.home import home_path

    return ["last", *open_store(home_path(ctx.params.get("home"))).runs()]


def _elements() -> list[str]:
    """The elements of the hunt's grammar; operators are torch's to know, which takes too long."""
    from exportdb.hunt.elements import BY_NAME

    return list(BY_NAME)


complete_cases = _completer(_case_ids)
complete_cases_and_entries = _completer(lambda ctx: [*_case_ids(ctx), *_entry_ids(ctx)])
complete_runs = _completer(_run_ids)
complete_exporters = _completer(lambda _: list(plugins.installed(plugins.EXPORTERS)))
complete_devices = _completer(lambda _: list(plugins.installed(plugins.DEVICES)))
complete_elements = _completer(lambda _: _elements())
complete_suites = _completer(lambda _: ["all", *plugins.installed(plugins.SUITES)])


# --- options -----------------------------------------------------------------------------------


def combined(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order of the help."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


class Folder(click.Path):
    """A folder. An empty word, as of a variable that is not set, is none: as a path it would be
    the current folder."""

    def __init__(self, exists: bool = False) -> None:
        super().__init__(exists=exists, file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises BadParameter for an empty word, a file, and where one must be there."""
        if value == "":
            self.fail("the name of a folder cannot be empty.", param, ctx)
        return super().convert(value, param, ctx)


trees_option = click.option(
    "--cases", "trees", multiple=True, metavar="DIR", type=Folder(),
    help="Add the cases in this folder; repeatable.",
)  # fmt: skip


only_option = click.option(
    "--only", is_flag=True,
    help="Use only your own cases: those of --cases, and of `cases` in the configuration.",
)  # fmt: skip


def _expectations(exists: bool) -> Callable[[F], F]:
    return click.option(
        "--expectations", metavar="DIR",
        type=Folder(exists),
        help="Folder of your own expectations; they override those kept beside the cases.",
    )  # fmt: skip


class TimeLimit(click.FloatRange):
    """A time limit in some unit: more than nothing, and finite."""

    def __init__(self, unit: str = "seconds") -> None:
        super().__init__(min=0, min_open=True)
        self.name = f"number of {unit}"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Raises BadParameter for what is no number of these."""
        time: float = super().convert(value, param, ctx)
        if not math.isfinite(time):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return time


class Count(click.IntRange):
    """How many of something: a whole number in a range."""

    name = "whole number"


#: Where expectations are read; a folder that is not there is a typing error.
expectations_option = _expectations(exists=True)
#: Where they may be written next, the first ones into a folder that is yet to be made.
new_expectations_option = _expectations(exists=False)
home_option = click.option(
    "--home", metavar="DIR", type=Folder(),
    help="Folder of runs and cached results. Default: $EXPORTDB_HOME, then .exportdb.",
)  # fmt: skip
history_option = click.option(
    "--history", metavar="URL",
    help="The history database of a team, as an SQLAlchemy URL. Default: $EXPORTDB_HISTORY, then "
    "`history` of the configuration, then the file history.db in the home folder.",
)  # fmt: skip
runs_argument = click.argument(
    "runs", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_runs
)
prefer_option = click.option(
    "--prefer", type=click.Choice(["newest"]),
    help="If runs differ on the same case, exporter, device and environment, take the result of "
    "the run that began last. Without this, it is an error.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def exporters_option(help: str, **more: Any) -> Callable[[F], F]:
    """``--exporter``, which means the same wherever it is taken."""
    return click.option(
        "--exporter", "exporters", multiple=True, metavar="NAME,...", help=help,
        shell_complete=complete_exporters, **more,
    )  # fmt: skip


def devices_option(help: str) -> Callable[[F], F]:
    """``--device``, which means the same wherever it is taken."""
    return click.option(
        "--device", "devices", multiple=True, metavar="NAME,...", help=help,
        shell_complete=complete_devices,
    )  # fmt: skip


def cluster_option(verb: str) -> Callable[[F], F]:
    """``--cluster``, which means the same wherever it is taken."""
    return click.option(
        "--cluster", metavar="ADDRESS",
        help=f"{verb} on the nodes of a Ray cluster, as many examinations at a time as they have "
        "CPUs: ray://HOST:10001, or auto on a node of it.",
    )  # fmt: skip


#: Which cases: CASES, --tag, --cases.
selecting = combined(
    click.argument("patterns", metavar="[CASES]...", nargs=-1, shell_complete=complete_cases),
    click.option("--tag", "tags", multiple=True, metavar="TAG,...",
                 shell_complete=_completer(_tags), help="Select cases that have all these tags."),
    trees_option,
    only_option,
)  # fmt: skip
#: From which suites: --suite, --suite-option.
suites_option = combined(
    click.option(
        "--suite", "suites", multiple=True, metavar="NAME,...", shell_complete=complete_suites,
        help="Select from these suites: names, path/to/file.py:Name or package.module:Name; `all` "
        "means every installed one. Default: cases.",
    ),
    click.option(
        "--suite-option", "suite_options", multiple=True, metavar="NAME=VALUE",
        help="An option that selects a suite's programs, like samples=3; see `list --suites`.",
    ),
)  # fmt: skip
outcome_option = click.option(
    "--outcome", "outcomes", multiple=True, metavar="OUTCOME,...",
    shell_complete=_completer(lambda _: list(Outcome)),
    help="Select cases whose expected outcome is one of these.",
)  # fmt: skip

_SWITCHES = "; ".join(f"{n} ({', '.join(s.values)})" for n, s in SWITCHES.items())
#: What is examined, with what, where and under what; for ``exportdb.resolve.request``.
requesting = combined(
    selecting,
    suites_option,
    outcome_option,
    exporters_option(
        "Exporters to run: names, path/to/file.py:Name or package.module:Name, separated by "
        "commas or in several options. `all` means every installed exporter. Default: those of "
        "the configuration, or the quick built-in ones."
    ),
    devices_option(
        "Devices to run on: names, path/to/file.py:Name or package.module:Name. Default: cpu."
    ),
    new_expectations_option,
    click.option(
        "--switch", "switches", multiple=True, metavar="NAME[=VALUE],...",
        shell_complete=_completer(
            lambda _: [f"{name}={value}" for name, s in SWITCHES.items() for value in s.values]
        ),
        help=f"Run under these settings of torch: {_SWITCHES}; the first value is the default.",
    ),
    click.option(
        "--repeat", type=Count(min=1), metavar="N", default=1, show_default=True,
        help="Capture N times; a different graph is reported as graph-differs-on-rerun.",
    ),
)  # fmt: skip


# --- runs --------------------------------------------------------------------------------------


def open_runs(
    named: Sequence[str], home: Path | None, history: str | None = None
) -> list[StoredRun]:
    """The runs that were asked for, each once: files, IDs, days, versions of torch, or ``last``.

    One word may name several, separated by commas. Raises StoreError.
    """
    from exportdb.store import open_run

    words = [[w] if names_a_file(w) else w.split(",") for w in named]
    configured = resolve.configuration().history
    runs = [open_run(w, home, configured, history) for several in words for w in several if w]
    return list({Path(r.location).resolve(): r for r in runs}.values())


def open_history(home: Path | None, given: str | None) -> HistoryDatabase | None:
    """The history that is meant; None where there was never a run. Raises StoreError."""
    from exportdb.store.history import open_history
    from exportdb.store.home import home_path

    return open_history(home_path(home), given, resolve.configuration().history)

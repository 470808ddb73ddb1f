"""The options that verbs share, and what they mean: the same everywhere.

Owns selecting cases, exporters and devices from a command line and the configuration, and what a
shell may complete them to. Imports nothing heavy: completing a word must feel instant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from exportdb import config, plugins
from exportdb.cases import database
from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import Database, SelectionError
from exportdb.records.outcome import Outcome
from exportdb.records.switches import SWITCHES, Switches, parse

F = TypeVar("F", bound=Callable[..., Any])


# --- completing --------------------------------------------------------------------------------


def _completer(
    words: Callable[[click.Context], Sequence[str]],
) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        try:
            found = [w for w in words(ctx) if w.startswith(typed)]
        except Exception:  # a broken tree or configuration must not spill over the prompt
            found = []
        if not found and param.name in ("patterns", "exporters"):
            return [CompletionItem(typed, type="file")]
        return [CompletionItem(w) for w in found]

    return complete


def _case_ids(ctx: click.Context) -> list[str]:
    db = load(_trees(ctx))
    return [*db.cases, *dict.fromkeys(c.topic + "/" for c in db if c.topic)]


def _tags(ctx: click.Context) -> list[str]:
    return sorted({t for c in load(_trees(ctx)) for t in c.meta.tags})


def _trees(ctx: click.Context) -> tuple[Path, ...]:
    return tuple(Path(t) for t in ctx.params.get("trees") or ())


complete_cases = _completer(_case_ids)
complete_exporters = _completer(lambda _: list(plugins.installed(plugins.EXPORTERS)))
complete_devices = _completer(lambda _: list(plugins.installed(plugins.DEVICES)))


# --- options -----------------------------------------------------------------------------------


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


trees_option = click.option(
    "--cases", "trees", multiple=True, metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Add a folder of cases of your own; repeatable.",
)  # fmt: skip


def _expectations(exists: bool) -> Callable[[F], F]:
    return click.option(
        "--expectations", metavar="DIR",
        type=click.Path(exists=exists, file_okay=False, path_type=Path),
        help="Folder of your own expectations; what it says wins over those beside the cases.",
    )  # fmt: skip


#: Where expectations are read; a folder that is not there is a slip of the pen.
expectations_option = _expectations(exists=True)
#: Where they may be written next, the first ones into a folder that is yet to be made.
new_expectations_option = _expectations(exists=False)
home_option = click.option(
    "--home", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
    help="Folder of runs and cached results. Default: $EXPORTDB_HOME, then .exportdb.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

#: Which cases: CASES, --tag, --cases.
selecting = _together(
    click.argument("patterns", metavar="[CASES]...", nargs=-1, shell_complete=complete_cases),
    click.option("--tag", "tags", multiple=True, metavar="TAG", shell_complete=_completer(_tags),
                 help="Just cases that bear this tag; repeat it to ask for several at once."),
    trees_option,
)  # fmt: skip
outcome_option = click.option(
    "--outcome", "outcomes", multiple=True, metavar="OUTCOME",
    type=click.Choice(list(map(str, Outcome))),
    help="Just what is expected to have this outcome; repeatable.",
)  # fmt: skip
exporters_option = click.option(
    "--exporter", "exporters", multiple=True, metavar="NAME", shell_complete=complete_exporters,
    help="An exporter's name, path/to/file.py:Name or package.module:Name; repeatable. "
    "`all` means every one that is installed. Default: the configured ones, or the fast ones "
    "that exportdb brings.",
)  # fmt: skip
devices_option = click.option(
    "--device", "devices", multiple=True, metavar="NAME", shell_complete=complete_devices,
    help="A device's name, path/to/file.py:Name or package.module:Name; repeatable. Default: cpu.",
)  # fmt: skip
switches_option = click.option(
    "--switch", "switches", multiple=True, metavar="NAME[=VALUE]",
    shell_complete=_completer(lambda _: [
        f"{name}={value}" for name, s in SWITCHES.items() for value in s.values
    ]),
    help="Examine under this setting of torch; repeatable. "
    + "; ".join(f"{n} ({', '.join(s.values)})" for n, s in SWITCHES.items())
    + "; the first value is the default.",
)  # fmt: skip


# --- what they mean ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Selection:
    """The cases that were asked for, and those of them that cannot be read."""

    database: Database
    cases: list[Case]
    broken: dict[str, CaseError]


def configuration() -> config.Config:
    """The configuration of the current folder. Raises ConfigError."""
    return config.load(Path.cwd())


def load(trees: Sequence[Path] = ()) -> Database:
    """The built-in cases with the trees of the configuration and of --cases."""
    return database.load([*configuration().cases, *trees])


def select(
    patterns: Sequence[str], tags: Sequence[str], trees: Sequence[Path], whole: bool = False
) -> Selection:
    """The cases that CASES, --tag and --cases mean.

    A pattern that ends in ``.py`` is a file: of a tree, then it means the case there; of one's
    own, then it is a case by itself. The database holds the other cases too where ``whole`` asks
    for it, and where finding the chosen ones took reading them. Raises SelectionError and
    CaseError.
    """
    all_trees = [*configuration().cases, *trees]
    roots = [database.builtin_tree(), *(t.resolve() for t in all_trees)]
    files: list[Path] = []
    wanted: list[str] = []
    for pattern in patterns:
        path = Path(pattern)
        if path.suffix != ".py":
            wanted.append(pattern)
        elif not path.is_file():
            raise SelectionError(f"there is no file {pattern}")
        elif root := next((r for r in roots if path.resolve().is_relative_to(r)), None):
            wanted.append(path.resolve().relative_to(root).with_suffix("").as_posix())
        else:
            files.append(path)
            wanted.append(path.stem)
    alone = len(files) == len(wanted) and bool(files)
    named = bool(wanted) and all(_is_one_case(w, roots) for w in wanted)
    db = database.load(
        [] if alone else all_trees,
        files,
        builtin=not alone,
        only=wanted if named and not whole else None,  # however many others there are
    )
    chosen = db.select(wanted, tags)
    broken = {
        i: e
        for i, e in db.broken.items()
        if not wanted or any(database.means(p, i) for p in wanted)
    }
    return Selection(db, chosen, broken)


def _is_one_case(pattern: str, roots: Sequence[Path]) -> bool:
    """Whether a pattern is the whole ID of a case and of no topic beside it."""
    return any((r / f"{pattern}.py").is_file() for r in roots) and not any(
        (r / pattern).is_dir() for r in roots
    )


def exporter_refs(specs: Sequence[str]) -> list[plugins.PluginRef]:
    """The exporters asked for, or the configured ones, or the fast built-in ones.

    ``all`` means every one that is installed. Raises PluginError.
    """
    specs = specs or configuration().exporters or _fast()
    if "all" in specs:
        specs = [*plugins.installed(plugins.EXPORTERS), *(s for s in specs if s != "all")]
    return _named_apart([plugins.find(plugins.EXPORTERS, spec) for spec in dict.fromkeys(specs)])


def _named_apart(refs: list[plugins.PluginRef]) -> list[plugins.PluginRef]:
    """Each of them once. Raises PluginError if different ones have one name."""
    by_name: dict[str, plugins.PluginRef] = {}
    for ref in refs:
        if (other := by_name.setdefault(ref.name, ref)).target != ref.target:
            raise plugins.PluginError(
                f"{other.target} and {ref.target} are both named {ref.name}; their results could "
                "not be told apart: give one of the classes another `name`"
            )
    return list(by_name.values())


def device_refs(specs: Sequence[str]) -> list[plugins.PluginRef]:
    """The devices asked for, or the CPU. Raises PluginError."""
    return _named_apart(
        [plugins.find(plugins.DEVICES, s) for s in dict.fromkeys(specs or ("cpu",))]
    )


def _fast() -> list[str]:
    """The built-in exporters that a run includes by itself; their modules are light."""
    return [
        ref.name
        for ref in plugins.installed(plugins.EXPORTERS).values()
        if ref.target.startswith("exportdb.") and ref.load().default
    ]


def own_expectations(given: Path | None) -> Path | None:
    """The folder that --expectations names, or the configuration."""
    folder = given or configuration().expectations
    return folder.resolve() if folder else None


def switches(words: Sequence[str]) -> Switches:
    """The switches asked for on top of the configured ones. Raises click.BadParameter."""
    try:
        return parse([*configuration().switches, *words])
    except ValueError as e:
        raise click.BadParameter(str(e), param_hint="--switch") from None

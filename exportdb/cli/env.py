"""``exportdb env``: the environments that exporters are examined in, listed, made and removed."""

from __future__ import annotations

from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cli import options, output
from exportdb.environments import store
from exportdb.environments.store import StoredEnvironment
from exportdb.environments.wanted import EnvironmentTrouble, Wanted, unmet, wanted
from exportdb.prose import plural


@click.group("env")
def command() -> None:
    """Environments for exporters whose requirements the current one does not meet.

    `exportdb run` creates them when needed and reuses them. They are kept in the user's cache
    folder, or in the folder that EXPORTDB_ENVS names.
    """


@command.command("list")
@options.json_option
def list_(as_json: bool) -> int:
    """List the environments."""
    made = store.listed()
    if as_json:
        output.put_json([m.to_json() for m in made])
        return 0
    if made:
        output.table(
            ("name", "requirements", "size", "made", "with"),
            [(m.name, ", ".join(m.requirements), _size(m), m.made[:16], m.tool) for m in made],
        )
    output.note(f"{plural(len(made), 'environment')} in {store.folder()}")
    return 0


@command.command("create")
@options.exporters_option(
    "The exporters whose environments to create; takes what run --exporter takes.", required=True
)
@click.option(
    "--torch", metavar="VERSION", help="The version of torch, for exporters that require none."
)
@options.home_option
@options.json_option
def create(
    exporters: tuple[str, ...], torch: str | None, home: Path | None, as_json: bool
) -> int:  # fmt: skip
    """Create the environments of exporters now, as a run would.

    An exporter whose requirements are met here needs none. Shows the installer's output.

    Exit codes: 0 all exist now, 2 one could not be created.
    """
    from exportdb.runner.declarations import declarations_of
    from exportdb.store.home import home_folder

    refs = resolve.find_exporters(exporters)
    said = declarations_of(refs, home_folder(home))
    made: list[StoredEnvironment] = []
    for ref in refs:
        found = said[ref.target]
        if found.failure is not None:
            raise EnvironmentTrouble(f"{ref.name} cannot be asked: {found.failure.message}")
        if torch is None and not unmet(found.requirements):
            output.note(f"{ref.name} needs none: its requirements are installed here")
            continue
        want = wanted(found.requirements, torch)
        made.append(_make(ref, want))
    if as_json:
        output.put_json([m.to_json() for m in made])
    else:
        for one in made:
            output.put(f"{one.name}  {one.python}")
    return 0


def _make(ref: plugins.PluginRef, want: Wanted) -> StoredEnvironment:
    if (made := store.find(want)) is not None:
        output.note(f"{ref.name}: exists already")
        return made
    output.note(f"{ref.name}: making an environment with {', '.join(want.requirements)}")
    return store.make(want, lambda line: output.note(f"  {line}"))


@command.command("remove")
@click.argument("names", metavar="[NAMES]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Remove all of them.")
@options.json_option
def remove(names: tuple[str, ...], everything: bool, as_json: bool) -> int:
    """Remove environments by name, or by the first letters of one."""
    if bool(names) == everything:
        raise click.UsageError("give names of `exportdb env list`, or --all")
    there = store.listed()
    chosen = there if everything else [_named(name, there) for name in dict.fromkeys(names)]
    for one in chosen:
        store.remove(one)
    if as_json:
        output.put_json([one.name for one in chosen])
    else:
        output.note(f"{plural(len(chosen), 'environment')} removed")
    return 0


def _named(name: str, there: list[StoredEnvironment]) -> StoredEnvironment:
    found = [one for one in there if one.name.startswith(name)]
    if len(found) != 1:
        what = "no environment has" if not found else f"{len(found)} environments have"
        raise EnvironmentTrouble(f"{what} a name that begins with {name!r}; see exportdb env list")
    return found[0]


def _size(made: StoredEnvironment) -> str:
    return f"{made.bytes / 1e9:.1f} GB" if made.bytes > 5e8 else f"{made.bytes / 1e6:.0f} MB"

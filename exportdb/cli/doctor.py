"""``exportdb doctor``: what is installed, what can be used here, and why the rest cannot."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import exportdb
from exportdb import plugins, resolve
from exportdb.cli import options, output
from exportdb.files import guides
from exportdb.prose import plural

GOOD, BAD = "ok", "problem"


@click.command("doctor")
@options.trees_option
@options.exporters_option("Check these exporters too; takes what run --exporter takes.")
@options.devices_option("Check these devices too.")
@options.home_option
@options.json_option
def command(
    trees: tuple[Path, ...], exporters: tuple[str, ...], devices: tuple[str, ...],
    home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Show what is installed, which exporters and devices work here, and why others do not.

    Each is tried in its own process, so that a broken one does not affect the others.

    Exit codes: 0 something can be run, 2 nothing can.
    """
    rows = [*_installed(), *_home(home), *_cases(trees)]
    rows += (found := _backends())
    if all(r["state"] == GOOD for r in found):  # else nothing that needs torch can answer
        rows += _plugins(plugins.EXPORTERS, exporters)
        rows += _plugins(plugins.DEVICES, devices)
    can_run = all(
        any(r["kind"] == kind and r["state"] == GOOD for r in rows)
        for kind in ("torch", "home", "cases", "exporter", "device")
    )
    if as_json:
        output.put_json({"can_run": can_run, "checks": rows})
    else:
        output.table(
            ("what", "", "state", "details"),
            [(r["kind"], r["name"], r["state"], r["details"]) for r in rows],
        )
        output.note(
            "next: exportdb run control_flow"
            if can_run
            else "nothing can be run; fix the problems above"
        )
    return 0 if can_run else 2


def _row(kind: str, name: str, good: bool, details: str) -> dict[str, Any]:
    return {"kind": kind, "name": name, "state": GOOD if good else BAD, "details": details}


def _installed() -> list[dict[str, Any]]:
    from exportdb.distributions import installed_version

    torch = installed_version("torch")
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    how = "is not installed; pip install 'exportdb[torch]'"
    return [
        _row("exportdb", "", True, exportdb.__version__),
        _row("guides", "", (guides() / "guides.md").is_file(), str(guides())),
        _row("python", "", True, f"{platform.python_version()}, {platform.platform()}"),
        _row("cores", "", True, str(cores)),
        _row("torch", "", torch is not None, torch or how),
    ]


def _home(home: Path | None) -> list[dict[str, Any]]:
    from exportdb.store import open_store
    from exportdb.store.home import home_folder
    from exportdb.store.protocol import StoreError

    try:
        folder = home_folder(home)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_text("")
        probe.unlink()
    except (StoreError, OSError) as e:
        return [_row("home", "", False, str(e))]
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    runs = plural(len(open_store(folder).runs()), "run")
    return [_row("home", str(folder), True, f"{runs}, {size / 1e6:.1f} MB")]


def _cases(trees: Sequence[Path]) -> list[dict[str, Any]]:
    db = resolve.load(trees)
    rows = [
        _row("cases", str(root), bool(count := sum(c.path.is_relative_to(root) for c in db)),
             plural(count, "case"))
        for root in db.trees
    ]  # fmt: skip
    return rows + [_row("case", case_id, False, str(error)) for case_id, error in db.broken.items()]


def _backends() -> list[dict[str, Any]]:
    """What torch loads by itself when it is imported."""
    from exportdb.runner import backends

    at_fault, how = backends.problem() or ("", "")
    loaded = backends.autoloaded()
    rows = [
        _row("backend", name, name != at_fault,
             how if name == at_fault
             else ref.distribution if name in loaded
             else f"{ref.distribution}, not loaded: {backends.VARIABLE} says so")
        for name, ref in plugins.installed(backends.GROUP).items()
    ]  # fmt: skip
    if at_fault and at_fault not in loaded:  # one of several, and none said which
        rows.append(_row("backend", at_fault, False, how))
    return rows


def _elsewhere(requirements: Sequence[str]) -> str:
    """Of an exporter whose requirements are not met here: whether its environment is there."""
    from exportdb.environments import store
    from exportdb.environments.wanted import EnvironmentTrouble, wanted

    try:
        made = store.find(wanted(requirements))
    except EnvironmentTrouble as e:
        return str(e)
    there = f"its environment {made.name}" if made else "an environment that a run will make"
    return f"in {there}: {', '.join(requirements)}"


def _plugins(group: str, specs: Sequence[str]) -> list[dict[str, Any]]:
    from exportdb.distributions import installed_version
    from exportdb.runner.declarations import declarations_of

    kind = "exporter" if group == plugins.EXPORTERS else "device"
    configured = resolve.configuration().exporters if kind == "exporter" else ()
    refs = dict(plugins.installed(group))
    named = (*configured, *resolve.split(specs))
    refs |= {r.name: r for r in (plugins.find(group, s) for s in named)}
    said = declarations_of(refs.values())
    has_torch = installed_version("torch") is not None
    rows = []
    for name, ref in refs.items():
        found = said[ref.target]
        failure = found.failure
        reason = found.unusable or (
            failure and f"{failure.type}: {failure.message}".splitlines()[0]
        )
        details = reason or found.accelerator or found.description
        if found.unmet and not reason:
            details = _elsewhere(found.requirements)
        elif not has_torch:
            reason = details = "needs torch"
        rows.append(_row(kind, name, not reason, details))
    return rows + [
        _row(kind, ref.name, False,
             f"{ref.target} of {ref.distribution} cannot be found by its name, which "
             f"{refs[ref.name].target} has too: rename its entry point")
        for ref in plugins.hidden(group)
    ]  # fmt: skip

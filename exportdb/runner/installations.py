"""Where examinations run: this interpreter, or one made for an exporter or chosen for a run.

Owns which exporter is examined where. Making an environment is left to ``exportdb.environments``,
running in it to ``executors``: to these an installation is an interpreter like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exportdb.distributions import installed_distributions
from exportdb.environments import store
from exportdb.environments.bridge import Interpreter, bridge
from exportdb.environments.wanted import EnvironmentTrouble, Wanted, name_of, parsed, wanted
from exportdb.executors import open_executor
from exportdb.executors.asking import ask
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Failure, Task, Workers
from exportdb.plugins import PluginRef
from exportdb.records.environment import Environment, environment
from exportdb.records.switches import Switches
from exportdb.runner import backends
from exportdb.runner.declarations import Declaration, declarations_of
from exportdb.runner.request import Request

#: Told that the environment of some exporters is being made, and each line of its tool.
Making = Callable[[str, str], None]


@dataclass(frozen=True)
class Installation:
    """An interpreter with what it holds, and what plug-ins say of themselves there.

    ``distributions`` are all that are installed, with their versions. ``interpreter`` None is the
    one of this process.
    """

    environment: Environment
    declarations: Mapping[str, Declaration]
    distributions: Mapping[str, str]
    interpreter: Interpreter | None = None

    def preload(self, target: str) -> tuple[str, ...]:
        """What to import for an exporter before processes are forked: nothing in this
        interpreter, which others have a use for."""
        return () if self.interpreter is None else self.declarations[target].preload


@dataclass(frozen=True)
class Installations:
    """``here``, and the installation of each exporter by its reference's target."""

    here: Installation
    of: Mapping[str, Installation]

    @property
    def environments(self) -> tuple[Environment, ...]:
        """All environments, the one here first, each once."""
        found = {p.environment.digest: p.environment for p in (self.here, *self.of.values())}
        return tuple(found.values())


#: Seconds that importing a plug-in may take at least: a busy machine takes some for torch alone.
IMPORTING = 20.0


def arrange(
    request: Request, home: Path, timeout: float, making: Making = lambda who, line: None
) -> Installations:
    """The installation where each exporter of a request is examined; the devices go with them.

    ``timeout`` are the seconds that importing a plug-in may take; one that is meant for short
    examinations is lengthened to :data:`IMPORTING`.

    An exporter whose requirements are met here is examined here, any other in an environment of
    its own, made now if it is not there; those that want the same share one. With a ``python``,
    "here" is that interpreter. Where one cannot be made, its declaration says so as the failure
    ``NotRun``. Raises RunnerError if ``python`` cannot be used.
    """
    python, switches = request.python, request.options.switches
    devices = list(request.devices)
    refs = [*request.exporters, *devices]
    interpreter = None if python is None else bridge(python, refs, home)
    timeout = max(timeout, IMPORTING)
    base = _survey(refs, home, timeout, interpreter, switches)
    installations = {ref.target: base for ref in request.exporters}
    groups: dict[Wanted, list[PluginRef]] = {}
    for ref in request.exporters:
        said = base.declarations[ref.target]
        if not said.unmet:
            continue
        try:
            if python is not None and (reason := _excludes(said, base.environment.torch)):
                installations[ref.target] = _saying(base, ref, unusable=reason)
                continue
            groups.setdefault(wanted(said.requirements, base.environment.torch), []).append(ref)
        except EnvironmentTrouble as e:
            installations[ref.target] = _not_run(base, ref, f"the environment of {ref.name}: {e}")
    for want, members in groups.items():
        try:
            installation = _made(want, members, devices, home, timeout, switches, making)
            installations |= {ref.target: installation for ref in members}
        except EnvironmentTrouble as e:
            installations |= {ref.target: _not_run(base, ref, str(e)) for ref in members}
    return Installations(base, installations)


def _made(
    want: Wanted, members: list[PluginRef], devices: list[PluginRef], home: Path,
    timeout: float, switches: Switches, making: Making,
) -> Installation:  # fmt: skip
    """The installation of exporters that want the same environment. Raises EnvironmentTrouble."""
    names = ", ".join(ref.name for ref in members)
    spec = members[0].name if members[0].distribution else members[0].target
    try:
        if (made := store.find(want)) is None:
            making(names, f"making an environment with {', '.join(want.requirements)}")
            made = store.make(want, lambda line: making(names, line))
        refs = [*members, *devices]
        interpreter = bridge(made.python, refs, home, made.lock)
        installation = _survey(refs, home, timeout, interpreter, switches)
    except EnvironmentTrouble as e:
        packages = ", ".join(want.requirements)
        raise EnvironmentTrouble(
            f"the environment of {names} ({packages}) could not be made: {e}; "
            f"next: exportdb env create --exporter {spec}"
        ) from None
    except RunnerError as e:
        raise EnvironmentTrouble(
            f"the environment of {names} does not work: {e}; next: exportdb env remove {want.name}"
        ) from None
    for ref in members:
        if left := installation.declarations[ref.target].unmet:
            raise EnvironmentTrouble(
                f"the environment of {names} lacks {', '.join(left)}; "
                f"next: exportdb env remove {want.name}"
            )
    return installation


def _survey(
    refs: list[PluginRef], home: Path, timeout: float, interpreter: Interpreter | None,
    switches: Switches,
) -> Installation:  # fmt: skip
    declarations = declarations_of(refs, home, interpreter, timeout)
    packages = tuple(sorted({p for d in declarations.values() if not d.unmet for p in d.packages}))
    usable = [d for d in declarations.values() if not d.unusable]
    accelerator = ", ".join(d.accelerator for d in usable if d.accelerator) or None
    with open_executor(Workers(interpreter=interpreter)) as executor:
        what = (packages, backends.autoloading())
        question = Task(f"{__name__}:{measure.__name__}", what, alone=True)
        try:
            measured = ask(executor, question, home / "environments.json")
        except RunnerError as e:
            raise RunnerError(f"{interpreter.python}: {e}" if interpreter else str(e)) from None
    there = measured["environment"]
    found = Environment(**there, accelerator=accelerator, switches=switches)
    return Installation(found, declarations, measured["distributions"], interpreter)


def measure(packages: tuple[str, ...], autoloads: bool) -> dict[str, Any]:
    """The task of a process that examines: its environment, as far as it finds that itself.

    ``packages`` decide results, and with ``autoloads`` the back ends that torch loads by itself.
    """
    names = [*packages, *(backends.distributions() if autoloads else ())]
    there = environment(names).to_json()
    known = ("torch", "python", "implementation", "platform", "packages")
    return {
        "environment": {k: there[k] for k in known},
        "distributions": installed_distributions(),
    }


def _not_run(base: Installation, ref: PluginRef, why: str) -> Installation:
    return _saying(base, ref, failure=Failure("raised", "NotRun", f"not run: {why}", "setup"))


def _saying(base: Installation, ref: PluginRef, **said: Any) -> Installation:
    """``base``, with something else said of one plug-in."""
    changed = base.declarations[ref.target].with_(**said)
    return replace(base, declarations={**base.declarations, ref.target: changed})


def _excludes(said: Declaration, torch: str | None) -> str | None:
    """Why an exporter cannot be examined on a torch that the run chose, or None."""
    for requirement in said.requirements:
        if name_of(requirement) == "torch" and torch is not None:
            specifier = parsed(requirement).specifier
            if not specifier.contains(torch, prereleases=True):
                return f"it requires torch{specifier}, and this run is on torch {torch}"
    return None

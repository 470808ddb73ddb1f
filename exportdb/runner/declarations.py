"""What plug-ins say of themselves, asked without trusting them.

Owns the way from a reference to a :class:`Declaration`. Plug-ins that come with exportdb are asked
here; anything else, and whatever needs torch, in a child.
"""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from exportdb.cases.data import Data
from exportdb.devices.protocol import Device
from exportdb.distributions import installed_distributions, installed_version
from exportdb.environments.bridge import Interpreter
from exportdb.environments.wanted import name_of, unmet
from exportdb.executors import open_executor
from exportdb.executors.protocol import Failure, Task, Workers
from exportdb.exporters.protocol import Exporter
from exportdb.files import keep
from exportdb.plugins import EXPORTERS, PluginRef
from exportdb.records.record import digest
from exportdb.runner.imported import Imported, imported, note_loading


class Declaration(Data, frozen=True):
    """The declared facts of an exporter or a device, see their protocols for the fields.

    ``unmet`` are those of its requirements that the packages where it was asked do not meet; then
    it was asked no more, for it belongs elsewhere. ``unusable`` says why it cannot work here;
    ``failure`` why it could not even be asked (its module raises, crashes or hangs).
    """

    name: str
    version: str = ""
    description: str = ""
    extends: str | None = None
    packages: tuple[str, ...] = ()
    devices: tuple[str, ...] | None = None
    lacks: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    computes: bool = True
    timeout_factor: float = 1.0
    accelerator: str | None = None
    requirements: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    unusable: str | None = None
    failure: Failure | None = None

    @property
    def good(self) -> bool:
        """Whether it can be used where it was asked."""
        return not (self.failure or self.unusable or self.unmet)


def declarations_of(
    refs: Iterable[PluginRef], home: Path | None = None, interpreter: Interpreter | None = None
) -> dict[str, Declaration]:
    """What each plug-in declares, by its reference's ``target``.

    With an ``interpreter`` it is asked there, and nothing is kept. Raises RunnerError if that one
    does not come up.

    With ``home``, what a child said is kept there until the plug-in, what it imports or the
    machine changes; only good news is kept, so that what was missing is looked for again.
    """
    refs = list(refs)
    if interpreter is not None:
        return {target: said.declaration for target, said in _ask_in_children(refs, interpreter)}
    path = home / "plugins.json" if home else None
    kept = _read(path)
    found: dict[str, Declaration] = {}
    asked: dict[str, str] = {}
    for ref in refs:
        key = _key(ref)
        if plugin := _trusted(ref):
            found[ref.target] = _ask(plugin, ref)
        elif key in kept and kept[key].imported.holds(installed_distributions()):
            said = kept[key].declaration
            found[ref.target] = said.with_(unmet=unmet(said.requirements))
        else:
            asked[ref.target] = key
    if asked:
        news = dict(_ask_in_children([ref for ref in refs if ref.target in asked]))
        found |= {target: said.declaration for target, said in news.items()}
        _write(path, _read(path) | {asked[t]: s for t, s in news.items() if s.declaration.good})
    return found


class _Answer(Data, frozen=True):
    """What a plug-in declared, and what was imported for it."""

    declaration: Declaration
    imported: Imported = Imported()


def ask_here(ref: PluginRef) -> dict[str, Any]:
    """The task of the child: import the plug-in and ask it. Raises PluginError."""
    note_loading()
    return _Answer(_ask(ref.load(), ref), imported()).to_json()


def _trusted(ref: PluginRef) -> Any:
    """The instance of a plug-in of our own that answers without torch, or None."""
    if not ref.target.startswith("exportdb."):
        return None
    plugin = ref.load()
    ours = Exporter if ref.group == EXPORTERS else Device
    for question in ("unusable", "accelerator"):
        if getattr(type(plugin), question, None) is not getattr(ours, question, None):
            return None
    return plugin


def _ask(plugin: Any, ref: PluginRef) -> Declaration:
    requirements = tuple(map(str, getattr(plugin, "requirements", ())))
    missing = unmet(requirements)
    unusable = None
    if not missing and hasattr(plugin, "unusable"):
        unusable = plugin.unusable()
    accelerator = None
    if unusable is None and hasattr(plugin, "accelerator"):
        plugin.prepare()
        accelerator = plugin.accelerator()

    def said(name: str, otherwise: Any) -> Any:
        return getattr(plugin, name, otherwise)

    return Declaration(
        name=ref.name,
        version=str(said("version", "")),
        description=str(said("description", "")),
        extends=said("extends", None),
        packages=tuple(dict.fromkeys([*said("packages", ()), *map(name_of, requirements)])),
        devices=None if (devices := said("devices", None)) is None else tuple(devices),
        lacks=tuple(sorted(said("lacks", ()))),
        offers=tuple(sorted(said("offers", ()))),
        computes=bool(said("computes", True)),
        timeout_factor=float(said("timeout_factor", 1.0)),
        accelerator=accelerator,
        requirements=requirements,
        preload=tuple(map(str, said("preload", ()))),
        unmet=missing,
        unusable=None if unusable is None else str(unusable),
    )


def import_torch() -> None:
    """Import torch, where it is."""
    with contextlib.suppress(ImportError):
        import torch  # noqa: F401


#: So many plug-ins are asked without torch imported for them.
FEW = 2


def _ask_in_children(
    refs: list[PluginRef], interpreter: Interpreter | None = None
) -> Iterable[tuple[str, _Answer]]:
    # Most of them import torch, which takes a second or two: once is enough for several.
    preload = f"{__name__}:{import_torch.__name__}" if len(refs) > FEW else None
    with open_executor(Workers(preload=preload, interpreter=interpreter)) as executor:
        for ref in refs:
            executor.submit(
                Task("exportdb.runner.declarations:ask_here", (ref,), 120.0, alone=True, tag=ref)
            )
        for ending in executor.endings():
            ref = ending.task.tag
            if ending.failure:
                yield ref.target, _Answer(Declaration(ref.name, failure=ending.failure))
            else:
                yield ref.target, _Answer.from_json(ending.value)


def _key(ref: PluginRef) -> str:
    facts = (ref.target, ref.digest, installed_version("torch"), platform.node(),
             platform.python_version(), os.environ.get("CUDA_VISIBLE_DEVICES"))  # fmt: skip
    return digest(repr(facts))


_KEPT = msgspec.json.Decoder(dict[str, _Answer])


def _read(path: Path | None) -> dict[str, _Answer]:
    """What is kept; a file that cannot be understood holds nothing."""
    try:
        return _KEPT.decode(path.read_bytes()) if path else {}
    except (OSError, msgspec.MsgspecError):
        return {}


def _write(path: Path | None, kept: dict[str, _Answer]) -> None:
    if path is not None:
        keep(path, msgspec.json.encode(kept))

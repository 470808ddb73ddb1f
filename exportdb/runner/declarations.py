"""What plug-ins say of themselves, asked without trusting them.

Owns the way from a reference to a :class:`Declaration`. Plug-ins that come with exportdb are asked
here; anything else, and whatever needs torch, in a child.
"""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from exportdb.cases.data import Data, DataError, says
from exportdb.devices.protocol import Device
from exportdb.distributions import installed_distributions, installed_version
from exportdb.environments.bridge import Interpreter
from exportdb.environments.wanted import name_of, unmet
from exportdb.executors import open_executor
from exportdb.executors.protocol import Failure, Task, Workers
from exportdb.exporters.protocol import Exporter
from exportdb.files import keep_sealed, read_sealed
from exportdb.hints import hint
from exportdb.plugins import (
    EXPORTERS,
    PluginError,
    PluginRef,
    builtin_extends,
    installed,
    named_beside,
)
from exportdb.records.expectation import Extends, ExtendsError, lineage
from exportdb.records.record import digest
from exportdb.records.text import legible
from exportdb.runner.imported import Imported, Now, imported, note_loading, note_missing
from exportdb.runner.sources import digest_of_sources

#: Characters that are kept of what a plug-in says in words.
MAX_TEXT = 2000


class Declaration(Data, frozen=True):
    """The declared facts of an exporter or a device, see their protocols for the fields.

    ``unmet`` are those of its requirements that the packages where it was asked do not meet; then
    it was asked no more, for it belongs elsewhere. ``unusable`` says why it cannot work here, and
    with ``looks`` it has to be asked each time; ``failure`` says why it could not even be asked
    (its module raises, crashes or hangs).
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
    timeout_factor: Annotated[float, says("", "a number from 0 to 1000", gt=0, le=1000)] = 1.0
    rounds_to: Annotated[float, says("", "a number from 0 to 1", ge=0, le=1)] = 0.0
    accelerator: str | None = None
    requirements: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    looks: bool = False
    unusable: str | None = None
    failure: Failure | None = None

    @property
    def good(self) -> bool:
        """Whether it can be used where it was asked."""
        return not (self.failure or self.unusable or self.unmet)


def declarations_of(
    refs: Iterable[PluginRef], home: Path | None = None, interpreter: Interpreter | None = None,
    timeout: float = 120.0,
) -> dict[str, Declaration]:  # fmt: skip
    """What each plug-in declares, by its reference's ``target``; ``timeout`` are the seconds that
    one may take for it.

    With an ``interpreter`` it is asked there, and nothing is kept. Raises RunnerError if that one
    does not come up.

    With ``home``, what a child said is kept there until the plug-in, what it imports or the
    machine changes; only good news is kept, so that what was missing is looked for again, and one
    that looks whether it can be used looks again each time.
    """
    refs = list(refs)
    if interpreter is not None:
        there = _ask_in_children([(ref, None) for ref in refs], timeout, interpreter)
        return {target: said.declaration for target, said in there}
    path = home / "plugins.json" if home else None
    kept = _read(path)
    found: dict[str, Declaration] = {}
    asked: dict[str, tuple[PluginRef, Declaration | None]] = {}
    for ref in refs:
        if plugin := _trusted(ref):
            found[ref.target] = _ask(plugin, ref)
            continue
        known = None
        if (said := kept.get(_key(ref))) and said.imported.holds(Now(installed_distributions())):
            known = said.declaration.with_(unmet=unmet(said.declaration.requirements))
            found[ref.target] = known
        if known is None or (known.looks and not known.unmet):
            asked[ref.target] = (ref, known)
    if asked:
        news = dict(_ask_in_children(asked.values(), timeout))
        found |= {target: said.declaration for target, said in news.items()}
        new = {
            _key(ref): news[target]
            for target, (ref, known) in asked.items()
            if known is None and news[target].declaration.good
        }
        if new:
            _write(path, _read(path) | new)
    return found


def extends_of(refs: Iterable[PluginRef], said: Mapping[str, Declaration]) -> Extends:
    """What each of these exporters (by what they ``said``, by target) and each built-in one
    extends. Raises PluginError for one that extends itself, if by way of others, or a name that
    no exporter has."""
    refs = list(refs)
    found = builtin_extends() | {ref.name: said[ref.target].extends for ref in refs}
    for ref in refs:
        _check_named(ref, found)
        try:
            lineage(found, ref.name)
        except ExtendsError as e:
            raise PluginError(
                f"{ref.target}: the exporter {ref.name} {e}; `extends` names another exporter, "
                "whose expectations hold where its own do not differ: change it, or leave it out"
            ) from None
    return found


def _check_named(ref: PluginRef, found: Extends) -> None:
    """Raise PluginError where an exporter extends what is none: neither built in or installed, nor
    asked for, nor in the same file."""
    parent = found[ref.name]
    if parent is None or parent in found:
        return
    known = found.keys() | installed(EXPORTERS).keys() | named_beside(ref)
    if parent not in known:
        meant = hint(parent, known, f"known: {', '.join(sorted(known - {ref.name}))}")
        raise PluginError(
            f"{ref.target}: the exporter {ref.name} extends {parent!r}, and no exporter here is "
            f"named so{meant}"
        )


class _Answer(Data, frozen=True):
    """What a plug-in declared, and what was imported for it."""

    declaration: Declaration
    imported: Imported = Imported()


def ask_here(ref: PluginRef, known: Declaration | None) -> dict[str, Any]:
    """The task of the child: import the plug-in and ask it, where the rest is ``known`` only
    whether it can be used. Raises PluginError."""
    note_loading()
    note_missing()
    plugin = ref.load()
    said = _ask(plugin, ref) if known is None else known.with_(unusable=_unusable(plugin))
    return _Answer(said, imported()).to_json()


def _unusable(plugin: Any) -> str | None:
    said = plugin.unusable() if hasattr(plugin, "unusable") else None
    return None if said is None else _text(said)


def _text(said: Any) -> str:
    return legible(str(said)[:MAX_TEXT])


def _trusted(ref: PluginRef) -> Any:
    """The instance of a plug-in of our own that answers without torch, or None."""
    if not ref.ours:
        return None
    plugin = ref.load()
    looks = (_looks(plugin, _protocol(ref), what) for what in ("unusable", "accelerator"))
    return None if any(looks) else plugin


def _protocol(ref: PluginRef) -> type:
    return Exporter if ref.group == EXPORTERS else Device


def _looks(plugin: Any, protocol: type, question: str) -> bool:
    """Whether a plug-in has an answer of its own, for which it looks at the machine."""
    default = getattr(protocol, question, None)
    return getattr(type(plugin), question, default) is not default


def _ask(plugin: Any, ref: PluginRef) -> Declaration:
    """What a plug-in declares. Raises DataError for what is none, and what the plug-in raises."""

    def said(name: str, otherwise: Any = ()) -> Any:
        value = getattr(plugin, name, otherwise)
        if isinstance(value, set | frozenset | list | tuple):
            texts = [legible(one) if isinstance(one, str) else one for one in value]
            return sorted(texts) if isinstance(value, set | frozenset) else texts
        return legible(value) if isinstance(value, str) else value

    lists = ("packages", "lacks", "offers", "requirements", "preload")
    told = {
        "name": ref.name,
        "version": _text(said("version", "")),
        "description": _text(said("description", "")),
        "extends": said("extends", None),
        "devices": said("devices", None),
        "computes": bool(said("computes", True)),
        "timeout_factor": said("timeout_factor", 1.0),
        "rounds_to": said("rounds_to", 0.0),
        "looks": _looks(plugin, _protocol(ref), "unusable"),
        **{name: said(name) for name in lists},
    }
    declared = Declaration.from_json(told)
    missing = unmet(declared.requirements)
    unusable = None if missing else _unusable(plugin)
    accelerator = None
    if unusable is None and hasattr(plugin, "accelerator"):
        plugin.prepare()
        accelerator = plugin.accelerator()
    packages = tuple(dict.fromkeys([*declared.packages, *map(name_of, declared.requirements)]))
    return declared.with_(
        packages=packages, unmet=missing, unusable=unusable, accelerator=accelerator
    )


def import_torch() -> None:
    """Import torch, where it is."""
    with contextlib.suppress(ImportError):
        import torch  # noqa: F401


#: So many plug-ins of ours are asked without torch imported for them.
FEW = 2


def _ask_in_children(
    asked: Collection[tuple[PluginRef, Declaration | None]], timeout: float,
    interpreter: Interpreter | None = None,
) -> Iterable[tuple[str, _Answer]]:  # fmt: skip
    # Most of them import torch, which takes a second or two: once is enough for several, and it is
    # not what a plug-in of somebody else's takes.
    early = len(asked) > FEW or not all(ref.ours for ref, _ in asked)
    preload = f"{__name__}:{import_torch.__name__}" if early else None
    with open_executor(Workers(preload=preload, interpreter=interpreter)) as executor:
        for ref, known in asked:
            question = f"{__name__}:{ask_here.__name__}"
            executor.submit(Task(question, (ref, known), timeout, alone=True, tag=ref))
        for ending in executor.endings():
            ref = ending.task.tag
            failure = ending.failure
            try:
                answer = None if failure else _Answer.from_json(ending.value)
            except DataError as e:  # somebody else has written it
                answer, failure = None, Failure("raised", "DataError", str(e))
            yield ref.target, answer or _Answer(Declaration(ref.name, failure=failure))


def _key(ref: PluginRef) -> str:
    facts = (ref.target, ref.digest, installed_version("torch"), platform.node(),
             platform.python_version(), os.environ.get("CUDA_VISIBLE_DEVICES"),
             digest_of_sources("runner/declarations.py"))  # fmt: skip
    return digest(repr(facts))


_KEPT = msgspec.json.Decoder(dict[str, _Answer])


def _read(path: Path | None) -> dict[str, _Answer]:
    """What is kept; a file that is not as it was written holds nothing."""
    raw = read_sealed(path) if path else b""
    with contextlib.suppress(msgspec.MsgspecError):  # of another version of exportdb
        return _KEPT.decode(raw)
    return {}


def _write(path: Path | None, kept: dict[str, _Answer]) -> None:
    if path is not None:
        keep_sealed(path, msgspec.json.encode(kept))

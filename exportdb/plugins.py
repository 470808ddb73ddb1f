"""How exporters, devices and suites are found: entry points, files and modules.

Owns names and references to plug-ins. A reference is plain data: making one never imports the
plug-in, which may be slow, broken or hostile; :meth:`PluginRef.load` does, in a process of its
own. What a plug-in must look like is left to ``exportdb.exporters``, ``exportdb.devices`` and
``exportdb.suites``.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import importlib.util
import re
import symtable
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb.cases.capabilities import CAPABILITIES
from exportdb.cases.index import made_once
from exportdb.files import names_a_file
from exportdb.hints import hint

if TYPE_CHECKING:
    from importlib.metadata import Distribution

EXPORTERS = "exportdb.exporters"
DEVICES = "exportdb.devices"
SUITES = "exportdb.suites"
#: What a plug-in may be called in records, commands and the names of files.
_NAME = re.compile(r"[\w.+-]{1,100}")
#: What to do to be held to what is expected of another exporter.
_ALIKE = "`extends = {!r}` where it should do the same"


class PluginError(Exception):
    """A plug-in that cannot be found or loaded, with its name and what to do."""


@dataclass(frozen=True)
class PluginRef:
    """Where a plug-in is. ``target`` is ``module:Name`` or ``path/to/file.py:Name``.

    ``name`` is what it is called in records: the entry point's name, or, for a plug-in that has
    none, the ``name`` that its class declares, or else the class name in kebab case. ``digest``
    changes when its source or its distribution's version does.
    """

    group: str
    name: str
    target: str
    digest: str
    distribution: str = ""

    @property
    def ours(self) -> bool:
        """Whether it comes with exportdb, and so is known to keep nothing in its globals."""
        return self.target.startswith("exportdb.")

    def load(self) -> Any:
        """Import the plug-in and make its instance. Raises PluginError."""
        location, _, attribute = self.target.rpartition(":")
        try:
            if location.endswith(".py"):
                module = _import_file(Path(location))
            else:
                module = importlib.import_module(location)
            found = getattr(module, attribute)
            plugin = found() if isinstance(found, type) else found
            plugin.name = self.name  # what it says of itself may be made up while it is loaded
        except Exception as e:
            raise PluginError(
                f"{self.target} cannot be loaded as {self.group[9:-1]}: {type(e).__name__}: {e}"
            ) from e
        check(plugin, self.group, self.target)
        return plugin


def check(plugin: Any, group: str, target: str) -> None:
    """Raise PluginError where a plug-in lacks what its kind must have, or has what none can mean.

    A word that is misspelt in what it lacks or offers would otherwise be as good as none.
    """
    if group == EXPORTERS and not callable(getattr(plugin, "capture", None)):
        raise PluginError(f"{target} is not an exporter: it has no method capture(program)")
    if group == SUITES and not callable(getattr(plugin, "programs", None)):
        raise PluginError(f"{target} is not a suite: it has no method programs()")
    if hasattr(plugin, "patience"):
        raise PluginError(f"{target}: `patience` is called `timeout_factor` now; rename it")
    for name in ("lacks", "offers", "demands"):
        words = getattr(plugin, name, ())
        for word in words if isinstance(words, Collection) and not isinstance(words, str) else ():
            if isinstance(word, str) and word not in CAPABILITIES:
                known = f"known: {', '.join(CAPABILITIES)}"
                meant = hint(word, CAPABILITIES, least=0.7)
                raise PluginError(
                    f"{target}: `{name}` has {word!r}, which is no capability{meant}; {known}"
                )


def find(group: str, spec: str) -> PluginRef:
    """The plug-in that ``spec`` means: an entry point's name, ``file.py:Name`` or ``module:Name``.

    Raises PluginError for a name that is not known, a file that does not exist, a name that
    the file does not define, and a plug-in that is named like one that comes with exportdb.
    """
    kind = group[9:-1]
    if spec in (known := installed(group)):
        return known[spec]
    location, colon, attribute = spec.rpartition(":")
    if not colon and names_a_file(spec):
        raise PluginError(f"{spec} is a file: add the name that it defines, like {spec}:Name")
    if not colon:
        meant = hint(spec, known, f"known: {', '.join(known)}")
        raise PluginError(f"no {kind} is named {spec!r}{meant} (or give path/to/file.py:Name)")
    if location.endswith(".py"):
        source: Path | None = Path(location).resolve()
        target = f"{source}:{attribute}"
        if not names_a_file(location):
            raise PluginError(f"{kind} {spec!r}: there is no file {location}")
    else:
        source, target = _source(location), spec
    raw = source.read_bytes() if source else b""
    if location.endswith(".py") and (names := _defined(raw)) is not None and attribute not in names:
        meant = hint(attribute, names)
        raise PluginError(f"{kind} {spec!r}: {location} defines no {attribute!r}{meant}")
    name = _declared_name(raw, attribute) or _kebab(attribute)
    if not _NAME.fullmatch(name):
        raise PluginError(f"{kind} {spec!r}: the name {name!r} is not of letters, digits and ._+-")
    if (ours := known.get(name)) and ours.ours and ours.target != target:
        also = f", and {_ALIKE.format(name)}" if group == EXPORTERS else ""
        raise PluginError(
            f"{kind} {spec!r} is named {name}, as {ours.target} of exportdb is, and would be taken "
            f"for that one: give its class another `name`{also}"
        )
    return PluginRef(group, name, target, _digest(raw) if source else "")


@cache
def installed(group: str) -> dict[str, PluginRef]:
    """The plug-ins that installed distributions name, by name: where several have one, ours."""
    named: dict[str, PluginRef] = {}
    for ref in _entry_points(group):
        if not (ref.name in named and named[ref.name].ours):
            named[ref.name] = ref
    return named


def hidden(group: str) -> list[PluginRef]:
    """The plug-ins that installed distributions name as another one is named."""
    return [ref for ref in _entry_points(group) if installed(group)[ref.name] is not ref]


@cache
def _entry_points(group: str) -> list[PluginRef]:
    from importlib import metadata  # what names no plug-in does not need to wait for it

    refs = []
    for point in metadata.entry_points(group=group):
        distribution = _label(point.dist) if point.dist else ""
        module = point.value.partition(":")[0]
        digest = "" if module.startswith("exportdb.") else _module_digest(module)
        digest = _digest(f"{distribution}{digest}".encode())
        refs.append(PluginRef(group, point.name, point.value, digest, distribution))
    return refs


@cache
def _label(distribution: Distribution) -> str:
    # Read once for all plug-ins that a distribution has.
    from exportdb.distributions import name_and_version

    return " ".join(name_and_version(distribution))


def builtin_extends() -> dict[str, str | None]:
    """What each built-in exporter extends; their modules are imported when they have changed."""
    from importlib import metadata

    # Not ``installed``: the entry points of all that is installed take long to find.
    builtin = {}
    with contextlib.suppress(metadata.PackageNotFoundError):
        points = metadata.distribution("exportdb").entry_points.select(group=EXPORTERS)
        builtin = {p.name: PluginRef(EXPORTERS, p.name, p.value, "") for p in points}
    sources = Path(__file__).with_name("exporters").glob("*.py")
    named = " ".join(f"{name}={ref.target}" for name, ref in sorted(builtin.items()))
    return made_once(
        "extends", sources, dict[str, str | None], lambda: _extends_of(builtin), given=named
    )


def named_beside(ref: PluginRef) -> set[str]:
    """What the classes in the file or module of a plug-in are called as plug-ins."""
    location = ref.target.rpartition(":")[0]
    source = Path(location) if location.endswith(".py") else _source(location)
    raw = source.read_bytes() if source and source.is_file() else b""
    return {_declared_name(raw, name) or _kebab(name) for name in _defined(raw) or ()}


def _extends_of(builtin: Mapping[str, PluginRef]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name, ref in builtin.items():
        with contextlib.suppress(PluginError):  # doctor says what is wrong with it
            found[name] = getattr(ref.load(), "extends", None)
    return found


def completed(plugin: Any, protocol: type) -> Any:
    """``plugin`` with what ``protocol`` has and it lacks: deriving from it is no duty."""
    for name, value in vars(protocol).items():
        if not name.startswith("_") and not hasattr(plugin, name):
            setattr(plugin, name, value.__get__(plugin) if callable(value) else value)
    return plugin


def _defined(source: bytes) -> list[str] | None:
    """The names that a file's top level defines; None where only running it would tell.

    A file without a class or function makes its names in ways of its own, or fails before.
    """
    try:
        table = symtable.symtable(source.decode(), "", "exec")
    except (SyntaxError, ValueError):  # whoever imports it says which line
        return None
    if b"import *" in source or b"globals()" in source:
        return None
    if not any(s.is_namespace() for s in table.get_symbols()):
        return None
    return [s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()]


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]


def _module_digest(module: str) -> str:
    """Digest of a module's source ("" if it has none)."""
    source = _source(module)
    return _digest(source.read_bytes()) if source else ""


def _source(module: str) -> Path | None:
    """The file of a module, found without importing its parents; None if it has none."""
    search: list[str] | None = None
    spec = None
    parts = module.split(".")
    for i in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: i + 1]), search)
        if spec is None:
            return None
        search = list(spec.submodule_search_locations or ())
    return Path(spec.origin) if spec and spec.origin and Path(spec.origin).is_file() else None


def _declared_name(source: bytes, attribute: str) -> str:
    """The text that the class ``attribute`` of a module gives its ``name``; "" if it gives none."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return ""  # loading it says so
    for defined in body:
        if isinstance(defined, ast.ClassDef) and defined.name == attribute:
            for line in defined.body:
                match line:
                    case (
                        ast.Assign(targets=[ast.Name("name")], value=ast.Constant(str(name)))
                        | ast.AnnAssign(target=ast.Name("name"), value=ast.Constant(str(name)))
                    ):
                        return name
    return ""


def _import_file(path: Path) -> Any:
    name = f"exportdb_plugin_{_digest(str(path).encode())}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _kebab(name: str) -> str:
    """``MyBackend`` to ``my-backend``.

    >>> _kebab("MyONNXBackend2")
    'my-onnx-backend2'
    """
    out = ""
    for i, c in enumerate(name):
        starts = c.isupper() and i and (not name[i - 1].isupper() or name[i + 1 : i + 2].islower())
        out += ("-" if starts else "") + c.lower()
    return out.replace("_", "-")

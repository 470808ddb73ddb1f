"""Where a user's module is from: a function of a file, or an object that was handed over.

Owns the way from ``model.py:make`` (or a module with its example) to what it makes, in whatever
process that is asked. Changing it is left to ``program``.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import inspect
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exportdb.cases import modules
from exportdb.diagnose import files


class OriginError(Exception):
    """The module to look at cannot be found or made; the message says how to give one."""


@dataclass(frozen=True)
class UserModel:
    """A module with its example; ``specs`` is its ``dynamic_shapes`` as the user wrote it.

    ``space`` is the name space of the user's file, in which text at its end would run.
    """

    module: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    specs: Any
    space: dict[str, Any]

    def inputs(self) -> dict[str, Any]:
        """The example by the parameter of ``forward`` that takes each."""
        bound = inspect.signature(self.module.forward).bind(*self.args, **self.kwargs)
        return dict(bound.arguments)


@dataclass(frozen=True)
class FileOrigin:
    """``path.py:name`` of a function without parameters, or of a module class.

    A function returns the module with its example: ``(module, args)``, and after these kwargs and
    dynamic_shapes if there are any; or a dict of the same names. A class is made without
    arguments, and its example comes from the file's ``inputs()`` and ``dynamic_shapes``. It runs in
    ``folder``, where the user is: what the file opens beside itself is there. Where it was named as
    ``package.module``, or imports relatively, it runs as a part of its package.
    """

    path: Path
    name: str
    folder: Path = field(default_factory=Path.cwd)
    package: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The file's text. Raises OriginError."""
        try:
            return self.path.read_text(encoding="utf-8")
        except (OSError, ValueError) as e:
            raise OriginError(f"{self.path} cannot be read: {e}") from None

    @property
    def shown(self) -> str:
        """What the user would call it."""
        return f"{self.path.name}:{self.name}"

    def make(self, source: str, others: Mapping[str, str] | None = None) -> UserModel:
        """Run the text ``source`` in the file's place and make the module.

        ``others`` are texts that take the place of other files of the user's, by path. Raises
        OriginError, and whatever the user's code raises.
        """
        package = self.package or _package_of(self.path, source)
        for folder in (self.path.parents[len(package)], self.path.resolve().parent):
            if str(folder) not in sys.path:
                sys.path.insert(0, str(folder))  # as when the file is run
        with contextlib.chdir(self.folder), files.in_place_of(others or {}):
            module = _blank(self.path, package)
            exec(compile(source, str(self.path), "exec", dont_inherit=True), module.__dict__)
            return _made(self, module.__dict__)


def _package_of(path: Path, source: str) -> tuple[str, ...]:
    """The packages that a file has to run in: none where it imports nothing relatively."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):  # running it says so
        return ()
    levels = max((n.level for n in nodes if isinstance(n, ast.ImportFrom)), default=0)
    if not levels:
        return ()
    named = modules.package_of(path)[1]
    return tuple(named) or tuple(p.name for p in reversed(path.parents[:levels]))


def _blank(path: Path, package: Sequence[str]) -> types.ModuleType:
    """A module in which nothing was run yet, in ``package``, which is imported."""
    named = list(package) if path.stem == "__init__" and package else [*package, path.stem]
    if len(named) > 1:
        importlib.import_module(".".join(named[:-1]))
    module = types.ModuleType(".".join(named))
    module.__file__ = str(path)
    if package:
        module.__package__ = ".".join(package)
    if path.stem == "__init__":
        module.__path__ = [str(path.parent)]
    sys.modules[module.__name__] = module
    return module


def _made(origin: FileOrigin, space: dict[str, Any]) -> UserModel:
    found = space.get(origin.name)
    if not callable(found):
        raise OriginError(f"{origin.path} defines no {origin.name}() to make the module with")
    result = found()
    if isinstance(result, Mapping):
        if unknown := result.keys() - {"module", "args", "kwargs", "dynamic_shapes"}:
            raise OriginError(f"{origin.shown}() gives {', '.join(sorted(unknown))}, {_FORM}")
        result = tuple(result.get(key) for key in ("module", "args", "kwargs", "dynamic_shapes"))
    if not isinstance(result, tuple):
        example = space.get("inputs")
        if example is None:
            raise OriginError(
                f"{origin.shown} gives a module and no example inputs: let `def inputs():` in "
                f"{origin.path.name} return them as a tuple, or name a function that returns "
                "(module, args)"
            )
        result = (result, example(), None, space.get("dynamic_shapes"))
    module, args, kwargs, specs = (*result, None, None, None)[:4]
    if not hasattr(module, "forward"):
        raise OriginError(f"{origin.shown} gives {type(module).__name__}, not a module; {_FORM}")
    made = UserModel(
        module, args if isinstance(args, tuple) else (args,), dict(kwargs or {}), specs, space
    )
    try:
        made.inputs()
    except TypeError as e:
        raise OriginError(
            f"{origin.shown} gives args and kwargs that forward does not take ({e}); {_FORM}; "
            "without kwargs, {} stands before dynamic_shapes"
        ) from None
    except ValueError:  # it tells nobody what it takes; running it will say
        pass
    return made


_FORM = "make it return (module, args, kwargs, dynamic_shapes), the last two if there are any"


@dataclass(frozen=True)
class PickledOrigin:
    """A module with its example, pickled by another process; ``path`` is where its class is."""

    payload: bytes
    path: Path
    name: str

    @property
    def source(self) -> str:
        """The text of the file that defines the class, "" where there is none."""
        return self.path.read_text(encoding="utf-8") if self.path.is_file() else ""

    @property
    def shown(self) -> str:
        """The name of the class."""
        return self.name

    def make(self, source: str, others: Mapping[str, str] | None = None) -> UserModel:
        """Unpickle the module, and give its parts the classes of the texts that were changed."""
        import pickle

        module, args, kwargs, specs = pickle.loads(self.payload)
        space: dict[str, Any] = vars(sys.modules.get(type(module).__module__, types))
        space = dict(space)
        if source != self.source:
            space = _with_classes_of(module, str(self.path), source)
        for path, text in (others or {}).items():
            _with_classes_of(module, path, text)
        return UserModel(module, tuple(args), dict(kwargs or {}), specs, space)


def _with_classes_of(module: Any, path: str, text: str) -> dict[str, Any]:
    """Give the parts of ``module`` the classes of a text, in a file's place; what it defines."""
    space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    for part in module.modules():
        if getattr(sys.modules.get(type(part).__module__), "__file__", None) == path:
            space["__name__"] = type(part).__module__
    exec(compile(text, path, "exec", dont_inherit=True), space)
    for part in module.modules():
        new = space.get(type(part).__qualname__)
        if type(part).__module__ == space["__name__"] and isinstance(new, type):
            part.__class__ = new
    return space


#: What a module to look at can come from.
Origin = FileOrigin | PickledOrigin


def file_origin(text: str) -> FileOrigin:
    """Read ``path.py:name`` or ``package.module:name``. Raises OriginError."""
    place, _, name = text.rpartition(":")
    if not place or not name.isidentifier():
        raise OriginError(
            f"{text!r} names no function: add :NAME of one that returns a module and its example "
            "inputs, such as def make(): return Net(), (torch.randn(4, 3),)"
        )
    path = Path(place)
    if path.suffix != ".py":
        path = _file_of_module(place).absolute()
        parts = place.split(".")
        package = parts if path.stem == "__init__" else parts[:-1]
        return FileOrigin(path, name, package=tuple(package))
    if not path.is_file():
        raise OriginError(f"there is no file {path}; give a file and a function: model.py:make")
    return FileOrigin(path.absolute(), name)


def _file_of_module(place: str) -> Path:
    """The file of a module's dotted name, from here or as Python finds it. Raises OriginError."""
    if found := modules.file_of(place):
        return found
    try:
        spec = importlib.util.find_spec(place)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin:
        raise OriginError(f"there is no module {place}; give a file and a function: model.py:make")
    return Path(spec.origin)


def pickled(
    module: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None, specs: Any
) -> PickledOrigin:
    """A module that is here, for another process. Raises OriginError where it cannot be sent."""
    import pickle

    try:
        payload = pickle.dumps((module, tuple(args), dict(kwargs or {}), specs))
    except Exception as e:
        raise OriginError(
            f"{type(module).__name__} cannot be sent to another process ({e}); write a function "
            "that makes it into a file, and name that: exportdb.diagnose('model.py:make')"
        ) from None
    try:
        path = Path(inspect.getsourcefile(type(module)) or "")
    except TypeError:
        path = Path()
    return PickledOrigin(payload, path, type(module).__name__)

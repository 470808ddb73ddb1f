"""What somebody holds in memory, as bytes that another process makes it of again.

Owns cloudpickle: classes and functions of a notebook or a script travel whole, those of modules by
name, with where modules are found and the source of what is in no file.
"""

from __future__ import annotations

import linecache
import os
import pickle
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exportdb.plugins import PluginRef
from exportdb.records.record import digest
from exportdb.suites.protocol import ProgramError


@dataclass(frozen=True)
class HeldPlugin(PluginRef):
    """An exporter or a device that somebody holds: ``held`` is it, or it as bytes."""

    held: Any = None

    def load(self) -> Any:
        """It, in this process."""
        plugin = self.held.load() if isinstance(self.held, Pickled) else self.held
        plugin.name = self.name
        return plugin


@dataclass(frozen=True)
class Pickled:
    """A value; ``path`` is where modules are found, ``sources`` the lines of what is in no file."""

    payload: bytes
    path: tuple[str, ...]
    sources: Mapping[str, tuple[str, ...]]

    @staticmethod
    def of(value: Any, where: str) -> Pickled:
        """``value`` as bytes. Raises ProgramError, with the way out, where it cannot be."""
        import cloudpickle

        try:
            payload = cloudpickle.dumps(value)
        except Exception as e:  # an object's own __reduce__ may raise anything
            raise ProgramError(
                where,
                f"cannot be sent to a process of its own ({type(e).__name__}: {e}); "
                "examine it in this one, with isolated=False",
            ) from e
        cells = {
            name: tuple(linecache.getlines(name))
            for name in list(linecache.cache)
            if name.startswith("<") or not os.path.exists(name)  # noqa: PTH110  # no path at all
        }
        return Pickled(payload, tuple(map(os.path.abspath, sys.path)), cells)

    @property
    def digest(self) -> str:
        """That of the bytes."""
        return digest(self.payload)

    def load(self) -> Any:
        """The value again, here. Raises what its modules and classes raise."""
        sys.path += [folder for folder in self.path if folder not in sys.path]
        for name, lines in self.sources.items():  # inspect.getsource() asks for them
            linecache.cache[name] = (sum(map(len, lines)), None, list(lines), name)
        return pickle.loads(self.payload)

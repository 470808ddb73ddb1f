"""The user's own files: which they are, and how a changed text takes the place of one.

Owns telling them from what is installed, and importing them from other texts. Runs where the
program runs.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

#: Files of Python, of what is installed, and of no file at all.
_NOT_THE_USERS = re.compile(
    r"^<|[/\\](site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|[/\\]torch[/\\]"
)
_OURS = str(Path(__file__).parents[1])

#: What the user's files were last imported from, other than themselves.
_last: dict[str, str] = {}


def is_users(path: str) -> bool:
    """Whether a file is one that the user writes."""
    return not _NOT_THE_USERS.search(path) and not path.startswith(_OURS)


def imported_texts(main: str, most: int = 50) -> dict[str, str]:
    """The texts of the files that ``main`` imported and that are the user's, by path."""
    found: dict[str, str] = {}
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.endswith(".py") and path != main and is_users(path):
            loader = getattr(module, "__loader__", None)
            with contextlib.suppress(OSError, ValueError):
                text = loader.text if isinstance(loader, _TextLoader) else Path(path).read_text()
                found[path] = text
    return dict(list(found.items())[:most])


@contextlib.contextmanager
def in_place_of(texts: Mapping[str, str]) -> Iterator[None]:
    """Import the user's files from ``texts`` (by path) where they are there, as they are else."""
    global _last
    if texts != _last:
        for name, module in list(sys.modules.items()):
            if isinstance(getattr(module, "__loader__", None), _TextLoader):
                del sys.modules[name]  # what was imported for a program before this one
    _last = dict(texts)
    finder = _TextFinder(texts)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _TextFinder:
    """Finds what Python would find, and reads the user's files through :class:`_TextLoader`."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        """The spec of a module of the user's; None for all others."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        if not is_users(spec.origin):
            return None
        spec.loader = _TextLoader(name, spec.origin, self._texts.get(spec.origin))
        return spec


class _TextLoader(SourceFileLoader):
    """Runs ``text`` in the place of a file, or the file itself where it is None."""

    def __init__(self, name: str, path: str, text: str | None) -> None:
        super().__init__(name, path)
        self._text = text

    @property
    def text(self) -> str:
        """What is run."""
        return Path(self.path).read_text() if self._text is None else self._text

    def get_code(self, _fullname: str) -> Any:
        """Compiled anew: nothing is written beside the user's files."""
        return compile(self.text, self.path, "exec", dont_inherit=True)

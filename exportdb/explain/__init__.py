"""From an error to what it means and what to do: ``exportdb explain`` and :func:`explain`.

``reading`` takes a pasted text apart, ``matching`` finds the entries of the catalogue it is about,
``answer`` adds the user's own line and the best cases. Nothing here imports torch.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from exportdb.cases import catalogue
from exportdb.cases.catalogue import Entry
from exportdb.cases.database import builtin_tree
from exportdb.cases.index import made_once
from exportdb.explain import alike, matching, reading
from exportdb.explain.answer import Explanation, explained
from exportdb.explain.matching import Matcher, Ready, made_ready

__all__ = ["Explanation", "explain", "match", "matcher"]


@cache
def matcher() -> Matcher:
    """The built-in catalogue, ready for matching."""
    code = [Path(module.__file__ or "") for module in (matching, alike, reading, catalogue)]
    tree = builtin_tree()
    learned = [*catalogue.words_files(tree), catalogue.texts_file(tree)]
    sources = [*code, *catalogue.sources(tree), *learned]
    return Matcher(_entries, made_once("matching", sources, Ready, _made))


_loaded: dict[str, Entry] = {}


def _entries(ids: Collection[str]) -> Mapping[str, Entry]:
    if missing := {*ids} - _loaded.keys():
        _loaded.update(catalogue.load(only=missing).entries)
    return _loaded


def _made() -> Ready:
    return made_ready([*catalogue.load().entries.values()], catalogue.texts())


def match(error_type: str, message: str) -> str | None:
    """ID of the entry that an error of an exporter is surely about, or None.

    ``error_type`` is the class name, with or without its module.
    """
    return matcher().match(error_type, message)


def explain(error: BaseException | str) -> Explanation:
    """What the catalogue says of an exception, or of an error text or traceback.

    The exceptions that an exception was raised from, or while handling, are looked at with it.
    """
    if isinstance(error, BaseException):
        error = "".join(traceback.format_exception(error))
    return explained(error, matcher())


class _ExplainPackage(ModuleType):
    """Lets ``exportdb.explain(error)`` mean :func:`explain`, which the package is named after."""

    def __call__(self, error: BaseException | str) -> Explanation:
        return explain(error)


sys.modules[__name__].__class__ = _ExplainPackage

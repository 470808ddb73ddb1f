"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import exportdb


def test_the_examples_of_every_module_give_what_they_say() -> None:
    tried, failed = 0, []
    names = [found.name for found in pkgutil.walk_packages(exportdb.__path__, "exportdb.")]
    for name in names:
        if not name.endswith("__main__"):  # which is the command itself
            result = doctest.testmod(importlib.import_module(name))
            tried += result.attempted
            failed += [name] * bool(result.failed)
    assert tried > 60
    assert not failed

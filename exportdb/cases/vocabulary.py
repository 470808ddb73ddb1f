"""The vocabulary of tags: every tag a case may have, and what it means.

Owns the reading of ``tags.yaml``, one in each tree of cases; the built-in one always counts, so
that private cases speak the same words. Which cases have a tag is left to the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases import yamlfile
from exportdb.cases.case import CaseError
from exportdb.cases.database import builtin_tree

FILE = "tags.yaml"
#: ``torch.dynamic-shape``: an area, a dot, lower-case words joined by hyphens.
TAG_PATTERN = re.compile(r"[a-z][a-z0-9]*\.[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Tag:
    """One tag, what it means, and where that is written."""

    name: str
    description: str
    path: Path
    line: int


@dataclass(frozen=True)
class Vocabulary:
    """Tags by name, in the order in which they are written, and what could not be read."""

    tags: dict[str, Tag] = field(default_factory=dict)
    broken: tuple[CaseError, ...] = ()


def load(trees: Iterable[Path] = ()) -> Vocabulary:
    """The tags of the built-in tree and of further ones. Never raises: see ``broken``."""
    tags: dict[str, Tag] = {}
    broken: list[CaseError] = []
    files = [tree / FILE for tree in dict.fromkeys([builtin_tree(), *trees])]
    must = "must map each tag to {description: ...}"
    for path, line, name, value in yamlfile.entries(files, must, broken):
        if trouble := _trouble(name, value, tags):
            broken.append(CaseError(path, line, trouble))
        else:
            tags[name] = Tag(name, value["description"].strip(), path, line)
    return Vocabulary(tags, tuple(broken))


def _trouble(name: object, value: object, known: dict[str, Tag]) -> str | None:
    if not isinstance(name, str) or not TAG_PATTERN.fullmatch(name):
        return f"{name!r} is not a legal tag: an area, a dot, lower-case words joined by hyphens"
    if name in known:
        return f"the tag {name} is already in {known[name].path}"
    if not isinstance(value, dict) or value.keys() != {"description"}:
        return f"the tag {name} must have exactly one key, description"
    if not isinstance(value["description"], str) or not value["description"].strip():
        return f"the tag {name} has no description"
    return None

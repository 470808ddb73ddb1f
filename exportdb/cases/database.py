"""Where cases are found: the trees of the database and of its users, and selecting from them.

Owns the way from a folder to cases by ID. A file that cannot be read is kept as the error it
raised, so that one bad case never hides the others.
"""

from __future__ import annotations

import fnmatch
import os
import shlex
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from exportdb.cases import yamlfile
from exportdb.cases.case import ID_PATTERN, Case, CaseError
from exportdb.cases.index import CaseIndex
from exportdb.hints import hint


class SelectionError(Exception):
    """A selection that names nothing, with what was probably meant."""


@cache
def builtin_tree() -> Path:
    """The folder of the cases that come with exportdb."""
    package = Path(__file__).resolve().parent.parent  # it may have been come to through a link
    installed = package / "database"  # in a wheel
    return installed if installed.is_dir() else package.parent / "cases"  # in a checkout


def in_checkout() -> bool:
    """Whether the cases that come with exportdb are those of the checkout that the user stands in:
    what is installed, and the checkout of somebody else, is not theirs to change."""
    tree = builtin_tree().resolve()
    return tree.name == "cases" and Path.cwd().resolve().is_relative_to(tree.parent)


@dataclass(frozen=True)
class Database:
    """Cases by ID, in order, and what could not be read."""

    trees: tuple[Path, ...]
    cases: dict[str, Case] = field(default_factory=dict)
    broken: dict[str, CaseError] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases.values())

    def select(self, patterns: Sequence[str] = (), tags: Iterable[str] = ()) -> list[Case]:
        """Cases whose ID matches one of ``patterns`` (all if none) and that have all ``tags``.

        A pattern is an ID, an ID that was renamed, a glob, or a topic. Raises SelectionError for
        a pattern or a selection that matches nothing and for a pattern of which no case can be
        read, CaseError if that is one case.
        """
        chosen: dict[str, None] = {} if patterns else dict.fromkeys(self.cases)
        topics = _topics(self.cases)
        for pattern in patterns:
            chosen |= dict.fromkeys(self._match(pattern.removesuffix("/"), topics))
        wanted = set(tags)
        cases = [c for c in self if c.id in chosen and wanted <= set(c.meta.tags)]
        if not cases and not (self.broken and not wanted):
            by = f" by the tags {', '.join(sorted(wanted))}" if wanted else ""
            raise SelectionError(f"no case is selected{by}{self._tags_meant(wanted)}")
        return cases

    def _tags_meant(self, wanted: set[str]) -> str:
        borne = {t for c in self for t in c.meta.tags}
        unknown = sorted(wanted - borne)
        return hint(unknown[0], borne, "see exportdb list --tags", 1) if unknown else ""

    def _match(self, pattern: str, topics: Collection[str]) -> list[str]:
        pattern = self.redirects.get(pattern, pattern)
        if pattern in self.cases and pattern not in topics:
            return [pattern]  # a run by name gives hundreds of them
        hits = [i for i in self.cases if means(pattern, i)]
        if not hits:
            broken = [error for i, error in self.broken.items() if means(pattern, i)]
            if len(broken) == 1:
                raise broken[0]
            if broken:
                raise SelectionError(
                    f"no case of {pattern!r} can be read:" + "".join(f"\n  {e}" for e in broken)
                )
            search = f"try exportdb list --search {shlex.quote(pattern)}"
            known = hint(pattern, [*self.cases, *self.redirects, *topics], search, least=0.65)
            raise SelectionError(f"no case is named {pattern!r}{known}")
        return hits


def _topics(case_ids: Iterable[str]) -> set[str]:
    """The folders that these cases lie in, directly or deeper."""
    found = set()
    for folder in case_ids:
        while folder := folder.rpartition("/")[0]:
            found.add(folder)
    return found


def means(pattern: str, case_id: str) -> bool:
    """Whether a pattern (an ID, a glob, a topic) means a case, whether or not there is one."""
    stem = pattern.removesuffix("/")
    return case_id == stem or case_id.startswith(stem + "/") or fnmatch.fnmatch(case_id, stem)


def load(
    trees: Sequence[Path] = (),
    files: Sequence[Path] = (),
    builtin: bool = True,
    only: Container[str] | None = None,
) -> Database:
    """Read the built-in tree, further trees and single files into one database.

    The ID of a single file is its name without ``.py``. A later tree that has an ID again is
    an error of that file (``broken``). With ``only``, the files of other IDs are not read. Raises
    CaseError for a tree that is not a folder.
    """
    roots = ([builtin_tree()] if builtin else []) + [t.resolve() for t in trees]
    db = Database(tuple(roots))
    for root in roots:
        if not root.is_dir():
            raise CaseError(root, 0, "is not a folder of cases")
        index = CaseIndex(root)
        for case_id in ids(root):
            if only is None or case_id in only:
                _add(db, case_id, root / f"{case_id}.py", index)
        index.save()
        db.redirects.update(redirects(root))
    for path in files:
        _add(db, path.stem, path.resolve())
    return db


def ids(root: Path, having: Sequence[bytes] = ()) -> list[str]:
    """IDs of the files of cases in a tree, in order; of those that have one of these texts."""
    found = []
    for folder, folders, names in os.walk(root):
        # A folder that is named as a case is said to be none where it is read.
        names += [f for f in folders if f.endswith(".py")]
        folders[:] = [f for f in folders if not f.startswith(".") and not f.endswith(".py")]
        inside = Path(folder).relative_to(root).parts
        for name in names:
            if name.endswith(".py") and not name.startswith(("_", ".")):
                said = _bytes(os.path.join(folder, name)) if having else b""  # noqa: PTH118
                if not having or any(text in said for text in having):
                    found.append((*inside, name))
    return ["/".join(parts).removesuffix(".py") for parts in sorted(found)]


def _bytes(file: str) -> bytes:
    """What a file holds; nothing of what is no regular file. A thousand are asked in turn."""
    if not os.path.isfile(file):  # noqa: PTH113
        return b""
    with open(file, "rb", buffering=0) as stream:  # noqa: PTH123
        return stream.read()


def _add(db: Database, case_id: str, path: Path, index: CaseIndex | None = None) -> None:
    try:
        if case_id in db.cases:
            taken = f"the ID {case_id} is taken by {db.cases[case_id].path}"
            raise CaseError(path, 1, taken, "duplicate-id")
        if not ID_PATTERN.fullmatch(case_id):
            illegal = f"{case_id!r} is not a legal ID: lower-case words joined by _"
            raise CaseError(path, 1, illegal, "illegal-id")
        db.cases[case_id] = (index and index.get(path)) or _read(case_id, path, index)
    except CaseError as e:
        db.broken[case_id if case_id not in db.cases else f"{case_id} ({path})"] = e
    except OSError as e:
        db.broken[case_id] = CaseError(path, 1, f"cannot be read: {e.strerror}")
    except UnicodeDecodeError:
        db.broken[case_id] = CaseError(path, 1, "is not UTF-8 text")


def _read(case_id: str, path: Path, index: CaseIndex | None) -> Case:
    from exportdb.cases.frontmatter import parse_case  # seldom needed, and it takes its time

    if not path.is_file():  # a pipe would be waited for until somebody writes
        raise CaseError(path, 1, "cannot be read: it is not a regular file")
    case = parse_case(case_id, path, path.read_text(encoding="utf-8"))
    if index is not None:
        index.put(case)
    return case


def redirects(root: Path) -> dict[str, str]:
    """The cases of a tree that were renamed or merged: old IDs and what they mean now."""
    path = root / "redirects.yaml"
    data, _ = yamlfile.kept_file(path) if path.is_file() else ({}, None)
    if not isinstance(data or {}, dict):
        raise CaseError(path, 1, "must map old IDs to new ones")
    return {str(k): str(v) for k, v in (data or {}).items()}

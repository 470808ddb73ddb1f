"""Since which release, and until which, torch says what each entry of the error catalogue explains.

    python tools/date_entries.py FOLDER ...            what the sources say, beside the entries
    python tools/date_entries.py FOLDER ... --write    also put it into cases/errors/*.yaml

A FOLDER is an unpacked wheel, one for each release that is to be told apart, of torch or of a
``package`` that entries name; entries of packages of which there is no folder are left as they
are. The Python sources are read (the texts of programs, not of comments and docstrings), torch's
registry of graph breaks, and the strings of libraries: files ``*.strings``, as ``strings LIBRARY``
prints them, where the libraries themselves are not worth their size.

A wording is in a release if each part of it that tells something is. Wordings of other packages,
of Python, of other builds (CUDA) and those put together of small parts are found nowhere. Where
these are many, nothing is said of when others begin (:data:`BEGINS`) or end (:data:`ENDS`), lest
an entry seem younger, or gone, by what is not found; only of what is in the oldest release it is
known. Where an entry names what is ``sought`` in the place of its wordings, any of that counts,
letter by letter: a piece of a text, or the class or the line that makes Python speak. An entry
that says why it is ``undated`` is not dated. The oldest release stands for all before it.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb.cases import catalogue  # noqa: E402
from exportdb.cases.catalogue import TORCH, Entry, Template  # noqa: E402
from exportdb.explain.reading import STOP, tokens  # noqa: E402

#: Tokens that a part needs to be looked for.
PART = 2
#: Tokens of one part that are not everybody's: this many, or fewer if they are at least half of it.
TELLING, FEWER = 3, 2
#: How much of what an entry has must be found for it to begin, and to end, with what is found.
BEGINS, ENDS = 1 / 2, 3 / 4
#: What stands in a text where a program puts something in.
HOLE = "\0"
_FILLED = re.compile(r"%[-+.0-9]*[a-zA-Z]|\{[A-Za-z0-9_.!:\[\]]*\}")
#: What a log or an exception puts before a message: no program has it in one text with the message.
_BEFORE = re.compile(r"^(?:[A-Za-z_][\w.]*(?:Error|Exception|Warning)|Unsupported|Explanation): *")
#: Parts of torch that say nothing to a user.
SKIPPED = frozenset({"testing", "hipify"})
#: Libraries have names by the million; a message has blanks.
_SENTENCE = re.compile(r"\S \S+ \S")
_VERSION = re.compile(r"(\d+)\.(\d+)")
#: Before which keys of an entry the versions are written.
_AFTER = re.compile(r"  (?:context|messages|registry|meaning):")


#: Major and minor version of a release.
Version = tuple[int, int]


@dataclass(frozen=True)
class Release:
    """What a release says: its texts as tokens, one a line, its graph breaks, and what of that
    which was ``sought`` is in its sources."""

    package: str
    version: Version
    texts: str
    registry: frozenset[str]
    sought: frozenset[str] = frozenset()


class Releases:
    """The releases of one package, in order, as one text: most of what one says all of them say."""

    def __init__(self, releases: Iterable[Release]) -> None:
        self.all = sorted(releases, key=lambda r: r.version)
        saying: dict[str, set[Version]] = {}
        for one in self.all:
            for line in one.texts.splitlines():
                saying.setdefault(line, set()).add(one.version)
        self._text = "\n".join(saying)
        self._saying = list(saying.values())
        self._ends = list(accumulate(len(line) + 1 for line in saying))

    def saying(self, part: str) -> set[Version]:
        """Which releases have this part of a wording."""
        found: set[Version] = set()
        place = self._text.find(f" {part} ")
        while place >= 0 and len(found) < len(self.all):
            line = bisect_right(self._ends, place)
            found |= self._saying[line]
            place = self._text.find(f" {part} ", self._ends[line])
        return found

    def when(self, entry: Entry) -> list[set[Version]]:
        """For all that is sought, or for each wording and each graph break: which have it."""
        if entry.sought:
            return [{r.version for r in self.all if piece in r.sought} for piece in entry.sought]
        wordings = [list(map(self.saying, parts(wording))) for wording in entry.messages]
        return [
            *(set.intersection(*found) if found else set() for found in wordings),
            *({r.version for r in self.all if name in r.registry} for name in entry.registry),
        ]


def release(folder: Path, entries: Iterable[Entry] = ()) -> Release:
    """Read an unpacked wheel, and look in it for what these entries seek."""
    package, version = _told_version(folder)
    seeking = {piece for e in entries if e.package == package for piece in e.sought}
    said: set[str] = set()
    found: set[str] = set()
    for file in _files(folder, package):
        source = file.read_text(encoding="utf-8", errors="replace")
        found |= {piece for piece in seeking - found if piece in source}
        said.update(line for text in _texts(file, source) for line in _said(text))
    return Release(package, version, "\n".join(sorted(said)), _registry(folder), frozenset(found))


def _told_version(folder: Path) -> tuple[str, Version]:
    """The name of the package in a folder and its version."""
    told = folder / TORCH / "version.py"
    if told.is_file():
        name, text = TORCH, told.read_text(encoding="utf-8").partition("version")[2]
    else:
        head = next(folder.glob("*.dist-info/METADATA"), None)
        lines = head.read_text(encoding="utf-8").splitlines() if head else []
        said = dict(line.split(": ", 1) for line in lines[:9] if ": " in line)
        name, text = said.get("Name", "").lower(), said.get("Version", "")
    found = _VERSION.search(text)
    if found is None:
        raise SystemExit(f"{folder} does not say its version")
    return name, (int(found[1]), int(found[2]))


def _files(folder: Path, package: str) -> Iterator[Path]:
    """The Python sources of a package (torch's wheel has others, too) and strings of libraries."""
    root = folder / TORCH if package == TORCH else folder
    yield from (f for f in sorted(root.rglob("*.py")) if SKIPPED.isdisjoint(f.parts))
    yield from sorted(folder.glob("*.strings"))


def _texts(file: Path, source: str) -> Iterator[str]:
    if file.suffix == ".py":
        yield from python_texts(source)
    else:
        sentences = (line for line in source.splitlines() if _SENTENCE.search(line))
        yield from (_FILLED.sub(HOLE, line) for line in sentences)


def _said(text: str) -> Iterator[str]:
    """The pieces of a text as tokens with a blank at each end."""
    for piece in text.split(HOLE):
        if len(words := tokens(piece)) >= PART:
            yield f" {' '.join(words)} "


def python_texts(source: str) -> Iterator[str]:
    """The texts that a program has, with :data:`HOLE` where it puts something in.

    >>> [s.replace(HOLE, "_") for s in python_texts('raise E(f"{a} is" + " not " "known: %s" % b)')]
    ['_ is not known: _']
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    documents = {
        id(node.value) for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in documents:
            continue
        if text := _text(node):
            yield text
        else:
            waiting += ast.iter_child_nodes(node)


def _text(node: ast.AST) -> str | None:
    """What an expression says, or None where it is no text."""
    match node:
        case ast.Constant(value=str(said)):
            return _FILLED.sub(HOLE, said)
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) or HOLE for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _text(left), _text(right)
            return None if one is None and other is None else (one or HOLE) + (other or HOLE)
        case ast.BinOp(left=left, op=ast.Mod()):
            return _text(left)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _text(value)
        case _:
            return None


def _registry(folder: Path) -> frozenset[str]:
    file = folder / "torch" / "_dynamo" / "graph_break_registry.json"
    return (
        frozenset(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else frozenset()
    )


def parts(wording: Template) -> list[str]:
    """What of a wording is looked for, as tokens; nothing if it tells too little."""
    said = [tokens(_BEFORE.sub("", piece.strip())) for piece in wording.pieces]
    kept = [words for words in said if len(words) >= PART]
    few = True
    for words in kept:
        telling = sum(word not in STOP for word in words)
        few &= telling < TELLING and (telling < FEWER or 2 * telling < len(words))
    return [] if few else [" ".join(words) for words in kept]


@dataclass(frozen=True)
class Dated:
    """When an entry's wordings were in torch; ``found`` of ``every`` were in some release."""

    since: str
    until: str
    found: int
    every: int


def dated(entry: Entry, releases: Releases) -> Dated:
    """Since and until when its package says what ``entry`` explains; both "" if that is not known.

    ``until`` is "" too if the newest release still says it.
    """
    if entry.undated:
        return Dated("", "", 0, 0)
    when = releases.when(entry)
    found, every = sum(map(bool, when)), len(when)
    seen = {version for versions in when for version in versions}
    if not seen:
        return Dated("", "", 0, every)
    oldest, newest = releases.all[0].version, releases.all[-1].version
    begins = bool(entry.sought) or min(seen) == oldest or found >= BEGINS * every
    ends = max(seen) < newest and (bool(entry.sought) or found >= ENDS * every)
    since, until = _told(min(seen)), _told(max(seen))
    return Dated(since if begins else "", until if ends else "", found, every)


def _told(version: Version) -> str:
    return ".".join(map(str, version))


def rewritten(text: str, found: dict[str, Dated]) -> str:
    """The text of a file of entries with what was found in the place of what it said."""
    lines: list[str] = []
    pending: list[str] = []
    known = False
    for line in text.splitlines(keepends=True):
        if head := re.match(r"(E\d{4}):", line):
            known = head[1] in found
            when = found.get(head[1], Dated("", "", 0, 0))
            told = {"since": when.since, "until": when.until}
            pending = [f'  {key}: "{value}"\n' for key, value in told.items() if value]
        elif known and line.startswith(("  since:", "  until:")):
            continue
        elif _AFTER.match(line):
            lines += pending
            pending = []
        lines.append(line)
    return "".join(lines)


def read_all(folders: Iterable[Path], entries: Iterable[Entry]) -> dict[str, Releases]:
    """The releases of each package."""
    found: dict[str, list[Release]] = {}
    for folder in folders:
        one = release(folder, entries)
        found.setdefault(one.package, []).append(one)
    return {name: Releases(some) for name, some in found.items()}


def main() -> None:
    """Say, and with ``--write`` keep, when each entry's wordings were in torch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    words = parser.parse_args()
    entries = catalogue.load().entries
    releases = read_all(words.folders, entries.values())
    found = {e.id: dated(e, releases[e.package]) for e in entries.values() if e.package in releases}
    found = {name: when for name, when in found.items() if when.found or entries[name].undated}
    for entry_id, when in found.items():
        entry = entries[entry_id]
        was = (entry.since, entry.until)
        mark = " " if was == (when.since, when.until) else "*"
        said = f"{when.since or '?':>4} {when.until:>4} {when.found:>3}/{when.every:<3}"
        print(f"{mark} {entry.id} {said} was {' '.join(was) or '?':<9} {entry.title}")
    if words.write:
        for path in {entry.path for entry in entries.values()}:
            path.write_text(rewritten(path.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()

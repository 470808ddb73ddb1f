"""Since which torch, and until which, torch says what each entry of the error catalogue explains.

    python tools/date_entries.py FOLDER ...            what the sources say, beside the entries
    python tools/date_entries.py FOLDER ... --write    also put it into cases/errors/*.yaml

A FOLDER is an unpacked wheel of torch, one for each release that is to be told apart. Its Python
sources are read (the texts of programs, not of comments and docstrings), its registry of graph
breaks, and the strings of its libraries: files ``*.strings``, as ``strings LIBRARY`` prints them,
where the libraries themselves are not worth their size.

A wording is in a release if each part of it that tells something is. Wordings of other packages,
of Python, of other builds (CUDA) and those put together of small parts are found nowhere. Where
these are many, nothing is said of when others begin (:data:`BEGINS`) or end (:data:`ENDS`), lest
an entry seem younger, or gone, by what is not found. The oldest release stands for all before it.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb.cases import catalogue  # noqa: E402
from exportdb.cases.catalogue import Entry, Template  # noqa: E402
from exportdb.explain.matching import STOP  # noqa: E402
from exportdb.explain.reading import tokens  # noqa: E402

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


@dataclass(frozen=True)
class Release:
    """What a release of torch says: its texts as tokens, one a line, and its graph breaks."""

    version: tuple[int, int]
    texts: str
    registry: frozenset[str]

    def has(self, parts: Iterable[str]) -> bool:
        """Whether it says all of these."""
        return all(f" {part} " in self.texts for part in parts)


def release(folder: Path) -> Release:
    """Read an unpacked wheel."""
    told = (folder / "torch" / "version.py").read_text(encoding="utf-8")
    found = _VERSION.search(told[told.index("version") :])
    if found is None:
        raise SystemExit(f"{folder} does not say its version")
    said = {line for text in _texts(folder) for line in _said(text)}
    return Release((int(found[1]), int(found[2])), "\n".join(sorted(said)), _registry(folder))


def _texts(folder: Path) -> Iterator[str]:
    for file in sorted((folder / "torch").rglob("*.py")):
        if SKIPPED.isdisjoint(file.parts):
            yield from python_texts(file.read_text(encoding="utf-8", errors="replace"))
    for file in sorted(folder.glob("*.strings")):
        with file.open(encoding="utf-8", errors="replace") as lines:
            yield from (_FILLED.sub(HOLE, line) for line in lines if _SENTENCE.search(line))


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


def dated(entry: Entry, releases: list[Release]) -> Dated:
    """Since and until when torch says what ``entry`` explains; both "" if that is not known.

    ``releases`` are in order. ``until`` is "" too if the newest still says it.
    """
    when: set[tuple[int, int]] = set()
    found = 0
    for wording in entry.messages:
        sought = parts(wording)
        said = {r.version for r in releases if sought and r.has(sought)}
        found += bool(said)
        when |= said
    for name in entry.registry:
        said = {r.version for r in releases if name in r.registry}
        found += bool(said)
        when |= said
    every = len(entry.messages) + len(entry.registry)
    begins, ends = (bool(when) and found >= share * every for share in (BEGINS, ENDS))
    since = _told(min(when)) if begins else ""
    until = _told(max(when)) if ends and max(when) < releases[-1].version else ""
    return Dated(since, until, found, every)


def _told(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def rewritten(text: str, found: dict[str, Dated]) -> str:
    """The text of a file of entries with what was found in the place of what it said."""
    lines: list[str] = []
    pending: list[str] = []
    for line in text.splitlines(keepends=True):
        if head := re.match(r"(E\d{4}):", line):
            when = found[head[1]]
            told = {"since": when.since, "until": when.until}
            pending = [f'  {key}: "{value}"\n' for key, value in told.items() if value]
        elif line.startswith(("  since:", "  until:")):
            continue
        elif _AFTER.match(line):
            lines += pending
            pending = []
        lines.append(line)
    return "".join(lines)


def main() -> None:
    """Say, and with ``--write`` keep, when each entry's wordings were in torch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    words = parser.parse_args()
    releases = sorted(map(release, words.folders), key=lambda r: r.version)
    entries = catalogue.load().entries
    found = {e.id: dated(e, releases) for e in entries.values()}
    for entry in entries.values():
        when, was = found[entry.id], (entry.since, entry.until)
        mark = " " if was == (when.since, when.until) else "*"
        said = f"{when.since or '?':>4} {when.until:>4} {when.found:>3}/{when.every:<3}"
        print(f"{mark} {entry.id} {said} was {' '.join(was) or '?':<9} {entry.title}")
    if words.write:
        for path in {entry.path for entry in entries.values()}:
            path.write_text(rewritten(path.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()

"""The catalogue of error messages: what a message means and what to do about it.

Owns the reading of the entries: ``errors.yaml`` and ``errors/*.yaml`` in each tree of cases (the
built-in one always counts). Which entry a message belongs to is left to ``exportdb.explain``. Which
cases explain an entry is said by the cases (``errors:``) and nowhere else; :func:`cases_by_entry`
derives the other direction.

A message template is text with named holes: ``Guard failed: {guard}``. A hole stands for any
text; braces that are meant are written twice. Case, punctuation and white space do not count, a
number stands for any number, ``s0`` and ``u0`` for any symbol.
"""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from exportdb.cases import yamlfile
from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import builtin_tree

FILE = "errors.yaml"
ID_PATTERN = re.compile(r"E\d{4}")
FOLDER = "errors"
VERSION_PATTERN = re.compile(r"(\d+)\.(\d+)")
#: The package whose releases an entry names, if it names no other.
TORCH = "torch"
SAID = ("words.txt", "places.txt")
TEXTS_FILE = "texts.txt"
TEXTS = ("title", "meaning", "remedy")
OPTIONAL_TEXTS = ("also", "where", "since", "until", "package", "undated", "unprovoked")
PROGRAMS = ("fails", "works")
LISTS = ("types", "messages", "causes", "context", "sought")
KEYS = (*TEXTS, *OPTIONAL_TEXTS, *PROGRAMS, *LISTS, "registry", "wrapper")
#: Literal characters a template needs, lest it match everything.
SHORTEST = 12
#: A type of the graph-break registry of fewer words says too little without its surroundings.
FEW_WORDS = 4


@dataclass(frozen=True)
class Template:
    """A message template; ``pieces`` are the literal texts between its holes."""

    text: str
    pieces: tuple[str, ...]

    @property
    def weight(self) -> int:
        """How much literal text it has."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True)
class Entry:
    """One entry: the messages it explains, what they mean, what to do.

    ``types`` are the class names of the exceptions that usually carry the message; they never
    decide. ``causes`` tell apart what may lie behind one message, ``where`` how the remedy depends
    on the place that raised it; ``since`` and ``until`` are the first and the last torch, or the
    first and the last ``package``, in whose sources its wordings were found, or what is ``sought``
    there in their place (``tools/date_entries.py``); the oldest that was looked at also stands for
    those before it. ``undated`` is why no release can be told. ``context`` are words of which a
    text must have one for the entry to be sure, where eager PyTorch says the same.
    ``registry`` are types of torch's graph-break registry by their ID. A ``wrapper`` only says that
    something else failed, which is explained before it. ``unprovoked`` is why no case shows it.
    ``fails`` and ``works`` are two whole programs in plain PyTorch: what raises it, and the same
    with the least change that fixes it; both or neither. ``tools/check_entries.py`` runs them.
    ``also`` are further words by which people speak of it, as in the titles of issues. ``said`` is
    how often, in tenths of a text, such texts that were judged to be about it had a term, and
    how often a place of torch's sources raises what it explains.
    """

    id: str
    title: str
    meaning: str
    remedy: str
    path: Path
    line: int
    types: tuple[str, ...] = ()
    messages: tuple[Template, ...] = ()
    causes: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    where: str = ""
    since: str = ""
    until: str = ""
    package: str = TORCH
    sought: tuple[str, ...] = ()
    undated: str = ""
    unprovoked: str = ""
    also: str = ""
    fails: str = ""
    works: str = ""
    registry: Mapping[str, str] = field(default_factory=dict)
    wrapper: bool = False
    said: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def wordings(self) -> tuple[Template, ...]:
        """Its messages, its registry IDs, and what the graph breaks of those say. From 2.8 on a
        message ends with a link that has the ID."""
        said = [w for kind in self.registry.values() for w in _break_wordings(kind)]
        said += self.registry
        return (*self.messages, *(Template(w, (w,)) for w in said))


def _break_wordings(kind: str) -> list[str]:
    if len(re.findall(r"\w+", kind)) >= FEW_WORDS:
        return [kind]
    return [f"{kind} Explanation", f"Unsupported: {kind}"]


class Texts(NamedTuple):
    """Texts of people that were judged: which entries each is about, and what they say.

    ``said`` has, by term and by pair of words, the numbers of the texts that say it: the first, and
    how far it is to each further one.
    """

    owners: list[tuple[str, ...]]
    said: dict[str, list[int]]


NO_TEXTS = Texts([], {})


@dataclass(frozen=True)
class Catalogue:
    """Entries by ID, and what could not be read."""

    entries: dict[str, Entry] = field(default_factory=dict)
    broken: tuple[CaseError, ...] = ()


def load(trees: Iterable[Path] = (), only: Container[str] | None = None) -> Catalogue:
    """The catalogue of the built-in tree and of further ones. Never raises: see ``broken``.

    With ``only``, the other entries are neither checked nor there, which takes a tenth of the time;
    nor is what is ``said`` of these.
    """
    entries: dict[str, Entry] = {}
    broken: list[CaseError] = []
    files = [file for tree in dict.fromkeys([builtin_tree(), *trees]) for file in sources(tree)]
    must = "must map each entry's ID to its text"
    said = {} if only is not None else _said_of_entries(trees, broken)
    for path, line, entry_id, value in yamlfile.entries(files, must, broken):
        if only is not None and entry_id not in only:
            continue
        try:
            if entry_id in entries:
                raise ValueError(f"is already in {entries[entry_id].path}")
            entries[entry_id] = _entry(entry_id, value, path, line, said.get(entry_id, {}))
        except ValueError as e:
            broken.append(CaseError(path, line, f"{entry_id} {e}"))
    return Catalogue(entries, tuple(broken))


def sources(tree: Path) -> list[Path]:
    """The files of a tree that hold entries, whether or not they exist."""
    return [tree / FILE, *sorted((tree / FOLDER).glob("*.yaml"))]


def words_files(tree: Path) -> list[Path]:
    """The files of a tree that hold what is said of entries, whether or not they exist.

    A line is an entry's ID and, in turn, terms and numbers: see ``said`` of :class:`Entry`. In the
    built-in tree ``tools/learn_places.py`` writes the places of torch's sources that raise what an
    entry explains; the words of people are those of its :func:`texts`.
    """
    return [tree / FOLDER / name for name in SAID]


def _said_of_entries(trees: Iterable[Path], broken: list[CaseError]) -> dict[str, dict[str, int]]:
    said = words_said(texts())
    for file in (f for tree in dict.fromkeys([builtin_tree(), *trees]) for f in words_files(tree)):
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        for number, line in enumerate(text.splitlines(), 1):
            if ID_PATTERN.match(line):
                entry_id, *words = line.split()
                try:
                    told = {t: int(n) for t, n in zip(words[::2], words[1::2], strict=True)}
                except ValueError:
                    must = f"{entry_id} must have terms and whole numbers in turn"
                    broken.append(CaseError(file, number, must))
                else:
                    said[entry_id] = said.get(entry_id, {}) | told
    return said


def words_said(texts: Texts) -> dict[str, dict[str, int]]:
    """How often, in tenths of a text, texts about each entry have a term. A text that is about
    several counts for each in part."""
    parts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for term, gaps in texts.said.items():
        if " " not in term and "." not in term:  # no pair, no place
            for number in accumulate(gaps):
                owners = texts.owners[number]
                for entry_id in owners:
                    parts[entry_id][term] += 60 // len(owners)
    return {e: {t: n // 6 for t, n in of.items() if n >= 6} for e, of in parts.items()}


def texts_file(tree: Path) -> Path:
    """The file of a tree that holds what texts said that were judged, whether or not it exists.

    Written by ``tools/bench_explain.py --learn``, for the built-in tree alone. Lines with a number
    come first: so many texts, one after the other, are about these entries. Each line after them
    is a term or two words, a tab, and which texts say it: see :class:`Texts`.
    """
    return tree / FOLDER / TEXTS_FILE


def texts() -> Texts:
    """The texts that were judged to be about entries of the built-in tree."""
    owners: list[tuple[str, ...]] = []
    said: dict[str, list[int]] = {}
    file = texts_file(builtin_tree())
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    for line in lines[1:]:
        of, tab, gaps = line.partition("\t")
        if tab:
            said[of] = [int(gap) for gap in gaps.split()]
        else:
            times, *entries = line.split()
            owners += [tuple(entries)] * int(times)
    return Texts(owners, said)


def cases_by_entry(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Which cases explain each entry."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        for entry_id in case.meta.errors:
            found.setdefault(entry_id, []).append(case)
    return found


def about(path: Path) -> str:
    """What the entries of a file are about, as the comment on its first line says; "" without."""
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    return first.lstrip("# ").rstrip(" .\n") if first.startswith("#") else ""


def one_line(text: str) -> str:
    """``text`` with every run of white space made one blank."""
    return " ".join(text.split())


def template(text: str) -> Template:
    """Read a message template. Raises ValueError for a hole without a name or a stray brace.

    >>> template("Guard failed: {guard} on {{x}}").pieces
    ('Guard failed: ', ' on {x}')
    """
    pieces = [""]
    for literal, hole, spec, conversion in string.Formatter().parse(one_line(text)):
        pieces[-1] += literal
        if hole is not None:
            if not hole.isidentifier() or spec or conversion:
                raise ValueError(f"template has {{{hole}}}; a placeholder is a name in braces")
            pieces.append("")
    return Template(text, tuple(p for p in pieces if p.strip()))


def _entry(entry_id: Any, value: Any, path: Path, line: int, said: Mapping[str, int]) -> Entry:
    if not isinstance(entry_id, str) or not ID_PATTERN.fullmatch(entry_id):
        raise ValueError("is not a legal ID: E and four digits")
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a mapping of {', '.join(KEYS)}")
    if unknown := value.keys() - set(KEYS):
        raise ValueError(f"has the unknown key {sorted(map(str, unknown))[0]}")
    texts = {key: _text(value, key) for key in (*TEXTS, *OPTIONAL_TEXTS)}
    for key in TEXTS:
        if not texts[key]:
            raise ValueError(f"lacks the text {key}")
    texts["package"] = texts["package"] or TORCH
    _check_versions(texts["package"], texts["since"], texts["until"])
    texts |= _programs(value)
    types, messages, causes, context, sought = (_texts(value, key) for key in LISTS)
    registry = value.get("registry", {})
    if not isinstance(registry, Mapping):
        raise ValueError("registry must map IDs of torch's graph-break registry to their types")
    if not messages and not registry:
        raise ValueError("messages must be a list of message templates")
    templates = tuple(template(m) for m in messages)
    for t in templates:
        if t.weight < SHORTEST:
            raise ValueError(f"template {t.text!r} has fewer than {SHORTEST} literal characters")
    return Entry(
        id=entry_id, path=path, line=line, types=types, messages=templates, causes=causes,
        context=tuple(c.lower() for c in context), wrapper=value.get("wrapper") is True,
        registry={str(k): str(v) for k, v in registry.items()}, sought=sought, said=said, **texts,
    )  # fmt: skip


def _check_versions(package: str, since: str, until: str) -> None:
    """Raises ValueError unless both are "" or versions of the package, in order."""
    versions = []
    for key, text in (("since", since), ("until", until)):
        found = VERSION_PATTERN.fullmatch(text)
        if text and not found:
            must = f"must be a version of {package} like '2.10', in quotes, not {text}"
            raise ValueError(f"{key} {must}")
        versions += [(int(found[1]), int(found[2]))] if found else []
    if versions != sorted(versions):
        raise ValueError(f"is until {package} {until} and since {package} {since}")


def _programs(value: Mapping[Any, Any]) -> dict[str, str]:
    """The program that fails and the one that works, each ending with a newline; or two ""."""
    found = {key: _text(value, key) for key in PROGRAMS}
    for one, other in (PROGRAMS, PROGRAMS[::-1]):
        if found[one] and not found[other]:
            raise ValueError(f"has the program {one} and lacks the program {other}")
    return {key: f"{text}\n" if text else "" for key, text in found.items()}


def _text(value: Mapping[Any, Any], key: str) -> str:
    text = value.get(key, "")
    if isinstance(text, float | int):  # a version
        text = str(text)
    if not isinstance(text, str):
        raise ValueError(f"lacks the text {key}")
    return text.strip()


def _texts(value: Mapping[Any, Any], key: str) -> tuple[str, ...]:
    texts = value.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise ValueError(f"{key} must be a list of texts")
    return tuple(texts)

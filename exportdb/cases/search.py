"""Which cases have some words in them, the best first.

Owns what a word finds, in which fields it is looked for and what each is worth. The messages that
expectations keep are looked for in the text of their files, and remembered in the user's cache
until a file changes: parsing five megabytes of YAML would take seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import SelectionError
from exportdb.cases.yamlfile import Part
from exportdb.files import keep, user_cache
from exportdb.hints import hint

#: The recorded errors of cases, by ID.
Messages = Mapping[str, str]
#: What a word is worth that is found in a field.
WORTH = {"id": 8, "title": 8, "tags": 6, "description": 4, "errors": 2, "program": 1}
#: Words that are left out of a search for others.
_SMALL = re.compile(r"an?|and|are|as|at|by|for|from|in|into|is|of|on|or|that|the|to|when|with")
#: The messages of a file of expectations: the value of each key, with the lines it goes on in.
_MESSAGE = re.compile(r"^( +)message: (.*(?:\n\1 +.*)*)", re.MULTILINE)
_WORD = re.compile(r"[a-z0-9]+")
#: A plural may be asked for where the text has one thing, and the other way round.
_SIBILANT = re.compile(r"(s|x|z|ch|sh)es$")


@dataclass(frozen=True)
class SearchHit:
    """A case and the names of the fields in which words were found, the most telling first."""

    case: Case
    fields: tuple[str, ...]
    score: int


def search(
    text: str, cases: Iterable[Case], messages: Messages = MappingProxyType({})
) -> list[SearchHit]:
    """The cases that have every word of ``text`` in some field, the best first.

    A word finds every word that begins with it, in any case, as a plural or not; parts that are
    joined by dots, slashes or underscores are words, and stand side by side where they do so in
    ``text``. ``messages`` are the recorded errors by ID of the case. Raises SelectionError where
    there is no word, or no case has them all.
    """
    cases = list(cases)
    words = words_of(text)
    if not words:
        raise SelectionError(f"{text!r} has no word to search for")
    patterns = [_pattern(word) for word in words]
    begins = [_stem(word) for word in words]
    found = []
    for case in cases:
        said = messages.get(case.id, "")
        whole = f"{case.id} {case.source} {said}".lower()
        if not all(begin in whole for begin in begins):
            continue  # most of them, at a tenth of the cost
        fields = _fields(case, said)
        hits = [_hits(pattern, fields) for pattern in patterns]
        if all(hits):
            score = sum(worth for hit in hits for worth in hit.values())
            where = tuple(name for name in WORTH if any(name in hit for hit in hits))
            found.append(SearchHit(case, where, score))
    if not found:
        raise SelectionError(_why_no_hits(words, cases, messages))
    return sorted(found, key=lambda f: (-f.score, f.case.id))


def _why_no_hits(words: Sequence[str], cases: Sequence[Case], messages: Messages) -> str:
    """What is said where no case has all the words: which one no case has, or how many each has."""
    alone = {}
    for word in words if len(words) > 1 else ():
        with contextlib.suppress(SelectionError):
            alone[word] = len(search(word, cases, messages))
    missing = next((w for w in words if w not in alone), None)
    if missing is None:
        each = ", ".join(f"{word!r} is in {count:,}" for word, count in alone.items())
        return f"no case has all of these words: {each}"
    known = {w for c in cases for w in _WORD.findall(f"{c.id} {c.meta.title}".lower())}
    return f"no case has the word {missing!r}{hint(missing, known)}"


def words_of(text: str) -> list[str]:
    """The words that are looked for: all but small ones, unless there is nothing else."""
    words = list(dict.fromkeys(w for w in text.lower().split() if _WORD.search(w)))
    return [w for w in words if not _SMALL.fullmatch(w)] or words


def _pattern(word: str) -> re.Pattern[str]:
    """What finds a word; the group ``whole`` where it is all of the word that is there."""
    *first, last = _WORD.findall(word)
    stem = re.sub(r"(?<=..)y$", "(?:y|ies)", _singular(last))
    joined = r"[\W_]{1,3}".join([*first, stem])
    return re.compile(rf"(?<![a-z0-9]){joined}(?P<whole>(?:e?s)?(?![a-z0-9]))?")


def _stem(word: str) -> str:
    """What stands in every text that has a word."""
    return _singular(_WORD.findall(word)[-1]).removesuffix("y")


def _singular(word: str) -> str:
    """
    >>> [_singular(w) for w in ("closures", "branches", "entries", "class", "bias", "as")]
    ['closure', 'branch', 'entry', 'class', 'bias', 'as']
    """
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "as")) or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if _SIBILANT.search(word) else word[:-1]


def _hits(pattern: re.Pattern[str], fields: Mapping[str, str]) -> dict[str, int]:
    """What a word is worth in each field that has it: twice as much if it is there as it is."""
    hits = {}
    for name, text in fields.items():
        if found := [m["whole"] is not None for m in pattern.finditer(text)]:
            hits[name] = WORTH[name] * (1 + any(found))
    return hits


def _fields(case: Case, messages: str) -> dict[str, str]:
    meta = case.meta
    fields = {
        "id": case.id,
        "title": meta.title,
        "tags": " ".join(meta.tags),
        "description": meta.description,
        "errors": messages,
        "program": case.program,
    }
    return {name: text.lower() for name, text in fields.items()}


# --- recorded errors ---------------------------------------------------------------------------


def recorded_errors(parts: Mapping[str, Sequence[Part]]) -> dict[str, str]:
    """The messages that the expectations of each case keep, as they stand there."""
    kept_in = _kept_in()
    kept: dict[str, tuple[list[int], str]] = {}
    with contextlib.suppress(OSError, ValueError):
        kept = json.loads(kept_in.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    read = {}
    for case_id, told in parts.items():
        for part in told:
            name = f"{part.key}@{part.path}" if part.key else str(part.path)
            with contextlib.suppress(OSError, CaseError):  # most cases have no second file
                state = os.stat(part.path)  # noqa: PTH116  # of a thousand files: Path takes longer
                stamp = [state.st_mtime_ns, state.st_size]
                if name not in kept or kept[name][0] != stamp:
                    kept[name] = read[name] = (stamp, _messages(part))
                found[case_id] = f"{found.get(case_id, '')}\n{kept[name][1]}"
    if read:
        files = {name: Path(name.rpartition("@")[2]) for name in kept}
        keep(kept_in, json.dumps({n: e for n, e in kept.items() if files[n].exists()}))
    return found


def _messages(part: Part) -> str:
    """The messages in what is expected of a case, each once."""
    text, _ = part.text()
    return "\n".join(dict.fromkeys(" ".join(m[2].split()) for m in _MESSAGE.finditer(text)))


def _kept_in() -> Path:
    """Where messages are remembered; what another version of this module read counts no more."""
    read_by = Path(__file__).stat()
    return user_cache() / f"messages-{read_by.st_mtime_ns}-{read_by.st_size}.json"

"""How well the catalogue explains error texts of public issues that it was not written from.

Run as ``python tools/bench_explain.py [FILE ...]``; a FILE is a set in the form of
``tests/explain/frozen.txt``, which is the default with ``frozen_later.txt``. Prints how many texts
get the right entry first and among three, how many get a wrong one surely, and how many that are no
export error get an answer at all; by the form of the text and by torch. ``--missed`` lists what is
not right. ``--half read`` and ``--half unread`` divide a set by chance, always the same way:
what is missed in the one half may be fixed by reading it, the other tells how well that carries
over.

``--dressed`` puts the catalogue's own wordings into the clothes of ``dresses.py`` (cut, wrapped, in
a log, a notebook, a page) and prints how many of those that are found without any still are, and of
how many that have a traceback the user's own line is.

``--learn`` writes what people say of each entry, ``cases/errors/texts.txt``: the terms and pairs of
words of all sets but the default ones, which stay apart. A set that was learned from says nothing
of how well this carries over; ``--apart`` measures with what was learned from the other sets.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import dresses  # noqa: E402

from exportdb.cases import catalogue  # noqa: E402
from exportdb.cases.database import builtin_tree  # noqa: E402
from exportdb.explain.alike import features  # noqa: E402
from exportdb.explain.frames import user_line  # noqa: E402
from exportdb.explain.matching import Answer, Matcher, made_ready  # noqa: E402
from exportdb.explain.reading import read  # noqa: E402

FROZEN = tuple(ROOT / "tests" / "explain" / f"frozen{n}.txt" for n in ("", "_later"))
BLIND = tuple(ROOT / "tests" / "explain" / f"frozen_{n}.txt" for n in ("blind", "third"))
NEWER = tuple(
    ROOT / "tests" / "explain" / f"{n}.txt"
    for n in (
        "frozen_fourth",
        "frozen_fifth",
        "frozen_sixth",
        "frozen_seventh",
        "read_seventh",
        "frozen_eighth",
        "read_eighth",
        "read_ninth",
        "frozen_tenth",
        "read_tenth",
        "frozen_eleventh",
        "read_eleventh",
        "read_twelfth",
        "read_thirteenth",
    )
)
#: Sets of which half was read, after it was measured; of the twenty-third, the twenty-fourth and
#: those from the twenty-sixth to the twenty-eighth, all; of the twenty-fifth, nothing.
HALF_READ = tuple(
    ROOT / "tests" / "explain" / f"frozen_{n}.txt"
    for n in (
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
        "twenty_first",
        "twenty_second",
        "twenty_third",
        "twenty_fourth",
        "twenty_fifth",
        "twenty_sixth",
        "twenty_seventh",
        "twenty_eighth",
        "twenty_ninth",
        "thirtieth",
        "thirty_first",
        "thirty_second",
        "thirty_third",
        "thirty_fourth",
    )
)
#: Sets that words are learned from: all but the default ones.
LEARNT = (*BLIND, *NEWER, *HALF_READ)
MEANT = ROOT / "tests" / "explain" / "frozen_entries.yaml"
NONE = "none"
SEED = 13
#: A term of fewer texts says little.
SELDOM = 2


@dataclass(frozen=True)
class Sample:
    """A text with where it is from and which entries are right; none if it is no export error."""

    issue: str
    torch: str
    form: str
    right: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Result:
    """What the matcher said of a sample."""

    sample: Sample
    answers: list[Answer]

    @property
    def place(self) -> int:
        """Where the right entry stands, from 0; a large number if it is not among the answers."""
        ids = [a.entry.id for a in self.answers]
        return min((ids.index(e) for e in self.sample.right if e in ids), default=99)

    @property
    def sure(self) -> bool:
        return bool(self.answers) and self.answers[0].sure

    @property
    def misled(self) -> bool:
        """Whether a wrong entry was given surely."""
        return self.sure and self.place > 0


def samples(*paths: Path) -> Iterator[Sample]:
    """The texts of these sets, in order."""
    meant = yaml.safe_load(MEANT.read_text(encoding="utf-8"))
    blocks = [b for p in paths for b in p.read_text(encoding="utf-8").split("\n=== ")[1:]]
    for block in blocks:
        head, _, text = block.partition("\n")
        issue, torch, form, about = (part.strip() for part in head.split("|"))
        right = () if about == NONE else tuple(meant[about])
        yield Sample(issue, torch, form, right, text.rstrip("\n"))


def half_of(every: list[Sample], half: str) -> list[Sample]:
    """One of the two halves, ``read`` or ``unread``, or all."""
    if not half:
        return every
    at = list(range(len(every)))
    random.Random(SEED).shuffle(at)
    kept = at[: len(at) // 2] if half == "read" else at[len(at) // 2 :]
    return [every[i] for i in sorted(kept)]


@cache
def known_entries() -> frozenset[str]:
    """The IDs of the catalogue. A label may be none of them: the text is about something new."""
    return frozenset(catalogue.load().entries)


def told(texts: Iterable[Sample]) -> catalogue.Texts:
    """What the texts about each entry say, as far as several say it; texts about the same entries
    stand together."""
    entries = known_entries()
    about = [(tuple(e for e in s.right if e in entries), s.text) for s in texts]
    told = [(right, features(read(text))) for right, text in about if right]
    kept = [(right, said) for right, said in sorted(told, key=itemgetter(0)) if said]
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, (_, said) in enumerate(kept):
        for one in said:
            numbers[one].append(number)
    return catalogue.Texts(
        [right for right, _ in kept],
        {one: [at - before for before, at in pairwise([0, *numbers[one]])]
         for one in sorted(numbers) if len(numbers[one]) >= SELDOM},
    )  # fmt: skip


def learned(texts: Iterable[Sample]) -> dict[str, dict[str, int]]:
    """How often texts about each entry have a term."""
    return catalogue.words_said(told(texts))


def learn() -> None:
    """Write the texts of the built-in catalogue."""
    texts = told(samples(*LEARNT))
    lines = ["# Written by tools/bench_explain.py --learn; see exportdb/cases/catalogue.py."]
    lines += [f"{len([*same])} {' '.join(right)}" for right, same in groupby(texts.owners)]
    lines += [f"{one}\t{' '.join(map(str, gaps))}" for one, gaps in texts.said.items()]
    file = catalogue.texts_file(builtin_tree())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def places_of(entry: catalogue.Entry) -> dict[str, int]:
    """What is said of an entry that no text said: places of sources."""
    return {t: n for t, n in entry.said.items() if "." in t}


def results(*paths: Path, half: str = "", apart: bool = False) -> list[Result]:
    """Every sample with its answers; ``apart`` is with what was learned from other sets alone."""
    entries, texts = [*catalogue.load().entries.values()], catalogue.texts()
    if apart:
        others = [*samples(*(p for p in LEARNT if p not in {q.resolve() for q in paths}))]
        texts = told(others)
        of = catalogue.words_said(texts)
        entries = [replace(e, said=places_of(e) | of.get(e.id, {})) for e in entries]
    matcher = Matcher(entries, made_ready(entries, texts))
    asked = half_of([*samples(*(paths or FROZEN))], half)
    return [Result(s, matcher.rank(read(s.text))) for s in asked]


def report(measured: list[Result]) -> str:
    """The figures as text."""
    asked = [r for r in measured if r.sample.right]
    others = [r for r in measured if not r.sample.right]

    def line(name: str, rows: list[Result]) -> str:
        n = len(rows) or 1
        first = sum(r.place == 0 for r in rows)
        three = sum(r.place < 3 for r in rows)
        sure = sum(r.place == 0 and r.sure for r in rows)
        wrong = sum(r.misled for r in rows)
        return (
            f"{name:<22} {len(rows):>4} texts  right first {100 * first / n:5.1f} %  "
            f"among three {100 * three / n:5.1f} %  right and sure {100 * sure / n:5.1f} %  "
            f"wrong and sure {wrong}"
        )

    lines = [line("all", asked)]
    lines += [line(form, [r for r in asked if r.sample.form == form])
              for form in sorted({r.sample.form for r in asked})]  # fmt: skip
    lines += [line(f"torch {v}", [r for r in asked if r.sample.torch == v])
              for v in sorted({r.sample.torch for r in asked}, key=_version)]  # fmt: skip
    answered = sum(r.sure for r in others)
    return "\n".join([*lines, f"no export error: {answered} of {len(others)} answered"])


def dressed(every: int = 40) -> dict[str, tuple[int, int, int, int]]:
    """Of each dress: texts, those that find their entry first, those that find a wrong one surely,
    and the tracebacks of which the user's line is not found."""
    entries = [*catalogue.load().entries.values()]
    matcher = Matcher(entries)
    found = {}
    plain = [(e, said) for e, said in dresses.wordings(entries, every)
             if [a.entry.id for a in matcher.rank(read(said), 1)] == [e]]  # fmt: skip
    for name, dress in dresses.DRESSES.items():
        right = wrong = lost = 0
        for entry, said in plain:
            text = dress(said)
            best = matcher.rank(read(text), 1)
            is_first = bool(best) and best[0].entry.id == entry
            right += is_first
            wrong += bool(best) and best[0].sure and not is_first
            if dresses.FILE in text:
                line = user_line(text)
                lost += line is None or (line.file, line.line) != (dresses.FILE, dresses.LINE)
        found[name] = (len(plain), right, wrong, lost)
    return found


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(p) for p in text.split(".")) if text != "?" else (0,)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--half", choices=("read", "unread"), default="")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--dressed", type=int, metavar="N", help="with one of N wordings")
    words = parser.parse_args()
    if words.dressed:
        for name, (texts, right, wrong, lost) in dressed(words.dressed).items():
            print(f"{name:<20} {texts:>4} texts  right first {100 * right / (texts or 1):5.1f} %  "
                  f"wrong and sure {wrong}  without the user's line {lost}")  # fmt: skip
        return
    if words.learn:
        learn()
    measured = results(*words.files, half=words.half, apart=words.apart)
    print(report(measured))
    if words.missed:
        for r in measured:
            if (r.sample.right and r.place) or (not r.sample.right and r.sure):
                said = ", ".join(f"{a.entry.id}{'!' if a.sure else ''} {a.score}/{a.share}"
                                 for a in r.answers[:3])  # fmt: skip
                print(f"\n{r.sample.issue} {r.sample.form} {r.sample.right}: {said}")
                print("   ", r.sample.text[:200].replace("\n", "\n    "))
        print(Counter(r.place for r in measured if r.sample.right))


if __name__ == "__main__":
    main()

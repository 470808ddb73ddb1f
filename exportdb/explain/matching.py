"""Which entries of the catalogue an error text is about, and how sure that is.

Owns the ranking; knows words and no meaning. A wording is words with holes. Neighbouring words of
it are a *pair*. The text is read once; wherever it says a pair of a wording, the wording's *chain*
goes on (pairs in order, close to each other) or begins anew. So a wording is recognised when the
text is cut at either end, wrapped, quoted, or says it a little differently, and the time grows with
the length of the text. ``site/static/matching.js`` does the same with the same whole numbers.

An answer is *sure* when the chain covers its wording (the writer of a wording makes it tell by
itself), or a long piece that no other entry has. What is not sure comes after it, by chains and
by single words, as "similar".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from exportdb.cases.catalogue import Entry
from exportdb.explain.reading import Text, read, tokens

#: Words that say nothing alone.
STOP = frozenset(
    """
    a an and are as at be been but by can cannot could did do does for from had has have if
    in is it its may must no not of on or please should so such than that the then there
    these this to up use used using was we were when which while will with would you your #
    error expected got given found type types tensor tensors torch function
    """.split()  # noqa: SIM905
)
#: How far apart neighbouring pairs of a wording may stand: within a piece, and over a hole.
NEAR, FAR = 8, 140
#: Parts of a thousand of a wording that must be said for it to be recognised as a whole.
WHOLE = 900
#: What a piece must weigh, alone and with how much of its wording, to be recognised as a piece.
PIECES = ((400, 500), (520, 280), (900, 0))
#: A pair of more wordings than this says nothing.
COMMON = 24
#: Answers that are given.
MOST = 5


Pair = tuple[str, str]
#: Stands for the second word of a wording that is a single word.
ALONE = "."


@dataclass(frozen=True)
class Wording:
    """Words of a message: ``pairs`` with the piece each is of, and what each weighs."""

    entry: int
    pairs: tuple[tuple[Pair, int], ...]


@dataclass(frozen=True)
class Answer:
    """An entry, how well it fits, and whether that is sure. ``share`` is in thousandths."""

    entry: Entry
    score: int
    share: int
    sure: bool


class Matcher:
    """Entries made ready for matching."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        wordings = [_wording(at, [*t.pieces]) for at, e in enumerate(self.entries)
                    for t in e.wordings]  # fmt: skip
        self.wordings = [w for w in wordings if w.pairs]
        places: defaultdict[Pair, dict[int, list[int]]] = defaultdict(dict)
        words: defaultdict[str, set[int]] = defaultdict(set)
        for number, wording in enumerate(self.wordings):
            for at, (pair, _) in enumerate(wording.pairs):
                places[pair].setdefault(number, []).append(at)
                for word in pair:
                    words[word].add(wording.entry)
        weight = {w: 1 if w in STOP else 4 if len(es) <= 2 else 3 if len(es) <= 8 else 2
                  for w, es in words.items()}  # fmt: skip
        #: What may follow a word: the pair's weight, and where it stands in which wordings.
        self.index: defaultdict[str, dict[str, tuple[int, list[tuple[int, list[int]]]]]]
        self.index = defaultdict(dict)
        weights: dict[Pair, int] = {}
        for pair, where in places.items():
            if len(where) <= COMMON:
                spread = len({self.wordings[number].entry for number in where})
                weights[pair] = 12 * sum(weight[w] for w in pair if w != ALONE) // min(spread, 4)
                self.index[pair[0]][pair[1]] = (weights[pair], [*where.items()])
        self.totals = [sum(weights.get(p, 0) for p, _ in w.pairs) for w in self.wordings]
        self._bags: dict[str, list[int]] | None = None

    def rank(self, text: Text, most: int = MOST, exporting: bool = False) -> list[Answer]:
        """The best answers, sure ones first; at most ``most``.

        ``exporting`` says that an exporter raised this, whatever words the text has.
        """
        found = self._chains(text.tokens)
        sure: dict[int, tuple[int, int]] = {}
        near: dict[int, tuple[int, int]] = {}
        for entry, (score, share) in found.items():
            kind = sure if self._is_sure(entry, score, share, text, exporting) else near
            kind[entry] = (score, share)
        ordered = sorted(
            sure, key=lambda e: (self.entries[e].wrapper, -sure[e][0] * (1000 + sure[e][1]), e)
        )
        answers = [Answer(self.entries[e], sure[e][0], sure[e][1], True) for e in ordered]
        similar = self._similar(text.tokens, near)
        answers += [Answer(self.entries[e], s, near.get(e, (0, 0))[1], False)
                    for e, s in similar if e not in sure]  # fmt: skip
        return answers[:most]

    def _is_sure(self, entry: int, score: int, share: int, text: Text, exporting: bool) -> bool:
        context = self.entries[entry].context
        if context and not exporting and not text.context.intersection(context):
            return False
        return share >= WHOLE or any(score >= s and share >= of for s, of in PIECES)

    def _chains(self, said: Sequence[str]) -> dict[int, tuple[int, int]]:
        """The best chain of each entry: its weight, and its share of the wording."""
        state: dict[int, tuple[int, int, int]] = {}  # wording: position, pair, weight so far
        best: dict[int, tuple[int, int]] = {}
        for position, (word, after) in enumerate(zip_longest(said, said[1:], fillvalue="")):
            follow = self.index.get(word)
            for key in (after, ALONE) if follow else ():
                weight, places = (follow or {}).get(key, (0, []))
                for number, every in places:
                    wording = self.wordings[number]
                    last, pair, score = state.get(number, (-FAR, -1, 0))
                    at = next((a for a in every if a > pair), -1)
                    same = min(pair, at) >= 0 and wording.pairs[pair][1] == wording.pairs[at][1]
                    if at < 0 or position - last > (NEAR if same else FAR):
                        at, score = every[0], 0
                    score += weight
                    state[number] = (position, at, score)
                    share = 1000 * score // self.totals[number]
                    old = best.get(wording.entry)
                    if old is None or _worth(score, share) > _worth(*old):
                        best[wording.entry] = (score, share)
        return best

    def _similar(
        self, said: Sequence[str], near: dict[int, tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Entries that share words with a text, the most telling first."""
        bags = self._words()
        scores: Counter[int] = Counter({e: 2 * score for e, (score, _) in near.items()})
        for word in sorted(set(said)):
            if len(word) > 2 and word not in STOP and word in bags:
                for entry in bags[word]:
                    scores[entry] += 120 // len(bags[word])
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: 2 * MOST]

    def _words(self) -> dict[str, list[int]]:
        if self._bags is None:
            bags: defaultdict[str, list[int]] = defaultdict(list)
            for at, entry in enumerate(self.entries):
                texts = [entry.title, *entry.types, *(p for t in entry.wordings for p in t.pieces)]
                for word in sorted(set(tokens(" ".join(texts)))):
                    bags[word].append(at)
            self._bags = dict(bags)
        return self._bags

    def match(self, error_type: str, message: str) -> str | None:
        """ID of the entry that an error of an exporter is surely about, or None."""
        best = self.rank(read(f"{error_type}: {message}"), 1, exporting=True)
        return best[0].entry.id if best and best[0].sure else None


def _worth(score: int, share: int) -> tuple[bool, int]:
    """What chains of an entry are compared by: a whole wording before any piece of another."""
    return share >= WHOLE, score * (1000 + share)


def _wording(entry: int, pieces: Sequence[str]) -> Wording:
    """The pairs of a wording; of one that is a single word, the word itself."""
    pairs: list[tuple[Pair, int]] = []
    every: list[str] = []
    for number, piece in enumerate(pieces):
        words = tokens(piece)
        every += words
        pairs += [(pair, number) for pair in pairwise(words)]
    if len(every) == 1:
        pairs = [((every[0], ALONE), 0)]
    return Wording(entry, tuple(pairs))

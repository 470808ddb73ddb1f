"""Which entries of the catalogue an error text is about, and how sure that is.

Owns the ranking; knows words and no meaning. A wording is words with holes. Neighbouring words of
it are a *pair*. The text is read once; wherever it says a pair of a wording, the wording's *chain*
goes on (pairs in order, close to each other) or begins anew. So a wording is recognised when the
text is cut at either end, wrapped, quoted, or says it a little differently, and the time grows with
the length of the text. ``site/static/matching.js`` does the same with the same whole numbers.

An answer is *sure* when the chain covers its wording (the writer of a wording makes it tell by
itself), or a long piece that no other entry has; what the last exception says comes before what led
to it, and whole wordings before pieces. It is doubted,
and then nothing is sure, where it is short and the words of the text speak for another entry far
more, or where it only says that something else failed and what failed is not known.

What is not sure comes by chains and by single terms, as "similar": a term tells more the fewer
entries have it, and less the more else the entry says. An entry gains where texts that were judged
to be about it are like this one: see ``alike``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import isqrt
from typing import NamedTuple

import msgspec

from exportdb.cases.catalogue import NO_TEXTS, Entry, Texts
from exportdb.explain.alike import Judged, alike, features, made_judged, raised
from exportdb.explain.reading import STOP, ErrorText, read, terms, tokens

#: How far apart neighbouring pairs of a wording may stand: within a piece, over a hole, and over a
#: hole of a wording that weighs less than the last, whose few words meet by chance in a long text.
NEAR, FAR, CLOSE, LIGHT = 8, 140, 12, 40
#: Parts of a thousand of a wording that must be said for it to be recognised as a whole, and what
#: it must weigh: one whose words everybody uses tells nothing.
WHOLE, LEAST = 900, 24
#: What a piece must weigh, alone and with how much of its wording, to be recognised as a piece.
PIECES = ((400, 500), (520, 280), (900, 0))
#: A pair of more wordings than this says nothing.
COMMON = 200
#: A chain that weighs less than the first is said by chance where the terms of its entry weigh less
#: than so many parts of a thousand of those of the entry that the text speaks for most.
SLIGHT, RIVAL = 120, 400
#: Before a wording they say that this is not so: "No constraints violated".
DENIALS = frozenset(("no", "without"))
#: How many times more than a cause of few words, which weighs less than the second, a whole wording
#: of an entry that mostly wraps others must weigh to be what the text is about: the words of the
#: cause are then words of it.
OWN, FEW = 3, 60
#: Answers that are given.
MOST = 5
#: Letters of a word that was cut which tell how it goes on, and words of a text so short that the
#: end it was cut at may have been what told it from another.
CUT, BRIEF = 2, 24


Pair = tuple[str, str]
Load = Callable[[Collection[str]], Mapping[str, Entry]]
#: Stands for the second word of a piece that is a single word.
ALONE = "."
#: What a term in common weighs by where the entry has it: its exception types, its title, the words
#: that are also used of it, what it means and what to do, and, if many of its messages have it, up
#: to twice the last.
IN_TYPES, IN_TITLE, IN_ALSO, IN_TEXT, IN_MESSAGES = 40, 40, 80, 40, 30
#: What a chain that is not sure weighs against terms, and one that would be sure if the text said
#: what raised it; the first is less for what is less than so much of a wording, of which there are
#: too many for two words to tell one.
CHAIN, SAID, MISSING = 9, 40, 600
#: What a term weighs, at most, that texts of people who met the entry have, and how many tenths of
#: a text make half of that.
IN_SAID, HALF = 60, 5


Follow = dict[str, tuple[int, list[tuple[int, list[int]]]]]
#: Of a pair that no wording has, and of a wording that was not begun.
NOWHERE: tuple[int, list[tuple[int, list[int]]]] = (0, [])
NOT_YET = (-FAR, -1, 0)
Weights = dict[int, int]
_FOLLOW, _WEIGHTS = msgspec.msgpack.Decoder(Follow), msgspec.msgpack.Decoder(Weights)


class Head(NamedTuple):
    """What ranking asks of an entry."""

    id: str
    wrapper: bool
    context: tuple[str, ...]


class Ready(msgspec.Struct, array_like=True):
    """What the wordings of a catalogue come to: plain numbers and words, which can be kept.

    ``heads`` are the entries, as far as ranking asks. Of each wording, ``entries`` has its entry,
    ``pieces`` the piece of each of its pairs, and ``totals`` its weight. ``follows`` says of two
    words in order what their pair weighs, and where it stands in which wordings: a :data:`Follow`
    by the first. ``terms`` is how much a single term weighs in which entries: :data:`Weights`. Both
    are decoded of just the words that a text says. ``judged`` are texts that were judged before.
    """

    heads: list[Head]
    entries: list[int]
    pieces: list[bytes]
    totals: list[int]
    follows: dict[str, msgspec.Raw]
    terms: dict[str, msgspec.Raw]
    judged: Judged


class Fit(NamedTuple):
    """The ID of an entry, how well it fits, and whether that is sure: see :class:`Answer`."""

    id: str
    score: int
    share: int
    sure: bool


@dataclass(frozen=True)
class Answer:
    """An entry, how well it fits, and whether that is sure. ``share`` is in thousandths."""

    entry: Entry
    score: int
    share: int
    sure: bool


class Matcher:
    """Entries made ready for matching.

    ``entries`` are all, or a function that loads those of some IDs, where they are ``ready``.
    """

    def __init__(self, entries: Iterable[Entry] | Load, ready: Ready | None = None) -> None:
        if callable(entries):
            self.load = entries
        else:
            every = {e.id: e for e in entries}
            self.load = lambda _: every
            ready = ready or made_ready([*every.values()])
        if ready is None:
            raise TypeError("entries that are loaded must be ready")
        self.ready = ready
        self._follows: dict[str, Follow] = {}  # what was decoded

    def rank(self, text: ErrorText, most: int = MOST, exporting: bool = False) -> list[Answer]:
        """The best answers, sure ones first; at most ``most``: see :meth:`fits`."""
        best = self.fits(text, most, exporting)
        entries = self.load({fit.id for fit in best})
        return [Answer(entries[fit.id], fit.score, fit.share, fit.sure) for fit in best]

    def fits(self, text: ErrorText, most: int = MOST, exporting: bool = False) -> list[Fit]:
        """Which entries fit best, sure ones first; at most ``most``. What is similar comes only
        where no cause is sure. No entry is loaded for it.

        ``exporting`` says that an exporter raised this, whatever words the text has.
        """
        heads, by_terms = self.ready.heads, self._by_terms(text.terms)
        sure: dict[int, tuple[int, int]] = {}
        near: dict[int, tuple[int, int]] = {}
        every = self._chains(text.tokens)
        for entry, (score, share) in every.items():
            of = heads[entry]
            told = exporting or not of.context or bool(text.context.intersection(of.context))
            kind = sure if told and _is_enough(score, share) else near
            kind[entry] = (score, share)
        last = every if text.last == text.tokens else self._chains(text.last)
        ends = {e for e, how in last.items() if e in sure and _is_enough(*how)}
        wraps = self._wrapping(sure)
        ordered = sorted(sure, key=lambda e: (e in wraps, e not in ends, *_order(*sure[e]), e))
        if ordered and not exporting and self._is_doubted(sure, ordered[0], text, by_terms, ends):
            near |= sure
            ordered = []
        found = {e: (*sure[e], True) for e in ordered}
        if not ordered and (whole := self._completed(text.tokens)):
            for entry, chain in self._chains((*text.tokens[:-1], whole)).items():
                if entry not in sure and _worth(*chain) > _worth(*near.get(entry, (0, 0))):
                    near[entry] = chain
            by_terms += self._by_terms(terms(whole) - text.terms)
        if all(heads[e].wrapper for e in ordered):
            like = alike(self.ready.judged, features(text))
            found |= {e: (score, near.get(e, (0, 0))[1], False)
                      for e, score in _similar(by_terms, near, like) if e not in found}  # fmt: skip
        return [Fit(heads[e].id, *how) for e, how in found.items()][:most]

    def _is_doubted(
        self,
        sure: Mapping[int, tuple[int, int]],
        first: int,
        text: ErrorText,
        by_terms: Counter[int],
        ends: Collection[int],
    ) -> bool:
        """Whether the first of the entries that would be sure is not so after all; ``ends`` are
        those of them that the last exception is about."""
        most = max(by_terms.values(), default=0)
        slight = sure[first][0] < SLIGHT
        if slight and (1000 * by_terms[first] < RIVAL * most or self._ends_in_a_word(text.tokens)):
            return True
        if not self.ready.heads[first].wrapper:
            return False
        return not ends

    def _wrapping(self, sure: Mapping[int, tuple[int, int]]) -> set[int]:
        """Which of the entries that would be sure only say that something else failed."""
        heads = self.ready.heads
        cause = max((score for e, (score, _) in sure.items() if not heads[e].wrapper), default=0)
        light = cause < FEW
        return {e for e, (score, share) in sure.items() if heads[e].wrapper
                and not (light and share >= WHOLE and score >= OWN * cause)}  # fmt: skip

    def _chains(self, said: Sequence[str]) -> dict[int, tuple[int, int]]:
        """The best chain of each entry: its weight, and its share of the wording."""
        state: dict[int, tuple[int, int, int]] = {}  # wording: position, pair, weight so far
        best: dict[int, tuple[int, int]] = {}
        top: dict[int, int] = {}  # wording: its best weight, which alone can be better than others
        pieces, totals, entries = self.ready.pieces, self.ready.totals, self.ready.entries
        for position, (word, after) in enumerate(zip_longest(said, said[1:], fillvalue="")):
            follow = self._after(word)
            denied = position > 0 and said[position - 1] in DENIALS
            for key in (after, ALONE) if follow else ():
                weight, places = follow.get(key, NOWHERE)
                for number, every in places:
                    last, pair, score = state.get(number, NOT_YET)
                    at = every[0] if every[0] > pair else -1
                    if at < 0 < len(every) - 1:
                        at = next((a for a in every if a > pair), -1)
                    apart = position - last
                    if at < 0 or (apart > NEAR and (
                        (pair >= 0 and pieces[number][pair] == pieces[number][at])
                        or apart > (CLOSE if totals[number] < LIGHT else FAR)
                    )):  # fmt: skip
                        if denied and not every[0]:
                            continue
                        at, score = every[0], 0
                    score += weight
                    state[number] = (position, at, score)
                    if score > top.get(number, -1):
                        top[number] = score
                        share = 1000 * score // totals[number]
                        old = best.get(entries[number])
                        if old is None or _worth(score, share) > _worth(*old):
                            best[entries[number]] = (score, share)
        return best

    def _after(self, word: str) -> Follow:
        """The words that wordings have after ``word``."""
        if word not in self.ready.follows:
            return {}
        if word not in self._follows:
            self._follows[word] = _FOLLOW.decode(self.ready.follows[word])
        return self._follows[word]

    def _ends_in_a_word(self, said: Sequence[str]) -> bool:
        """Whether a short text was cut within a word by which wordings go on here.

        An error's number (x:1) is whole: it is no part of x:14.
        """
        if not 1 < len(said) <= BRIEF or ":" in said[-1] or said[-2] not in self.ready.follows:
            return False
        after = self._after(said[-2])
        return said[-1] not in after and any(w.startswith(said[-1]) for w in after)

    def _completed(self, said: Sequence[str]) -> str:
        """The last word of a text that was cut within it, if just one word goes on so; else ""."""
        if len(said) < 2 or len(said[-1]) < CUT or said[-1] in self.ready.follows:
            return ""
        after = self._after(said[-2])
        words = [w for w in after if w.startswith(said[-1])]
        return words[0] if len(words) == 1 and said[-1] not in after else ""

    def _by_terms(self, said: Iterable[str]) -> Counter[int]:
        """What the single terms of a text weigh for each entry."""
        scores: Counter[int] = Counter()
        for raw in filter(None, map(self.ready.terms.get, said)):
            for entry, weight in _WEIGHTS.decode(raw).items():
                scores[entry] += weight
        return scores

    def match(self, error_type: str, message: str) -> str | None:
        """ID of the entry that an error of an exporter is surely about, or None."""
        best = self.fits(read(f"{error_type}: {message}"), 1, exporting=True)
        return best[0].id if best and best[0].sure else None


def _similar(
    by_terms: Counter[int], near: Mapping[int, tuple[int, int]], like: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Entries by their terms, by chains that are not sure and by texts that are ``like`` this one,
    the most telling first."""
    scores = raised(by_terms + Counter({e: _told(*at) for e, at in near.items()}), like)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: 2 * MOST]


def _told(score: int, share: int) -> int:
    """What a chain that is not sure weighs against terms."""
    if _is_enough(score, share):
        return SAID * score
    return CHAIN * score * min(1000, 1000 - MISSING + share) // 1000


def _is_enough(score: int, share: int) -> bool:
    """Whether a chain covers its wording, or a long piece of it."""
    pieces = any(score >= least and share >= part for least, part in PIECES)
    return pieces or (share >= WHOLE and score >= LEAST)


def _worth(score: int, share: int) -> tuple[bool, int]:
    """What chains of an entry are compared by: a whole wording before any piece of another."""
    return share >= WHOLE, score * (1000 + share)


def _order(score: int, share: int) -> tuple[bool, int]:
    """The worth of a chain, the best smallest."""
    whole, worth = _worth(score, share)
    return not whole, -worth


def made_ready(entries: Sequence[Entry], texts: Texts = NO_TEXTS) -> Ready:
    """Work out what the wordings of ``entries`` come to, and ``texts`` that were judged before."""
    every = [(at, _pairs(t.pieces)) for at, e in enumerate(entries) for t in e.wordings]
    made = [(at, pairs) for at, pairs in every if pairs]
    places: defaultdict[Pair, dict[int, list[int]]] = defaultdict(dict)
    known: defaultdict[str, set[int]] = defaultdict(set)
    for number, (entry, pairs) in enumerate(made):
        for at, (pair, _) in enumerate(pairs):
            places[pair].setdefault(number, []).append(at)
            for word in pair:
                known[word].add(entry)
    weight = {w: 1 if w in STOP else 4 if len(es) <= 2 else 3 if len(es) <= 8 else 2
              for w, es in known.items()}  # fmt: skip
    follows: defaultdict[str, Follow] = defaultdict(dict)
    weights: dict[Pair, int] = {}
    for pair, where in places.items():
        if len(where) <= COMMON:
            one, other = pair
            spread = len(where) if len(where) < 2 else len({made[n][0] for n in where})
            both = weight[one] + (weight[other] if other != ALONE else 0)
            weights[pair] = 12 * both // min(spread, 4)
            follows[one][other] = (weights[pair], [*where.items()])
    return Ready(
        [Head(e.id, e.wrapper, e.context) for e in entries],
        [entry for entry, _ in made],
        [bytes(piece for _, piece in pairs) for _, pairs in made],
        [sum(weights.get(pair, 0) for pair, _ in pairs) for _, pairs in made],
        _raw(follows),
        _raw(_terms(entries)),
        made_judged(texts, [e.id for e in entries]),
    )


def _raw(values: Mapping[str, object]) -> dict[str, msgspec.Raw]:
    return {word: msgspec.Raw(msgspec.msgpack.encode(value)) for word, value in values.items()}


def _terms(entries: Sequence[Entry]) -> dict[str, Weights]:
    """How much each term weighs in which entries.

    As in BM25, with a root in place of the logarithm, so that whole numbers do. What an entry says
    and what people say of it are weighed apart, each by how rare it is there.
    """
    messages = [
        Counter(term for t in e.wordings for term in terms(" ".join(t.pieces))) for e in entries
    ]
    mean = sum(map(Counter.total, messages)) // max(1, len(entries))
    found: defaultdict[str, Weights] = defaultdict(dict)
    people: defaultdict[str, Weights] = defaultdict(dict)
    for at, (entry, told) in enumerate(zip(entries, messages, strict=True)):
        for weight, texts in ((IN_TYPES, entry.types), (IN_TITLE, (entry.title,)),
                              (IN_ALSO, (entry.also,)),
                              (IN_TEXT, (entry.meaning, entry.remedy))):  # fmt: skip
            for term in terms(" ".join(texts)):
                found[term][at] = found[term].get(at, 0) + weight
        long = mean + told.total()
        for term, times in told.items():
            weight = 2 * IN_MESSAGES * times * mean // (times * mean + long)
            found[term][at] = found[term].get(at, 0) + weight
        for term, tenths in entry.said.items():
            people[term][at] = IN_SAID * tenths // (tenths + HALF)
    weighed: defaultdict[str, Weights] = defaultdict(dict)
    for term, where in (*found.items(), *people.items()):
        rare = isqrt(10_000 * len(entries) // len(where))
        for at, weight in where.items() if term not in STOP else ():
            weighed[term][at] = weighed[term].get(at, 0) + weight * rare // 100
    return weighed


def _pairs(pieces: Sequence[str]) -> list[tuple[Pair, int]]:
    """The pairs of a wording, each with the number of its piece; of a piece that is a single word,
    the word itself."""
    found: list[tuple[Pair, int]] = []
    for number, piece in enumerate(pieces):
        words = tokens(piece)
        found += [(pair, number) for pair in pairwise(words)]
        if len(words) == 1 and words[0] not in STOP:
            found.append(((words[0], ALONE), number))
    return found

"""Which texts that were judged before an error text is like, and so which entries it may be about.

Pure. A text is the terms that it says and its pairs of neighbouring words; each weighs more the
fewer texts have it. How alike two texts are is the cosine of the angle between them, in
thousandths.
``site/static/matching.js`` does the same with the same whole numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from math import isqrt

import msgspec

from exportdb.cases.catalogue import Texts
from exportdb.explain.reading import STEM, STOP, ErrorText

#: Texts of more terms are tracebacks, whose words are nobody's.
LONG = 40
#: Thousandths of what the best entry weighs that an entry gains by a text that is the same. Chosen
#: with those halves of the fourteenth to the twenty-second set that nobody has read, and the
#: twenty-fifth; 300 to 600 hardly differ.
GAIN = 400


class Judged(msgspec.Struct, array_like=True):
    """Texts that were judged, ready to be compared with.

    Of each text, ``owners`` has the entries that it is about, and ``squares`` the square of the
    length of its vector. ``places`` says of each term or pair what it weighs, and which texts have
    it: a :data:`Place`, decoded of just those that a text says.
    """

    owners: list[list[int]]
    squares: list[int]
    places: dict[str, msgspec.Raw]


Place = tuple[int, list[int]]
_PLACE = msgspec.msgpack.Decoder(Place)


def features(text: ErrorText) -> frozenset[str]:
    """What a text is compared by: its terms and its pairs of words; nothing of a long one."""
    words = {t for t in text.terms if t not in STOP}
    if sum("." not in t for t in words) > LONG:
        return frozenset()
    said = set(pairwise(text.tokens))
    pairs = (f"{a[:STEM]} {b[:STEM]}" for a, b in said if a not in STOP or b not in STOP)
    return frozenset(words.union(pairs))


def made_judged(texts: Texts, ids: Sequence[str]) -> Judged:
    """Work out what ``texts`` come to; ``ids`` are the entries that there are, in order."""
    at = {entry: number for number, entry in enumerate(ids)}
    squares = [0] * len(texts.owners)
    places: dict[str, Place] = {}
    for said, gaps in texts.said.items():
        numbers = [*accumulate(gaps)]
        # A root of the root in place of the logarithm, so that whole numbers do.
        weight = isqrt(isqrt(10_000 * len(squares) // len(numbers)))
        places[said] = weight, numbers
        for number in numbers:
            squares[number] += weight * weight
    return Judged(
        [[at[entry] for entry in owners if entry in at] for owners in texts.owners],
        squares,
        {said: msgspec.Raw(msgspec.msgpack.encode(place)) for said, place in places.items()},
    )


def alike(judged: Judged, said: Iterable[str]) -> Counter[int]:
    """How much what is ``said`` is like the texts about each entry, in thousandths.

    The fourth root of a sum of fourth powers: the text that is most alike counts most, and many
    count a little more than one. A text about several entries counts for each in part.
    """
    in_common: Counter[int] = Counter()
    square = 0
    for raw in filter(None, map(judged.places.get, said)):
        weight, numbers = _PLACE.decode(raw)
        square += weight * weight
        for number in numbers:
            in_common[number] += weight * weight
    powers: defaultdict[int, int] = defaultdict(int)
    for number, product in in_common.items():
        cosine = 1000 * product // isqrt(square * judged.squares[number])
        owners = judged.owners[number]
        for entry in owners:
            powers[entry] += cosine**4 // len(owners)
    return Counter({entry: isqrt(isqrt(power)) for entry, power in powers.items()})


def raised(scores: Mapping[int, int], near: Mapping[int, int]) -> Counter[int]:
    """``scores`` of entries, raised by how much they are ``near`` in thousandths."""
    most = max(scores.values(), default=0)
    more = {entry: most * GAIN * thousandths // 10**6 for entry, thousandths in near.items()}
    return Counter(scores) + Counter(more)

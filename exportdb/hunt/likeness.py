"""How alike two programs are: the cosine of their features, each weighed by how rare it is.

This is tf-idf as in the retrieval of texts: what most programs do, like arithmetic, hardly counts,
and nobody has to list it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set

#: From which cosine on two programs have one cause.
ALIKE = 0.55


class Corpus:
    """Programs by name, each as its features: what is rare is rare among these."""

    def __init__(self, programs: Mapping[str, Set[str]]) -> None:
        self._size = len(programs)
        self._having: dict[str, set[str]] = {}
        for name, does in programs.items():
            for feature in does:
                self._having.setdefault(feature, set()).add(name)

    def having(self, does: Set[str]) -> Set[str]:
        """The programs that have all of these features, at least one."""
        return set.intersection(*(self._having.get(feature, set()) for feature in does))

    def likeness(self, one: Set[str], other: Set[str]) -> float:
        """From 0, nothing in common, to 1, the same."""
        if one == other:
            return 1.0
        lengths = math.sqrt(self._weight(one) * self._weight(other))
        return self._weight(one & other) / lengths if lengths else 0.0

    def _weight(self, does: Set[str]) -> float:
        """The square of the length of a vector that has the rarity of each feature."""
        return sum(self._rarity(feature) ** 2 for feature in does)

    def _rarity(self, feature: str) -> float:
        return math.log((self._size + 2) / (len(self._having.get(feature, ())) + 1))

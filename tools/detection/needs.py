"""What a program must have to meet a mutant's defect: the operators, or else the elements.

Owns what defects of a kind need; what operators a mutant breaks, or which words a program must
say, it tells itself.
"""

from __future__ import annotations

import re

from detection.mutant import HIGHER_ORDER, Mutant

#: The elements of the hunt's grammar, by a word in the name of a kind of mutants; the first counts.
_BY_KIND = {
    "random numbers": ("random",), "draws": ("random",),
    "control flow": ("higher-order",), "loops": ("higher-order",),
    "state": ("state", "submodules"), "caches": ("state",), "answers": ("state",),
    "repeated": ("state",), "saving": ("state",), "surroundings": ("state", "inputs"),
    "threads": ("state",),
    "left behind": ("modes", "state"), "leaks": ("modes", "state"), "modes": ("modes",),
    "call": ("inputs", "python"), "given": ("inputs", "promotion"),
    "guards": ("branches", "sizes"), "sizes": ("sizes", "branches"),
    "memory": ("mutation", "aliasing"), "aliasing": ("mutation", "aliasing"),
    "order": ("mutation", "aliasing"), "written": ("mutation", "state"),
    "layouts": ("views", "aliasing"), "arrangement": ("views", "aliasing"),
    "metadata": ("views", "promotion"),
    "types": ("promotion", "items"), "casts": ("promotion",),
    "numerics": ("pointwise", "reductions", "rewrites"), "values": ("pointwise", "reductions"),
    "rewrites": ("rewrites", "pointwise", "promotion"), "passes": ("rewrites", "mutation"),
    "folding": ("rewrites", "promotion"), "folded": ("rewrites", "promotion"),
    "merging": ("rewrites", "promotion"), "merged": ("rewrites", "mutation"),
    "moved": ("rewrites", "reductions"), "dropped": ("rewrites", "mutation"),
}  # fmt: skip
#: The same by a word in the name of one mutant, which comes first.
_BY_NAME = {"assertions": ("items",)}
#: Of operators that no program calls by name.
_BY_OPERATOR = {
    "index": ("indexing",), "index_put": ("mutation", "indexing"), "select": ("indexing",),
    "slice": ("indexing",),
}  # fmt: skip


def of(mutant: Mutant) -> tuple[str, ...]:
    """What programs for a mutant are made around; all elements where nobody knows."""
    from exportdb.hunt import naming

    if mutant.about & set(HIGHER_ORDER.values()):
        return ("higher-order",)
    if mutant.base == "gradients" and not mutant.about:
        return ("gradients", "modes")
    if said := _that_say(mutant.words):
        return said
    about = mutant.about or mutant.words
    operators = [name for word in sorted(about) for name in naming.meant(word)]
    kinds = (
        elements
        for said, known in ((mutant.name, _BY_NAME), (mutant.kind, _BY_KIND))
        for word, elements in known.items()
        if word in said
    )
    named = [e for word in sorted(about & _BY_OPERATOR.keys()) for e in _BY_OPERATOR[word]]
    return tuple(dict.fromkeys((*named, *operators))) or next(kinds, ()) or _that_say(about)


def _that_say(words: frozenset[str]) -> tuple[str, ...]:
    """The elements of which a statement has one of these words."""
    from exportdb.hunt.elements import ELEMENTS

    said = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})_?\b")
    return tuple(e.name for e in ELEMENTS if words and any(map(said.search, e.statements)))

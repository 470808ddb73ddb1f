"""What a program must have to meet a mutant's defect: the operators, or else the elements.

Owns what defects of a kind need; what operators a mutant breaks, it says itself.
"""

from __future__ import annotations

from detection.mutant import HIGHER_ORDER, Mutant

#: The elements of the hunt's grammar, by a word in the name of a kind of mutants; the first counts.
_BY_KIND = {
    "control flow": ("higher-order",), "loops": ("higher-order",),
    "state": ("state", "submodules"), "caches": ("state",), "answers": ("state",),
    "repeated": ("state",), "saving": ("state",), "surroundings": ("state", "python"),
    "left behind": ("modes", "state"), "leaks": ("modes", "state"), "modes": ("modes",),
    "call": ("python", "idioms"), "given": ("promotion", "pointwise"),
    "guards": ("branches", "sizes"), "sizes": ("sizes", "branches"),
    "memory": ("mutation", "aliasing"), "aliasing": ("mutation", "aliasing"),
    "order": ("mutation", "aliasing"), "layouts": ("views", "aliasing"),
    "arrangement": ("views", "aliasing"), "metadata": ("views", "promotion"),
    "types": ("promotion",), "casts": ("promotion",),
    "gradients": ("state", "modes"), "derivatives": ("state", "modes"),
    "backward": ("state", "modes"),
    "numerics": ("pointwise", "reductions"), "values": ("pointwise", "reductions"),
    "rewrites": ("pointwise", "promotion"), "passes": ("pointwise", "promotion"),
    "folding": ("pointwise", "promotion"), "merging": ("pointwise", "promotion"),
}  # fmt: skip


def of(mutant: Mutant) -> tuple[str, ...]:
    """What programs for a mutant are made around; all elements where nobody knows."""
    from exportdb.hunt import naming

    if mutant.about & set(HIGHER_ORDER.values()):
        return ("higher-order",)
    operators = [name for about in sorted(mutant.about) for name in naming.meant(about)]
    kinds = (elements for word, elements in _BY_KIND.items() if word in mutant.kind)
    return tuple(dict.fromkeys(operators)) or next(kinds, ())

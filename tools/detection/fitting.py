"""Chooses the cases that a mutant is put to, where there is no time for all of them.

Owns what can be known of a case without running it: the operators in the graphs that are kept
beside it, and the words of its program. A choice can leave out the case that would catch a mutant,
and never changes what a case says of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from detection.given import parts
from detection.mutant import HIGHER_ORDER, Mutant, words_of
from exportdb.cases.case import Case

_CALL = re.compile(r"(?:: \(?(\w+)\[(.*?)\].*)? = aten\.(\w+)\.\w+\((.*)\)")
_NUMBER = re.compile(r"\b\d[\d.e-]*")


def calls_of(graphs: str) -> dict[str, frozenset[str]]:
    """The operators in the text of graphs, each with what its calls say: arguments that are no
    tensors, by place or name, and of which type and rank the result is. Of numbers the sign alone.

    >>> sorted(calls_of("%1: int64[5] = aten.sum.dim_IntList(%0, [-1], keepdim=True)")["sum"])
    ['1:[-n]', 'int64 of 1', 'keepdim=True']
    """
    found: dict[str, set[str]] = defaultdict(set)
    for dtype, sizes, name, arguments in _CALL.findall(graphs):
        words = found[name.rstrip("_")]
        if dtype:
            words.add(f"{dtype} of {len(sizes.split(', '))}")
        for i, text in enumerate(parts(arguments)):
            if not text.startswith("%"):
                text = _NUMBER.sub("n", text)
                words.add(text if "=" in text else f"{i}:{text}")
    return {name: frozenset(words) for name, words in found.items()}


def known_calls(cases: Iterable[Case]) -> dict[str, dict[str, frozenset[str]]]:
    """By case, its operators as ``calls_of`` gives them, and those that run parts of it."""
    found = {}
    for case in cases:
        path = case.expectations_path
        calls = calls_of(path.read_text() if path.is_file() else "")
        tags = (tag for tag in case.meta.tags if tag in HIGHER_ORDER)
        found[case.id] = {**calls, **{HIGHER_ORDER[tag]: frozenset({tag}) for tag in tags}}
    return found


def of_operators(
    about: frozenset[str], calls: Mapping[str, Mapping[str, frozenset[str]]], most: int
) -> list[str]:
    """At most about ``most`` cases that have one of the operators: half of them those whose calls
    differ most from each other, half those that have the fewest others. As many again that have the
    most of several, which may be a pattern. All of these for parts of a program."""
    together = {case: len(about & found.keys()) for case, found in calls.items()}
    joint = sorted((c for c, n in together.items() if n > 1),
                   key=lambda case: (-together[case], len(calls[case])))  # fmt: skip
    chosen = dict.fromkeys(joint[:most])
    for name in sorted(about):
        having = [case for case, found in calls.items() if name in found]
        small = sorted(having, key=lambda case: len(calls[case]))
        each = max(1, most // (2 * len(about)))
        apart = varied({case: calls[case][name] for case in having}, each)
        chosen.update(dict.fromkeys([*apart, *small[:each]]))
    return list(chosen)


def varied(words: Mapping[str, frozenset[str]], most: int) -> list[str]:
    """The ``most`` keys whose words together are many, the most telling first.

    >>> varied({"a": frozenset("xy"), "b": frozenset("x"), "c": frozenset("yz")}, 2)
    ['c', 'a']
    """
    often: dict[str, int] = defaultdict(int)
    for each in words.values():
        for word in each:
            often[word] += 1
    left, seen, chosen = dict(words), set[str](), list[str]()
    while left and len(chosen) < most:
        # A word that many programs have tells little.
        best = max(left, key=lambda key: sum(1 / often[word] for word in left[key] - seen))
        chosen.append(best)
        seen |= left.pop(best)
    return chosen


def said_by(case: Case) -> frozenset[str]:
    """The words of a case's file, and its tags."""
    return words_of(case.source) | frozenset(case.meta.tags)


def fitting(
    mutants: Sequence[Mutant], cases: Sequence[Case], most: int
) -> Callable[[Case, Mutant], bool]:
    """Whether a mutant is put to a case: to ``most`` cases that have what it breaks.

    Of a mutant that names no operator and no word nothing is known: it is put to ten times as many
    cases that differ from each other, and to those that are chosen for others.
    """
    calls = known_calls(cases)
    every = frozenset().union(*calls.values()) if calls else frozenset[str]()
    chosen = {m.name: frozenset(of_operators(m.about & every, calls, most))
              for m in mutants if m.about & every}  # fmt: skip
    words = {case.id: said_by(case) for case in cases}
    programs = {case.id: words_of(case.program) for case in cases}
    for m in mutants:
        if m.words:
            having = {id: words[id] for id, said in programs.items() if said & m.words}
            chosen[m.name] = frozenset(varied(having, most))
    general = frozenset(varied(words, 10 * most))
    general |= frozenset().union(*chosen.values()) if chosen else frozenset()
    return lambda case, mutant: case.id in chosen.get(mutant.name, general)

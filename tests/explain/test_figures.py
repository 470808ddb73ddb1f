"""How often the right entry comes first, over the sets of error texts of public issues."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from exportdb.cases import catalogue
from exportdb.explain import matcher
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import read

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import bench_explain


def test_the_frozen_texts_of_public_issues_are_explained() -> None:
    measured = bench_explain.results()
    asked = [r for r in measured if r.sample.right]
    others = [r for r in measured if not r.sample.right]
    assert len(asked) > 120 and len(others) > 40
    assert sum(r.place == 0 for r in asked) >= 0.85 * len(asked), bench_explain.report(measured)
    assert sum(r.place < 3 for r in asked) >= 0.93 * len(asked), bench_explain.report(measured)
    assert not [r.sample.text for r in others if r.sure]


def test_no_text_of_the_sets_gathered_blind_gets_a_wrong_answer_surely() -> None:
    measured = bench_explain.results(*bench_explain.BLIND)
    assert not [r.sample.text for r in measured if r.sure and r.place > 0]
    asked = [r for r in measured if r.sample.right]
    assert sum(r.place == 0 for r in asked) >= 0.85 * len(asked), bench_explain.report(measured)


def test_texts_of_later_sets_are_explained_and_never_wrongly_so() -> None:
    measured = bench_explain.results(*bench_explain.NEWER)
    asked = [r for r in measured if r.sample.right]
    assert len(asked) > 300
    assert not [r.sample.text for r in measured if r.sure and r.place > 0]
    assert sum(r.place == 0 for r in asked) >= 0.8 * len(asked), bench_explain.report(measured)
    assert sum(r.place < 3 for r in asked) >= 0.9 * len(asked), bench_explain.report(measured)


def test_texts_of_which_half_was_read_are_explained_with_the_words_of_other_sets() -> None:
    measured = bench_explain.results(*bench_explain.HALF_READ, apart=True)
    asked = [r for r in measured if r.sample.right]
    others = [r for r in measured if not r.sample.right]
    assert len(asked) > 500 and len(others) > 120
    assert sum(r.place == 0 for r in asked) >= 0.85 * len(asked), bench_explain.report(measured)
    assert sum(r.place < 3 for r in asked) >= 0.91 * len(asked), bench_explain.report(measured)
    assert sum(r.misled for r in asked) <= 0.065 * sum(r.sure for r in asked)
    assert sum(r.sure for r in others) <= 3


def test_words_learned_from_some_texts_help_with_others() -> None:
    """Measured with the words of all sets but the eighth, and without any."""
    paths = [p for p in bench_explain.NEWER if "eighth" in p.name]
    plain = Matcher([replace(e, said={}) for e in catalogue.load().entries.values()])
    learned = [r for r in bench_explain.results(*paths, apart=True) if r.sample.right]
    without = [bench_explain.Result(r.sample, plain.rank(read(r.sample.text))) for r in learned]
    assert len(learned) > 80
    right = [sum(r.place == 0 for r in results) for results in (learned, without)]
    assert right[0] >= right[1] + 5 and right[0] >= 0.75 * len(learned)


def test_the_texts_of_the_catalogue_are_those_of_the_sets() -> None:
    told = bench_explain.told(bench_explain.samples(*bench_explain.LEARNT))
    assert catalogue.texts() == told


def test_texts_of_other_sets_that_are_alike_help() -> None:
    """Measured with what was learned from all sets but the last six."""
    paths = bench_explain.HALF_READ[-6:]
    said = bench_explain.learned(
        bench_explain.samples(*(p for p in bench_explain.LEARNT if p not in paths))
    )
    entries = catalogue.load().entries.values()
    words = [replace(e, said=bench_explain.places_of(e) | said.get(e.id, {})) for e in entries]
    alike = [r for r in bench_explain.results(*paths, apart=True) if r.sample.right]
    matcher = Matcher(words)
    without = [bench_explain.Result(r.sample, matcher.rank(read(r.sample.text))) for r in alike]
    first, three = (
        [sum(r.place < most for r in results) for results in (alike, without)] for most in (1, 3)
    )
    assert first[0] > first[1] and three[0] > three[1]
    assert [r.misled for r in alike] == [r.misled for r in without]


def test_the_catalogue_is_large_and_every_entry_says_what_to_do() -> None:
    entries = catalogue.load().entries
    assert len(entries) >= 150
    assert len(matcher().ready.entries) > 1000

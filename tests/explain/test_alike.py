"""Texts that were judged before help to rank those that nothing surely explains."""

from __future__ import annotations

from collections import Counter

import pytest

from exportdb.cases import catalogue
from exportdb.cases.catalogue import NO_TEXTS, Texts
from exportdb.explain.alike import GAIN, LONG, Judged, alike, features, made_judged, raised
from exportdb.explain.matching import Matcher, made_ready
from exportdb.explain.reading import read
from tests.explain.texts import entry

IDS = ["E9001", "E9002", "E9003"]


def ready_of(*texts: tuple[tuple[str, ...], str]) -> Judged:
    """Texts about entries, ready to be compared with."""
    return made_judged(made(*texts), IDS)


def made(*texts: tuple[tuple[str, ...], str]) -> Texts:
    said: dict[str, list[int]] = {}
    for number, (_, text) in enumerate(texts):
        for one in sorted(features(read(text))):
            gaps = said.setdefault(one, [])
            gaps.append(number - sum(gaps))
    return Texts([owners for owners, _ in texts], said)


def near(of: Judged, text: str) -> dict[int, int]:
    return dict(alike(of, features(read(text))))


def test_a_text_is_compared_by_its_terms_and_its_pairs_of_words() -> None:
    assert features(read("export of the buffers fails")) == {
        "export", "buffer", "fails", "export of", "the buffer", "buffer fails"
    }  # fmt: skip


def test_the_same_text_is_alike_by_all_and_another_by_nothing() -> None:
    of = ready_of((("E9001",), "mutated buffers fail"), (("E9002",), "unknown operator here"))
    same = near(of, "mutated buffers fail")
    assert same == {0: 1000}
    assert near(of, "nothing of this") == {}


def test_words_that_no_text_has_do_not_count_against_a_text() -> None:
    of = ready_of((("E9001",), "mutated buffers fail"), (("E9002",), "unknown operator here"))
    assert near(of, "mutated buffers fail spectacularly") == near(of, "mutated buffers fail")


def test_a_text_about_several_entries_counts_for_each_in_part() -> None:
    both = ready_of((("E9001", "E9002"), "mutated buffers fail"), (("E9003",), "something else"))
    alone = ready_of((("E9001",), "mutated buffers fail"), (("E9003",), "something else"))
    found = near(both, "mutated buffers fail")
    assert found[0] == found[1] < near(alone, "mutated buffers fail")[0]


def test_an_entry_that_is_gone_is_not_found() -> None:
    of = ready_of((("E0001", "E9002"), "mutated buffers fail"), (("E0001",), "something else"))
    assert near(of, "mutated buffers fail").keys() == {1}
    assert near(of, "something else") == {}


def test_a_traceback_is_compared_with_nothing() -> None:
    words = " ".join(f"{a}{b}word" for a in "abcdefgh" for b in "klmnop")
    assert len(words.split()) > LONG and not features(read(words))


def test_the_order_changes_by_a_part_of_what_the_best_weighs() -> None:
    assert raised({0: 1000, 1: 700}, {1: 1000, 2: 500}) == Counter(
        {0: 1000, 1: 700 + GAIN, 2: GAIN // 2}
    )
    assert raised({}, {}) == Counter()


@pytest.mark.parametrize("judged", [True, False])
def test_of_two_entries_with_the_same_words_the_one_of_a_text_alike_comes_first(
    judged: bool,
) -> None:
    entries = [
        entry("E9001", "Buffers are odd", "the buffers cannot be flattened here"),
        entry("E9002", "Buffers are odd", "the buffers cannot be flattened there"),
    ]
    texts = made((("E9002",), "odd buffers of yolo"), (("E9001",), "sizes of a mask"))
    matcher = Matcher(entries, made_ready(entries, texts if judged else NO_TEXTS))
    best = matcher.fits(read("yolo: odd buffers"))
    assert [fit.id for fit in best] == (["E9002", "E9001"] if judged else ["E9001", "E9002"])
    assert not best[0].sure


def test_the_texts_of_the_catalogue_are_about_its_entries() -> None:
    texts, entries = catalogue.texts(), catalogue.load().entries
    named = {e for owners in texts.owners for e in owners}
    assert len(texts.owners) > 2000 and len(named & entries.keys()) > 250
    assert all(sum(gaps) < len(texts.owners) for gaps in texts.said.values())
    assert all(gap > 0 for gaps in texts.said.values() for gap in gaps[1:])


def test_entries_have_the_words_of_the_texts_about_them_in_tenths_of_a_text() -> None:
    texts = made((("E9001", "E9002"), "odd mask"), (("E9001",), "odd size"), (("E9003",), "torch"))
    words = catalogue.words_said(texts)
    assert words["E9001"] == {"odd": 15, "mask": 5, "size": 10}
    assert words["E9002"] == {"odd": 5, "mask": 5}
    assert "E9003" not in words
    of, entries = catalogue.words_said(catalogue.texts()), catalogue.load().entries
    assert all(words.items() <= entries[e].said.items() for e, words in of.items())

"""Outcomes look and are called the same in a terminal, on a page and in the documentation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from exportdb.cli import output
from exportdb.records.outcome import Outcome, Tone
from exportdb.site import extension

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "outcomes.md").read_text(encoding="utf-8")
CSS = (extension.STATIC / "exportdb.css").read_text(encoding="utf-8")


def test_the_guide_gives_each_outcome_the_sign_and_tone_it_has() -> None:
    rows = re.findall(r"^\| (\S+) \| (`.*?`) \| (\w+) \| .+ \|$", GUIDE, re.MULTILINE)
    told = [(name, sign, tone) for sign, names, tone in rows for name in re.findall(r"\w+", names)]
    assert told == [(o.value, o.glyph, o.tone) for o in Outcome]


def test_the_readme_gives_each_outcome_its_sign() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| (`.*?`) \| .+ \|$", text, re.MULTILINE)
    told = [(name, sign) for sign, names in rows for name in re.findall(r"\w+", names)]
    assert told == [(o.value, o.glyph) for o in Outcome]


def test_a_silent_difference_looks_like_no_other() -> None:
    loud = {o for o in Outcome if o.raised or o.stopped or o is Outcome.ERROR}
    assert {o for o in Outcome if o.tone == "silent"} == {o for o in Outcome if o.silent}
    assert {o for o in Outcome if o.tone == "loud"} == loud
    assert [o for o in Outcome if o.tone == "full"] == [Outcome.SUPPORTED]


def test_every_tone_has_one_colour_of_its_own_everywhere() -> None:
    tones = get_args(Tone)
    assert re.findall(r"^\| (\w+) \| [\w, ]+ \| [^|]+ \|$", GUIDE, re.MULTILINE) == list(tones)
    assert len({output._STYLES[tone] for tone in tones}) == len(tones)
    for theme in re.findall(r"{[^{}]*--xdb-silent:[^{}]*}", CSS):
        assert len({re.search(rf"--xdb-{t}: (#\w+)", theme)[1] for t in tones}) == len(tones)
    for tone in tones:
        assert re.search(rf"^\.xdb-{tone}\b.* {{ color: var\(--xdb-{tone}\);", CSS, re.MULTILINE)


@pytest.mark.parametrize("outcome", Outcome)
def test_every_sign_can_be_written_without_unicode(outcome: Outcome) -> None:
    assert output._ASCII[outcome.glyph].isascii()

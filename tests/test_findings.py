"""Findings are explained in one place, and the documentation has them all."""

from __future__ import annotations

from pathlib import Path

from exportdb.records.findings import FINDINGS, meaning

RECORDS = Path(__file__).parent.parent / "docs" / "records.md"


def test_every_finding_stands_in_the_documentation() -> None:
    text = RECORDS.read_text(encoding="utf-8")
    assert [f for f in FINDINGS if f"`{f}`" not in text] == []


def test_a_finding_of_an_exporter_of_its_own_has_no_meaning_made_up_for_it() -> None:
    assert meaning("mine-odd") == ""
    assert meaning("range-wider-than-guards").endswith("assumed away.")

"""A cause as files: its script shows it, or it is seen once more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exportdb.hunt import drafts
from exportdb.hunt.buckets import Bucket
from exportdb.hunt.drafts import ReducedCause
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record


def test_a_script_makes_its_tensors_where_the_cause_is() -> None:
    text = (
        '"""\ntitle: A\n"""\nimport torch\nclass Model:\n    def forward(self, x):\n        pass\n'
    )

    def script(device: str) -> str | None:
        return drafts.script(text, Record("p", "export", device, Outcome.REFUSED, "capture"))

    assert "default_device" not in (script("cpu") or "default_device")
    assert '\ntorch.set_default_device("cuda")\nclass' in (script("cuda") or "")
    assert script("toy") is None
    assert script("meta") is None


def test_a_script_is_run_in_a_folder_that_is_named_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("drafts").mkdir()
    Path("drafts/proof.py").write_text("assert False")
    assert drafts.proved(Path("drafts/proof.py"), Outcome.WRONG)


@pytest.mark.parametrize(
    ("ends", "outcome"),
    [("os.abort()", Outcome.CRASHED), ("time.sleep(60)", Outcome.TIMEOUT),
     ("{}['a']", Outcome.REFUSED)],
)  # fmt: skip
def test_a_script_shows_one_way_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, outcome: Outcome
) -> None:
    monkeypatch.setattr(drafts, "TIMEOUT", 3.0)
    path = tmp_path / "proof.py"
    shown = (Outcome.CRASHED, Outcome.TIMEOUT, Outcome.REFUSED)
    path.write_text(f"import os, time\nprint('eager gave', 1)\n{ends}\n")
    assert [drafts.proved(path, o) for o in shown] == [o is outcome for o in shown]
    path.write_text(f"import os, time\n{ends}\n")  # eager has not come through
    assert not drafts.proved(path, outcome)


@pytest.mark.parametrize("alike", [True, False])
def test_what_has_no_script_is_seen_again(tmp_path: Path, alike: bool) -> None:
    record = Record("hunt/p", "my-own", "cpu", Outcome.WRONG, "compare")
    text = '"""\ntitle: A\n"""\nclass Model:\n    def forward(self, x):\n        return x.sin()\n'
    cause = ReducedCause((Bucket("my-own", Outcome.WRONG, "example", "a"),), text, ("p",))
    written = drafts.write(tmp_path, cause, record, lambda: alike, "mine.py:Mine")
    assert (written.proved, written.again, written.confirmed) == (None, alike, alike)
    (draft,) = tmp_path.iterdir()
    assert ReducedCause.from_json(json.loads((draft / "cause.json").read_text())) == written
    assert "exportdb run program.py --exporter mine.py:Mine`" in (draft / "report.md").read_text()


def test_a_report_says_what_happens_and_what_does_better(tmp_path: Path) -> None:
    text = '"""\ntitle: A\n"""\nclass Model:\n    def forward(self, x):\n        return x.sin()\n'
    bucket = Bucket("my-own", Outcome.TIMEOUT, "Timeout", "capture")
    better = text.replace("sin", "cos")
    cause = ReducedCause((bucket,), text, ("p",), command="a", unchanged=better)
    record = Record("hunt/p", "my-own", "cpu", Outcome.TIMEOUT, "capture")
    drafts.write(tmp_path, cause, record, lambda: True)
    (draft,) = tmp_path.iterdir()
    report = (draft / "report.md").read_text()
    assert "its capture does not end:" in report
    said, _, shown = report.partition("This program means the same, and does better:")
    assert "x.sin()" in said and "x.cos()" in shown and "title: A" not in shown

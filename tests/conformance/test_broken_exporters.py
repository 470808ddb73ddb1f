"""Every broken exporter is caught, by at least one case of the database, with the right outcome."""

from __future__ import annotations

import inspect

import pytest

from exportdb.cases.database import load
from exportdb.conformance.examine import examine
from exportdb.conformance.options import Options
from exportdb.devices.builtin import Cpu
from exportdb.suites.cases import CaseProgram

from .. import broken_exporters as broken

DATABASE = load()


@pytest.mark.parametrize("name", broken.CAUGHT)
def test_a_broken_exporter_is_caught(name: str) -> None:
    case, outcome = broken.CAUGHT[name]
    record = examine(CaseProgram(DATABASE.cases[case]), getattr(broken, name)(), Cpu())
    assert record.outcome == outcome


@pytest.mark.parametrize("name", broken.CAUGHT_REPEATED)
def test_an_unstable_exporter_is_caught_by_capturing_again(name: str) -> None:
    case, said = broken.CAUGHT_REPEATED[name]
    exporter = getattr(broken, name)
    for repeat, found in ((2, {"graph-differs-on-rerun": said}), (1, {})):
        exporter.captured, exporter.asked = False, 0
        record = examine(
            CaseProgram(DATABASE.cases[case]), exporter(), Cpu(), Options(repeat=repeat)
        )
        assert record.outcome == "supported"
        assert {f.id: f.message for f in record.findings} == found


def test_what_was_wrong_stays_wrong_though_capturing_again_kills() -> None:
    program = CaseProgram(DATABASE.cases["mutation/inplace_activation"])
    broken.DiesOnceMore.captured = False
    record = examine(program, broken.DiesOnceMore(), Cpu(), Options(repeat=2))
    assert (record.outcome, record.phase) == ("wrong", "compare")
    assert record.samples[0].result == "disagrees"
    assert "sys.exit(there is a capture already)" in record.error.message


@pytest.mark.parametrize("case", sorted({case for case, _ in broken.CAUGHT.values()}))
def test_the_sound_exporter_they_derive_from_is_not(case: str) -> None:
    assert examine(CaseProgram(DATABASE.cases[case]), broken.Sound(), Cpu()).outcome == "supported"


def test_no_broken_exporter_is_left_out() -> None:
    classes = {
        n for n, c in vars(broken).items()
        if inspect.isclass(c) and issubclass(c, broken.Sound) and c is not broken.Sound
    }  # fmt: skip
    known = (
        {"DiesOnceMore"}
        | broken.CAUGHT.keys()
        | broken.CAUGHT_REPEATED.keys()
        | broken.CAUGHT_ISOLATED.keys()
    )
    assert classes == known

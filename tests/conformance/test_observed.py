"""What eager does is asked once for several exporters, where that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exportdb.conformance import oracle
from exportdb.conformance.eager import Eager, Expected
from exportdb.conformance.options import Options
from exportdb.conformance.sampling import in_child
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.exporters.jit_trace import JitTrace
from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.torch_export import Export
from exportdb.records.record import Record
from tests.conformance.conftest import results

PROGRAM = """
{before}
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        {body}

dynamic_shapes = {{"x": {{0: Dim("n", min=2, max=16)}}}}

def inputs(n=5):
    return torch.randn(n, 3)
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The samples that eager was asked about."""
    names: list[str] = []
    expected = Eager.expected

    def noting(self: Eager, sample: PlannedSample) -> Expected:
        names.append(sample.name)
        return expected(self, sample)

    monkeypatch.setattr(Eager, "expected", noting)
    monkeypatch.setattr(oracle, "WORTH", 0.0)
    return names


@pytest.fixture
def calls(
    examine: Callable[..., Record], asked: list[str], tmp_path: Path
) -> Callable[..., list[int]]:
    """How often eager was asked for each of two exporters; their records are those of
    examinations that share nothing."""
    shared = tmp_path / "shared"
    shared.mkdir()

    def count(body: str, before: str = "") -> list[int]:
        program, counts = PROGRAM.format(body=body, before=before), []
        for exporter in (Export(), MakeFx()):
            alone = examine(program, exporter)
            asked.clear()
            record = examine(program, exporter, shared=shared)
            counts.append(len(asked))
            assert results(record) == results(alone)
            assert (record.outcome, record.findings) == (alone.outcome, alone.findings)
        return counts

    return count


def test_eager_is_asked_once(calls) -> None:
    first, second = calls("return x * 2 + x.shape[0]")
    assert first > 10
    assert second == 0


@pytest.mark.parametrize(
    "body",
    [
        "self.total += x.sum(0); return self.total",  # state
        "x.mul_(2); return x.t(), x",  # inputs changed, memory shared
        "return {'a': [x, None], 'b': (x.shape[0], 1.5, 'text')}",
        "return x + torch.rand_like(x)",
        "return x.to_sparse(), torch.complex(x, x).conj(), x.mT",
        "return (x * 2).requires_grad_()",
        "return x.to(torch.bfloat16), x.new_empty(0), torch.tensor(1)",
    ],
)  # fmt: skip
def test_whatever_it_gives_comes_back_as_it_was(calls, body: str) -> None:
    assert calls(body)[1] == 0


def test_a_program_that_remembers_its_calls_is_asked_each_time(calls) -> None:
    first, second = calls("Model.n = Model.__dict__.get('n', 0) + 1; return x * 2")
    assert second == first
    first, second = calls("SEEN.append(1); return x * 2", before="SEEN = []")
    assert second == first


def test_what_cannot_be_kept_is_asked_for_each_time(calls) -> None:
    class_of_its_own = """
def make():
    class Held:
        def __init__(self, x):
            self.x = x
    return Held
Held = make()
"""
    first, second = calls("return Held(x)", before=class_of_its_own)
    assert second == first
    # Two tensors that see one memory as different types.
    first, second = calls("pair = x[:, :2].contiguous(); return torch.view_as_complex(pair), pair")
    assert second == first


def test_a_damaged_file_is_none(examine, asked: list[str], tmp_path: Path) -> None:
    program = PROGRAM.format(body="return x * 2", before="")
    examine(program, shared=tmp_path)
    for kept in (f for f in tmp_path.iterdir() if f.suffix != ".py"):
        kept.write_bytes(kept.read_bytes()[:50])
    asked.clear()
    assert examine(program, shared=tmp_path).outcome == "supported"
    assert len(asked) > 10


def test_what_a_program_asks_on_its_way_is_found_out_once(
    examine, tmp_path: Path, monkeypatch
) -> None:
    asked = []
    really = in_child.run_in_child

    def noting(work: Callable[[], Any]) -> Any:
        asked.append(really(work))
        return asked[-1]

    monkeypatch.setattr(in_child, "run_in_child", noting)
    body = "return x * 2 if x.shape[0] == 7 else x"
    first = examine(PROGRAM.format(body=body, before=""), JitTrace(), shared=tmp_path)
    second = examine(PROGRAM.format(body=body, before=""), MakeFx(), shared=tmp_path)
    assert [type(answer).__name__ for answer in asked] == ["ProgramConditions", "Coverage"]
    assert {"n=7", "n=8"} <= results(first).keys() & results(second).keys()


KEEPS = """
@functools.cache
def seen():
    return []
"""
DEFINES = """
library = torch.library.Library("observed", "DEF")
library.define("twice(Tensor x) -> Tensor")
library.impl("twice", lambda x: x * 2, "CompositeImplicitAutograd")
"""


@pytest.mark.parametrize(
    ("before", "body", "processes"),
    [
        ("import functools\n" + KEEPS,
         "seen().append(x); return seen()[0] * 2 if x.shape[0] == 7 else x", 0),
        ("calls = []", "calls.append(x.sum()); return x * calls[0] if x.shape[0] == 7 else x", 0),
        (DEFINES, "return torch.ops.observed.twice(x) if x.shape[0] == 7 else x", 2),
    ],
    ids=["a cache", "a list", "an operator, which cannot be defined twice"],
)  # fmt: skip
def test_without_isolation_a_program_keeps_nothing_of_what_it_was_asked(
    before: str, body: str, processes: int, examine, monkeypatch
) -> None:
    program = PROGRAM.format(body=body, before=before)
    apart = examine(program.replace("observed", "observed_apart"), JitTrace())
    forked = []
    really = in_child.run_in_child
    monkeypatch.setattr(
        in_child, "run_in_child", lambda work: [forked.append(work), really(work)][1]
    )
    here = examine(program, JitTrace(), options=Options(isolated=False))
    assert results(here) == results(apart)
    assert "n=7" in results(here)
    assert len(forked) == processes

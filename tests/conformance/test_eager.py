"""How often eager is asked whether it runs with a mode of torch around."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest
import torch

from exportdb.conformance.eager import SAMPLES_TRIED, Eager, Expected
from exportdb.conformance.sampling.planned import PlannedSample


@pytest.mark.parametrize(("bears", "asked"), [(False, SAMPLES_TRIED), (True, 1)])
def test_a_mode_is_tried_on_a_few_samples(
    monkeypatch: pytest.MonkeyPatch, bears: bool, asked: int
) -> None:
    tried: list[object] = []
    seen = [SimpleNamespace(exception=None if bears else NotImplementedError())]

    def run(*_: object, poison: bytes | None = None) -> list[SimpleNamespace]:
        if poison is None:
            tried.append(None)
        return seen

    monkeypatch.setattr(Eager, "_run", run)
    oracle = Eager(SimpleNamespace(device="cpu"), torch.nn.Module())  # type: ignore[arg-type]
    samples = [PlannedSample("accepts", f"n={n}", tuple) for n in range(SAMPLES_TRIED + 2)]
    told = [oracle._within(contextlib.nullcontext(), Expected(sample)) for sample in samples]
    assert told == [seen if bears else None] * len(samples)
    assert len(tried) == asked


def test_a_program_that_bears_no_mode_runs_without_as_before(examine) -> None:
    """What torch.cond is given is compiled in eager, and that it could not be is remembered."""
    record = examine("""
        class Model(torch.nn.Module):
            def forward(self, x):
                drawn = torch.empty(3)
                return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)) + drawn.fill_(1)

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}

        def inputs(n=5):
            return torch.randn(n, 3)
    """)
    assert record.outcome == "supported", record.message

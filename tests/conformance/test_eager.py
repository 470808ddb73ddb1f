"""What eager is asked in a process of its own, and how often."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest
import torch

from exportdb.conformance import eager
from exportdb.conformance.eager import SAMPLES_TRIED, Eager, Expected
from exportdb.conformance.sampling.planned import PlannedSample


@pytest.mark.parametrize(("bears", "asked"), [(False, SAMPLES_TRIED), (True, 1)])
def test_a_mode_is_tried_on_a_few_samples(
    monkeypatch: pytest.MonkeyPatch, bears: bool, asked: int
) -> None:
    tried: list[object] = []

    def in_child(work: object) -> bool:
        tried.append(work)
        return bears

    monkeypatch.setattr(eager, "run_in_child", in_child)
    monkeypatch.setattr(Eager, "_run", lambda *_, **__: [])
    oracle = Eager(SimpleNamespace(device="cpu"), torch.nn.Module())  # type: ignore[arg-type]
    samples = [PlannedSample("accepts", f"n={n}", tuple) for n in range(SAMPLES_TRIED + 2)]
    told = [oracle._within(contextlib.nullcontext(), Expected(sample)) for sample in samples]
    assert told == [[] if bears else None] * len(samples)
    assert len(tried) == asked

"""PT2E quantisation: inexact on purpose, as far as 8 bits are, and no further."""

from __future__ import annotations

import pytest

from exportdb.exporters.protocol import Exporter
from exportdb.exporters.pt2e import Pt2eQuantized
from exportdb.exporters.torch_export import Export

from ..conformance.conftest import results

LAYERS = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = torch.nn.Linear(6, 16), torch.nn.Linear(16, 4)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return self.second(self.first(x).relu()) + self.calls

dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}

def inputs(n=5):
    return torch.randn(n, 6)
"""


class Rough(Export):
    """The sound program, with its output off by some number."""

    def __init__(self, off: float, rounds_to: float) -> None:
        self.off, self.rounds_to = off, rounds_to

    def capture(self, program):
        import torch

        call = super().capture(program).call

        class Shifted(torch.nn.Module):
            def __init__(self, module, off):
                super().__init__()
                self.module, self.off = module, off

            def forward(self, *args):
                return self.module(*args) + self.off

        return Shifted(call, self.off)


def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert Pt2eQuantized().unusable() == "torchao not installed; pip install 'exportdb[pt2e]'"


def test_only_what_quantises_may_be_off_and_no_further_than_its_step(examine):
    assert Exporter.rounds_to == 0
    assert examine(LAYERS, Rough(0.01, 0)).outcome == "wrong"
    assert examine(LAYERS, Rough(0.01, 1 / 128)).outcome == "supported"
    assert examine(LAYERS, Rough(5.0, 1 / 128)).outcome == "wrong"


def test_whole_numbers_may_not_be_off_at_all(examine):
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 0

    def inputs():
        return torch.arange(1000, 1008)
    """

    class Off(Export):
        rounds_to = 1 / 128

        def capture(self, program):
            call = super().capture(program).call
            return lambda x: call(x) + 1

    assert examine(program, Off()).outcome == "wrong"


@pytest.mark.skipif(Pt2eQuantized().unusable() is not None, reason="needs the extra pt2e")
class TestQuantising:
    def test_layers_are_quantised_and_a_size_stays_open(self, examine):
        record = examine(LAYERS, Pt2eQuantized())
        assert results(record)["example"] == results(record)["n=8"] == "agrees"
        assert record.outcome in ("supported", "unguarded")  # a NaN spreads to the whole tensor
        assert "quantized_decomposed.quantize_per_tensor" in record.graph
        assert "int8" in record.graph

    def test_the_call_that_observes_leaves_buffers_as_they_were(self, examine):
        record = examine(LAYERS, Pt2eQuantized())
        assert "state-mutation-differs" not in {f.id for f in record.findings}

"""ONNX: checked, run by onnxruntime, numbers and structure as the program has them."""

from __future__ import annotations

import pytest

from exportdb.exporters.onnx import Onnx

from ..conformance.conftest import results
from .conftest import SCALE

STRUCTURE = """
class Model(torch.nn.Module):
    def forward(self, x, k, nothing=None, *, half):
        return {"scaled": x * k, "rows": x.shape[0], "half": half.float() + 1}

dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}, "k": None, "nothing": None, "half": None}

def inputs(n=5):
    return (torch.randn(n, 3), 4, None), {"half": torch.ones(2, dtype=torch.bfloat16)}

def accepts():
    yield (torch.randn(5, 3), 6, None), {"half": torch.ones(2, dtype=torch.bfloat16)}
"""


def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "onnx, onnxscript, onnxruntime" in Onnx().unusable()
    assert "exportdb[onnx]" in Onnx().unusable()


@pytest.mark.skipif(Onnx().unusable() is not None, reason="needs the extra onnx")
class TestRunning:
    def test_a_size_stays_open(self, examine):
        record = examine(SCALE, Onnx())
        assert record.outcome == "supported"
        assert results(record)["n=8"] == "agrees"
        assert "ir_version" in record.graph_readable

    def test_a_constant_of_the_model_refuses_another_value(self, examine):
        record = examine(STRUCTURE, Onnx())
        assert results(record)["example"] == "agrees", record.samples[0].message
        assert results(record)["n=8"] == "agrees"
        assert results(record)["accepts[0]"] == "raised"
        assert record.outcome == "specialized"
        assert "constant 4" in record.error.message

    def test_what_cannot_be_translated_is_refused_while_lowering(self, examine):
        program = """
        class Model(torch.nn.Module):
            def forward(self, x):
                return x + 1, 3

        def inputs():
            return torch.randn(3)
        """
        record = examine(program, Onnx())
        assert (record.outcome, record.phase) == ("refused", "lower")
        assert "step 3/3" not in record.error.message

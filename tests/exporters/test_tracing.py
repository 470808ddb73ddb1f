"""``torch.fx.symbolic_trace`` and ONNX from TorchScript: what they take, and what they bake."""

from __future__ import annotations

import pytest

from exportdb.exporters.fx_trace import FxTrace
from exportdb.exporters.onnx_torchscript import OnnxTorchscript

from ..conformance.conftest import results
from .conftest import SCALE, VALUE_BRANCH

STRUCTURE = """
class Model(torch.nn.Module):
    def forward(self, x, k, nothing=None, *, parts, flag):
        x = x * k if flag else x
        return {"scaled": x, "rows": x.shape[0], "both": parts["a"] + parts["b"], "word": "as is"}

dynamic_shapes = {
    "x": {0: Dim("n", min=2, max=8)}, "k": None, "nothing": None,
    "parts": {"a": None, "b": None}, "flag": None,
}

def inputs(n=5):
    more = {"parts": {"a": torch.randn(2), "b": torch.randn(2)}, "flag": True}
    return (torch.randn(n, 3), 4, None), more

def accepts():
    more = {"parts": {"b": torch.randn(2), "a": torch.randn(2)}, "flag": True}
    yield (torch.randn(5, 3), 6, None), more
"""

IN_TRAINING_MODE = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 if self.training else x * 3

def inputs():
    return torch.randn(4, 3)
"""

needs_onnx = pytest.mark.skipif(OnnxTorchscript().unusable() is not None, reason="needs ONNX")
BOTH = [FxTrace(), pytest.param(OnnxTorchscript(), marks=needs_onnx)]


@pytest.mark.parametrize("exporter", BOTH)
def test_a_size_stays_open(examine, exporter):
    record = examine(SCALE, exporter)
    assert record.outcome == "supported"
    assert results(record)["n=8"] == "agrees"


@pytest.mark.parametrize("exporter", BOTH)
def test_the_structure_of_inputs_and_outputs_is_the_program_s(examine, exporter):
    record = examine(STRUCTURE, exporter)
    assert results(record)["example"] == "agrees", record.error or record.samples[0].message
    assert results(record)["n=8"] == "agrees"


def test_a_number_is_an_input_of_fx_and_a_constant_of_onnx(examine):
    assert results(examine(STRUCTURE, FxTrace()))["accepts[0]"] == "agrees"


@needs_onnx
def test_a_number_is_a_constant_of_an_onnx_model(examine):
    record = examine(STRUCTURE, OnnxTorchscript())
    assert (record.outcome, results(record)["accepts[0]"]) == ("specialized", "raised")
    assert "the constant 4" in record.error.message


def test_a_number_that_cannot_be_traced_is_a_constant(examine):
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, k):
            for _ in range(k):
                x = x + 1
            return x

    def inputs():
        return torch.randn(3), 2

    def accepts():
        yield torch.randn(3), 3
    """
    record = examine(program, FxTrace())
    assert (record.outcome, results(record)["accepts[0]"]) == ("specialized", "raised")


OBJECT = """
class Batch:
    def __init__(self, x):
        self.x = x

class Model(torch.nn.Module):
    def forward(self, batch):
        return batch.x * 2

def inputs():
    return Batch(torch.randn(3))
"""


def test_an_object_of_the_user_s_is_a_placeholder_of_fx(examine):
    assert examine(OBJECT, FxTrace()).outcome == "supported"


@needs_onnx
def test_an_object_of_the_user_s_is_no_input_of_onnx(examine):
    record = examine(OBJECT, OnnxTorchscript())
    assert (record.outcome, record.phase) == ("refused", "capture")
    assert record.error.message == "a Batch can be no input of an ONNX model"


def test_a_branch_on_a_value_is_refused_by_fx(examine):
    record = examine(VALUE_BRANCH, FxTrace())
    assert (record.outcome, record.phase, record.error.type) == ("refused", "capture", "TraceError")


@needs_onnx
def test_a_branch_on_a_value_is_baked_into_the_onnx_model(examine):
    record = examine(VALUE_BRANCH, OnnxTorchscript())
    assert (record.outcome, results(record)["accepts[0]"]) == ("wrong", "disagrees")


@needs_onnx
def test_the_mode_of_the_program_is_not_switched_to_eval(examine):
    assert examine(IN_TRAINING_MODE, OnnxTorchscript()).outcome == "supported"


def test_what_tracing_leaves_in_place_of_a_buffer_is_the_exporter_s(examine):
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("last", torch.zeros(3))

        def forward(self, x):
            self.last = self.last + x
            return x * 2

    def inputs():
        return torch.ones(3)
    """
    record = examine(program, FxTrace())
    assert record.outcome == "wrong"
    assert record.samples[0].message.startswith("last after the call[0] is 1.0 in eager, 0.0")


@needs_onnx
def test_a_buffer_is_once_further_by_torch_s_trace_and_by_nothing_of_ours(examine):
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            self.calls += 1
            return x + self.calls

    def inputs():
        return torch.zeros(3)
    """
    record = examine(program, OnnxTorchscript())
    assert record.samples[0].message.startswith("output[0] is 1.0 in eager, 2.0 in capture")


def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    told = OnnxTorchscript().unusable()
    assert told == "onnx, onnxruntime not installed; pip install 'exportdb[onnx]'"

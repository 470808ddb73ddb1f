"""Of a capture that disagrees, the first operator is named whose result it does not have."""

from __future__ import annotations

import ctypes

import pytest
import torch

from exportdb.conformance import first_difference as following
from exportdb.exporters.protocol import Artifact
from exportdb.records.display import as_text
from exportdb.records.record import FirstDifference, Record

from .conftest import Made

PROGRAM = """
class Model(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        z = y * 2
        return z.reshape(-1) + 1

def inputs():
    return torch.linspace(0.1, 0.4, 4)
"""


def captured(examine, call) -> Record:
    return examine(PROGRAM, Made(call))


@pytest.mark.parametrize(
    ("call", "operator", "code"),
    [
        (lambda x: x.cos().mul(2).reshape(-1) + 1, "aten.sin.default", "y = x.sin()"),
        (lambda x: x.sin().mul(3).reshape(-1) + 1, "aten.mul.Tensor", "z = y * 2"),
        (lambda x: x.sin().mul(2).reshape(-1) + 2, "aten.add.Tensor",
         "return z.reshape(-1) + 1"),
        # Other operators on the way, of which the same follows.
        (lambda x: (x.sin() + x.sin()).reshape(-1) + 2, "aten.add.Tensor",
         "return z.reshape(-1) + 1"),
        (lambda x: (torch.cos(x - torch.pi / 2).mul(2) * 3).reshape(-1) + 1, "aten.add.Tensor",
         "return z.reshape(-1) + 1"),
    ],
)  # fmt: skip
def test_it_is_named_with_the_line_that_calls_it(
    examine, tmp_path, call, operator: str, code: str
) -> None:
    record = captured(examine, call)
    assert record.outcome == "wrong"
    lines = (tmp_path / "program.py").read_text().splitlines()
    at = [line.strip() for line in lines].index(code) + 1
    assert record.departs == FirstDifference(operator, at, code)
    assert f"first at {operator} in line {at}: {code}" in as_text(record)


def test_a_type_or_a_shape_is_a_result_too(examine) -> None:
    wider = captured(examine, lambda x: x.sin().mul(2).reshape(-1).double() + 1)
    assert wider.departs and wider.departs.operator == "aten.add.Tensor"


def test_a_size_that_was_baked_in_is_found_where_it_is_used(examine) -> None:
    record = examine(
        PROGRAM.replace("y * 2", "y * len(str(x.shape[0]))").replace(
            "def inputs():\n    return torch.linspace(0.1, 0.4, 4)",
            'dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}\n\n'
            "def inputs(n=5):\n    return torch.linspace(0.1, 0.4, n)",
        )
    )
    assert record.departs and record.departs.code == "z = y * len(str(x.shape[0]))"


def test_what_agrees_or_raises_departs_nowhere(examine) -> None:
    def raises(x: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("never")

    assert captured(examine, lambda x: x.sin().mul(2).reshape(-1) + 1).departs is None
    assert captured(examine, raises).departs is None


def test_nothing_is_said_of_what_runs_outside_of_the_dispatcher(examine) -> None:
    import numpy as np

    def elsewhere(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.cos(x.numpy()))

    record = captured(examine, elsewhere)
    assert record.outcome == "wrong" and record.departs is None


def test_what_leads_to_another_output_is_not_to_blame(examine) -> None:
    """The capture hides how it comes to the first output, and that it has is all that is seen."""
    program = """
class Model(torch.nn.Module):
    def forward(self, x):
        hidden = x.sin()
        shown = x.tan()
        return hidden * 3, shown + 1

def inputs():
    return torch.linspace(0.1, 0.4, 4)
"""

    def half(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        import numpy as np

        return torch.from_numpy(np.sin(x.numpy())) * 3, x.tan() + 2

    record = examine(program, Made(half))
    assert record.departs and record.departs.code == "return hidden * 3, shown + 1"


def test_nothing_is_said_of_a_capture_that_is_too_long_to_be_followed(examine, monkeypatch) -> None:
    monkeypatch.setattr(following, "STEPS", 2)
    record = captured(examine, lambda x: (x.sin() + 0).mul(2).reshape(-1) + 2)
    assert record.outcome == "wrong" and record.departs is None


def test_an_eager_that_the_capture_changed_is_not_followed(examine) -> None:
    class Patching(Made):
        def capture(self, program) -> Artifact:
            program.module.register_forward_hook(lambda *_: torch.zeros(4))
            type(program.module).forward = lambda self, x: x * 5
            return Artifact(call=self.call)

    record = examine(PROGRAM, Patching(lambda x: x.cos()))
    assert record.outcome == "wrong" and record.departs is None


def test_it_is_followed_between_red_zones_too(examine) -> None:
    found = []

    def reads_past_its_end(x: torch.Tensor) -> torch.Tensor:
        end = x.untyped_storage().data_ptr() + x.untyped_storage().nbytes()
        found.append(bytes((ctypes.c_ubyte * 8).from_address(end)))
        return x.cos().mul(2).reshape(-1) + 1

    record = captured(examine, reads_past_its_end)
    assert record.departs and set(found) == {b"\xbf" * 8}


def test_what_raises_while_it_is_followed_names_nothing(examine) -> None:
    def resizes(x: torch.Tensor) -> torch.Tensor:
        return x.resize_(8).resize_(4).cos().mul(2).reshape(-1) + 1

    record = captured(examine, resizes)
    assert (record.outcome, record.departs) == ("wrong", None)

"""The script that a page offers shows what the page says, in plain torch."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import torch

from exportdb.records.expectation import Point
from exportdb.reports import repro
from exportdb.site.model import Site

HERE = Point("2.13", "cpu")


@pytest.fixture(scope="module")
def site(whole: Site) -> Site:
    return whole


def slow(case: str, exporter: str) -> Any:
    return pytest.param(case, exporter, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("case", "exporter"),
    [
        ("mutation/data_of_buffer_replaced", "jit-trace"),
        slow("python/same_object", "fx-trace"),
        ("python/number_or_default", "jit-script"),
        slow("control_flow/cond_between_modules", "export-saved"),  # no autocast in that process
        slow("python/same_object", "export-moved"),
        slow("mutation/rank_after_unsqueeze_in_place", "dynamo-unspec"),
        slow("data_dependent/number_times_zero", "aot-eager-train"),
        slow("mutation/foreach_on_one_tensor_twice", "inductor-breaks"),
        slow("transformers/attention_is_causal_by_length", "pt2e-quantized"),  # in 8 bits
        slow("autograd/custom_function", "export"),  # a gradient
        slow("control_flow/cond_branches_with_gradient", "export"),  # a gradient's gradient
        slow("dynamic_shapes/branch_on_multiple", "make-fx"),  # a size
        slow("control_flow/loop_over_rows", "jit-trace"),  # a loop unrolled
        slow("modules/buffer_changes_dtype", "export-strict"),  # state
        slow("autograd/branch_on_grad_mode", "export"),  # another mode
        ("determinism/branch_on_deterministic_setting", "export"),  # a setting of the process
        slow("decoding/speculative_step", "export-draft"),  # other data
        slow("autograd/custom_function", "export-retraced"),
        slow("autograd/custom_function", "export-unflattened"),
        slow("modules/count_kept_in_dict", "fx-trace"),  # a second call
        slow("inputs/dataclass_registered", "aot-inductor"),  # another size of a field
        slow("detection/levels_from_feature_maps", "aot-inductor"),  # of a tensor in a list
        slow("operators/nested_rows_padded", "make-fx"),  # eager comes first
        slow("operators/speech_frames_at_the_ends", "aot-eager-train"),  # gradients of any output
        slow("transformers/image_tokens_checked", "aot-eager"),  # compiled for any size
        slow("inputs/keywords_in_other_order", "aot-inductor"),
        slow("mutation/same_tensor_twice", "aot-inductor"),  # a write past an input's end
        slow("control_flow/cond_class_method", "aot-inductor"),  # a read past it
        slow("control_flow/cond_class_method", "aot-inductor-checked"),  # after a training step
        ("architectures/frames_of_a_signal", "onnx"),
        ("operators/bags_without_words", "onnx"),  # a number within an input
        ("views/part_placed_by_its_offset", "dynamo-unspec"),  # a storage offset
        slow("operators/pages_of_large_offsets", "onnx"),  # a complex number that is none
        slow("dynamic_shapes/example_size_one_auto", "onnx"),  # a size
        slow("architectures/message_passing", "onnx-torchscript"),
        slow("architectures/position_grid_from_token_count", "onnx-torchscript"),
        ("inputs/dict_given_back", "export"),  # dicts with their keys in another order
    ],
)
def test_it_shows_the_trouble(site: Site, tmp_path: Path, case: str, exporter: str) -> None:
    view = site.cases[case]
    cell = view.by_key[exporter, HERE]
    assert cell.outcome in ("wrong", "unguarded", "specialized")
    meta = view.case.meta
    script = repro.script(cell.record, meta.models[0], view.case.program, meta.train)
    assert script is not None
    file = tmp_path / "repro.py"
    file.write_text(view.case.program + script)
    assert "exportdb" not in script
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "on the sample" in done.stdout
    assert "AssertionError" in done.stderr


def test_every_cell_of_these_kinds_has_one(site: Site) -> None:
    without = [
        (view.id, cell.exporter)
        for view in site.cases.values()
        for cell in view.cells
        if cell.exporter in repro.CAPTURES and cell.outcome in ("wrong", "specialized", "unguarded")
        and cell.point == HERE and repro.script(cell.record, view.case.meta.models[0]) is None
    ]  # fmt: skip
    assert without == []


def test_there_is_none_where_nothing_is_wrong(site: Site) -> None:
    view = next(v for v in site.cases.values() if v.by_key["export", HERE].outcome == "supported")
    assert repro.script(view.by_key["export", HERE].record, "Model") is None


def test_a_step_of_training_leaves_out_what_lies_in_one_place() -> None:
    """Nobody can write into an expanded buffer; the engine's own step leaves it out, too."""
    held = {"weight": torch.ones(3), "same": torch.ones(1).expand(4), "count": torch.tensor(2)}
    exec(textwrap.dedent(repro._STEP), {"torch": torch, "held": held})
    assert held["weight"].tolist() == [0.75] * 3
    assert held["same"].tolist() == [1.0] * 4
    assert held["count"] == 2

"""``exportdb diagnose`` on ten models that are broken in the ways that models are."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

MODELS = Path(__file__).parent / "models"


@cache
def diagnosed(name: str) -> dict[str, Any]:
    """What the command says of ``make`` of a model."""
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "diagnose", f"{MODELS / name}.py:make", "--json"],
        capture_output=True, text=True, cwd=MODELS, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout) | {"exit": done.returncode}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXPORTDB_HOME", str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, change, excludes",
    [
        ("decoder_with_cache", "register_pytree_node", []),
        ("detection_head", "+        boxes, labels = boxes[:100], labels[:100]", []),
        ("vision_batch_of_one", "", []),
        ("structured_inputs", "register_dataclass(Query)", []),
        ("unet_with_skips", "{2: (8*_h), 3: (8*_w)}",
         ["h that is not a multiple of 8", "w that is not a multiple of 8"]),
        ("siamese", "{'left': {0: n}, 'right': {0: n}, 'weight': {0: n}}",
         ["m other than n", "k other than n"]),
        ("gated_by_mean", "torch.where(h.mean() > 0,", []),
        ("mixture_of_experts", "+        for expert in range(len(self.experts)):", []),
    ],
)  # fmt: skip
def test_a_change_is_found_that_makes_it_supported_on_every_sample(
    name: str, change: str, excludes: list[str]
) -> None:
    found = diagnosed(name)
    assert found["before"][0]["record"]["outcome"] == "refused"
    assert found["fixed"]["record"]["outcome"] == "supported"
    assert change in found["fixed"]["diff"]
    assert found["fixed"]["excludes"] == excludes
    assert found["exit"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, line",
    [
        ("packed_lstm", "output, _ = self.lstm(packed)"),
    ],
)
def test_where_no_change_helps_the_line_and_the_entry_are_named(name: str, line: str) -> None:
    found = diagnosed(name)
    assert found["fixed"] is None
    assert found["exit"] == 1
    before = found["before"][0]
    source = (MODELS / f"{name}.py").read_text().splitlines()
    assert source[before["line"] - 1].strip() == line
    assert before["explained"]["sure"]


@pytest.mark.slow
def test_state_that_is_no_buffer_is_named_where_nothing_is_raised() -> None:
    found = diagnosed("cache_of_counted_length")
    before = found["before"][0]
    assert before["record"]["outcome"] == "wrong"
    assert found["fixed"] is None
    source = (MODELS / "cache_of_counted_length.py").read_text().splitlines()
    assert source[before["line"] - 1].strip() == "self.length += n"


def test_an_example_of_one_is_replaced_and_the_declared_range_stays() -> None:
    fixed = diagnosed("vision_batch_of_one")["fixed"]
    assert fixed["changes"] == ["take an example in which batch is 3: torch makes a constant of 1"]
    sizes = [s["sizes"].get("batch") for s in fixed["record"]["samples"] if s["role"] != "rejects"]
    assert {1, 16} <= set(sizes)


RARE = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        if x.tolist() == [3.25, -1.5, 2.75]:
            return x
        return x + 1

def make():
    return Model(), (torch.ones(3),), {}, None
"""


@pytest.mark.slow
def test_a_branch_that_no_sample_took_is_named(tmp_path: Path) -> None:
    (tmp_path / "rare.py").write_text(RARE)
    line = RARE.splitlines().index("        if x.tolist() == [3.25, -1.5, 2.75]:") + 1
    assert diagnosed(str(tmp_path / "rare"))["untaken"] == [
        f"rare.py, line {line}: `x.tolist() == [3.25, -1.5, 2.75]` is never true"
    ]
    assert not diagnosed("detection_head")["untaken"]

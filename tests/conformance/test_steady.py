"""A record says the same in every process, whatever order sets have there and where objects lie."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json, sys
from exportdb.cases.database import load
from exportdb.conformance.examine import examine
from exportdb.devices.builtin import Cpu
from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.torch_export import Export, ExportStrict
from exportdb.suites.cases import CaseProgram
cases = load().cases
for case in sys.argv[1:]:
    for exporter in (Export(), ExportStrict(), MakeFx()):
        record = examine(CaseProgram(cases[case]), exporter, Cpu())
        print("record", json.dumps(record.with_(seconds={}, cost={}).to_json(), sort_keys=True))
"""
CASES = (
    "autograd/func_grad", "inputs/dataclass_output", "inputs/cache_object",
    "custom_operators/without_fake_kernel", "python/id_comparison", "control_flow/cond_on_size",
)  # fmt: skip


def records(seed: int) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, *CASES],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if line.startswith("record ")]


@pytest.mark.slow
def test_three_processes_with_other_hash_seeds_make_the_same_records():
    first = records(0)
    assert len(first) == 3 * len(CASES)
    for seed in (1, 2):
        for one, other in zip(first, records(seed), strict=True):
            a, b = (json.loads(line.removeprefix("record ")) for line in (one, other))
            assert {k: (v, b[k]) for k, v in a.items() if v != b[k]} == {}

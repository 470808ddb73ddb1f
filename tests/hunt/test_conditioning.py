"""Wrong values that are nobody's fault are no cause of a hunt, and those of an exporter are."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.options import Options
from exportdb.hunt.conditioning import ill_conditioned
from exportdb.plugins import PluginRef
from exportdb.records.outcome import Outcome
from exportdb.resolve import find_devices, find_exporters
from exportdb.runner.examining import examine
from exportdb.suites.cases import CaseProgram

#: Two exporters: one computes each operator in double, one has an operator wrong.
EXPORTERS = """
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.hunt.conditioning import ComputedInDouble


class Half(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result / 2 if "addmv" in str(func) else result


class Exact:
    name = "exact"
    mode = ComputedInDouble

    def capture(self, program):
        def run(*args, **kwargs):
            with self.mode():
                return program.module(*args, **kwargs)
        return run


class Wrong(Exact):
    name = "wrong"
    mode = Half
"""
#: A sum that is added to what is given.
CASE = '''"""
title: A
description: B
"""
import torch


class Model(torch.nn.Module):
    def forward(self, a, m, v):
        return torch.addmv(a, m, v)


def inputs():
    m, v = 100 * torch.randn(5, 64), 100 * torch.randn(64)
    return {}, m, v
'''
CANCELS, ORDINARY = "-(m.double() @ v.double()).float()", "torch.randn(5)"


@pytest.mark.parametrize(
    ("exporter", "given", "outcome", "open_"),
    [
        ("Exact", CANCELS, Outcome.WRONG, True),
        ("Exact", ORDINARY, Outcome.SUPPORTED, False),
        ("Wrong", ORDINARY, Outcome.WRONG, False),
    ],
)
def test_a_sum_that_cancels_is_nobody_s_fault(
    tmp_path: Path, exporter: str, given: str, outcome: Outcome, open_: bool
) -> None:
    (tmp_path / "mine.py").write_text(EXPORTERS)
    (mine,), (cpu,) = find_exporters([f"{tmp_path / 'mine.py'}:{exporter}"]), find_devices(["cpu"])
    text = CASE.format(given)
    program = CaseProgram(parse_case("hunt/p", tmp_path / "p.py", text), "hunt")
    told = examined(program, mine, cpu)
    assert told["outcome"] == outcome
    if outcome is Outcome.WRONG:
        (sample,) = [s for s in told["samples"] if s["result"] == "disagrees"][:1]
        asked = (program, mine, cpu, Options(), sample["name"])
        assert ill_conditioned(*asked, sample["message"]) is open_


def examined(program: CaseProgram, exporter: PluginRef, device: PluginRef) -> dict[str, object]:
    return dict(examine(program, exporter, device, Options())["record"])

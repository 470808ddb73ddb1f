"""What is done with an exported program: decomposed, exported again, unflattened, saved."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from exportdb.exporters.exported import ExportDecomposed, ExportRetraced, ExportUnflattened
from exportdb.exporters.moved import ExportMoved
from exportdb.exporters.protocol import Program
from exportdb.exporters.saved import ExportSaved

from ..conformance.conftest import results
from .conftest import IN_PLACE, SCALE, VALUE_BRANCH

ALL = (ExportDecomposed, ExportRetraced, ExportUnflattened, ExportSaved)


@pytest.mark.parametrize("exporter", ALL)
def test_a_size_stays_open_and_its_range_is_kept(examine, exporter):
    record = examine(SCALE, exporter())
    assert record.outcome == "supported"
    assert results(record)["n=8"] == "agrees"
    assert results(record)["n=9"] == "refused" or "accepts-outside-range" in {
        f.id for f in record.findings
    }


@pytest.mark.parametrize("exporter", ALL)
def test_what_is_changed_in_place_is_seen_and_aliases_are_kept(examine, exporter):
    record = examine(IN_PLACE, exporter())
    assert (record.outcome, record.findings) == ("supported", ())


@pytest.mark.parametrize("exporter", ALL)
def test_what_export_refuses_is_refused_in_the_same_phase(examine, exporter):
    record = examine(VALUE_BRANCH, exporter())
    assert (record.outcome, record.phase) == ("refused", "capture")


def test_decomposing_reaches_core_operators(examine):
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 2)

        def forward(self, x):
            return torch.nn.functional.relu_(self.linear(x))

    def inputs():
        return torch.randn(4, 3)
    """
    record = examine(program, ExportDecomposed())
    assert record.outcome == "supported"
    assert "aten.addmm.default" in record.graph
    assert "aten.linear.default" not in record.graph and "relu_" not in record.graph
    assert set(record.seconds) >= {"capture", "decompose"}


def test_a_saved_program_runs_where_only_its_operators_are_known(examine):
    """The operator is registered by the program's own file, and its numbers by nobody here."""
    record = examine(
        """
        import os

        @torch.library.custom_op("exportdb_saved::where", mutates_args=())
        def where(x: torch.Tensor) -> torch.Tensor:
            return x + int(os.environ.get("EXPORTDB_SAVED_HERE", "0"))

        @where.register_fake
        def _(x):
            return torch.empty_like(x)

        os.environ["EXPORTDB_SAVED_HERE"] = "0"

        class Model(torch.nn.Module):
            def forward(self, x):
                return torch.ops.exportdb_saved.where(x)

        def inputs():
            return torch.randn(3)
        """,
        ExportSaved(),
    )
    assert record.outcome == "supported"


def test_a_saved_program_is_as_new_for_every_sample(examine):
    """Its constants too, which it may change."""
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.kept = {"sum": torch.zeros(4)}

        def forward(self, x):
            return x + self.kept["sum"].add_(x.mean(0))

    def inputs():
        return torch.randn(3, 4)
    """
    found = results(examine(program, ExportSaved()))
    assert found["other values"] == "agrees", found
    assert "disagrees" not in found.values()


def test_a_saved_program_runs_in_the_modes_of_its_caller():
    import torch

    class Multiplies(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(3, 3))

        def forward(self, x):
            return x @ self.weight

    artifact = ExportSaved().capture(Program(Multiplies(), (torch.ones(2, 3),), {}, None, "cpu"))
    assert artifact(torch.ones(2, 3)).requires_grad
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        got = artifact(torch.ones(2, 3))
    assert (got.dtype, got.requires_grad) == (torch.bfloat16, False)


def test_a_call_of_a_saved_program_that_raises_within_vmap_changes_nothing_for_the_next():
    import torch

    class Jitters(torch.nn.Module):
        def forward(self, x):
            jitter = torch.vmap(lambda row: row + torch.rand_like(row), randomness="same")
            return jitter(x) + x.argmax(0)

    n = torch.export.Dim("n", min=2, max=9)
    program = Program(Jitters(), (torch.zeros(3, 3),), {}, {"x": {0: n}}, "cpu")
    artifact = ExportSaved().capture(program)
    with pytest.raises(IndexError):
        artifact(torch.zeros(0, 3))
    assert artifact(torch.zeros(2, 3)).shape == (2, 3)


def test_a_saved_program_runs_in_another_process():
    import torch

    class Draws(torch.nn.Module):
        def forward(self, x):
            return x + torch.rand(3)

    artifact = ExportSaved().capture(Program(Draws(), (torch.zeros(3),), {}, None, "cpu"))
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    assert torch.equal(artifact(torch.zeros(3)), wanted), "random numbers come from the caller"
    with pytest.raises(Exception, match=r"shape|size|Guard"):
        artifact(torch.zeros(4))


DIES = '''"""
title: Dies where it was loaded
description: The operator ends every process but the one it was captured in.
tags: [torch.dynamic-shape]
"""
import os
import sys

import torch


@torch.library.custom_op("exportdb_saved::ends", mutates_args=())
def ends(x: torch.Tensor) -> torch.Tensor:
    if "saved_server" in sys.argv[0]:
        os.kill(os.getpid(), 11)
    return x + 1


@ends.register_fake
def _(x):
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_saved.ends(x)


def inputs():
    return torch.randn(3)
'''


@pytest.mark.slow
def test_a_signal_that_ends_the_other_process_is_the_outcome(tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    words = ["run", "dies.py", "--exporter", "export-saved", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    record = json.loads(done.stdout.splitlines()[1])
    assert (record["outcome"], record["phase"]) == ("crashed", "run"), done.stderr
    assert "SIGSEGV" in record["error"]["message"]


def test_what_the_program_puts_on_another_device_is_not_moved(examine):
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, shape_only):
            return x[: shape_only.shape[0]]

    def inputs():
        return torch.randn(5), torch.empty(3, device="meta")
    """
    record = examine(program, ExportMoved())
    assert record.outcome == "supported", record.error

"""AOTInductor: native code on the module's own state; packages kept, never for another program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from exportdb.exporters import aot_inductor
from exportdb.exporters.aot_inductor import AotInductor, AotInductorChecked

from ..conformance.conftest import results

pytestmark = pytest.mark.skipif(AotInductor().unusable() is not None, reason="needs a C++ compiler")

COUNT = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total.add_({step})
        return x + self.total

dynamic_shapes = {{"x": {{0: Dim("n", min=2, max=8)}}}}

def inputs(n=5):
    return torch.randn(n, 3)
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where packages are kept in this test."""
    import torch

    monkeypatch.setenv(aot_inductor.FOLDER, str(tmp_path / "packages"))
    monkeypatch.setenv(aot_inductor.CHECK, "0")
    # Compiling the headers by themselves takes longer than these programs with them.
    with torch._inductor.config.patch({"aot_inductor.precompile_headers": False}):
        yield tmp_path / "packages"


@pytest.mark.slow
def test_a_package_is_used_again_for_the_same_program_alone(examine, packages):
    record = examine(COUNT.format(step=1), AotInductor())
    assert record.outcome in ("supported", "unguarded")
    assert results(record)["n=8"] == "agrees", "the buffer is changed where the module has it"
    first = {p: p.stat().st_mtime_ns for p in packages.iterdir()}
    assert len(first) == 1

    checked = examine(COUNT.format(step=1), AotInductorChecked())
    assert checked.outcome == "supported"
    assert {p: p.stat().st_mtime_ns for p in packages.iterdir()} == first
    assert checked.seconds["lower"] < record.seconds["lower"] / 2

    changed = examine(COUNT.format(step=2), AotInductor())
    assert results(changed)["n=8"] == "agrees"
    assert len(list(packages.iterdir())) == 2, "a changed program has a package of its own"


AUTO = """
class Model(torch.nn.Module):
    def forward(self, x, y):
        n, m = x.shape[0], y.shape[0]
        return x.sum() * y.sum() * (3 if n * m > 40 else 1)

dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}

def inputs():
    return torch.randn(6), torch.randn(9)
"""


@pytest.mark.slow
def test_the_facts_are_those_of_the_capture_whether_or_not_it_was_compiled_now(examine, packages):
    compiled, kept = (examine(AUTO, AotInductor()) for _ in range(2))
    assert len(list(packages.iterdir())) == 1
    assert compiled.facts["counts"]["guards"] == 1, "the compiler adds bounds of both sizes"
    assert compiled.facts == kept.facts


def test_other_settings_and_another_compiler_are_another_package(monkeypatch, packages):
    import torch

    from exportdb.exporters.protocol import Program
    from exportdb.exporters.torch_export import exported

    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    program = Program(Model(), (torch.zeros(3),), {}, None, "cpu")
    key = aot_inductor._key(exported(program), program)
    assert key == aot_inductor._key(exported(program), program)
    with torch._inductor.config.patch(max_fusion_size=7):
        assert aot_inductor._key(exported(program), program) != key
    with torch._inductor.config.patch({"cpp.cxx": (None, "cc")}):
        assert aot_inductor._key(exported(program), program) != key
    monkeypatch.setattr(aot_inductor, "_compiler", lambda: "the same, a version later")
    assert aot_inductor._key(exported(program), program) != key


KEY = """
import torch
from exportdb.exporters.aot_inductor import _key
from exportdb.exporters.protocol import Program
from exportdb.exporters.torch_export import exported

program = Program(torch.nn.Linear(3, 3).eval(), (torch.zeros(2, 3),), {}, None, "cpu")
torch.nn.init.ones_(program.module.weight), torch.nn.init.ones_(program.module.bias)
print(_key(exported(program), program))
"""


@pytest.mark.slow
def test_the_same_program_has_the_same_package_in_another_process():
    """Packages are kept from run to run, and every run is a process of its own."""
    keys = {
        subprocess.run(
            [sys.executable, "-c", KEY], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(keys) == 1

"""``exportdb.examine``: a module of one's own, examined from Python."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
import torch
from torch.export import Dim

import exportdb
from exportdb.exporters.protocol import Exporter
from exportdb.plugins import PluginError
from exportdb.records.display import as_text
from exportdb.records.record import ErrorInfo, Record
from exportdb.suites.protocol import ProgramError

N = Dim("n", min=1, max=8)
SHAPES = {"x": {0: N}}


class Centred(torch.nn.Module):
    """Centres rows, and leaves a single row as it is."""

    def forward(self, x):
        return x - x.mean(0) if x.shape[0] > 1 else x


class OnesOnly(torch.nn.Module):
    """Takes at least two rows, of ones."""

    def forward(self, x, scale=1):
        if len(x) < 2 or bool((x != 1).any()):
            raise ValueError("not what this is for")
        return x * scale


class Pairs(torch.nn.Module):
    """Refuses a single row, which tracing takes to be impossible."""

    def forward(self, x):
        if x.shape[0] == 1:
            raise ValueError("a single row")
        return x * 2


class Itself(Exporter):
    def capture(self, program):
        return program.module


class Ends(Exporter):
    def capture(self, program):
        os._exit(3)


def here(module, *args, **options) -> Record:
    return exportdb.examine(module, args, isolated=False, **options)


def results(record: Record) -> dict[str, str]:
    return {s.name: s.result for s in record.samples}


def test_the_sizes_of_the_example_are_varied_along_its_dims() -> None:
    record = here(Centred(), torch.randn(5, 3), dynamic_shapes=SHAPES)
    assert (record.suite, record.case, record.exporter) == ("memory", "Centred", "export")
    assert record.outcome == "wrong"
    assert {n for n, r in results(record).items() if r == "disagrees"} == {"n=1"}
    assert {"example", "other values", "n=1", "n=0", "n=8", "n=9"} <= results(record).keys()


def test_what_eager_refuses_of_guessed_inputs_must_be_refused() -> None:
    record = here(OnesOnly(), torch.ones(5), dynamic_shapes=SHAPES, exporter=Itself)
    assert record.outcome == "supported"
    assert [(s.role, s.result) for s in record.samples if s.name == "n=1"] == [
        ("rejects", "refused")
    ]
    record = here(Pairs(), torch.ones(5), dynamic_shapes=SHAPES)
    assert record.outcome == "unguarded" and results(record)["n=1"] == "unguarded"
    outside = {f.id: f.message for f in record.findings}["accepts-outside-range"]
    assert "n=1:" not in outside  # it lies within what is declared


def test_what_is_said_to_be_accepted_must_run_in_eager() -> None:
    def inputs(n=5):
        return torch.zeros(n)

    record = here(OnesOnly(), dynamic_shapes=SHAPES, inputs=inputs)
    assert (record.outcome, record.phase) == ("error", "eager")
    record = here(OnesOnly(), torch.ones(5), accepts=[(torch.zeros(2),)], exporter=Itself)
    assert record.outcome == "error" and results(record)["accepts[0]"] == "eager-failed"


def test_inputs_of_ones_own_take_sizes_as_those_of_a_case_do() -> None:
    def inputs(n=5, k=3):
        return (torch.ones(n),), {"scale": k}

    record = here(OnesOnly(), dynamic_shapes={"x": {0: Dim("n", min=2, max=8)}, "scale": None},
                  inputs=inputs, dims={"k": (3, 3)}, exporter=Itself)  # fmt: skip
    assert record.outcome == "supported" and results(record)["n=2, k=3"] == "agrees"
    unknown = here(OnesOnly(), dynamic_shapes=SHAPES, inputs=inputs)
    assert unknown.outcome == "error"
    assert "the parameter k, but no Dim has this name" in unknown.error.message


def test_samples_of_ones_own_count() -> None:
    def refused():
        yield torch.zeros(5)

    record = here(OnesOnly(), torch.ones(5), rejects=refused, exporter="jit-trace",
                  accepts=[(torch.ones(5), 2)])  # fmt: skip
    assert results(record)["rejects[0]"] == "unguarded"
    assert results(record)["accepts[0]"] in ("raised", "disagrees")


@pytest.mark.parametrize(
    "exporter", [Itself, Itself(), f"{Path(__file__).with_name('broken_exporters.py')}:Sound"]
)
def test_an_exporter_is_a_name_a_class_an_instance_or_a_file(exporter) -> None:
    record = here(Centred(), torch.randn(5, 3), exporter=exporter)
    assert record.outcome == "supported" and record.exporter.lower() in ("itself", "sound")


def test_what_cannot_be_is_said_before_anything_runs() -> None:
    with pytest.raises(PluginError, match="did you mean export"):
        here(Centred(), torch.ones(2, 2), exporter="exprt")
    misspelt = type("Misspelt", (Itself,), {"lacks": {"trainign"}})
    for isolated in (True, False):
        with pytest.raises(PluginError, match="'trainign', which is no capability; did you mean"):
            exportdb.examine(Centred(), (torch.ones(2, 2),), exporter=misspelt, isolated=isolated)
    with pytest.raises(TypeError, match="args is a Tensor; give a tuple"):
        exportdb.examine(Centred(), torch.ones(2, 2))
    with pytest.raises(ValueError, match="timeout is inf; give a number of seconds"):
        exportdb.examine(Centred(), (torch.ones(2, 2),), timeout=float("inf"))
    with pytest.raises(ProgramError, match="Centred: x"):
        here(Centred(), torch.ones(5), dynamic_shapes={"x": {0: 2 * N}})


def test_what_cannot_be_sent_to_another_process_says_the_way_out() -> None:
    module = Centred()
    module.lock = threading.Lock()
    with pytest.raises(ProgramError, match=r"cannot pickle .*isolated=False"):
        exportdb.examine(module, (torch.ones(2, 2),))


def test_nothing_of_the_caller_is_changed() -> None:
    class Counts(torch.nn.Module):
        calls = 0

        def forward(self, x):
            self.calls += 1
            return x.add_(1)

    module, x = Counts(), torch.zeros(3)
    torch.manual_seed(5)
    random.seed(5)
    before = torch.get_rng_state(), random.getstate()
    here(module, x, exporter=Itself)
    assert module.calls == 0 and x.tolist() == [0, 0, 0]
    assert torch.equal(torch.get_rng_state(), before[0]) and random.getstate() == before[1]


def test_gradients_are_compared_when_asked_for() -> None:
    module = torch.nn.Linear(3, 2)
    assert here(module, torch.ones(4, 3), train=True, exporter=Itself).outcome == "supported"


def test_a_local_class_and_a_death_in_a_process_of_its_own() -> None:
    class Local(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(3.0))

        def forward(self, x):
            return x * self.scale

    record = exportdb.examine(Local(), (torch.ones(5, 2),), dynamic_shapes=SHAPES)
    assert record.outcome == "supported" and record.case_digest
    died = exportdb.examine(Local(), (torch.ones(5, 2),), exporter=Ends)
    assert (died.outcome, died.phase, died.case) == ("crashed", "capture", "Local")


class Slow(Itself):
    timeout_factor = 8.0

    def capture(self, program):
        time.sleep(3)
        return super().capture(program)


def test_an_exporter_of_ones_own_has_the_time_that_it_asks_for() -> None:
    record = exportdb.examine(torch.nn.Linear(3, 2), (torch.ones(4, 3),), exporter=Slow, timeout=2)
    assert record.outcome == "supported"


def test_it_is_told_in_a_few_lines_and_in_html() -> None:
    record = here(Centred(), torch.ones(5, 3), dynamic_shapes=SHAPES)
    assert repr(record) == "<Record Centred · export · cpu: wrong>"
    text = str(record)
    for part in ("Centred with export on cpu: ≠ wrong", "silently disagreed", "ranges ",
                 "accepts n=1: disagrees: output[0, 0] is 1.0 in eager, 0.0 in capture",
                 "range-wider-than-guards", "next "):  # fmt: skip
        assert part in text
    assert max(map(len, text.splitlines())) <= 100
    page = record.with_(case="<b>")._repr_html_()
    assert "&lt;b&gt; with export" in page and "<details><summary>graph" in page


def test_a_refusal_says_what_to_do() -> None:
    class Branches(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x

    text = str(here(Branches(), torch.ones(3)))
    assert "in capture: GuardOnDataDependentSymNode" in text
    assert "next      E0001" in text and "exportdb show control_flow/branch_on_value" in text


def test_the_source_of_a_cell_goes_with_its_class(tmp_path: Path) -> None:
    """TorchScript reads source, which a class of a notebook has in memory only."""
    lines = [
        "class Cell(torch.nn.Module):", "    def forward(self, x):", "        return x * 2",
    ]  # fmt: skip
    script = f"""
    import linecache, torch, exportdb
    lines, name = {[f"{line}{chr(10)}" for line in lines]!r}, "/tmp/ipykernel_1/2.py"
    linecache.cache[name] = (1, None, lines, name)
    exec(compile("".join(lines), name, "exec"), globals())
    print(exportdb.examine(Cell(), (torch.ones(3),), exporter="jit-script").outcome)
    """
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(script))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "supported\n", done.stderr


@pytest.mark.parametrize("name", ["examine", "explain", "diagnose"])
def test_what_a_notebook_calls_is_there_after_one_import_and_imports_no_torch(name: str) -> None:
    code = f"import sys, exportdb; assert callable(exportdb.{name}); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_long_message_is_never_cut_before_the_part_that_holds_the_fix():
    message = "no\n" + "and so on\n" * 9 + "\nSuggested fixes:\n  n = 5\n"
    error = ErrorInfo("UserError", message, "f")
    record = Record("Net", "export", "cpu", "refused", "capture", error=error)
    assert "Suggested fixes:" in as_text(record) and "n = 5" in as_text(record)

"""Which outcome a capture earns: small programs, real exporters, no hand-written expectation."""

from __future__ import annotations

import time

import pytest

from exportdb.devices.builtin import Cpu, Meta
from exportdb.exporters.jit_trace import JitTrace
from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.protocol import Exporter
from exportdb.exporters.torch_export import Export, ExportStrict

from .conftest import results

SIZE_BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100

dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}

def inputs(n=5):
    return torch.randn(n)
"""

VALUE_BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x - 1

def inputs():
    return torch.ones(3)

def accepts():
    yield -torch.ones(3)
"""


def test_a_size_branch_below_two_is_silently_wrong_at_one(examine):
    """No sample is written by hand: n = 1 is the declared minimum, so the suite tries it."""
    for exporter in (Export(), ExportStrict()):
        record = examine(SIZE_BRANCH, exporter)
        assert record.outcome == "wrong"
        assert [n for n, r in results(record).items() if r == "disagrees"] == ["n=1"]
        assert "range-wider-than-guards" in {f.id for f in record.findings}


def test_a_branch_on_a_value_is_refused_by_export_and_baked_by_tracing(examine):
    assert examine(VALUE_BRANCH, Export()).outcome == "refused"
    assert examine(VALUE_BRANCH, JitTrace()).outcome == "wrong"


def test_make_fx_bakes_a_branch_on_an_item(examine):
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x, k):
                return x + 1 if k > 3 else x - 1

        def inputs():
            return torch.ones(3), 5

        def accepts():
            yield torch.ones(3), 2
        """,
        MakeFx(),
    )
    assert record.outcome == "wrong"


def test_an_accepted_size_that_the_capture_refuses_makes_it_specialized(examine):
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                return x * 2

        def inputs():
            return torch.ones(3)

        def accepts():
            yield torch.ones(4)
        """
    )
    assert record.outcome == "specialized"
    assert record.error is not None and record.error.fingerprint
    assert results(record)["accepts[0]"] == "raised"


def test_running_on_what_eager_refuses_is_unguarded(examine):
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                if bool((x < 0).any()):
                    raise ValueError("negative")
                return x.sqrt()

        def inputs():
            return torch.ones(3)

        def rejects():
            yield -torch.ones(3)
        """,
        JitTrace(),
    )
    assert record.outcome == "unguarded"


def test_eager_that_fails_on_an_accepted_size_is_the_fault_of_the_case(examine):
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                return x.max()

        dynamic_shapes = {"x": {0: Dim("n", max=9)}}

        def inputs(n=5):
            return torch.randn(n)
        """
    )
    assert record.outcome == "error"
    assert "n=0" in record.error.message


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("x = 1/0", "division by zero"),
        ("def inputs(): return torch.ones(2)", "defines no Model"),
        ("class Model(torch.nn.Module): pass", "defines no inputs"),
        ("Model = torch.nn.ReLU\ndef inputs(n=3): return torch.ones(n)", "no Dim has this name"),
    ],
)
def test_a_broken_program_is_an_error_record(examine, program, complaint):
    record = examine(program)
    assert (record.outcome, record.phase) == ("error", "setup")
    assert complaint in record.error.message


def test_python_state_baked_into_the_capture_shows_on_the_second_call(examine):
    record = examine(
        """
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                self.calls += 1
                return x * self.calls

        def inputs():
            return torch.ones(3)
        """
    )
    assert record.outcome == "wrong"
    assert results(record)["example, called again"] == "disagrees"


def test_gradients_are_compared_when_the_case_trains(examine):
    program = """
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 5

    class Model(torch.nn.Module):
        def forward(self, x):
            return Double.apply(x)

    def inputs():
        return torch.ones(3, requires_grad=True)
    """

    class LosesGradient(Exporter):
        name = "loses-gradient"

        def capture(self, program):
            return lambda x: x * 2

    assert examine(program, LosesGradient()).outcome == "supported"
    trained = examine(program, LosesGradient(), more="train: true\n")
    assert trained.outcome == "wrong"
    assert "gradient of input" in trained.samples[0].message


def test_the_worst_of_several_models_counts(examine):
    record = examine(
        """
        class Good(torch.nn.Module):
            def forward(self, x):
                return x + 1

        class Bad(torch.nn.Module):
            def forward(self, x):
                return x + 1 if x.sum() > 0 else x

        def inputs():
            return torch.ones(3)
        """,
        more="models: [Good, Bad]\n",
    )
    assert record.outcome == "refused"
    assert record.samples[0].name == "Good: example"


def test_what_is_declared_missing_is_unavailable_and_nothing_runs(examine):
    record = examine("raise RuntimeError('never imported')", more="requires: [cuda]\n")
    assert record.outcome == "unavailable"
    record = examine(
        "raise RuntimeError('never imported')", device=Meta(), more="requires: [values]\n"
    )
    assert record.outcome == "unavailable"
    record = examine("raise RuntimeError('never imported')", more="requires: [torch>=99]\n")
    assert record.outcome == "unavailable" and "torch>=99" in record.error.message


def test_on_meta_shapes_are_compared(examine):
    assert examine(SIZE_BRANCH, device=Meta()).outcome == "predicted"


def test_an_exporter_that_exits_or_exhausts_memory_is_a_crash(examine):
    class Quits(Exporter):
        name = "quits"

        def capture(self, program):
            raise SystemExit(3)

    class OutOfMemory(Exporter):
        name = "out-of-memory"

        def capture(self, program):
            raise MemoryError

    assert examine(SIZE_BRANCH, Quits()).outcome == "crashed"
    assert examine(SIZE_BRANCH, OutOfMemory()).outcome == "crashed"


def test_phases_are_announced_and_timed(examine):
    class Lowers(Exporter):
        name = "lowers"

        def capture(self, program):
            program.announce("lower")
            raise NotImplementedError("no such operator")

    seen: list[str] = []
    record = examine(SIZE_BRANCH, Lowers(), Cpu(), announce=seen.append)
    steps = [name for name in seen if ": " not in name]
    assert steps == ["setup", "eager", "capture", "lower"]
    # Should eager end the process, it is known on which sample.
    assert {name.partition(": ")[0] for name in seen if ": " in name} == {"eager"}
    assert (record.outcome, record.phase) == ("refused", "lower")
    assert set(record.seconds) == {"setup", "eager", "capture", "lower"}
    sizes = {"dims_asked", "dims_unknown"}  # of a refusal nothing else is known
    assert record.cost.keys() == {"peak_mib", *sizes}, "there is nothing else to count"


def test_the_first_call_is_timed_alone(examine):
    class CompilesAtLast(Exporter):
        name = "compiles-at-last"

        def capture(self, program):
            import torch

            from exportdb.exporters.protocol import Artifact

            module, calls = torch.export.export(program.module, program.args).module(), []

            def call(*args):
                calls.append(1)
                time.sleep(0.2 if len(calls) == 1 else 0.0)
                return module(*args)

            return Artifact(call)

    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    def inputs():
        return torch.ones(3)
    """
    assert 0.2 <= examine(program, CompilesAtLast()).cost["first_call"] < 0.4


class Converts(Exporter):
    """A converter for a runtime that is not here; its artifact must never be called."""

    name = "converts"

    def capture(self, program):
        import torch

        from exportdb.exporters.protocol import Artifact

        exported = torch.export.export(program.module, program.args)
        program.announce("lower")

        def call(*args):
            raise AssertionError("there is nothing to call")

        return Artifact(call, exported_program=exported, compares="nothing")


def test_what_was_converted_and_cannot_run_is_no_pass_and_keeps_its_graph(examine):
    record = examine(
        """
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1

def inputs():
    return torch.ones(3)
""",
        Converts(),
    )
    assert (record.outcome, record.phase) == ("converted", "lower")
    assert record.samples == ()
    assert "aten.add" in record.graph
    assert record.cost["nodes"] == 1 and "peak_mib" in record.cost


def test_a_module_may_hold_a_matrix_in_compressed_rows(examine) -> None:
    # torch itself cannot deep-copy one; eager runs all the same, and what refuses is the exporter.
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.matrix = torch.eye(3).to_sparse_csr()

        def forward(self, x):
            return self.matrix @ x + 1

    def inputs():
        return torch.randn(3, 4)
    """
    record = examine(program, Export())
    assert (record.outcome, record.phase) == ("refused", "capture")

"""torch.compile: one graph, the sizes it declares, recompilations, graph breaks, gradients."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
import torch

from exportdb.exporters.torch_compile import (
    AotEager,
    AotEagerTrain,
    DynamoUnspec,
    Inductor,
    InductorBreaks,
)

from ..conformance.conftest import results
from .conftest import IN_PLACE, SCALE, VALUE_BRANCH

SIZE_BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] > {at} else x * 100

dynamic_shapes = {{"x": {{0: Dim("n", min={low}, max=8)}}}}

def inputs(n=5):
    return torch.randn(n)
"""

MULTIPLY = """
class Model(torch.nn.Module):
    def forward(self, x, k):
        return x * k

def inputs():
    return torch.randn(3), 5

def accepts():
    yield torch.randn(3), 6
    yield torch.randn(3), 7
"""


def test_one_graph_for_every_declared_size(examine):
    record = examine(SCALE, AotEager())
    assert record.outcome == "supported"
    assert record.cost["graphs"] == 1 and record.cost["recompilations"] == 0
    assert record.cost["nodes"] > 0 and record.cost["guards"] > 0 and record.cost["symbols"] > 0


ONE_SIZE_IS_BAKED = """
class Model(torch.nn.Module):
    def forward(self, x, y, more):
        return x + y.reshape(3, -1).sum() + more["z"].sum()

auto = torch.export.Dim.AUTO
dynamic_shapes = {"x": {0: auto}, "y": {0: auto, 1: auto}, "more": {"z": {0: auto}}}

def inputs():
    return torch.randn(5), torch.randn(6, 4), {"z": torch.randn(7)}
"""


@pytest.mark.parametrize("baked", ["y.reshape(3, -1)", "y.expand(6, 4)"])
def test_a_record_says_which_sizes_stayed_dynamic(examine, baked):
    record = examine(ONE_SIZE_IS_BAKED.replace("y.reshape(3, -1)", baked), AotEager())
    kept = {d["source"]: (d["asked"], d["kept"]) for d in record.facts["display"]["dims"]}
    constant = "expand" in baked
    assert kept == {
        "x.size()[0]": ("AUTO", True), "y.size()[0]": ("AUTO", not constant),
        "y.size()[1]": ("AUTO", not constant), "more['z'].size()[0]": ("AUTO", True),
    }  # fmt: skip
    assert (record.cost["dims_asked"], record.cost["dims_kept"]) == (4, 2 if constant else 4)


class WrongAtFirst(AotEager):
    """Its graphs give a wrong answer once each, as one that is watched while it first runs does
    (pytorch#198118)."""

    backend = "wrong_at_first"

    def capture(self, program):
        torch._dynamo.register_backend(wrong_at_first, name=self.backend)
        return super().capture(program)


def wrong_at_first(module, inputs):
    wrong = iter([1])
    return lambda *args: [value + next(wrong, 0) for value in module(*args)]


def test_the_first_call_that_is_compared_compiles_as_a_users_does(examine):
    record = examine(SCALE, WrongAtFirst())
    assert record.outcome == "wrong"
    assert results(record)["example"] == "disagrees"
    assert record.cost["graphs"] == 1 and record.cost["recompilations"] == 0


def test_a_size_out_of_range_may_compile_anew_and_counts_for_it(examine):
    record = examine(SCALE, AotEager())
    assert results(record)["n=9"] == "agrees"
    assert record.outcome == "supported"


def test_a_graph_for_sizes_in_range_alone_is_degraded(examine):
    """Sizes 0 and 1 are taken for constants, also where they are declared to be dynamic."""
    record = examine(SIZE_BRANCH.format(at=0, low=1), AotEager())
    assert record.outcome == "degraded"
    assert record.cost["recompilations"] == 1
    assert examine(SIZE_BRANCH.format(at=1, low=2), AotEager()).outcome == "supported"


def test_a_range_that_one_graph_cannot_have_is_refused(examine):
    record = examine(SIZE_BRANCH.format(at=3, low=2), AotEager())
    assert (record.outcome, record.error.type) == ("refused", "ConstraintViolationError")


@pytest.mark.parametrize(("bounds", "outcome"), [("min=2", "supported"), ("max=8", "degraded")])
def test_a_dim_may_declare_one_bound_alone(examine, bounds, outcome):
    """Where no lower bound is declared, sizes 0 and 1 are in range, and graphs of their own."""
    program = SCALE.replace("min=2, max=8", bounds)
    assert program != SCALE
    record = examine(program, AotEager())
    assert record.outcome == outcome, record.error
    assert record.cost["symbols"] > 0


class Breaks(AotEager):
    """What ``inductor-breaks`` does, without a C++ compiler."""

    name = "breaks"
    arguments = InductorBreaks.arguments


def test_what_breaks_the_graph_is_refused_or_degraded(examine):
    assert examine(VALUE_BRANCH, AotEager()).outcome == "refused"
    record = examine(VALUE_BRANCH, Breaks())
    assert record.outcome == "degraded"
    assert record.cost["graph_breaks"] == 1 and record.cost["graphs"] == 2


@pytest.mark.parametrize(
    ("body", "graphs"),
    [("y = x + 1; torch._dynamo.graph_break(); return y", 1), ("return x + len(x.tolist())", 1),
     ("exec('y = x + 1'); return x", 0)],
)  # fmt: skip
def test_a_break_is_degraded_however_many_graphs_it_leaves(examine, body, graphs):
    program = f"""
    class Model(torch.nn.Module):
        def forward(self, x):
            {body}

    def inputs():
        return torch.randn(3)
    """
    record = examine(program, Breaks())
    assert record.outcome == "degraded"
    assert record.cost["graphs"] == graphs and record.cost["graph_breaks"] == 1


def test_a_program_without_operators_is_no_degraded_one(examine):
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x

    def inputs():
        return torch.randn(3)
    """
    assert examine(program, AotEager()).outcome == "supported"


def test_what_the_module_keeps_in_python_begins_anew_with_every_sample(examine):
    """The capture is the live module: calls it has counted must not spoil the next sample."""
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.calls, self.seen = 0, []

        def forward(self, x):
            self.calls += 1
            self.seen.append(1)
            return x * self.calls + len(self.seen)

    def inputs():
        return torch.ones(3)

    def accepts():
        yield -torch.ones(3)
    """
    record = examine(program, AotEager())
    assert set(results(record).values()) == {"agrees"}
    assert record.outcome == "degraded", "a second call has another number, and another graph"


def test_a_buffer_that_training_changed_begins_anew_without_its_history(examine):
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("in_place", torch.zeros(3))
            self.register_buffer("assigned", torch.zeros(3))

        def forward(self, x):
            self.in_place.add_(x)
            self.assigned = self.assigned + x * 2
            return self.in_place * self.assigned

    def inputs():
        return torch.randn(3)
    """
    record = examine(program, AotEagerTrain())
    assert set(results(record).values()) == {"agrees", "refused"}
    assert record.outcome == "degraded", "a second call meets buffers that have a history"


def test_in_place_changes_and_aliases_are_kept(examine):
    assert examine(IN_PLACE, AotEager()).outcome == "supported"


def test_numbers_are_constants_unless_they_are_told_not_to_be(examine):
    assert examine(MULTIPLY, AotEager()).outcome == "degraded"
    assert examine(MULTIPLY, DynamoUnspec()).outcome == "supported"


def test_gradients_are_compared_without_a_training_case(examine):
    """The operator's backward is off by two; only a comparison of gradients can see it."""
    program = """
    @torch.library.custom_op("exportdb_{name}::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @twice.register_fake
    def _(x):
        return torch.empty_like(x)

    def backward(ctx, grad):
        return grad * (2 if {right} or not torch.compiler.is_compiling() else 4)

    twice.register_autograd(backward)

    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.ops.exportdb_{name}.twice(x)

    def inputs():
        return torch.randn(3)
    """
    assert examine(program.format(name="right", right=True), AotEagerTrain()).outcome == "supported"
    record = examine(program.format(name="off", right=False), AotEagerTrain())
    assert record.outcome == "wrong"
    assert "gradient" in next(s.message for s in record.samples if s.result == "disagrees")


def test_nothing_to_differentiate_is_said_to_be_so(examine):
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    def inputs():
        return torch.arange(3)
    """
    record = examine(program, AotEagerTrain())
    assert record.outcome == "unavailable"
    assert "nothing to differentiate" in record.error.message


def test_inputs_that_cannot_have_gradients_leave_those_of_parameters(examine):
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 2)

        def forward(self, x):
            y = self.linear(x)
            x.zero_()
            return y.detach() + y.sum()

    def inputs():
        return torch.randn(4, 3)
    """
    record = examine(program.replace("x.zero_()", "x.numpy()"), AotEagerTrain())
    assert record.outcome != "error"


def test_without_a_compiler_inductor_says_that_it_cannot(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "C++ compiler" in Inductor().unusable()
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert "no-such-compiler" in Inductor().unusable()


_COMPILE = """
import sys, torch
from torch._dynamo.utils import counters
from exportdb.exporters.protocol import Program
from exportdb.exporters.torch_compile import Inductor

class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() + float(constant)

torch._inductor.config.cpp_cache_precompile_headers = False  # slower than this program
for constant in sys.argv[1:]:
    x = torch.zeros(3)
    counters.clear()
    artifact = Inductor().capture(Program(Model(), (x,), {}, None, "cpu"))
    assert torch.equal(artifact(x), torch.full((3,), float(constant)))
    # The first call that is compared compiles again: it finds what the capture left.
    print(constant, "miss" if counters["inductor"]["fxgraph_cache_miss"] else "hit")
"""


@pytest.mark.slow
@pytest.mark.skipif(Inductor().unusable() is not None, reason="needs a C++ compiler")
def test_what_inductor_compiled_is_used_again_for_the_same_program_alone(tmp_path):
    def compiled(*constants: str) -> list[str]:
        return subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _COMPILE, *constants],
            env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path)},
            capture_output=True, text=True, check=True,
        ).stdout.split("\n")[:-1]  # fmt: skip

    assert compiled("3") == ["3 miss"]
    assert compiled("3", "4") == ["3 hit", "4 miss"], "a changed program compiles anew"


ENDS = """
class Model(torch.nn.Module):
    def forward(self, x, n):
        if n == 0 and x.requires_grad:
            raise ValueError("no gradient here")
        return x * 2

def inputs():
    return torch.randn(3), 1

def accepts():
    yield torch.randn(3), 0
"""


def test_a_sample_that_is_not_differentiable_is_left_out(examine):
    """The program was said to accept it, by nobody with a gradient."""
    record = examine(ENDS, AotEagerTrain())
    assert record.outcome != "error"
    assert "accepts[0]" not in {sample.name for sample in record.samples}


@pytest.mark.parametrize(("returned", "outcome"), [("x, x * 2", "lossy"), ("x * 2,", "supported")])
def test_an_input_that_is_returned_under_no_grad_has_no_gradient_to_lose(
    examine, returned, outcome
):
    program = f"""
class Model(torch.nn.Module):
    def forward(self, x):
        return {returned}

def inputs():
    return torch.randn(3)
"""

    class Copied(AotEagerTrain):
        name = "copied"

        def capture(self, program):
            return lambda x: tuple(t * 1 if t is x else t for t in program.module(x))

    record = examine(program, Copied())
    samples = {sample.name: sample.result for sample in record.samples}
    assert (record.outcome, samples["under no_grad"]) == (
        outcome, "agrees" if outcome == "supported" else "lossy",
    )  # fmt: skip


def test_a_buffer_that_the_capture_made_a_view_with_gradients_is_put_back(examine):
    program = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(4, 3))

    def forward(self, x):
        self.kept[1:] = self.kept[:-1].clone()
        self.kept[0] = x
        return self.kept.sum(0) * 2

def inputs():
    return torch.randn(3)
"""
    assert (
        examine(program, AotEagerTrain()).outcome == "degraded"
    )  # captured anew: it has gradients

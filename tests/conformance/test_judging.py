"""What a capture that damages its surroundings or its results cannot hide, and what is harmless."""

from __future__ import annotations

import copy
import functools
from dataclasses import replace

import pytest
import torch

from exportdb.exporters.protocol import Exporter

from .conftest import Made, results

ADDS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def inputs():
    return torch.randn(8)
"""

SOFTMAX = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(x, 0)

def inputs():
    return torch.randn(4, requires_grad=True)
"""

CONTAINER = """
class Model(torch.nn.Module):
    def forward(self, x):
        return {result}

def inputs():
    return torch.randn(3, 4)
"""


def altered(change):
    """An exporter whose captures run the program and give ``change`` of its output."""

    class Altered(Exporter):
        name = "altered"

        def capture(self, program):
            return lambda *args: change(program.module(*args))

    return Altered()


@pytest.fixture
def settings_put_back():
    threads = torch.get_num_threads()
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)


def findings(record) -> set[str]:
    return {finding.id for finding in record.findings}


class ReusesMemory(Exporter):
    """Gives every answer in one tensor, as CUDA graphs do."""

    name = "reuses-memory"

    def capture(self, program):
        answers: dict[torch.Size, torch.Tensor] = {}

        def call(x):
            out = program.module(x)
            return answers.setdefault(out.shape, out.clone()).copy_(out)

        return call


def test_memory_that_the_next_call_writes_to_is_wrong(examine):
    record = examine(ADDS, ReusesMemory())
    assert record.outcome == "wrong"
    assert results(record)["example, called again"] == "disagrees"
    assert "held-output-overwritten" in findings(record)


class NoGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.softmax(x, 0)

    @staticmethod
    def backward(ctx, gradient):
        return torch.zeros_like(gradient)


class OnceOnly(torch.autograd.Function):
    """A softmax whose gradient is right, and cannot be differentiated: it says so, or has none."""

    loud = False

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 0)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        y = y.detach()
        found = y * (gradient - (gradient * y).sum(0))
        return Refusing.apply(found, x) if OnceOnly.loud else found.detach()


class Refusing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, found, x):
        return found.clone()

    @staticmethod
    def backward(ctx, gradient):
        raise RuntimeError("differentiated twice")


@pytest.mark.parametrize(("loud", "outcome"), [(False, "wrong"), (True, "supported")])
def test_a_gradient_that_has_none_silently_is_seen(examine, monkeypatch, loud, outcome):
    monkeypatch.setattr(OnceOnly, "loud", loud)
    record = examine(SOFTMAX, Made(OnceOnly.apply), more="train: true\n")
    assert record.outcome == outcome
    told = [s.message for s in record.samples if s.result == "disagrees"]
    assert all("gradient of the gradient of input" in message for message in told)


def test_a_backward_that_gives_zero_is_seen_where_ones_have_no_gradient(examine):
    class ZeroBackward(Exporter):
        name = "zero-backward"

        def capture(self, program):
            return NoGradient.apply

    assert examine(SOFTMAX, ZeroBackward(), more="train: true\n").outcome == "wrong"
    assert examine(SOFTMAX, altered(lambda y: y), more="train: true\n").outcome == "supported"


@pytest.mark.parametrize(
    ("left", "outcome"), [(lambda x: x.clamp(min=0) + 1, "wrong"), (torch.relu, "supported")]
)
def test_an_operator_that_the_capture_left_patched_judges_nothing(
    examine, left, outcome, monkeypatch
):
    """A wrong one is not agreed with by an eager that uses it too; a harmless one harms nobody."""

    class Patches(Exporter):
        name = "patches"

        def capture(self, program):
            monkeypatch.setattr(torch, "relu", lambda x: left(x))
            return program.module

    assert examine(ADDS, Patches()).outcome == outcome


@pytest.mark.parametrize(
    ("result", "change", "outcome", "finding"),
    [
        ("[x, x + 1]", tuple, "lossy", "class-differs"),
        ("[x, x + 1]", lambda y: {0: y[0], 1: y[1]}, "wrong", None),
        ("(x + 1,)", lambda y: y[0], "wrong", None),
        ("x", lambda y: y.view_as(y), "lossy", "identity-differs"),
        # A copy of an input that lies scattered in its memory is dense.
        ("x", lambda y: y.clone(), "lossy", "alias-differs strides-differ"),
        ("x[1:]", lambda y: y.clone(), "lossy", "alias-differs strides-differ"),
        ("x.t() + 1", lambda y: y.contiguous(), "lossy", "strides-differ"),
        ("x * 0 - 0.0", lambda y: -y, "lossy", "zero-sign-differs"),
        ("x + 1", lambda y: y.requires_grad_(), "lossy", "requires-grad-differs"),
        ("x + 1", lambda y: torch.nn.Parameter(y, False), "lossy", "class-differs"),
        ("float(x.sum())", lambda y: y * (1 + 1e-7), "supported", None),
        ("float(x.sum())", lambda y: y * 1.01, "wrong", None),
        ("x + 1", lambda y: (torch.rand(1), y)[1], "lossy", "random-state-differs"),
    ],
)
def test_what_is_lost_beside_the_values(examine, result, change, outcome, finding):
    record = examine(CONTAINER.format(result=result), altered(change))
    assert record.outcome == outcome
    assert findings(record) == set((finding or "").split())
    assert examine(CONTAINER.format(result=result), altered(lambda y: y)).outcome == "supported"


def test_an_input_changed_by_a_call_that_raises_is_a_finding(examine):
    class ChangesAndRaises(Exporter):
        name = "changes-and-raises"

        def capture(self, program):
            def call(x):
                raise ValueError(x.zero_())

            return call

    assert findings(examine(ADDS, ChangesAndRaises())) == {"input-changed-on-error"}


WEIGHTED = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.weight

def inputs():
    return (torch.randn(4, 3),)
"""


def _leaves_gradient(module, x):
    module.weight.grad = torch.ones(3)
    return module(x)


def _asks_for_gradient(module, x):
    return module(x.requires_grad_())


@pytest.mark.parametrize("more", ["", "train: true\n"])
@pytest.mark.parametrize(
    ("call", "outcome", "finding"),
    [(_leaves_gradient, "wrong", set()), (_asks_for_gradient, "lossy", {"requires-grad-differs"})],
)
def test_what_a_call_leaves_in_what_the_caller_trains(examine, call, outcome, finding, more):
    class Leaves(Exporter):
        name = "leaves"

        def capture(self, program):
            return functools.partial(call, program.module)

    record = examine(WEIGHTED, Leaves(), more=more)
    assert (record.outcome, findings(record)) == (outcome, finding)
    assert examine(WEIGHTED, altered(lambda y: y), more=more).outcome == "supported"


def test_a_mode_that_the_capture_leaves_is_a_finding_and_put_back(examine):
    class LeavesInEval(Exporter):
        name = "leaves-in-eval"

        def capture(self, program):
            return program.module.eval()

    program = ADDS.replace("torch.relu(x) + 1", "x + self.training")
    record = examine(program, LeavesInEval())
    assert (record.outcome, findings(record)) == ("supported", {"mode-changed"})


def _hooked(program):
    program.module.register_forward_hook(lambda module, args, output: None)


def _spread(program):
    """Gives the example other strides and the same values."""
    x = program.args[0]
    x.set_(torch.stack([x, x], 1)[:, 0])


def _patched(program):
    program.module.forward = program.module.forward


@pytest.mark.parametrize(
    ("leave", "found"),
    [
        (lambda program: program.module.eval(), "mode-changed"),
        (lambda program: program.module.requires_grad_(False), "mode-changed"),
        (_hooked, "module-rewired"),
        (_patched, "module-rewired"),
        (lambda program: program.args[0].zero_(), "example-changed"),
        (lambda program: program.args[0].requires_grad_(), "example-changed"),
        (_spread, "example-changed"),
        (lambda program: torch.set_default_dtype(torch.float64), "settings-changed"),
        (lambda program: torch.set_grad_enabled(False), "settings-changed"),
        (lambda program: torch.use_deterministic_algorithms(True), "settings-changed"),
        (lambda program: torch.set_num_threads(3), "settings-changed"),
        (lambda program: torch.manual_seed(0), "settings-changed"),
        (lambda program: torch.rand(1), ""),  # to draw is not to seed
        (lambda program: program.module(*program.args), ""),
    ],
)
def test_what_a_capture_leaves_changed_is_a_finding(examine, leave, found, settings_put_back):
    class Leaves(Exporter):
        name = "leaves"

        def capture(self, program):
            module = copy.deepcopy(program.module)
            leave(program)
            return module

    record = examine(SCALED, Leaves())
    assert (record.outcome, findings(record)) == ("supported", {found} - {""})


SCALED = ADDS.replace(
    "    def forward", "    def __init__(self):\n        super().__init__()\n"
    "        self.scale = torch.nn.Parameter(torch.ones(8))\n\n    def forward"
).replace("torch.relu(x) + 1", "x * self.scale.detach()")  # fmt: skip


def test_a_setting_that_a_call_leaves_changed_is_lossy(examine, settings_put_back):
    class Deterministic(Exporter):
        name = "deterministic"

        def capture(self, program):
            def call(*args):
                torch.use_deterministic_algorithms(True)
                return program.module(*args)

            return call

    record = examine(ADDS, Deterministic())
    assert (record.outcome, findings(record)) == ("lossy", {"settings-differ"})


def test_a_draw_that_is_kept_for_later_calls_is_wrong(examine):
    class DrawsOnce(Exporter):
        name = "draws-once"

        def capture(self, program):
            kept = []

            def call(x):
                kept.append(torch.rand(()))
                return x + kept[0]

            return call

    record = examine(ADDS.replace("torch.relu(x) + 1", "x + torch.rand(())"), DrawsOnce())
    assert results(record)["example"] == "agrees"
    assert record.outcome == "wrong"


COUNTS = ADDS.replace(
    "    def forward", "    def __init__(self):\n        super().__init__()\n"
    "        self.register_buffer(\"seen\", torch.ones(1))\n\n    def forward"
).replace("torch.relu(x) + 1", "x + self.seen.add_(1)")  # fmt: skip


@pytest.mark.parametrize(("says_so", "found"), [(False, {"state-advanced"}), (True, set())])
def test_a_capture_that_moves_the_state_on_is_a_finding_unless_it_says_so(examine, says_so, found):
    class RunsOnce(Exporter):
        name = "runs-once"
        advances_state = says_so

        def capture(self, program):
            program.module(*program.args)
            return program.module

    record = examine(COUNTS, RunsOnce())
    assert (record.outcome, findings(record)) == ("supported", found)


def test_state_that_the_capture_advanced_is_put_back_and_a_copy_that_it_advanced_is_its_own(
    examine,
):
    class RunsOnce(Exporter):
        name = "runs-once"

        def capture(self, program):
            program.module(*program.args)
            return program.module

    class RunsOnceOnACopy(RunsOnce):
        def capture(self, program):
            return super().capture(replace(program, module=copy.deepcopy(program.module)))

    assert examine(COUNTS, RunsOnce()).outcome == "supported"
    assert examine(COUNTS, RunsOnceOnACopy()).outcome == "wrong"


def test_values_that_a_capture_changed_in_its_own_copy_of_the_state_are_its_own(examine):
    class Rounds(Exporter):
        name = "rounds"

        def capture(self, program):
            module = copy.deepcopy(program.module)
            module.seen.fill_(1.25)
            return module

    assert examine(COUNTS, Rounds()).outcome == "wrong"


def test_inputs_that_are_built_otherwise_each_time_are_the_fault_of_the_program(examine):
    built = ADDS.replace("torch.randn(8)", "torch.full((8,), next(NUMBERS))")
    record = examine(f"import itertools\nNUMBERS = itertools.count(1.0)\n{built}", altered(None))
    assert (record.outcome, record.phase) == ("error", "eager")
    assert "inputs() builds something else each time" in record.error.message


def test_a_message_holds_no_address(examine):
    class Complains(Exporter):
        name = "complains"

        def capture(self, program):
            raise ValueError(f"{object()} in <eval_with_key>.{id(self)}")

    message, _, line = examine(ADDS, Complains()).error.message.partition("\n\nUser stack:\n")
    assert message == "<object object at 0x0> in <eval_with_key>"
    assert line.endswith('in <eval_with_key>.{id(self)}")')

"""What eager leaves open, how it rounds and which of equal elements it takes, is no disagreement;
everything beside it is."""

from __future__ import annotations

import copy

import pytest
import torch

from exportdb.conformance.tolerance import (
    FilledMemory,
    RoundedOtherwise,
    WithoutOneDnn,
    distance_between,
    is_out_of_reach,
)
from exportdb.exporters.protocol import Exporter
from exportdb.suites.copying import copied

from .conftest import results

ROUNDS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.exp(x * 20)

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""

SCANS = """
from torch._higher_order_ops import scan

class Model(torch.nn.Module):
    def forward(self, x):
        def step(total, row):
            return total + row, torch.exp(row * 20)

        return scan(step, torch.zeros(3), x)

def inputs():
    return torch.linspace(0.1, 3.3, 12).reshape(4, 3)
"""

STEPS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return (x * 1000).round() / 1000

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""

SORTS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x.argsort(dim=1, descending=True{stable}), x.amax(1)

def inputs():
    return torch.tensor([[1.2, 0.8, 2.4], [0.3, 1.9, 0.7]])
"""


def captured_as(run):
    """An exporter whose captures are ``run``, whatever the program."""

    class As(Exporter):
        name = "as"

        def capture(self, program):
            return run

    return As()


def in_double(x, off=0.0):
    """Rounded once at the end, as a fused kernel may do."""
    return (torch.exp(x.double() * 20) * (1 + off)).float()


def test_a_result_may_be_rounded_otherwise(examine):
    assert examine(ROUNDS, captured_as(in_double)).outcome == "supported"


def test_more_than_rounding_is_wrong(examine):
    assert examine(ROUNDS, captured_as(lambda x: in_double(x, off=1e-4))).outcome == "wrong"


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (1e-4, "wrong")])
def test_a_program_that_compiles_what_it_scans_may_be_rounded_otherwise(examine, off, outcome):
    def run(x):
        return x.double().cumsum(0)[-1].float(), in_double(x, off)

    assert examine(SCANS, captured_as(run)).outcome == outcome


def test_the_other_side_of_a_step_is_not_rounding(examine):
    def truncates(x):
        return (x * 1000).trunc() / 1000

    assert examine(STEPS, captured_as(truncates)).outcome == "wrong"


def last_of_equal(x, stable=False):
    found = x.flip(1).argsort(dim=1, descending=True, stable=True)
    return x.shape[1] - 1 - found, x.amax(1)


def test_equal_elements_may_come_in_another_order(examine):
    record = examine(SORTS.format(stable=""), captured_as(last_of_equal))
    assert record.outcome == "supported"
    ties = next(s for s in record.samples if s.name == "data: zeros")
    assert "which of equal elements" in ties.message


def test_a_stable_sort_has_one_order(examine):
    record = examine(SORTS.format(stable=", stable=True"), captured_as(last_of_equal))
    assert record.outcome == "wrong"
    assert results(record)["data: zeros"] == "disagrees"


def test_elements_that_differ_have_one_order(examine):
    def ascends(x):
        return x.argsort(dim=1), x.amax(1)

    assert examine(SORTS.format(stable=""), captured_as(ascends)).outcome == "wrong"


@pytest.mark.parametrize("amount", [1e-6, 1e-3])
def test_an_eager_that_the_capture_changed_excuses_nothing(examine, amount, monkeypatch):
    program = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.special.expit(x) * 100

def inputs():
    return torch.randn(8)
"""
    real = torch.special.expit

    class Patches(Exporter):
        name = "patches"

        def capture(self, program):
            monkeypatch.setattr(torch.special, "expit", lambda x: real(x) + amount)
            return lambda x: torch.special.expit(x) * 100

    assert examine(program, Patches()).outcome == "wrong"


SIGNS = """
import itertools

TURNS = itertools.count()

class Model(torch.nn.Module):
    def forward(self, x):
        other = next(TURNS) % 2 if {alternates} else 1
        return (x * 0).abs() * (-1 if other else 1)

def inputs():
    return torch.tensor([1.0, -2.0])
"""


@pytest.mark.parametrize(("alternates", "outcome"), [(True, "supported"), (False, "lossy")])
def test_a_zero_has_a_sign_where_eager_gives_it_the_same_again(examine, alternates, outcome):
    program = SIGNS.format(alternates=alternates)
    assert examine(program, captured_as(lambda x: (x * 0).abs())).outcome == outcome


NUMBERS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1, {"step": -0.0, "low": 0.0}

def inputs():
    return torch.tensor([1.0, -2.0])
"""


@pytest.mark.parametrize(("step", "outcome"), [(-0.0, "supported"), (0.0, "lossy"), (1.0, "wrong")])
def test_a_zero_among_the_outputs_that_is_no_tensor_has_a_sign(examine, step, outcome):
    capture = captured_as(lambda x: (x + 1, {"step": step, "low": 0.0}))
    assert examine(NUMBERS, capture).outcome == outcome


CANCELS = """
class Model(torch.nn.Module):
    def forward(self, x):
        large = x * 1234.5678
        return large * 3.3 - large * 3.3000002, x

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""

GRADIENT_CANCELS = '''
"""
title: Mean of a batch taken away
description: The gradient of the shift is nought but for rounding.
train: true
"""
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.shift = torch.nn.Parameter(torch.randn(7))

    def forward(self, x):
        x = x * 37.7 + self.shift
        return (x - x.mean(0)) / (x.var(0) + 0.1).sqrt()

def inputs():
    return torch.randn(9, 7)
'''

TURNS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return ((x * 3e9) * 1.3).sin(), x.exp()

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""


def cancelling(x, scale=1.0):
    large = x.double() * 1234.5678 * scale
    return (large * 3.3 - large * 3.3000002).float(), x


def test_what_cancels_is_as_far_off_as_what_it_cancels_from(examine):
    assert examine(CANCELS, captured_as(cancelling)).outcome == "supported"


@pytest.mark.parametrize("through", [torch.bfloat16, torch.float16])
def test_what_cancels_in_half_precision_is_wrong(examine, through):
    def run(x):
        return cancelling(x.to(through).float())

    assert examine(CANCELS, captured_as(run)).outcome == "wrong"


@pytest.mark.parametrize(("off", "answers"), [(4e-7, 3), (0.1, 1)])
def test_roundings_of_one_answer_may_cancel_by_chance(off, answers):
    """As of a total over several calls: a capture that is close is not given up after one."""
    total = torch.tensor([9.0], dtype=torch.float64)
    got = {"output": distance_between(total, total * (1 + off))}
    cancelled = {"output": distance_between(total, total)}
    given_up = [is_out_of_reach(got, [cancelled] * n) for n in (1, 2, 3)]
    assert given_up == [n >= answers for n in (1, 2, 3)]
    assert not is_out_of_reach(got, [cancelled, got])


def in_other_order(module, scale=1.0):
    """What the program does, its sums taken in double precision."""

    class Other(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.shift = module.shift

        def forward(self, x):
            x = (x * 37.7).double() + self.shift.double()
            x = x - x.mean(0)
            return (x / ((x * x).sum(0) / (len(x) - 1) + 0.1).sqrt() * scale).float()

    return Other()


@pytest.mark.parametrize(("scale", "outcome"), [(1.0, "supported"), (1.001, "wrong")])
def test_a_gradient_that_cancels_is_rounding(examine, scale, outcome):
    class Other(Exporter):
        name = "other"

        def capture(self, program):
            module = copy.deepcopy(program.module)
            return in_other_order(module, scale)

    assert examine(GRADIENT_CANCELS, Other()).outcome == outcome


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (1e-3, "wrong")])
def test_numbers_that_rounding_decides_alone_are_not_compared(examine, off, outcome):
    def run(x):
        return (x.double() * 3e9 * 1.3).sin().float(), x.exp() * (1 + off)

    assert examine(TURNS, captured_as(run)).outcome == outcome


def test_an_operator_rounds_what_it_computes_and_no_more():
    given = torch.tensor([0.3, -1.7, 2.0])
    with RoundedOtherwise(draw=0, ulps=4):
        handed_on = given.relu(), given.clone(), given.sort().values, given[1:], given.round()
        computed = given * 0.7
    for found, wanted in zip(
        handed_on,
        (given.relu(), given, given.sort().values, given[1:], given.round()),
        strict=True,
    ):
        assert torch.equal(found, wanted)
    off = (computed - given * 0.7).abs() / (given * 0.7).abs()
    assert bool((off > 0).all())
    assert bool((off < 5 * torch.finfo(torch.float32).eps).all())


@pytest.mark.parametrize(
    ("number", "beside", "moved"), [(3.0, 0.25, False), (96.0, 0.25, True), (96.0, 2.0, False)]
)
def test_a_half_type_has_room_for_a_fraction_in_small_numbers_alone(number, beside, moved):
    """What is computed of numbers without a fraction has none for another reason."""
    with RoundedOtherwise(draw=0, ulps=4):
        computed = torch.tensor([number / 3] * 9 + [beside], dtype=torch.bfloat16) * 3
    assert bool((computed[:-1] != number).any()) is moved


def test_a_copy_of_an_input_is_not_rounded() -> None:
    """Eager is given the very inputs again, with operators rounded otherwise and nothing else."""
    given = {"x": torch.linspace(0.1, 3.3, 41), "y": torch.randn(5, 4, dtype=torch.float64).t()}
    with RoundedOtherwise(draw=0, ulps=64):
        made = copied(given)
    assert all(torch.equal(made[name], tensor) for name, tensor in given.items())


UNWRITTEN = """
class Model(torch.nn.Module):
    def forward(self, x):
        return {0}, x.relu()

def inputs():
    return torch.linspace(-1.0, 1.0, 6)
"""


@pytest.mark.parametrize(
    ("expression", "captured"),
    [
        ("torch.empty(3) + x[:3]", "torch.full((3,), 7.0) + x[:3]"),
        ("x.clone().resize_(9)", "torch.nn.functional.pad(x, (0, 9 - len(x)), value=7.0)"),
        ("x.new_empty(2, 2).sum()", "x.new_full((), 7.0)"),
        # A kernel's own memory, into which it writes a sum of nothing.
        (
            "torch.nn.functional.multi_margin_loss(x.new_ones(0, 3), x.new_ones(0).long())",
            "x.new_full((), 7.0)",
        ),
    ],
)
@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (1.0, "wrong")])
def test_memory_that_nobody_wrote_is_not_compared(examine, expression, captured, off, outcome):
    """What stands beside it is."""

    def run(x):
        return eval(captured, {"torch": torch, "x": x}), x.relu() + off  # as above

    record = examine(UNWRITTEN.format(expression), captured_as(run))
    assert record.outcome == outcome
    if outcome == "supported":
        assert any("nobody wrote" in s.message for s in record.samples)


def test_a_kernel_does_not_find_what_it_was_given_before():
    """What it takes for itself is often where it was, so that NaN would still lie there."""
    x = torch.ones(0, 3)
    # A heap of a long-lived process: full of holes of every size, in all of them NaN.
    held = [torch.full((size % 370 + 30,), torch.nan) for size in range(0, 3_000_000, 97)]
    del held[::2]

    def reads():
        return torch.nn.functional.multi_margin_loss(x, x.new_ones(0).long())

    for i in range(500):
        with FilledMemory(1):
            filled = reads()
        assert filled.isnan()
        held.append(torch.full((i * 97 % 370 + 30,), torch.nan))
        del filled
        with FilledMemory(0):
            assert not reads().isnan()


def test_memory_that_is_filled_before_it_is_read_is_compared(examine):
    source = UNWRITTEN.format("torch.empty_like(x).copy_(x)")
    assert examine(source, captured_as(lambda x: (x.clone(), x.relu()))).outcome == "supported"
    assert examine(source, captured_as(lambda x: (x + 1, x.relu()))).outcome == "wrong"


COUNTS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.empty(4, dtype=torch.int64), x.relu()

def inputs():
    return torch.linspace(-1.0, 1.0, 6)
"""


def test_numbers_without_a_fraction_that_nobody_wrote_leave_nothing_to_compare(examine):
    record = examine(COUNTS, captured_as(lambda x: (torch.full((4,), 9), x.relu())))
    assert record.outcome == "supported"


def test_a_capture_that_leaves_eager_changed_is_not_excused(examine):
    """Eager gives another answer than before, and that hangs on nothing that lies in memory."""

    class Patches(Exporter):
        name = "patches"

        def capture(self, program):
            program.module.relu = None
            relu = torch.relu
            torch.relu = lambda x: relu(x) + 1
            return lambda x: torch.relu(x)

    relu = torch.relu
    try:
        source = ROUNDS.replace("torch.exp(x * 20)", "torch.relu(x)")
        assert examine(source, Patches()).outcome == "wrong"
    finally:
        torch.relu = relu


HALVES = """
class Model(torch.nn.Module):
    def forward(self, x):
        large = x.bfloat16() * 1.2344
        return (large * 3.3 - large * 3.25).float(), x.bfloat16().exp()

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (0.1, "wrong")])
def test_what_cancels_in_a_half_type_is_as_far_off_as_what_it_cancels_from(examine, off, outcome):
    def run(x):  # computed in one go and rounded at the end
        large = x.bfloat16().double() * 1.2344
        difference = (large * 3.3 - large * 3.25).bfloat16().float()
        return difference, (x.bfloat16().double().exp() * (1 + off)).bfloat16()

    assert examine(HALVES, captured_as(run)).outcome == outcome


RECURRENT = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.lstm = torch.nn.LSTM(4, 5, bias=False)

    def forward(self, x):
        return self.lstm(x)[0]

def inputs():
    return torch.randn(3, 2, 4)
"""


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (0.2, "wrong")])
def test_an_answer_is_right_that_eager_gives_on_another_processor(examine, off, outcome):
    """Under autocast it is of another type where oneDNN has no kernel for an LSTM of a half one."""

    class Elsewhere(Exporter):
        name = "elsewhere"

        def capture(self, program):
            module = copy.deepcopy(program.module)

            def run(x):
                with WithoutOneDnn():
                    return module(x) * (1 + off)

            return run

    assert examine(RECURRENT, Elsewhere()).outcome == outcome


WAVERS = """
import itertools

TURNS = itertools.count()

class Model(torch.nn.Module):
    def forward(self, x):
        other = next(TURNS) % 3 == 0 and {wavers}
        return torch.where(x.isfinite(), x * 2, 7.0 if other else torch.nan)

def inputs():
    return torch.randn(4)
"""


@pytest.mark.parametrize(
    ("wavers", "says", "outcome"),
    [(True, 7.0, "supported"), (False, 7.0, "unguarded"), (True, 8.0, "unguarded")],
)
def test_an_answer_is_right_that_eager_gives_of_an_infinity_at_times(
    examine, wavers, says, outcome
):
    def run(x):
        return torch.where(x.isfinite(), x * 2, says)

    assert examine(WAVERS.format(wavers=wavers), captured_as(run)).outcome == outcome


FAST_PATH = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
        self.eval().requires_grad_(False)

    def forward(self, x):
        return self.layer(x)

def inputs():
    return torch.randn(2, 3, 4)
"""


def test_a_module_that_leaves_its_fast_path_when_it_is_watched_chooses_nothing(examine):
    """Under autocast the fast path gives a half type, and the other way single precision."""

    class Slow(Exporter):
        name = "slow"

        def capture(self, program):
            module = copy.deepcopy(program.module)

            def run(x):
                before = torch.backends.mha.get_fastpath_enabled()
                torch.backends.mha.set_fastpath_enabled(False)
                try:
                    return module(x)
                finally:
                    torch.backends.mha.set_fastpath_enabled(before)

            return run

    record = examine(FAST_PATH, Slow())
    assert record.outcome == "unguarded", [s for s in record.samples if s.name == "under autocast"]
    assert results(record)["under autocast"] == "disagrees"


CENTRED = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.batch_norm(x, None, None, training=True)

def inputs():
    return torch.randn(6, 3) * 2 + 1
"""


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (0.02, "unguarded")])
def test_of_rows_that_are_all_alike_a_norm_leaves_rounding_alone(examine, off, outcome):
    """A sample whose rows are expanded from one: it must not decide what is right."""

    def run(x):
        exact = x.double()
        exact = exact - exact.mean(0)
        # An exporter may be off where nothing is left but rounding, and right everywhere else.
        right = exact / ((exact * exact).mean(0) + 1e-5).sqrt() + off * (0 in x.stride())
        return right.float()

    assert examine(CENTRED, captured_as(run)).outcome == outcome


@pytest.mark.parametrize(
    "norm",
    [
        lambda x: torch.nn.functional.batch_norm(x.T, None, None, training=True),
        lambda x: torch.nn.functional.layer_norm(x, (6,)),
        lambda x: torch.nn.functional.group_norm(x[None], 3),
        lambda x: torch.nn.functional.instance_norm(x[None]),
        lambda x: x.std(1) * 300,
    ],
    ids=["batch", "layer", "group", "instance", "deviation"],
)
def test_what_cancels_within_a_norm_shows_when_it_is_rounded_otherwise(norm):
    x = torch.tensor([[1.1], [2.3], [0.7]]).expand(3, 6)
    near, far = (RoundedOtherwise(0, ulps) for ulps in (4.0, 64.0))
    with near:
        rounded = norm(x)
    with far:
        farther = norm(x)
    exact = norm(x)
    distance = (rounded - exact).abs().amax()
    assert 1e-5 < distance < 1e-2
    assert (farther - exact).abs().amax() > 4 * distance


RESIZED = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.interpolate(x, 4, mode="linear") - x[..., :4]

def inputs():
    return torch.linspace(-900.0, 900.0, 140).cos()[None, None] * 300
"""


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "supported"), (1e-3, "wrong")])
def test_places_between_numbers_are_rounded_too(examine, off, outcome):
    """Pixels of a resized image: one exporter multiplies by 140 / 4, another divides by 4 / 140."""

    def run(x):
        place = (torch.arange(4) + 0.5) / (torch.tensor(4 / x.shape[-1]) * (1 + off)) - 0.5
        place = place * (1 + 4 * torch.finfo(torch.float32).eps)
        left = place.floor().long()
        share = place - left
        resized = x[..., left] * (1 - share) + x[..., left + 1] * share
        return resized - x[..., :4]

    assert examine(RESIZED, captured_as(run)).outcome == outcome


UNMOVED = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 0 + torch.arange(4.0)

def inputs():
    return torch.randn(5, 4)
"""


@pytest.mark.parametrize(("off", "outcome"), [(0.02, "supported"), (0.03, "wrong")])
def test_a_quantised_capture_may_be_off_by_a_step_where_eager_does_not_move(examine, off, outcome):
    """128 steps to the largest number, which is 3."""

    class Quantised(Exporter):
        name = "quantised"
        rounds_to = 1 / 128

        def capture(self, program):
            return lambda x: x * 0 + torch.arange(4.0) + off

    assert examine(UNMOVED, Quantised()).outcome == outcome

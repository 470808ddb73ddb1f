"""Which samples are made: the ends of a range, 0 and 1, equal sizes, broken relations."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from exportdb.cases.case import DimRange
from exportdb.conformance.program import Inputs
from exportdb.conformance.sampling.planned import PlannedSample, for_metadata
from exportdb.conformance.sampling.sizes import made_sizes
from exportdb.exporters.jit_trace import JitTrace
from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.protocol import Exporter, Program

from .conftest import Made, results


def made(**dims: tuple[int, int | None, int]) -> dict[str, list[dict[str, int]]]:
    ranges = {n: DimRange(low, high) for n, (low, high, _) in dims.items()}
    example = {n: e for n, (_, _, e) in dims.items()}
    by_role: dict[str, list[dict[str, int]]] = {"accepts": [], "rejects": []}
    for role, sizes in made_sizes(ranges, example):
        by_role[role].append(sizes)
    return by_role


def test_both_ends_and_what_lies_just_beyond_them() -> None:
    sizes = made(n=(3, 12, 7))
    assert {"n": 3} in sizes["accepts"] and {"n": 12} in sizes["accepts"]
    assert {"n": 2} in sizes["rejects"] and {"n": 13} in sizes["rejects"]


def test_zero_and_one_are_always_tried() -> None:
    for low in (0, 1, 2, 5):
        sizes = made(n=(low, 20, 7))
        tried = {s["n"] for role in sizes.values() for s in role}
        assert {0, 1} <= tried


def test_odd_even_and_a_multiple_of_the_example() -> None:
    accepted = {s["n"] for s in made(n=(0, 64, 5))["accepts"]}
    assert {s % 2 for s in accepted} == {0, 1}
    assert 10 in accepted


def test_without_a_maximum_no_size_is_too_large() -> None:
    assert not made(n=(0, None, 5))["rejects"]


def test_two_dims_meet_at_one_size() -> None:
    assert any(s["n"] == s["m"] for s in made(n=(2, 16, 5), m=(2, 16, 7))["accepts"])


@given(
    st.integers(0, 50), st.integers(0, 60), st.integers(0, 60), st.integers(1, 100)
)  # fmt: skip
def test_roles_follow_the_declared_range(low: int, span: int, at: int, most: int) -> None:
    high, example = low + span, low + min(at, span)
    dims, seen = {"n": DimRange(low, high)}, []
    for role, sizes in made_sizes(dims, {"n": example}, most):
        assert (role == "accepts") == (low <= sizes["n"] <= high)
        assert 0 <= sizes["n"] <= most
        seen.append(sizes["n"])
    assert len(seen) == len(set(seen)) and example not in seen


def test_a_relation_between_two_inputs_is_broken(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x, y):
                return x + y.sum()

        n = Dim("n", min=2, max=9)
        dynamic_shapes = {"x": {0: n}, "y": {0: n}}

        def inputs(n=5):
            return torch.randn(n), torch.randn(n)
        """
    )
    # The program does not tie the two sizes, so eager runs; the declaration does, so it is refused.
    assert results(record)["x.size(0)=4 alone"] == "raised"
    assert results(record)["y.size(0)=1 alone"] == "raised"
    assert record.outcome == "supported"


def test_a_static_size_is_met_with_another(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                return x + 1

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

        def inputs(n=5):
            return torch.randn(n, 4)
        """
    )
    assert results(record)["x.size(1)=3 alone"] == "raised"


def test_more_samples_than_asked_for_are_not_made(examine) -> None:
    from exportdb.conformance.options import Options

    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    dynamic_shapes = {"x": {0: Dim("n", max=64)}}

    def inputs(n=5):
        return torch.randn(n)
    """
    record = examine(program, options=Options(max_samples=3))
    made_from_sizes = [s for s in record.samples if s.name.startswith("n=")]
    assert len(made_from_sizes) == 3
    assert record.left_out > 0


def test_what_differs_only_in_values_is_not_put_to_a_prediction_from_sizes() -> None:
    def sample(role: str, size: int, value: int, own: bool = False) -> PlannedSample:
        inputs = (torch.randn(size), torch.tensor(value)), {}
        return PlannedSample(role, f"{role} {size} {value}", lambda: inputs, own=own)

    def refuse() -> Inputs:
        raise ValueError("no such size")

    samples = [
        sample("example", 5, 1),
        sample("accepts", 7, 2),
        sample("rejects", 7, 99),  # another value of what is accepted
        sample("rejects", 9, 1),
        sample("rejects", 9, 1, own=True),
        PlannedSample("rejects", "cannot be built", refuse),
    ]
    kept = [s.name for s in for_metadata(samples)]
    assert kept == ["example 5 1", "accepts 7 2", "rejects 9 1", "cannot be built"]


# --- samples that look for trouble --------------------------------------------------------------

ONE_SIZE = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 23

    def forward(self, x):
        return x + 1 if {condition} else x * 100

dynamic_shapes = {{"x": {{0: Dim("n", min=2{most})}}}}

def inputs(n=5):
    return torch.randn(n)
"""


@pytest.mark.parametrize(
    ("condition", "most"),
    [
        ("x.shape[0] == 7", ""),
        ("x.shape[0] % 7 == 0", ""),
        ("x.shape[0] >= 64", ""),
        ("x.shape[0] == self.limit", ", max=64"),
        ("x.shape[0] * x.shape[0] - 20 * x.shape[0] == 69", ", max=64"),
        ("x[::3].shape[0] == 11", ", max=64"),
        ("x.shape[0] > 6 and x.shape[0] % 5 == 3", ", max=64"),
    ],
)
def test_sizes_on_both_sides_of_a_condition_are_found(examine, condition: str, most: str) -> None:
    record = examine(ONE_SIZE.format(condition=condition, most=most), JitTrace())
    assert record.outcome == "wrong"


def test_sizes_that_a_condition_relates_are_found_together(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, y):
            return x[:, None] * y if x.shape[0] == 2 * y.shape[0] else x[:, None] - y

    dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}, "y": {0: Dim("m", min=2, max=32)}}

    def inputs(n=5, m=7):
        return torch.randn(n), torch.randn(m)
    """
    assert examine(program, JitTrace()).outcome == "wrong"
    record = examine(program)
    assert record.outcome != "supported"
    assert any(s.sizes["n"] == 2 * s.sizes["m"] for s in record.samples if s.sizes)


def test_numbers_of_which_a_size_says_how_many_there_are_do_not_hide_conditions(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, ids):
            if x.shape[0] == 2:
                return x + ids.sum()
            return x - ids.sum() if x.shape[0] ** 2 == x.shape[1] + 77 else x * ids.sum()

    b, n = Dim("b", min=1, max=64), Dim("n", min=2, max=64)
    dynamic_shapes = {"x": {0: b, 1: n}, "ids": {0: b}}

    def inputs(b=3, n=5):
        return torch.randn(b, n), torch.arange(b)
    """
    samples = examine(program, JitTrace()).samples
    assert any(s.sizes["b"] ** 2 == s.sizes["n"] + 77 for s in samples if s.sizes)


def test_a_derived_dim_is_met_with_sizes_off_its_form(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                return x * 2 if x.shape[0] > 1 else x * 3

        dynamic_shapes = {"x": {0: 2 * Dim("h", min=1, max=8)}}

        def inputs(h=5):
            return torch.randn(2 * h)
        """
    )
    assert {"x.size(0)=9 alone", "x.size(0)=1 alone"} <= results(record).keys()


@pytest.mark.parametrize("asked", ["n.bit_length() == 6", "int(n**0.5) == 7"])
def test_sizes_are_computed_from_what_the_program_mentions(examine, asked: str) -> None:
    record = examine(
        f"""
        class Model(torch.nn.Module):
            def forward(self, x):
                n = int(x.shape[0])
                return x + 1 if {asked} else x - 1

        dynamic_shapes = {{"x": {{0: Dim("n", min=2, max=200)}}}}

        def inputs(n=9):
            return torch.randn(n)
        """,
        JitTrace(),
    )
    assert record.outcome == "wrong"


@pytest.mark.parametrize(
    ("example", "expression"),
    [
        ("torch.tensor(3)", "x[: k.item()]"),
        ("torch.tensor([3, 4])", "x + 1 if k[0].item() > k[1].item() + 3 else x - 1"),
        ("3", "x * k"),
        ("3", "x + 1 if k > 17 else x - 1"),
        ("0.5", "x + 1 if k > 2.75 else x - 1"),
        ("True", "x + 1 if k else x - 1"),
        ('"mean"', 'x.sum() if k == "sum" else x.mean()'),
        ("None", "x + 1 if k is None else x - 1"),
        ("[torch.ones(2)] * 2", "x + len(k)"),
        ("[torch.ones(2)] * 2", "x + 1 if len(k) == 5 else x - 1"),
        ('{"p": 3, "q": 5}', 'x + 1 if "r" in k else x - 1'),
        ('{"p": 3, "q": 5}', 'x + 1 if "p" in k else x - 1'),
        ('"mean"', "x + 1 if len(k) > 6 else x - 1"),
        ('"mean"', "x + 1 if k.isupper() else x - 1"),
        ("0.5", "x + 1 if int(10 * k) == 17 else x - 1"),
        ("0.5", "x + 1 if k > 1e30 else x - 1"),
        ("3", "x + 1 if isinstance(k, float) else x - 1"),
    ],
)
def test_inputs_that_decide_by_their_value_are_changed(
    examine, example: str, expression: str
) -> None:
    class Baked(Exporter):
        name = "baked"

        def capture(self, program: Program) -> Callable[..., object]:
            kept = copy.deepcopy(program.args[1])
            return lambda x, _k: program.module(x, copy.deepcopy(kept))

    record = examine(
        f"""
        class Model(torch.nn.Module):
            def forward(self, x, k):
                return {expression}

        dynamic_shapes = {{"x": {{0: Dim("n", min=8, max=64)}}, "k": None}}

        def inputs(n=9):
            return torch.randn(n), {example}
        """,
        Baked(),
    )
    assert record.outcome == "unguarded"


def test_a_minimum_below_zero_is_tried() -> None:
    sizes = made(i=(-7, 7, 3))
    assert {"i": -7} in sizes["accepts"] and {"i": -1} in sizes["accepts"]
    assert {"i": -8} in sizes["rejects"]


def test_data_that_takes_the_other_side_of_a_branch(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1

    dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

    def inputs(n=5):
        return torch.rand(n)
    """
    assert examine(program, JitTrace()).outcome == "wrong"


def test_the_plan_is_the_same_each_time(examine) -> None:
    program = ONE_SIZE.format(condition="x.shape[0] % 7 == 0", most="")
    first, second = (examine(program, exporter) for exporter in (JitTrace(), MakeFx()))
    assert len(first.samples) > 20
    assert [s.name for s in first.samples] == [s.name for s in second.samples]


def test_no_value_is_made_for_a_loop_that_may_not_end_on_it(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                while x.mean() < 100:
                    x = x * 2
                return x

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

        def inputs(n=5):
            return torch.ones(n)
        """,
        JitTrace(),
    )
    assert "data: zeros" not in results(record)
    assert len(record.samples) > 5


@pytest.mark.parametrize(
    ("over", "ends"),
    [
        ("itertools.count()", False),
        ("count(self.of + 1)", False),
        ("iter(self.step, True)", False),
        ("itertools.cycle([1, 2])", False),
        ("itertools.repeat(self.of)", False),
        ("itertools.repeat(self.of, 4)", True),
        ("zip(range(3), itertools.cycle([1]))", True),
        ("range(self.count)", True),
        ("iter(x)", True),
    ],
)
def test_nor_for_a_loop_over_what_has_no_end(examine, over: str, ends: bool) -> None:
    program = f"""
    import itertools
    from itertools import count

    class Model(torch.nn.Module):
        count = of = 3

        def step(self):
            return False

        def forward(self, x):
            for _ in {over}:
                if x.mean() > 1:
                    break
                x = x + 1
            return x

    def inputs():
        return torch.ones(3)
    """
    tried = results(examine(program, JitTrace()))
    assert ("data: a NaN" in tried) == ends


@pytest.mark.parametrize(
    ("inputs", "forward"),
    [
        (
            "torch.nn.utils.rnn.pack_padded_sequence(torch.randn(6, 2, 3), torch.tensor([6, 3])),",
            "x.data",
        ),
        ("torch.tensor([1 + 2j, -3 - 1j])", "x.abs()"),
        ("torch.randn(2, 3, 7, 5).to(memory_format=torch.channels_last)", "x.relu()"),
    ],
    ids=["a packed sequence", "complex numbers", "channels last"],
)
def test_a_change_that_inputs_do_not_take_is_no_sample(examine, inputs: str, forward: str) -> None:
    record = examine(f"""
        class Model(torch.nn.Module):
            def forward(self, x):
                return {forward}

        def inputs():
            return {inputs}
        """)
    assert record.outcome != "error", record.error


class ByPlace(Exporter):
    """Takes keywords, and the values of dicts, by the place that the example had them in."""

    name = "by-place"

    def capture(self, program: Program) -> Callable[..., object]:
        def run(*args: object, **kwargs: object) -> object:
            args = tuple(
                dict(zip(known, given.values(), strict=True)) if isinstance(known, dict) else given
                for known, given in zip(program.args, args, strict=True)
            )
            return program.module(*args, **dict(zip(program.kwargs, kwargs.values(), strict=True)))

        return run


def test_names_are_given_in_another_order(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, parts, *, gain, shift):
            return x * gain + shift * parts["a"] - parts["b"]

    def inputs():
        parts = {"a": torch.randn(3), "b": torch.randn(3)}
        return (torch.randn(3), parts), {"gain": torch.randn(3), "shift": torch.randn(3)}
    """
    tried = results(examine(program, ByPlace()))
    assert tried["keywords in the other order"] == "disagrees"
    assert tried["dicts with their keys in the other order"] == "disagrees"
    assert tried["all arguments by name"] == "raised"
    sound = results(examine(program, MakeFx()))
    assert sound["keywords in the other order"] == "agrees"


def test_a_call_that_raises_within_vmap_changes_nothing_for_the_next_one(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x, z):
                scaled = torch.vmap(lambda a, b: a * b.sum(), in_dims=(0, None))(x, z)
                return scaled, torch.argmax(z)

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "z": {0: Dim("n", min=2, max=16)}}

        def inputs(n=5):
            return torch.randn(n), torch.randn(n, 4)
        """
    )
    raised = [s for s in record.samples if s.result == "refused"]
    assert raised and record.outcome == "supported"


@pytest.mark.parametrize(
    ("dtype", "exact", "damaged"),
    [
        ("int64", "x + 1", lambda x: x.int().long() + 1),
        ("int64", "x // 3", lambda x: (x.float() / 3).floor().long()),
        ("int32", "x * 1", lambda x: x.float().int()),
        ("int8", "x + x", lambda x: (x.long() * 2).clamp(-128, 127).to(torch.int8)),
        ("uint8", "x - 7", lambda x: (x.long() - 7).clamp(0, 255).to(torch.uint8)),
    ],
    ids=["narrowed", "divided as floats", "as single precision", "saturates", "below zero"],
)
def test_whole_numbers_reach_the_limits_of_their_type(
    examine, dtype: str, exact: str, damaged: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    program = f"""
    class Model(torch.nn.Module):
        def forward(self, x):
            return {exact}

    def inputs():
        return torch.tensor([20, 30, 40], dtype=torch.{dtype}),
    """
    tried = results(examine(program, Made(damaged)))
    assert tried.pop("data: whole numbers at their limits") == "disagrees"
    assert tried["example"] == "agrees"


@pytest.mark.parametrize(
    "forward",
    ["x.new_zeros(int(x.sum()))", "torch.bincount(x)", "torch.nn.functional.one_hot(x)"],
)
def test_but_not_where_one_may_become_a_size(examine, forward: str) -> None:
    record = examine(f"""
        class Model(torch.nn.Module):
            def forward(self, x):
                return {forward}

        def inputs():
            return torch.arange(20),
        """)
    assert "data: whole numbers at their limits" not in results(record)


def test_numbers_too_small_for_all_their_digits_are_given(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return (x > 0).float()

    def inputs():
        return torch.tensor([1.0, -2.0, 3.0]),
    """

    def flushed(x: torch.Tensor) -> torch.Tensor:
        return (x.where(x.abs() >= torch.finfo(x.dtype).smallest_normal, 0.0) > 0).float()

    assert results(examine(program, Made(flushed)))["data: -0.0, denormals"] == "disagrees"
    assert results(examine(program, MakeFx()))["data: -0.0, denormals"] == "agrees"

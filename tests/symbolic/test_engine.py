"""The engine as a target: what it predicts is what eager does, and where it cannot it refuses."""

from __future__ import annotations

import pytest
import torch
from torch.export import Dim
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.utils import _pytree as pytree

from exportdb.exporters.protocol import Program
from exportdb.exporters.symbolic import Symbolic
from exportdb.symbolic.engine import GuardError, run
from exportdb.symbolic.evaluate import Predicted
from tests.symbolic import programs


class Shapes(torch.nn.Module):
    """Many ways to make a size from sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 4, 3, stride=2, padding=1)
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x, y):
        self.steps.add_(1)
        return {
            "conv": self.conv(x),
            "cat": torch.cat([x, y], dim=2),
            "outer": (x[0, 0][:, None] * y[0, 0][None, :]).t(),
            "flat": x.flatten(1),
            "int": x[:, :, 1:].to(torch.int32),
            "numbers": (x.shape[2] * 2 + 1, x.shape[2] / 2, x.shape[2] // 2, max(y.shape), "text"),
            "bool": x.shape[2] > 3,
            "step": self.steps + 1,
        }


SHAPES = {"x": {2: Dim("n", min=4)}, "y": {2: Dim("m", min=2)}}


def inputs(n: int, m: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(2, 3, n), torch.randn(2, 3, m)


def assert_predicts(predicted, eager) -> None:
    left, left_spec = pytree.tree_flatten(predicted)
    right, right_spec = pytree.tree_flatten(eager)
    assert left_spec == right_spec
    for a, b in zip(left, right, strict=True):
        if isinstance(b, torch.Tensor):
            assert a.device.type == "meta"
            assert (a.shape, a.stride(), a.dtype) == (b.shape, b.stride(), b.dtype)
        else:
            assert type(a) is type(b)
            assert a == b


@pytest.mark.parametrize(("n", "m"), [(5, 7), (4, 7), (6, 5), (31, 9), (100, 64)])
def test_predictions_at_other_sizes_equal_eager(n: int, m: int) -> None:
    module = Shapes()
    recorded = run(module, inputs(5, 7), {}, SHAPES)
    assert_predicts(recorded(*inputs(n, m)), module(*inputs(n, m)))


def test_the_program_itself_is_left_as_it_was() -> None:
    module = Shapes()
    given = inputs(5, 7)
    run(module, given, {}, {"x": {2: Dim.AUTO}, "y": {2: Dim.DYNAMIC}})
    assert module.steps.item() == 0
    assert type(module.steps) is torch.Tensor
    assert not [name for tensor in given for name in vars(tensor) if "dynamo" in name]


def test_a_size_of_one_is_predicted_as_tracing_saw_it() -> None:
    """The branch that tracing assumed is predicted: eager disagrees, and comparing tells."""
    recorded = run(*programs.size_branch())
    assert recorded(torch.randn(1)).shape == (1,)
    assert recorded.facts.findings[0][0] == "range-wider-than-guards"


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((6, 11), r"y\.size\(\)\[0\] == 2\*n \(it is 11, and n is 6\)"),
        ((1, 2), r"2 <= n <= 32 \(x\.size\(\)\[0\] is 1\)"),
        ((33, 66), r"2 <= n <= 32 \(x\.size\(\)\[0\] is 33\)"),
    ],
)
def test_what_was_declared_is_checked_and_named(sizes, message) -> None:
    recorded = run(*programs.double())
    with pytest.raises(GuardError, match=message):
        recorded(torch.randn(sizes[0]), torch.randn(sizes[1]))


def test_a_recorded_guard_is_checked_and_named() -> None:
    class Branch(torch.nn.Module):
        def forward(self, x, y):
            return x + 1 if x.shape[0] % 2 == 1 and x.shape[0] < y.shape[0] else y

    shapes = {"x": {0: Dim("n", min=2)}, "y": {0: Dim("m", min=2)}}
    recorded = run(Branch(), (torch.randn(5), torch.randn(7)), {}, shapes)
    assert recorded(torch.randn(3), torch.randn(9)).shape == (3,)
    with pytest.raises(GuardError, match=r"x\.size\(\)\[0\] % 2 == 1"):
        recorded(torch.randn(6), torch.randn(9))
    with pytest.raises(GuardError, match=r"x\.size\(\)\[0\] < y\.size\(\)\[0\]"):
        recorded(torch.randn(9), torch.randn(8))


def test_inputs_that_are_static_must_be_as_in_the_example() -> None:
    recorded = run(programs.Nested(), ({"x": torch.randn(5)}, torch.randn(7)), {"k": 9}, None)
    good = {"x": torch.randn(5)}
    assert recorded(good, torch.randn(7), k=9)[0].shape == (5,)
    with pytest.raises(GuardError, match=r"batch\['x'\]\.size\(\)\[0\] == 5 \(it is 6\)"):
        recorded({"x": torch.randn(6)}, torch.randn(7), k=9)
    with pytest.raises(GuardError, match=r"k == 9 \(it is 8\)"):
        recorded(good, torch.randn(7), k=8)
    with pytest.raises(GuardError, match=r"rest\[0\]\.dim\(\) == 1 \(it is 2\)"):
        recorded(good, torch.randn(7, 1), k=9)
    with pytest.raises(GuardError, match=r"rest\[0\] is a tensor \(it is None\)"):
        recorded(good, None, k=9)
    with pytest.raises(GuardError, match="structure"):
        recorded(good, torch.randn(7))


def test_an_int_marked_dynamic_is_a_symbol() -> None:
    class Repeat(torch.nn.Module):
        def forward(self, x, k):
            return x.new_zeros(k + 1), k * 2

    recorded = run(Repeat(), (torch.randn(5), 4), {}, {"x": None, "k": Dim.DYNAMIC})
    assert_predicts(recorded(torch.randn(5), 9), (torch.zeros(10), 18))


def test_sizes_that_depend_on_values_are_left_open_with_their_bounds() -> None:
    recorded = run(*programs.item())
    zeros, scaled = recorded(torch.randn(8), torch.tensor(4))
    assert zeros == Predicted(torch.float32, (None,), (1,), ((2, 32),))
    assert scaled.shape == (8,)
    assert recorded.facts.runtime_assertions == ("u0 <= x.size()[0]", "u0 >= 2")


def test_a_question_about_data_is_refused_as_torch_refuses_it() -> None:
    class OnData(torch.nn.Module):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    with pytest.raises(GuardOnDataDependentSymNode):
        run(OnData(), (torch.randn(5),), {}, {"x": {0: Dim("n")}})


def test_control_flow_operators_run_without_a_graph() -> None:
    class Cond(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

    recorded = run(Cond(), (torch.randn(5),), {}, {"x": {0: Dim("n")}})
    assert recorded(torch.randn(9)).shape == (9,)


def test_an_input_changed_in_place_keeps_the_size_it_came_with() -> None:
    class Squeeze(torch.nn.Module):
        def forward(self, x):
            x.unsqueeze_(0)
            return x * 2

    recorded = run(Squeeze(), (torch.randn(5),), {}, {"x": {0: Dim("n")}})
    assert recorded(torch.randn(9)).shape == (1, 9)


def test_two_inputs_of_one_dim_must_agree() -> None:
    class Add(torch.nn.Module):
        def forward(self, x, y):
            return x.sum() + y.sum()

    n = Dim("n")
    recorded = run(Add(), (torch.randn(5), torch.randn(5)), {}, {"x": {0: n}, "y": {0: n}})
    with pytest.raises(GuardError, match=r"y\.size\(\)\[0\] == n \(it is 7, and n is 6\)"):
        recorded(torch.randn(6), torch.randn(7))


def test_inputs_may_be_given_by_keyword_in_any_order() -> None:
    class Pair(torch.nn.Module):
        def forward(self, a, b):
            return a[:, None] * b

    a, b = torch.randn(3), torch.randn(4)
    recorded = run(Pair(), (a,), {"b": b}, None)
    for prediction in (recorded(a, b), recorded(b=b, a=a), recorded(a, b=b)):
        assert prediction.shape == (3, 4)


def test_operators_made_of_others_take_symbolic_sizes() -> None:
    class Pad(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.pad(x, (0, -x.shape[0] % 4))

    recorded = run(Pad(), (torch.randn(5),), {}, {"x": {0: Dim("n", min=2)}})
    assert recorded(torch.randn(9)).shape == (12,)


def test_the_exporter_offers_the_prediction_and_the_facts() -> None:
    module, args, kwargs, shapes = programs.item()
    artifact = Symbolic().capture(Program(module, args, kwargs, shapes, "cpu"))
    assert artifact.compares == "metadata"
    assert artifact(torch.randn(8), torch.tensor(4))[1].shape == (8,)
    assert artifact.facts["counts"]["unbacked"] == 1
    assert artifact.exported_program is None


class Difference(torch.nn.Module):
    def forward(self, batch):
        return batch["x"] - batch["shift"]


def test_the_order_of_a_dicts_keys_is_no_part_of_the_structure() -> None:
    recorded = run(Difference(), ({"x": torch.randn(5, 3), "shift": torch.randn(3)},), {}, None)
    assert recorded({"shift": torch.randn(3), "x": torch.randn(5, 3)}).shape == (5, 3)
    for other in ({"x": torch.randn(5, 3)}, {"x": [torch.randn(5, 3)], "shift": torch.randn(3)}):
        with pytest.raises(GuardError, match="structure"):
            recorded(other)

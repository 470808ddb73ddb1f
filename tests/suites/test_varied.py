"""One example becomes many: sizes vary where dynamic_shapes lets them, values keep their kind."""

from __future__ import annotations

import pytest
import torch
from torch.export import Dim

from exportdb.cases.case import DimRange
from exportdb.suites.protocol import ProgramError
from exportdb.suites.varied import VariedExample

N = Dim("n", min=2, max=32)


class Model(torch.nn.Module):
    def forward(self, x, y=None, k=0):
        return x


def varied(*args, shapes=None, **kwargs) -> VariedExample:
    return VariedExample(Model(), (args, kwargs), shapes, "Model")


def alone(tensor: torch.Tensor, rows: int = 40) -> torch.Tensor:
    """``tensor`` with another number of rows."""
    made = varied(tensor, shapes={"x": {0: Dim("n")}, "y": None, "k": None}).resized({"n": rows})
    return made[0][0]


def test_every_size_that_follows_a_dim_changes_with_it() -> None:
    example = varied(
        torch.randn(5, 4), {"mask": torch.ones(10)}, k=3,
        shapes={"x": {0: N}, "y": {"mask": {0: 2 * N}}, "k": None},
    )  # fmt: skip
    assert (example.sizes, example.ranges) == ({"n": 5}, {})
    (x, y), rest = example.resized({"n": 7})
    assert (x.shape, y["mask"].shape, rest) == ((7, 4), (14,), {"k": 3})


def test_a_hint_lets_its_own_size_vary_under_the_name_of_its_place() -> None:
    example = varied(
        torch.randn(5, 4), k=3,
        shapes={"x": {0: Dim.AUTO, 1: Dim.DYNAMIC(min=3, max=9)}, "k": Dim.DYNAMIC},
    )  # fmt: skip
    assert example.sizes == {"x.size()[0]": 5, "x.size()[1]": 4, "k": 3}
    assert example.ranges == {
        "x.size()[0]": DimRange(2), "x.size()[1]": DimRange(3, 9), "k": DimRange(2),
    }  # fmt: skip
    (x,), rest = example.resized({"x.size()[1]": 6, "k": 8})
    assert (x.shape, rest) == ((5, 6), {"k": 8})


def test_an_example_that_contradicts_dynamic_shapes_says_where() -> None:
    shapes = {"x": {0: N}, "y": {0: N}}
    with pytest.raises(ProgramError, match=r"Model: y.size\(\)\[0\] is 6 in the example, but"):
        varied(torch.ones(5), torch.ones(6), shapes=shapes)
    with pytest.raises(ProgramError, match=r"dynamic_shapes says that it is 2\*n"):
        varied(torch.ones(5), shapes={"x": {0: 2 * N}})


def test_whole_numbers_stay_in_the_range_that_was_seen() -> None:
    made = alone(torch.tensor([3, 9, 4, 9, 5]))
    assert made.dtype == torch.int64 and made.min() >= 3 and made.max() <= 9
    assert made.unique().numel() > 2


def test_positions_go_on() -> None:
    made = alone(torch.arange(5), rows=7)
    assert made.tolist() == list(range(7))
    two_rows = torch.arange(4).expand(2, 4)
    assert alone(two_rows, rows=3).tolist() == [[0, 1, 2, 3]] * 3


@pytest.mark.parametrize(
    "seen", [[0.0, float("-inf"), 0.0], [1.0, 1.0, 1.0], [True, False, True], [0, 1, 1]]
)
def test_masks_and_constants_are_made_of_what_was_seen(seen) -> None:
    made = alone(torch.tensor(seen))
    assert set(made.tolist()) == set(seen)


def test_numbers_keep_their_sign_and_their_spread() -> None:
    torch.manual_seed(0)
    positive, both = alone(torch.rand(100) + 3, 1000), alone(torch.randn(100) * 5 + 1, 1000)
    assert positive.min() >= 3 and positive.max() <= 4
    assert both.min() < 0 and 4 < both.std() < 6


def test_what_a_tensor_is_besides_its_values_is_kept() -> None:
    x = torch.randn(2, 3, 4, 4, dtype=torch.bfloat16).to(memory_format=torch.channels_last)
    made = alone(x.requires_grad_(), rows=5)
    assert made.is_contiguous(memory_format=torch.channels_last)
    assert (made.dtype, made.requires_grad, made.is_leaf) == (torch.bfloat16, True, True)


def test_a_tensor_given_twice_stays_one() -> None:
    x = torch.randn(5)
    (a, b), _ = varied(x, x, shapes={"x": {0: N}, "y": {0: N}}).resized({"n": 7})
    assert a is b
    (a, b), _ = varied(x, x).copied()
    assert a is b and a is not x


def test_what_was_computed_with_gradients_can_be_an_example() -> None:
    x = torch.ones(3, requires_grad=True) * 2
    ((copy,), _) = varied(x).copied()
    assert copy.is_leaf and copy.requires_grad and copy.tolist() == [2, 2, 2]


def test_what_cannot_be_resized_says_the_way_out() -> None:
    example = varied(torch.eye(4).to_sparse(), shapes={"x": {0: N}})
    with pytest.raises(ProgramError, match="cannot be given another size; say how with inputs="):
        example.resized({"n": 7})
    assert example.resized({})[0][0].shape == (4, 4)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128, torch.float8_e4m3fn])
def test_values_of_a_dtype_of_which_torch_implements_little_are_made(dtype):
    made = alone(torch.randn(5, 3).to(dtype))
    assert made.shape == (40, 3) and made.dtype is dtype

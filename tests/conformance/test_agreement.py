"""What counts as agreeing with eager, one aspect a test."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest
import torch

from exportdb.cases.case import Tolerance
from exportdb.conformance.agreement import differences
from exportdb.conformance.difference import Rules
from exportdb.conformance.observing import Behaviour, fresh, observe

NAN = float("nan")
TENTHS = torch.tensor([0.1, 0.7], dtype=torch.float64)


def kinds(eager: Behaviour, capture: Behaviour, **options: object) -> list[str]:
    return [d.kind for d in differences(eager, capture, Rules(Tolerance(), **options), ["x", "y"])]


def of_rows(rows: list[int], values: list[float]) -> torch.Tensor:
    """The sparse gradient of a table of four rows in which some were looked up, perhaps twice."""
    return torch.sparse_coo_tensor(torch.tensor([rows], dtype=torch.int64), values, (4,))


def outputs(eager: object, capture: object) -> list[str]:
    return kinds(Behaviour(eager), Behaviour(capture))


@pytest.mark.parametrize(
    ("eager", "capture", "expected"),
    [
        (torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN]), []),
        (torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]), []),
        (torch.tensor([1.0]), torch.tensor([1.1]), ["values"]),
        (TENTHS, TENTHS * (1 + 1e-12), []),
        (TENTHS, TENTHS.float().double(), ["values"]),
        (TENTHS * 1j, (TENTHS * 1j).to(torch.complex64).to(torch.complex128), ["values"]),
        (torch.tensor([1]), torch.tensor([1.0]), ["dtype"]),
        (torch.ones(2, 1), torch.ones(2), ["shape"]),
        (torch.ones(2), torch.ones(2, device="meta"), ["device"]),
        (torch.ones(2).to_sparse(), torch.ones(2), ["type"]),
        ((torch.ones(2),), [torch.ones(2)], ["class"]),
        ({"a": 1}, {"b": 1}, ["structure"]),
        (3, 3, []),
        (3, 4, ["values"]),
        (3, 3.0, ["type"]),
        (True, 1, ["type"]),
        (NAN, NAN, []),
        (None, None, []),
        (torch.empty(0, 3), torch.empty(0, 3), []),
        (torch.ones(2, dtype=torch.complex64).conj(), torch.ones(2, dtype=torch.complex64), []),
        (torch.ones(2, dtype=torch.complex32), torch.ones(2, dtype=torch.complex32), []),
        (torch.ones(2, dtype=torch.complex32), torch.zeros(2, dtype=torch.complex32), ["values"]),
    ],
    ids=str,
)
def test_outputs(eager: object, capture: object, expected: list[str]) -> None:
    assert outputs(eager, capture) == expected


@pytest.mark.parametrize(
    ("eager", "capture", "expected"),
    [
        (None, torch.zeros(2), ["requires-grad"]),
        (torch.zeros(2), None, ["requires-grad"]),
        (None, torch.ones(2), ["gradient"]),
        (torch.ones(2), None, ["gradient"]),
        (torch.zeros(2), torch.zeros(3), ["gradient"]),
        (of_rows([0, 2, 0], [1.0, 2.0, 3.0]), of_rows([2, 0], [2.0, 4.0]), []),
        (of_rows([0, 2], [1.0, 2.0]), of_rows([0, 1], [1.0, 2.0]), ["gradient"]),
        (of_rows([0, 2, 0], [1.0, 2.0, 3.0]), of_rows([2, 0], [2.0, 3.0]), ["gradient"]),
        (of_rows([0, 2], [1.0, 2.0]), torch.tensor([1.0, 0.0, 2.0, 0.0]), ["gradient"]),
        (of_rows([], []), None, ["requires-grad"]),
        (None, of_rows([1], [0.0]), ["requires-grad"]),
        (None, of_rows([1], [2.0]), ["gradient"]),
    ],
    ids=str,
)
def test_gradients(eager, capture, expected):
    found = (Behaviour(1, gradients={"input": gradient}) for gradient in (eager, capture))
    assert kinds(*found) == expected


def test_the_first_difference_is_named_with_its_place() -> None:
    a, b = torch.zeros(2, 3), torch.zeros(2, 3)
    b[1, 2] = 5
    (found,) = differences(Behaviour((a,)), Behaviour((b,)), Rules(Tolerance()))
    assert found.message == "output[0][1, 2] is 0.0 in eager, 5.0 in capture (1 of 6 values differ)"


def test_the_tolerance_of_the_case_counts() -> None:
    runs = Behaviour(torch.tensor([1.0])), Behaviour(torch.tensor([1.1]))
    assert not differences(*runs, Rules(Tolerance(rtol=0.2, atol=0.0)))


class Owner(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(1))


def observed(function, *args: object, owner: torch.nn.Module | None = None) -> Behaviour:
    return observe(function, fresh((args, {})), owner or Owner())


def test_a_lost_change_of_an_input() -> None:
    x = torch.ones(3)
    assert kinds(observed(lambda x: x.add_(1) * 2, x), observed(lambda x: (x + 1) * 2, x)) == [
        "input-mutation"
    ]


def test_a_list_input_that_grows_only_in_eager() -> None:
    assert kinds(observed(lambda xs: xs.append(1), [1]), observed(lambda xs: None, [1])) == [
        "input-mutation"
    ]


def test_a_buffer_that_is_replaced_counts_like_one_written_in_place() -> None:
    def assigns(owner: Owner):
        def run() -> None:
            owner.total = owner.total + 1

        return run

    one, other = Owner(), Owner()
    eager = observed(assigns(one), owner=one)
    assert kinds(eager, observed(assigns(other), owner=other)) == []
    assert kinds(eager, observed(lambda: None, owner=Owner())) == ["state-mutation"]


def test_aliases_between_outputs_and_inputs_lost_and_invented() -> None:
    x = torch.ones(3)
    view, copy = observed(lambda x: x.view(-1), x), observed(lambda x: x.clone(), x)
    assert kinds(view, copy) == ["alias"]
    assert kinds(copy, view) == ["alias"]
    assert kinds(view, observed(lambda x: x.detach(), x)) == []


def test_an_alias_between_two_outputs() -> None:
    def twice(x):
        y = x + 1
        return y, y

    x = torch.ones(3)
    assert kinds(observed(twice, x), observed(lambda x: (x + 1, x + 1), x)) == ["alias"]


def test_two_inputs_that_share_memory_still_do_in_the_copies() -> None:
    x = torch.ones(4)
    (a, b), _ = fresh(((x, x[1:]), {}))
    a[1] = 7
    assert b[0] == 7 and x[1] == 1


def test_metadata_alone_compares_shapes_and_strides_that_matter() -> None:
    a, meta = torch.ones(3, 4), torch.empty(3, 4, device="meta")
    assert kinds(Behaviour(a), Behaviour(meta), metadata_only=True) == []
    assert kinds(Behaviour(a.t()), Behaviour(meta.reshape(4, 3)), metadata_only=True) == ["stride"]
    one = torch.empty_strided((1, 4), (99, 1), device="meta")
    assert kinds(Behaviour(torch.ones(1, 4)), Behaviour(one), metadata_only=True) == []


def test_an_object_that_is_no_pytree_is_compared_by_its_attributes() -> None:
    class Cache:
        def __init__(self, keys: torch.Tensor) -> None:
            self.keys = keys
            self.seen = [1, 2]

    ones = Cache(torch.ones(2))
    assert outputs(ones, Cache(torch.ones(2))) == []
    assert outputs(ones, Cache(torch.zeros(2))) == ["values"]


class Slotted:
    __slots__ = ("__dict__", "value")

    def __init__(self, value: object) -> None:
        self.value = value


class Named(dict):
    """A dict that pytree does not know."""


def over(value: object) -> Callable[[], object]:
    return lambda: value


def drawn(count: int) -> torch.Generator:
    generator = torch.Generator().manual_seed(1)
    torch.rand(count, generator=generator)
    return generator


def given_one_by_one(values: list[object]) -> Iterator[object]:
    yield from values


@pytest.mark.parametrize(
    "made",
    [
        lambda v: np.array([v, NAN]),
        lambda v: np.float32(v * NAN if v == 1 else v),
        lambda v: np.array([str(v), "b"]),
        lambda v: np.array([v, None], dtype=object),
        Slotted,
        lambda v: Slotted(torch.ones(2) * v),
        lambda v: Named(a=torch.ones(2) * v),
        lambda v: {torch.ones(2) * v},
        lambda v: {"a": torch.ones(2) * v}.values(),
        lambda v: MappingProxyType({"a": torch.ones(2) * v}),
        lambda v: SimpleNamespace(a=torch.ones(2) * v),
        lambda v: iter([torch.ones(2) * v]),
        lambda v: map(torch.neg, [torch.ones(2) * v]),
        lambda v: given_one_by_one([torch.ones(2) * v]),
        lambda v: over(torch.ones(2) * v),
        lambda v: functools.partial(over, torch.ones(2) * v),
        drawn,
        lambda v: torch.nn.ParameterList([torch.ones(2) * v]),
        lambda v: Slotted(v).__init__,
        lambda v: Path(str(v)),
        lambda v: Fraction(1, v + 1),
        lambda v: torch.float32 if v == 1 else torch.float64,
    ],
)  # fmt: skip
def test_what_is_no_pytree_is_compared_by_what_it_holds(made: Callable[[int], object]) -> None:
    one, other = made(1), made(1)
    str(one)  # a path remembers what it was asked
    assert outputs(one, other) == []
    assert outputs(one, made(2)) != []


def test_an_object_that_nothing_tells_from_its_copy_is_no_difference() -> None:
    assert outputs(object(), object()) == []
    assert outputs(threading.Lock(), threading.Lock()) == []
    assert outputs(object(), threading.Lock()) == ["type"]


def test_an_object_that_leads_back_to_itself_is_compared_once() -> None:
    class Node:
        def __init__(self, value: int) -> None:
            self.value = value
            self.parent = self

    assert outputs(Node(1), Node(1)) == []
    assert outputs(Node(1), Node(2)) == ["values"]

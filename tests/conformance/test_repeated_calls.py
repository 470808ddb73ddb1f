"""Calls in a row: what a capture keeps between them, and what a caller holds on to, shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from exportdb.exporters.protocol import Exporter, Program
from exportdb.records.record import Record
from tests.conformance.conftest import results

DOUBLES = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2

def inputs():
    return torch.randn(3)
"""
AGAIN = "example, called again"
Examine = Callable[..., Record]


class Wrapped(Exporter):
    """Eager behind ``wrap(module)``, which gives what is called."""

    name = "wrapped"

    def __init__(self, wrap: Callable[[torch.nn.Module], Callable[..., Any]]) -> None:
        self.wrap = wrap

    def capture(self, program: Program) -> Any:
        return self.wrap(program.module)


def findings(record: Record) -> dict[str, str]:
    return {finding.id: finding.message for finding in record.findings}


@pytest.mark.parametrize("buffers", [1, 2, 3, 4])
def test_answers_in_one_of_several_buffers_by_turns_are_wrong(
    examine: Examine, buffers: int
) -> None:
    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        pools: dict[Any, list[torch.Tensor]] = {}

        def call(x: torch.Tensor) -> torch.Tensor:
            out = module(x)
            pool = pools.setdefault((out.shape, out.stride(), out.dtype, out.requires_grad), [])
            full = len(pool) == buffers and not out.requires_grad
            pool.append(pool.pop(0).copy_(out) if full else out)
            return pool[-1]

        return call

    record = examine(DOUBLES, Wrapped(wrap))
    assert (record.outcome, results(record)[AGAIN]) == ("wrong", "disagrees")
    assert "held-output-overwritten" in findings(record)


@pytest.mark.parametrize("last", [2, 3, 4, 5])
def test_an_answer_that_is_wrong_at_a_later_call_alone_is_wrong(
    examine: Examine, last: int
) -> None:
    class Counting(torch.nn.Module):
        def __init__(self, module: torch.nn.Module) -> None:
            super().__init__()
            self.module, self.calls = module, 0

        def forward(self, x: torch.Tensor) -> Any:
            self.calls += 1  # put back before every sample, as all that a module keeps
            out = self.module(x)
            return out + 1 if self.calls == last else out

    record = examine(DOUBLES, Wrapped(Counting))
    assert record.outcome == "wrong"
    assert [name for name, result in results(record).items() if result != "agrees"] == [AGAIN]


def _of_object(x: torch.Tensor) -> Any:
    return id(x)


def _of_address(x: torch.Tensor) -> Any:
    return x.data_ptr()


@pytest.mark.parametrize("key", [_of_object, _of_address])
def test_an_answer_kept_for_a_tensor_that_was_filled_anew_is_wrong(
    examine: Examine, key: Callable[[torch.Tensor], Any]
) -> None:
    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        known: dict[Any, Any] = {}
        held: list[torch.Tensor] = []  # so that neither comes back by chance

        def call(x: torch.Tensor) -> Any:
            held.append(x)
            if key(x) not in known:
                known[key(x)] = module(x)
            return known[key(x)].clone()

        return call

    record = examine(DOUBLES, Wrapped(wrap))
    assert record.outcome == "wrong"
    assert results(record)[AGAIN] == "disagrees"


def test_an_answer_that_is_stale_when_its_values_come_back_is_wrong(examine: Examine) -> None:
    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        seen: list[torch.Tensor] = []

        def call(x: torch.Tensor) -> Any:
            seen.append(x.clone())
            stale = len(seen) > 2 and torch.equal(seen[-3], x) and not torch.equal(seen[-2], x)
            return module(seen[-2] if stale else x)

        return call

    record = examine(DOUBLES, Wrapped(wrap))
    assert record.outcome == "wrong"
    assert "call 3" in next(s.message for s in record.samples if s.name == AGAIN)


def test_an_answer_that_is_stale_after_other_samples_is_wrong(examine: Examine) -> None:
    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        seen: list[torch.Tensor] = []

        def call(x: torch.Tensor) -> Any:
            again = len(seen) > 2 and x.shape == seen[0].shape and torch.equal(x, seen[0])
            seen.append(x.clone())
            return module(x) + 1 if again else module(x)

        return call

    record = examine(DOUBLES, Wrapped(wrap))
    assert record.outcome == "wrong"
    assert "call 1: " in next(s.message for s in record.samples if s.name == AGAIN)


SOUND = {
    "gives a view of its input": """
class Model(torch.nn.Module):
    def forward(self, x):
        return x[1:], x * 2

def inputs():
    return torch.randn(3)
""",
    "keeps its input in a buffer": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x):
        last, self.last = self.last, x
        return x - last

def inputs():
    return torch.randn(3)
""",
    "gives a list that grows": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append(x.sum())
        return self.seen

def inputs():
    return torch.randn(3)
""",
    "is full after three calls": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(3, 3))
        self.calls = 0

    def forward(self, x):
        self.kept[self.calls] = x
        self.calls += 1
        return self.kept.sum(0)

def inputs():
    return torch.randn(3)
""",
    "gives a buffer that it changes": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total += x
        return self.total

def inputs():
    return torch.randn(3)
""",
    "is given one tensor twice": """
class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y.t()

def inputs():
    x = torch.randn(3, 3)
    return x, x
""",
}


@pytest.mark.parametrize("says", SOUND)
def test_a_program_that_keeps_something_is_supported_by_eager_itself(
    examine: Examine, says: str
) -> None:
    record = examine(SOUND[says], Wrapped(lambda module: module))
    assert record.outcome == "supported", [s for s in record.samples if s.result != "agrees"]
    assert results(record)[AGAIN] == "agrees"


def test_a_copy_of_what_eager_gives_a_view_of_is_no_wrong_number(examine: Examine) -> None:
    program = SOUND["gives a view of its input"]
    record = examine(program, Wrapped(lambda m: lambda x: tuple(t.clone() for t in m(x))))
    assert record.outcome == "lossy"


def test_an_alias_of_what_eager_copies_is_no_wrong_number(examine: Examine) -> None:
    program = DOUBLES.replace("x * 2", "x.clone()")
    record = examine(program, Wrapped(lambda module: lambda x: x))
    assert record.outcome == "lossy"


def test_an_exporter_that_copies_a_kept_input_is_not_wrong(examine: Examine) -> None:
    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        return lambda x: module(x.clone())

    record = examine(SOUND["keeps its input in a buffer"], Wrapped(wrap))
    assert record.outcome == "lossy"


COUNTS = """
from torch.export import Dim

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()))

    def forward(self, x):
        self.total += x.sum()
        return x + self.total

n = Dim("n", min=2, max=8)
dynamic_shapes = {"x": {0: n}}

def inputs(n=5):
    return (torch.randn(n),)
"""
RESIZED = "example, other sizes, called again"


def test_state_that_each_size_has_of_its_own_is_wrong(examine: Examine) -> None:
    class Apart(torch.nn.Module):
        def __init__(self, module: torch.nn.Module) -> None:
            super().__init__()
            self.module = module
            self.kept: dict[Any, torch.Tensor] = {}

        def forward(self, x: torch.Tensor) -> Any:
            self.module.total.copy_(self.kept.get(x.shape, torch.zeros(())))
            out = self.module(x)
            self.kept = {**self.kept, x.shape: self.module.total.clone()}
            return out

    record = examine(COUNTS, Wrapped(Apart))
    assert record.outcome == "wrong"
    assert [name for name, result in results(record).items() if result != "agrees"] == [RESIZED]


def test_state_that_all_sizes_share_is_supported(examine: Examine) -> None:
    record = examine(COUNTS, Wrapped(lambda module: module))
    assert (record.outcome, results(record)[RESIZED]) == ("supported", "agrees")


def test_what_keeps_no_state_is_not_called_with_other_sizes_in_between(examine: Examine) -> None:
    program = COUNTS.replace("self.total += x.sum()", "pass")
    assert RESIZED not in results(examine(program, Wrapped(lambda module: module)))


class _ByRows(torch.autograd.Function):
    """The thing itself; what comes back to it is read in the order in which it lies."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        grad = grads[0]
        return grad if grad.is_contiguous() else grad.mT.reshape(grad.shape)


def test_what_comes_back_read_as_if_it_lay_row_by_row_is_wrong(examine: Examine) -> None:
    program = DOUBLES.replace("randn(3)", "randn(3, 4)")
    wrapped = Wrapped(lambda module: lambda x: _ByRows.apply(module(x)))
    wrapped.differentiates = True  # type: ignore[misc]
    record = examine(program, wrapped)
    assert record.outcome == "wrong"
    assert [name for name, result in results(record).items() if result != "agrees"] == [AGAIN]


KEEPS_A_GRAPH = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = {"peak": torch.full((3,), -9.0)}

    def forward(self, x):
        self.state["peak"] = torch.maximum(self.state["peak"], x * x)
        return self.state["peak"] - x

def inputs():
    return torch.randn(3)
"""


def test_inputs_that_eager_differentiates_later_calls_by_are_not_filled_anew(
    examine: Examine,
) -> None:
    """An exporter that copies its inputs gives the gradient of what each call was given."""

    def wrap(module: torch.nn.Module) -> Callable[..., Any]:
        return lambda x: module(x.clone())

    wrapped = Wrapped(wrap)
    wrapped.differentiates = True  # type: ignore[misc]
    record = examine(KEEPS_A_GRAPH, wrapped)
    assert record.outcome == "supported", [s for s in record.samples if s.result != "agrees"]


class _OnceOnly(torch.autograd.Function):
    """The thing itself; who differentiates it a second time gets nothing, or an error."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, refuses: bool) -> torch.Tensor:
        ctx.refuses, ctx.passed = refuses, 0
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        if ctx.refuses and torch._C._autograd._get_current_graph_task_keep_graph():
            raise RuntimeError("compiled for one way back")
        ctx.passed += 1
        return grads[0] if ctx.passed == 1 else torch.zeros_like(grads[0]), None


@pytest.mark.parametrize(("refuses", "outcome"), [(False, "wrong"), (True, "supported")])
def test_a_second_way_back_through_one_result_gives_the_same_or_is_refused(
    examine: Examine, refuses: bool, outcome: str
) -> None:
    wrapped = Wrapped(lambda module: lambda x: _OnceOnly.apply(module(x), refuses))
    wrapped.differentiates = True  # type: ignore[misc]
    assert examine(DOUBLES, wrapped).outcome == outcome

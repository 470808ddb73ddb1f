"""How a runtime that takes and gives flat lists is called as the program was."""

from __future__ import annotations

import copy

import pytest

from ..conformance.conftest import results
from .conftest import examine  # noqa: F401  # a fixture

torch = pytest.importorskip("torch")

from exportdb.exporters.calling import Convention, dense, keeping_state  # noqa: E402
from exportdb.exporters.protocol import Artifact, Exporter  # noqa: E402

COUNTS = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        return x * self.calls

def inputs():
    return torch.randn(3)
"""


class Runtime(Exporter):
    """Keeps the program's buffers where nobody can read them."""

    name = "runtime"

    def capture(self, program):
        return Artifact(call=keeping_state(self.load(program)), put_back=self.reload)

    def load(self, program):
        self.program = program
        self.reload()
        return lambda *args, **kwargs: self.loaded(*args, **kwargs)

    def reload(self):
        self.loaded = copy.deepcopy(self.program.module)


class Visible(Runtime):
    """The same, and claims that its buffers are those of the program."""

    def capture(self, program):
        return Artifact(call=self.load(program), put_back=self.reload)


class Forgets(Runtime):
    """Begins anew with every call."""

    def capture(self, program):
        return Artifact(call=keeping_state(lambda x: copy.deepcopy(program.module)(x)))


class Model(torch.nn.Module):
    def forward(self, pair, k, *, half=None):
        return {"first": pair["a"] * k, "second": (pair["b"] + 1, k, None)}


@pytest.fixture(scope="module")
def convention() -> Convention:
    return Convention(torch.export.export(Model(), ({"a": torch.ones(2), "b": torch.zeros(3)}, 4)))


def test_the_leaves_of_a_call_have_the_names_of_the_graph(convention):
    a, b = torch.randn(2), torch.randn(3)
    leaves = convention.leaves(({"a": a, "b": b}, 4), {})
    assert list(leaves) == convention.names == ["pair_a", "pair_b", "k"]
    assert leaves["pair_a"] is a
    assert leaves["pair_b"] is b


def test_constants_are_not_fed_and_have_no_other_value(convention):
    a, b = torch.randn(2), torch.randn(3)
    assert list(convention.fed(({"a": a, "b": b}, 4), {})) == ["pair_a", "pair_b"]
    with pytest.raises(ValueError, match="k is the constant 4"):
        convention.fed(({"a": a, "b": b}, 5), {})


def test_another_structure_is_refused(convention):
    with pytest.raises(ValueError):
        convention.fed((torch.ones(2), 4), {})


def test_what_was_computed_comes_back_in_the_structure_of_the_program(convention):
    assert convention.structured(["x", "y"]) == {"first": "x", "second": ("y", 4, None)}
    assert convention.whole(["x", "y", 4, None]) == {"first": "x", "second": ("y", 4, None)}
    with pytest.raises(ValueError, match="2 outputs, the runtime gave 1"):
        convention.structured(["x"])


def test_a_dense_tensor_is_nobody_elses():
    base = torch.arange(6.0, requires_grad=True)
    given = dense(base.view(2, 3).t())
    assert given.is_contiguous()
    assert not given.requires_grad
    given.zero_()
    assert base.sum() == 15
    assert dense(torch.tensor([1 + 2j]).conj()).is_conj() is False
    assert dense(3).shape == ()
    assert dense(True).dtype == torch.bool
    assert dense(torch.empty(2, 3, device="meta")).tolist() == [[0.0] * 3] * 2


def test_a_number_has_the_precision_it_has_in_python():
    assert (dense(0.1).dtype, dense(0.1).item()) == (torch.float64, 0.1)
    assert [dense(n).dtype for n in (3, True)] == [torch.int64, torch.bool]


def test_state_that_a_runtime_keeps_to_itself_is_seen_from_later_calls(examine):  # noqa: F811
    assert examine(COUNTS, Runtime()).outcome == "supported"
    assert "state-mutation-differs" in {f.id for f in examine(COUNTS, Visible()).findings}
    forgets = examine(COUNTS, Forgets())
    assert forgets.outcome == "wrong"
    assert results(forgets)["example, called again"] == "disagrees"

"""Every record says what became of each size that was asked to be dynamic, or that nobody knows."""

from __future__ import annotations

from exportdb.exporters.fx_trace import FxTrace
from exportdb.exporters.jit_trace import JitTrace
from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.torch_export import Export

TWO_SIZES = """
class Model(torch.nn.Module):
    def forward(self, x, y):
        return x * 2, y.reshape({shape})

n, m = Dim("n", min=2, max=9), Dim("m", min=2, max=9)
dynamic_shapes = {{"x": {{0: n}}, "y": {{0: m}}}}

def inputs(n=5, m=6):
    return torch.ones(n), torch.ones(m, 2)
"""
REFUSED = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * (2 if x.sum() > 0 else 3)

dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

def inputs(n=5):
    return torch.ones(n)
"""
HINTS = """
class Model(torch.nn.Module):
    def forward(self, x, k):
        return x * k

dynamic_shapes = {"x": {0: Dim.DYNAMIC}, "k": Dim.DYNAMIC}

def inputs(n=5):
    return torch.ones(n), 3

def accepts():
    yield torch.ones(5), 4
"""


def told(record):
    """Which sizes were kept, by name: what the capture recorded, then what else is known."""
    facts = record.facts
    named = [*facts.get("dims", ()), *facts["display"].get("dims", ())]
    return {d["source"]: d["kept"] for d in named}


def test_a_trace_that_agrees_on_another_size_has_kept_it(examine):
    for exporter in (JitTrace(), FxTrace()):
        record = examine(TWO_SIZES.format(shape="-1"), exporter)
        assert told(record) == {"x.size()[0]": True, "y.size()[0]": True}
        assert record.dims == (2, 2, 0)
        assert not record.facts.get("dims")  # there is no symbol to compare


def test_a_size_that_agrees_on_none_but_the_examples_has_become_a_constant(examine):
    record = examine(TWO_SIZES.format(shape="int(y.shape[0]) * 2"), JitTrace())
    assert told(record) == {"x.size()[0]": True, "y.size()[0]": False}
    assert (record.dims.kept, record.dims.constants, record.dims.unknown) == (1, 1, 0)


def test_of_what_was_refused_only_what_was_asked_is_known(examine):
    record = examine(REFUSED, Export())
    assert record.outcome == "refused"
    (size,) = record.facts["display"]["dims"]
    assert size == {"source": "x.size()[0]", "asked": "n", "kept": None, "value": ""}
    assert record.dims == (1, 0, 1)
    assert "dims_kept" not in record.cost


def test_what_the_engine_recorded_is_counted_as_before(examine):
    record = examine(TWO_SIZES.format(shape="6, -1"), MakeFx())
    assert {d["source"]: d["kept"] for d in record.facts["dims"]} == told(record)
    assert record.dims.known == record.dims.asked == 2


def test_a_hint_for_a_number_is_a_size_like_any_other(examine):
    record = examine(HINTS, JitTrace(), more="dims: {n: {min: 2, max: 9}}\n")
    assert record.dims.asked == 2
    assert "k" in told(record)


def test_a_program_that_asks_for_nothing_counts_nothing(examine):
    record = examine("""
        class Model(torch.nn.Module):
            def forward(self, x):
                return x + 1

        def inputs():
            return torch.ones(5)
    """, JitTrace())  # fmt: skip
    assert not [name for name in record.cost if name.startswith("dims")]

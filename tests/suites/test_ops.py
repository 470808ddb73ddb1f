"""Operators and modules of the installed torch as programs: which dims are found, and the traps."""

from __future__ import annotations

from itertools import takewhile

import pytest
import torch

pytest.importorskip("expecttest")

from exportdb.cases.case import FrontMatter
from exportdb.conformance.examine import examine
from exportdb.devices.builtin import Cpu
from exportdb.exporters.torch_export import Export
from exportdb.plugins import SUITES, find
from exportdb.records.record import Record
from exportdb.suites import ops
from exportdb.suites.free_dims import Example
from exportdb.suites.listed import ListedProgram
from exportdb.suites.modules import Modules
from exportdb.suites.ops import Operators
from exportdb.suites.protocol import Definition

OPS = Operators()


def defined(id: str) -> Definition:
    return OPS.program(id).define()


def ranges(definition: Definition) -> dict[str, tuple[int, int]]:
    """The dims of each input, as names with their ranges."""
    return {
        f"{name}.{i}": (dim.__name__, dim.min, dim.max)
        for name, dims in definition.dynamic_shapes.items()
        for i, dim in (dims or {}).items()
    }


def examined(suite: str, id: str) -> Record:
    program = ListedProgram(id, "", FrontMatter("t", "t"), find(SUITES, suite))
    return examine(program, Export(), Cpu())


def test_sizes_that_eager_ties_together_are_one_dim():
    found = ranges(defined("op/mm/float32/named/0"))
    assert found["input.1"] == found["arg1.0"]
    assert len({found["input.0"], found["input.1"], found["arg1.1"]}) == 3


def test_a_range_begins_where_eager_begins_to_take_sizes():
    class Rows(torch.nn.Module):
        def forward(self, x, y):
            return x[3:6].reshape(3, -1) + y[:1, None]

    shapes, _ = Example(Rows(), (torch.randn(7, 4), torch.randn(5)), {}).shapes("named")
    rows = shapes["x"][0]
    assert (rows.min, rows.max) == (6, 64)
    assert shapes["y"][0].min == 1 and shapes["x"][1].__name__ != rows.__name__


def test_the_lower_end_of_thousands_of_sizes_is_found_in_few_calls():
    class Rows(torch.nn.Module):
        calls = 0

        def forward(self, x):
            self.calls += 1
            return x[:, 300] + 1

    module = Rows()
    shapes, _ = Example(module, (torch.randn(3, 9000),), {}).shapes("named")
    assert shapes["x"][1].min == 301 and module.calls < 100


def test_example_sizes_of_named_dims_are_distinct():
    definition = defined("op/mm/float32/named/0")
    assert len(set(definition.sizes.values())) == len(definition.sizes) == 3
    (x, y), _ = definition.example()
    assert x.shape[1] == y.shape[0] and len({*x.shape, *y.shape}) == 3


@pytest.mark.parametrize("kind", ["auto", "dynamic"])
def test_a_hint_is_asked_of_every_size(kind):
    definition = defined(f"op/mm/float32/{kind}/0")
    hint = getattr(torch.export.Dim, kind.upper())
    assert definition.dynamic_shapes == {"input": {0: hint, 1: hint}, "arg1": {0: hint, 1: hint}}
    assert all(r.min >= 2 for r in definition.ranges.values())


def test_what_is_no_tensor_stands_in_the_source():
    text = OPS.program("op/cat/float32/named/0").text
    assert text.splitlines() == [
        "def forward(self, input_0, input_1):", "    return op([input_0, input_1], dim=-1)",
    ]  # fmt: skip


def test_the_harness_seeds_nothing_inside_the_program():
    assert examined("ops", "op/nn.functional.dropout/float32/named/0").outcome == "supported"


def test_uninitialised_memory_is_not_compared():
    assert examined("ops", "op/new_empty/float32/named/1").outcome == "supported"


@pytest.mark.parametrize("id", ["op/view_as_real/complex128/named/0", "op/chalf/float32/named/2"])
def test_dtypes_of_which_torch_implements_little_are_compared(id):
    assert examined("ops", id).outcome == "supported"


def test_a_size_that_becomes_a_constant_is_counted():
    record = examined("ops", "op/split/float32/auto/0")
    dims = {d["source"]: d["kept"] for d in record.facts["dims"]}
    assert False in dims.values() and True in dims.values()
    assert record.cost["dims_asked"] == len(dims)
    assert record.cost["dims_kept"] == sum(dims.values())


def test_options_decide_how_many_programs_an_operator_has():
    def ids(**options: str) -> list[str]:
        """Those of the first operator."""
        some = (p.id for p in OPS.programs(**{**OPS.options, **options}))
        return list(takewhile(lambda id: id.startswith("op/abs/"), some))

    assert len(ids(samples="3", dtypes="float32,int64", dims="auto,named,static")) > len(
        ids(samples="3", dims="auto,named,static")
    ) > len(ids(samples="3"))  # fmt: skip
    assert any("/int64/" in i for i in ids(dtypes="all"))
    with pytest.raises(ValueError, match="samples=none"):
        ids(samples="none")
    with pytest.raises(KeyError):
        OPS.program("op/no_such_operator/float32/named/0")


def test_every_collection_of_this_torch_is_there():
    sizes = {topic: len(ops.collection(topic)) for topic in ("op", "custom", "autograd", "hop")}
    assert all(sizes.values()) and sizes["op"] > 500


def test_a_module_is_a_program_with_its_parameters():
    definition = Modules().program("nn.Linear/float32/named/0").define()
    module = definition.models["Model"]()
    assert isinstance(module, torch.nn.Linear) and not module.training
    assert examined("modules", "nn.Linear/float32/named/0").outcome == "supported"

"""Which branches of a program's own code the samples take, and samples made to take another."""

from __future__ import annotations

import pytest
import torch

from exportdb.conformance.sampling import branches
from exportdb.conformance.sampling.constants import codes_of
from exportdb.exporters.jit_trace import JitTrace
from exportdb.records.display import as_text

from .conftest import Made, results

PROGRAM = """
class Model(torch.nn.Module):
    def forward(self, x):
        {body}

def inputs():
    return torch.linspace(0.1, 0.4, 4)
"""


def untaken(examine, body: str) -> tuple[str, ...]:
    said = examine(PROGRAM.format(body=body)).untaken
    return tuple(text.partition(": ")[2] for text in said)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x if x.sum() > 0 else -x", ()),
        ("return x if x.device.type == 'cpu' else -x", ("is never false",)),
        ("return x + 1 if x.ndim < 9 and x.sum() > 0 else x", ("`x.ndim < 9` is never false",)),
        ("return [x + i for i in range(3) if i % 2][0]", ()),
        ("return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))", ()),
        ("return torch.cond(x.ndim > 9, torch.sin, torch.cos, (x,))", ("is never true",)),
        # Neither is anything that inputs decide.
        ("assert x.ndim == 1; return x", ()),
        ("return x if torch.compiler.is_compiling() else x + 0", ()),
    ],
)
def test_a_side_that_no_sample_takes_stands_in_the_record(
    examine, body: str, expected: tuple[str, ...]
) -> None:
    said = untaken(examine, body)
    assert len(said) == len(expected)
    assert all(text.endswith(end) for text, end in zip(said, expected, strict=True))


def test_its_line_is_that_of_the_file(examine, tmp_path) -> None:
    record = examine(
        PROGRAM.format(body="if x.ndim == 9:\n            return x\n        return -x")
    )
    (said,) = record.untaken
    text = next(tmp_path.rglob("*.py")).read_text().splitlines()
    assert text[int(said.split()[1].rstrip(":")) - 1].strip() == "if x.ndim == 9:"
    assert said in as_text(record)


def test_a_sample_is_made_for_a_side_that_no_other_takes(examine) -> None:
    # Of the samples that are always made none has a mean between the two.
    body = "return x + 1 if 6.9 < x.mean() and x.mean() < 7.1 else x - 7"
    record = examine(PROGRAM.format(body=body), JitTrace())
    assert record.outcome == "wrong"
    assert results(record)["data: all 7"] == "disagrees"
    assert not record.untaken


@pytest.mark.parametrize(
    "asked",
    [
        "x.dtype is torch.float64",
        "x.is_complex()",
        "x.dim() > 1",
        "x.requires_grad",
        "x.is_neg()",
        "isinstance(x, torch.nn.Parameter)",
        "torch.is_inference_mode_enabled()",
        "torch.are_deterministic_algorithms_enabled()",
        "torch.get_default_dtype() is torch.float64",
    ],
)
def test_a_sample_is_made_of_another_kind_where_the_program_asks_for_it(examine, asked) -> None:
    record = examine(PROGRAM.format(body=f"return x * 2 if {asked} else x * 3"), JitTrace())
    assert record.outcome == "unguarded"
    assert not record.untaken


def test_no_sample_is_made_of_another_kind_where_nothing_asks_for_it(examine) -> None:
    tried = results(examine(PROGRAM.format(body="return x * 2 if x.sum() > 0 else x")))
    assert not [name for name in tried if "float64" in name or "axis" in name]


def test_a_side_that_only_inputs_without_an_element_take_is_looked_for(examine) -> None:
    program = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 if (x < 30).any() else x * 3

dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

def inputs(n=5):
    return torch.randn(n)
"""
    record = examine(program, JitTrace())
    assert record.outcome == "wrong"
    assert results(record)["data: all 30"] == "disagrees"


def test_what_a_second_call_takes_counts(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.last = None

        def forward(self, x):
            before = x if self.last is None else self.last
            self.last = x
            return before + 1

    def inputs():
        return torch.ones(3)
    """
    assert not examine(program).untaken


def test_a_loop_that_ends_at_once_has_taken_one_side() -> None:
    class Doubling(torch.nn.Module):
        def forward(self, x, n):
            while n > 1:
                x, n = x * 2, n - 1
            return x

    module = Doubling()
    jumps = branches.jumps_of(codes_of(module))
    once = branches.taken(jumps, lambda: module(torch.ones(2), 1))
    assert [branches.told(side).partition(": ")[2] for side in branches.other_sides(once)] == [
        "`n > 1` is never true"
    ]
    more = branches.taken(jumps, lambda: module(torch.ones(2), 3))
    assert not branches.other_sides(once | more)


def test_what_raises_has_taken_its_side_and_nothing_is_left_traced() -> None:
    import sys

    class Refusing(torch.nn.Module):
        def forward(self, x):
            if x.sum() < 0:
                raise ValueError("negative")
            return x

    module, before = Refusing(), sys.gettrace()
    jumps = branches.jumps_of(codes_of(module))
    found = branches.taken(jumps, lambda: module(-torch.ones(2)))
    assert [came for _, came in found] == [True]
    assert sys.gettrace() is before


def test_what_is_asked_of_none_comes_out_as_it_is_written() -> None:
    class Asking(torch.nn.Module):
        def forward(self, x, other, keep):
            if x is not None:
                x = x + 1
            if other is None:
                x = x * 2
            return x if keep is None or keep is not None else other

    module = Asking()
    jumps = branches.jumps_of(codes_of(module))
    seen = branches.taken(jumps, lambda: module(1, None, 5))
    assert {(branch.test, side) for branch, side in seen} == {
        ("x is not None", True),
        ("other is None", True),
        ("keep is None", False),
        ("keep is not None", True),
    }


def test_the_code_of_a_program_is_read_once_for_all_of_its_samples(monkeypatch) -> None:
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x

    module, read = Model(), []
    instructions = branches.dis.get_instructions
    monkeypatch.setattr(
        branches.dis, "get_instructions", lambda code: read.append(code) or instructions(code)
    )
    for _ in range(3):
        assert branches.jumps_of(codes_of(module))
    assert len(read) == len(set(read))


def test_a_branch_in_another_file_is_told_with_that_files_name(examine, tmp_path, monkeypatch):
    (tmp_path / "helper_of_a_test.py").write_text(
        "def halved(x):\n    return x / 2 if x.ndim < 9 else x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    program = """
    from helper_of_a_test import halved

    class Model(torch.nn.Module):
        def forward(self, x):
            return halved(x) if x.ndim < 8 else x

    def inputs():
        return torch.ones(4)
    """
    found = sorted(examine(program).untaken)
    assert found == [
        "helper_of_a_test.py, line 2: `x.ndim < 9` is never false",
        "line 12: `x.ndim < 8` is never false",
    ]


STATICS = """
class Model(torch.nn.Module):
    def forward(self, x, a, b):
        if {test}:
            x = x + 1
        return x * 2

dynamic_shapes = {{"x": {{0: Dim("n", min=2, max=64)}}, "a": None, "b": None}}

def inputs(n=5):
    return torch.ones(n), {a}, {b}
"""


@pytest.mark.parametrize(
    ("test", "a", "b", "sample"),
    [
        ("a and b", "False", "False", "a=True, b=True"),
        ("not a and not b", "True", "True", "a=False, b=False"),
        ("a and b == 'sum'", "False", "'mean'", "a=True, b='sum'"),
        ("a is None and b is None", "torch.ones(2)", "torch.ones(2)", "a=None, b=None"),
        ("a and x.shape[0] > 40", "False", "None", "a=True, n=41"),
        ("a and b > 9", "False", "3", "a=True, b=10"),
    ],
)
def test_what_flags_words_and_sizes_decide_together_is_tried(
    examine, test: str, a: str, b: str, sample: str
) -> None:
    """A capture that keeps the example's way is wrong there alone."""
    record = examine(STATICS.format(test=test, a=a, b=b), Made(lambda x, a, b: x * 2))
    assert results(record).get(sample) == "disagrees", results(record)
    assert not record.untaken


@pytest.mark.parametrize("test", ["a and b", "k[0] and k[1]", "not k[0] or k[1]", "a and x.ndim"])
def test_each_part_of_a_test_is_a_branch_of_its_own(test: str) -> None:
    """Python 3.11 has the jumps of both stand where the whole statement does."""
    space: dict = {}
    exec(f"def f(x, a, b, k):\n    if {test}:\n        return x\n    return -x", space)
    jumps = branches.jumps_of([space["f"].__code__])
    assert len({jump.branch for found in jumps.values() for jump in found.values()}) == 2


def test_a_mask_that_the_example_leaves_out_is_given_as_either_kind(examine) -> None:
    """A capture made without one ignores the mask that it is given."""
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x, mask):
                return x + 1 if mask is None else x.masked_fill(mask, 0.0) + 1

        def inputs():
            return torch.randn(3, 4), None
        """,
        Made(lambda x, mask: x + 1),
    )
    assert results(record)["mask=a mask"] == "disagrees"
    assert record.outcome == "unguarded"

"""A result is owed to a line of the program, also where no error and no operator names one."""

from __future__ import annotations

import pytest
import torch

from exportdb.conformance import cause_line
from exportdb.exporters.jit_script import JitScript
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.records.display import as_text
from exportdb.records.expectation import named_line
from exportdb.records.record import FirstDifference

from .conftest import Made

BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        if y.shape[0] > 4:
            return y + 1
        return y * 100

dynamic_shapes = {"x": {0: DIM}}

def inputs(n=7):
    return torch.linspace(0.1, 0.4, n)
"""


def elsewhere(call):
    """``call`` on what lies out of reach of torch's dispatcher."""
    return lambda x: torch.from_numpy(call(x.detach().numpy()))


def test_a_refusal_names_the_line_that_settled_the_size(examine) -> None:
    record = examine(BRANCH.replace("DIM", 'Dim("n", min=2, max=32)'))
    assert record.outcome == "refused" and "Constraints violated (n)" in record.error.message
    assert named_line(record) == "if y.shape[0] > 4:"
    assert 'program.py", line' in record.error.message and ", in forward" in record.error.message


def test_a_refusal_that_only_torch_places_has_the_text_of_its_line(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                if x[0].item() > 4:
                    return x + 1
                return x * 100

        def inputs():
            return torch.tensor([7, 2, 3])
        """
    )
    assert record.outcome == "refused" and "data-dependent" in record.error.message
    assert named_line(record) == "if x[0].item() > 4:"


def test_a_refusal_of_torchscript_has_the_text_of_its_line(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                y = y + len({1, 2})
                return y

        def inputs():
            return torch.linspace(0.1, 0.4, 4)
        """,
        JitScript(),
    )
    assert record.outcome == "refused"
    assert named_line(record) == "y = y + len({1, 2})"


def test_what_became_a_constant_is_owed_to_the_branch_that_made_it_one(examine, tmp_path) -> None:
    record = examine(BRANCH.replace("DIM", "Dim.AUTO"), more="dims: {n: {min: 2, max: 32}}\n")
    lines = (tmp_path / "program.py").read_text().splitlines()
    at = [line.strip() for line in lines].index("if y.shape[0] > 4:") + 1
    assert record.outcome == "specialized"
    assert record.departs == FirstDifference("", at, "if y.shape[0] > 4:")
    assert f"first at line {at}: if y.shape[0] > 4:" in as_text(record)


def test_a_guard_without_a_branch_is_owed_to_the_line_that_asked(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x + 1
                pieces = y.chunk(3)
                return torch.stack([piece.sum() for piece in pieces])

        dynamic_shapes = {"x": {0: Dim.AUTO}}

        def inputs(n=7):
            return torch.linspace(0.1, 0.4, n)
        """,
        more="dims: {n: {min: 3, max: 32}}\n",
    )
    assert record.outcome == "specialized" and record.departs
    assert record.departs.code == "pieces = y.chunk(3)"


def test_a_wrong_capture_that_cannot_be_followed_is_owed_to_the_branch(examine) -> None:
    program = BRANCH.replace("DIM", 'Dim("n", min=2, max=32)')
    record = examine(program, Made(elsewhere(lambda x: x * 2 + 1)))
    assert record.outcome == "wrong"
    assert record.departs and record.departs.code == "if y.shape[0] > 4:"


def test_a_check_that_is_lost_is_the_line_on_which_eager_raises(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                return y.view(5) + 1

        def inputs():
            return torch.linspace(0.1, 0.5, 5)

        def rejects():
            yield torch.linspace(0.1, 0.6, 6)
        """,
        Made(elsewhere(lambda x: x * 2 + 1)),
    )
    assert record.outcome == "unguarded"
    assert record.departs and record.departs.code == "return y.view(5) + 1"


COND = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 100, (x,))

def inputs():
    return torch.linspace(0.1, 0.4, 4)

def accepts():
    yield torch.linspace(-0.4, -0.1, 4)
"""


def test_a_cond_is_not_a_branch_that_a_capture_loses(examine) -> None:
    record = examine(COND, Made(elsewhere(lambda x: x + 1)))
    assert record.outcome == "wrong" and record.departs is None


def test_a_program_that_the_capture_changed_is_not_followed(examine) -> None:
    class Patching(Made):
        def capture(self, program) -> Artifact:
            def other(self, x):
                return x * 5 if x.shape[0] > 4 else x

            type(program.module).forward = other
            return super().capture(program)

    program = BRANCH.replace("DIM", 'Dim("n", min=2, max=32)')
    record = examine(program, Patching(elsewhere(lambda x: x * 2 + 1)))
    assert record.outcome == "wrong" and record.departs is None


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("satisfy the generated guard 5 <= L['x'].size()[0]", 0),
        ("Guard failed: y.size()[1] == 2", 9),
        ("inputs['y'].shape[1] is 3", 9),
        ("x.size()[0] must be dynamic, was x.size()[0] > 4", 7),
        ("max.size()[0]", 0),
        ("something else", 0),
    ],
)
def test_a_line_is_told_only_where_it_is_certain(message: str, line: int) -> None:
    sizes = ("x.size()[0]",)
    assumed = [
        (7, "x.size()[0] > 4", sizes, ""),
        (8, "x.size()[0] < 90", sizes, ""),
        (9, "y.size()[1] < 4", ("y.size()[1]",), ""),
        (1, "y.size()[1] == 2", ("y.size()[1]",), "/another/file.py"),
    ]
    assert cause_line.assumption_line(message, assumed) == line


def test_an_operator_that_a_pass_does_not_take_is_owed_to_its_line(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                return y + (x.shape[0] ^ 3)

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}

        def inputs(n=5):
            return torch.linspace(0.1, 0.4, n)
        """
    )
    assert record.outcome == "refused" and record.error.type == "SpecViolationError"
    assert named_line(record) == "return y + (x.shape[0] ^ 3)"


def test_a_tensor_that_tracing_kept_is_owed_to_the_line_that_takes_it(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                y.data.add_(1)
                return y

        def inputs():
            return torch.linspace(0.1, 0.4, 5)
        """
    )
    assert record.outcome == "refused" and "fake tensor in the exported" in record.error.message
    assert named_line(record) == "y.data.add_(1)"


class Lowers(Exporter):
    """A backend that goes through a graph and does not know one of its operators."""

    name = "lowers"
    description = "of a test"

    def capture(self, program: Program) -> Artifact:
        exported = torch.export.export(program.module, program.args, program.kwargs)
        for node in exported.graph.nodes:
            if "mul" in str(node.target):
                raise KeyError(str(node.target))
        raise AssertionError


def test_what_an_adapter_raises_itself_is_owed_to_its_own_line(examine) -> None:
    record = examine(
        BRANCH[: BRANCH.index("dynamic_shapes")]
        + """
def inputs():
    return torch.linspace(0.1, 0.4, 7)
""",
        Lowers(),
    )
    assert record.outcome == "refused"
    assert "raise KeyError(str(node.target))" in record.error.message and not named_line(record)

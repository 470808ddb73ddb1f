"""What ``--minimise`` writes runs as a case, and fails as the program did."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from exportdb.cases.frontmatter import parse_case
from exportdb.diagnose.as_case import drafts
from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.minimise import failure_of, gives_example, small_case
from exportdb.diagnose.origin import file_origin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.search import Attempt, Setup
from exportdb.plugins import EXPORTERS, find
from exportdb.records.record import ErrorInfo, Record

WRONG = Record(
    case="m", suite="diagnose", exporter="export", device="cpu", outcome="wrong", phase="done"
)


def refused(message: str) -> Record:
    error = ErrorInfo("GuardOnDataDependentSymNode", message, catalogue="E0001")
    return WRONG.with_(outcome="refused", phase="capture", error=error)


def asking(condition: str) -> Record:
    return refused(
        f"Could not guard on data-dependent expression {condition} (unhinted: {condition})."
    )


@pytest.mark.parametrize(
    "made",
    [
        "return Model().eval(), (torch.ones(3),)",
        "return Model().eval(), torch.ones(3)",
        "return Model().eval(), (), {'x': torch.ones(3)}, {'x': {0: n}}",
        "return {'module': Model().eval(), 'args': (torch.ones(3),)}",
        "return dict(module=Model(), args=torch.ones(3), dynamic_shapes=({0: n},))",
    ],
)
def test_whatever_a_function_returns_its_case_gives_the_same(made: str) -> None:
    text = (
        f"import torch\nn = torch.export.Dim('n')\nModel = torch.nn.ReLU\ndef make():\n    {made}\n"
    )
    (draft,) = drafts(text, "make")
    space: dict[str, Any] = {}
    exec(draft.text, space)
    assert isinstance(space[draft.model](), torch.nn.ReLU)
    args, kwargs = space["inputs"]()
    (x,) = (*args, *kwargs.values())
    assert x.shape == (3,)
    assert (space["dynamic_shapes"] is not None) == ("{0: n}" in made)


def test_a_class_with_its_inputs_beside_it_is_a_case_as_it_is() -> None:
    text = "class Model: ...\ndef inputs():\n    return (1,)\ndynamic_shapes = None\n"
    (draft,) = drafts(text, "Model")
    assert (draft.model, draft.text) == ("Model", text)


def test_a_smaller_program_still_gives_its_arguments() -> None:
    def given(made: str) -> bool:
        return gives_example(f"def make():\n    return {made}\n", "make")

    assert given("Model(), (x,)") and given("Model(), ()") and given("made")
    assert given("{'module': Model(), 'args': ()}")
    assert not given("(Model(),)") and not given("{'module': Model()}")


def test_a_condition_on_data_stays_of_one_kind() -> None:
    larger = failure_of(asking("u0 > 6"))
    assert larger == failure_of(asking("u1 <= 0")) == failure_of(asking("6 < Max(u0, 1)"))
    assert larger != failure_of(asking("Eq(u0, 1)"))  # a bare `if` on a tensor
    assert failure_of(asking("Eq(u0, 1)")) != failure_of(asking("Eq(u0, 5)"))
    extracted = refused("Could not extract specialized integer from data-dependent expression u0.")
    assert failure_of(extracted) not in (larger, failure_of(asking("Eq(u0, 5)")))


class Examining:
    """A search to which a case is what ``records`` say, one after another."""

    def __init__(self, *records: Record) -> None:
        self.records = list(records)

    def of_case(self, *_: object) -> Record:
        return self.records.pop(0)


TAKEN_APART = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x
def make():
    return Model(), (torch.ones(3),)
"""


def written(before: Record, *records: Record) -> str:
    origin = file_origin(f"{__file__}:make")
    setup = Setup(ChangedProgram(origin, TAKEN_APART), find(EXPORTERS, "export"))
    return small_case(TAKEN_APART, Attempt(setup, Seen(before)), Examining(*records))  # type: ignore[arg-type]


def test_the_case_that_is_shown_was_run_and_its_description_quotes_its_own_error() -> None:
    text = written(asking("u0 > 6"), asking("u1 > 2"))
    assert "data-dependent expression u1 > 2" in text and "u0 > 6" not in text
    assert "models: [Model]" in text


def test_a_message_of_any_characters_can_be_quoted() -> None:
    record = refused('\x1b[31mbad\x1b[0m """ \\d: {[ # \'x\'\n    more')
    text = written(record, record)
    assert "bad" in parse_case("small", Path("small.py"), text).meta.description


def test_a_form_that_does_not_fail_in_the_same_way_gives_way_to_another() -> None:
    text = written(WRONG, WRONG.with_(outcome="error", phase="setup"), WRONG)
    assert "models: [made_model]" in text
    assert "export: wrong" in text
    # Where none does, it is said what comes of the case that is shown.
    assert "export: supported" in written(WRONG, *[WRONG.with_(outcome="supported")] * 2)


KEEPS_A_LIST = """
import torch


class Probe(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(7, 7)
        self.seen = []

    def forward(self, x):
        x = self.lin(x).relu()
        self.seen.append(x.mean())
        return x + torch.stack(self.seen).mean()


def make():
    b = torch.export.Dim("b", min=2, max=12)
    return Probe().eval(), (torch.randn(5, 7),), {}, {"x": {0: b}}
"""


@pytest.mark.slow
def test_a_small_program_runs_as_a_case(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(KEEPS_A_LIST)
    home = ["--home", str(tmp_path / "home")]
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "diagnose", "model.py:make", "--json", *home,
         "--seconds", "15", "--out", "small.py"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    before = json.loads(done.stdout)["before"][0]
    assert before["record"]["outcome"] == "wrong"
    source = KEEPS_A_LIST.splitlines()
    assert source[before["line"] - 1].strip() == "self.seen.append(x.mean())"
    run = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", "small.py", "--exporter", "export", *home],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "wrong: small" in run.stdout

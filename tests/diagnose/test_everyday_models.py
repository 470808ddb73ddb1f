"""``exportdb diagnose`` on small models with the mistakes of every day, by the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import Change, edited
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.rewriting.sizes import symbolic
from exportdb.diagnose.rewriting.state import in_buffers
from exportdb.diagnose.rewriting.written_sizes import read_from_shape
from exportdb.diagnose.rules import LAST, steps
from exportdb.diagnose.sameness import difference
from exportdb.records.record import ErrorInfo, Record

IMPORTS = """import torch
from torch.export import Dim
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
"""

SIZE_AS_NUMBER = """
class Attention(torch.nn.Module):
    def __init__(self, batch, heads):
        super().__init__()
        self.batch, self.heads = batch, heads
        self.rows = batch

    def forward(self, states):
        split = states.view(self.rows, -1, self.heads, 4).transpose(1, 2)
        return torch.softmax(split, -1).transpose(1, 2).reshape(4, -1, 12)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = Attention(4, 3)
        self.lstm = torch.nn.LSTM(12, 8, num_layers=2, batch_first=True)

    def forward(self, x):
        x = self.attend(x)
        h = torch.zeros(2, 4, 8)
        return self.lstm(x, (h, h))[0][:, -1]


def make():
    return Net(), (torch.randn(4, 7, 12),), {}, {"x": {0: Dim("batch", min=1, max=32)}}
"""

NARROW = """
class Differences(torch.nn.Module):
    def forward(self, x):
        if len(x) < 4:
            return x.cumsum(0)
        return x[3:] - x[:-3]


def make():
    return Differences(), (torch.randn(9, 3),), {}, {"x": {0: Dim("n", min=1)}}
"""

RUNNING_MAXIMUM = """
class Normalised(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.largest = 1.0

    def forward(self, x):
        self.largest = max(self.largest, float(x.abs().max()))
        return x / self.largest


def make():
    return Normalised(), (torch.randn(6, 3) * 3,), {}, {"x": {0: Dim("n", min=2, max=64)}}
"""

RUNNING_MEAN = """
class Centred(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(3)

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean


def make():
    return Centred(), (torch.randn(6, 3),), {}, {"x": {0: Dim("n", min=2, max=64)}}
"""

PACKED = """
class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(5, 8, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        output, _ = self.gru(packed)
        return pad_packed_sequence(output, batch_first=True)[0].sum(1)


def make():
    return Encoder(), (torch.randn(3, 6, 5), torch.tensor([6, 4, 2]))
"""


def diagnosed(folder: Path, text: str, *words: str) -> dict[str, Any]:
    """What the command says of ``make`` of a model."""
    (folder / "model.py").write_text(IMPORTS + text)
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "diagnose", "model.py:make", "--json", *words],
        capture_output=True, text=True, cwd=folder, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXPORTDB_HOME", str(tmp_path / "home"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "outcome", "changes", "excludes"),
    [
        (SIZE_AS_NUMBER, "refused",
         ["+        split = states.view(states.shape[0], -1, self.heads, 4).transpose(1, 2)",
          ".reshape(states.shape[0], -1, 12)", "+        h = torch.zeros(2, x.shape[0], 8)"], []),
        (NARROW, "refused", ["+        if x.shape[0] < 4:", '+ n = Dim("n", min=5)'],
         ["n below 5"]),
        (RUNNING_MAXIMUM, "refused",
         ["+        self.register_buffer('largest', torch.tensor(1.0), persistent=False)",
          "+        self.largest.copy_(torch.fmax(self.largest, x.abs().max()))"], []),
        (RUNNING_MEAN, "wrong",
         ["+        self.register_buffer('mean', torch.zeros(3), persistent=False)",
          "+        self.mean.copy_(0.9 * self.mean + 0.1 * x.mean(0))"], []),
    ],
)  # fmt: skip
def test_the_change_that_keeps_most_is_found(
    tmp_path: Path, text: str, outcome: str, changes: list[str], excludes: list[str]
) -> None:
    found = diagnosed(tmp_path, text)
    assert found["before"][0]["record"]["outcome"] == outcome
    fixed = found["fixed"]
    assert fixed["record"]["outcome"] == "supported"
    assert all(change in fixed["diff"] for change in changes)
    assert fixed["excludes"] == excludes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "start"),
    [
        (RUNNING_MEAN, ""),
        # Newer releases of torch warn only: the exporter raises here, and names no line.
        (RUNNING_MEAN, "import warnings\nwarnings.simplefilter('error')\n"),
    ],
)
def test_the_line_that_keeps_something_is_named(tmp_path: Path, text: str, start: str) -> None:
    found = diagnosed(tmp_path, start + text, "--exporter", "export,export-strict")
    assert len(found["before"]) == 2
    for before in found["before"]:
        assert (before["record"]["error"] is None) == (not start)
        source = (tmp_path / "model.py").read_text().splitlines()
        line = source[before["line"] - 1].strip()
        assert line == "self.mean = 0.9 * self.mean + 0.1 * x.mean(0)"


@pytest.mark.slow
def test_a_packed_sequence_is_answered_with_the_case_that_masks(tmp_path: Path) -> None:
    before = diagnosed(tmp_path, PACKED)["before"][0]
    shown = before["explained"]["cases"][0]
    assert shown["case"] == "data_dependent/packed_sequence"
    assert shown["rewrite"] == "data_dependent/packed_sequence_masked"


def all_texts(text: str, found: Iterator[tuple[Change, ...]]) -> list[str]:
    return [edited(text, changes).strip() for changes in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return x.view(4, -1)", "return x.view(x.shape[0], -1)"),
        ("return x.reshape((4, 3))", "return x.reshape((x.shape[0], 3))"),
        ("return torch.reshape(x, [4, 3])", "return torch.reshape(x, [x.shape[0], 3])"),
        ("return x + torch.zeros(2, 4)", "return x + torch.zeros(2, x.shape[0])"),
        ("return x[torch.arange(4)]", "return x[torch.arange(x.shape[0])]"),
        ("return self.token.expand(4, -1)", "return self.token.expand(x.shape[0], -1)"),
        ("return x.view(4 * 3, 2)", "return x.view(x.shape[0] * 3, 2)"),
        ("return x.new_full(size=(4, 1), fill_value=4)",
         "return x.new_full(size=(x.shape[0], 1), fill_value=4)"),
    ],
)  # fmt: skip
def test_a_size_of_the_example_is_read_from_a_shape(line: str, expected: str) -> None:
    text = f"def forward(self, x):\n    {line}"
    assert expected in all_texts(text, read_from_shape(text, 2, 4, "x", 0))[0]


@pytest.mark.parametrize(
    "line", ["return x.view(5, -1)", "return x * 4", "return x.sum(4)", "return x.view(n, 4.0)"]
)
def test_a_number_that_is_no_size_of_the_example_stays(line: str) -> None:
    text = f"def forward(self, x):\n    {line}"
    assert not all_texts(text, read_from_shape(text, 2, 4, "x", 0))


GROUPS = """
import torch
from torch.export import Dim

class Groups(torch.nn.Module):
    def forward(self, x):
        return RETURNED

def make():
    return Groups(), (torch.randn(4, 3),), {}, {"x": {0: Dim("n", min=2, max=9)}}
"""


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("x.view(4, 3) * 2", ""),  # eager stops at any other size
        ("x + torch.ones(4, 3).sum()", "something else in eager at other sizes"),
    ],
)
def test_a_number_is_the_examples_only_if_eager_stops_at_other_sizes(
    tmp_path: Path, returned: str, said: str
) -> None:
    path = tmp_path / "model.py"
    text = GROUPS.replace("RETURNED", returned)
    path.write_text(text)
    changes = next(read_from_shape(text, 7, 4, "x", 0))
    found = difference(ChangedProgram(FileOrigin(path, "make"), text, changes))
    assert said in found and bool(found) == bool(said)


def test_a_condition_keeps_its_size_a_symbol() -> None:
    text = "def f(x):\n    if len(x) < 4:  # few\n        return x\n    return x * 2"
    assert "    if x.shape[0] < 4:\n        return x\n" in all_texts(text, symbolic(text, 2))[0]


def test_what_makes_constants_waits_for_what_narrows_a_range() -> None:
    message = "Constraints violated (n)!\nSuggested fixes:\n  n = Dim('n', min=4)\n"
    record = Record(case="a/b", exporter="export", device="cpu", outcome="refused",
                    phase="capture", error=ErrorInfo("UserError", message))  # fmt: skip
    dims = {"n": {"min": 0, "max": None, "example": 9, "places": ["x.size()[0]"]}}
    found = {s.changes[0].kind: s.resort for s in steps(Seen(record, dims=dims), "export")
             if s.changes}  # fmt: skip
    assert found["range"] < found["hint"] == found["static"] == LAST


CLASS = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.peak = START

    def forward(self, x):
        STATEMENT
        return x / self.peak
"""


@pytest.mark.parametrize(
    ("start", "statement", "buffer", "written"),
    [
        ("0", "self.peak += x.max().item()", "torch.tensor(0.0)",
         "self.peak.copy_(self.peak + x.max())"),
        ("0", "self.peak += 1", "torch.tensor(0)", "self.peak.copy_(self.peak + 1)"),
        ("-1", "self.peak = min(self.peak, float(x.min()))", "torch.tensor(-1.0)",
         "self.peak.copy_(torch.fmin(self.peak, x.min()))"),
        ("float('-inf')", "if x.max() > self.peak: self.peak = x.max()",
         "torch.as_tensor(float('-inf'))",
         "self.peak.copy_(torch.where(x.max() > self.peak, x.max(), self.peak))"),
    ],
)  # fmt: skip
def test_an_attribute_that_is_kept_is_a_buffer(
    start: str, statement: str, buffer: str, written: str
) -> None:
    text = CLASS.replace("START", start).replace("STATEMENT", statement)
    new = all_texts(text, in_buffers(text, [8]))[0]
    assert f"self.register_buffer('peak', {buffer}, persistent=False)" in new
    assert written in new


def test_the_larger_of_two_is_written_as_python_chooses_it() -> None:
    text = CLASS.replace("START", "1.0").replace("STATEMENT", "self.peak = max(x.max(), self.peak)")
    _, exact = all_texts(text, in_buffers(text, [8]))
    assert "torch.where(self.peak > x.max(), self.peak, x.max())" in exact


def test_a_buffer_that_is_bound_again_is_written_in_place() -> None:
    text = CLASS.replace("self.peak = START", "self.register_buffer('peak', torch.ones(3))")
    text = text.replace("STATEMENT", "self.peak = x.mean(0)")
    (new,) = all_texts(text, in_buffers(text, [8]))
    assert new == text.replace("self.peak = x.mean(0)", "self.peak.copy_(x.mean(0))").strip()


def test_what_is_not_set_at_the_start_is_no_buffer() -> None:
    text = CLASS.replace("self.peak = START", "pass").replace("STATEMENT", "self.peak = x.max()")
    assert not all_texts(text, in_buffers(text, [8]))

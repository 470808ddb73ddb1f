"""What a run says of models and adapters of one's own: every line, and where to look next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exportdb.records.record import Record, SampleResult
from tests.scaffold.test_new_exporter import exportdb

HEAD = '"""\ntitle: {name}\n"""\nimport torch\n\n\nclass Model(torch.nn.Module):\n'
BRANCH = """    def forward(self, x):
        if x.{what}() > 3:
            return x
        return -x
"""
INPUTS = "\n\ndef inputs():\n    return torch.arange(4.0)\n"
UNFILLED = """

def inputs():
    # TODO: a sample of what forward takes: x
    raise NotImplementedError
"""
#: Neither message names a line: one is raised by the program, one by torch beneath it.
RAISES = """    def forward(self, x):
        return torch.zeros(int(x.shape[0]), object())
"""
ADAPTER = """
class Mine:
    name = "mine"

    def capture(self, program):
        kinds = {}
        return kinds["aten.sum.default"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models of a user's in a tree of their own, an adapter, and a run with make-fx."""
    root = tmp_path_factory.mktemp("models")
    tree = root / "own" / "mine"
    tree.mkdir(parents=True)
    for name, body in {
        "first": BRANCH.format(what="sum") + INPUTS,
        "second": "    size = 4\n\n" + BRANCH.format(what="max") + INPUTS,
        "third": BRANCH.format(what="min") + UNFILLED,
    }.items():
        (tree / f"{name}.py").write_text(HEAD.format(name=name) + body)
    (root / "adapter.py").write_text(ADAPTER)
    exportdb(root, "run", "--cases", "own", "--only", "--exporter", "make-fx,jit-script")
    return root


def test_the_line_of_every_case_with_one_cause_is_shown(folder: Path) -> None:
    told = exportdb(folder, "report").stdout
    refused = told[told.index("✖ refused") :]
    assert "your line: own/mine/first.py:9\n      if x.sum() > 3:" in refused
    assert "your line: own/mine/second.py:11\n      if x.max() > 3:" in refused


def test_the_best_rewrite_is_that_of_a_case_with_the_error(folder: Path) -> None:
    (line,) = re.findall(
        r"rewrite of a case with this error: .*", exportdb(folder, "report").stdout
    )
    rewrite, case = re.findall(r"\w+/\w+", line)
    assert "make-fx supports" in line
    shown = exportdb(folder, "show", case).stdout
    assert "E0001" in shown and rewrite in shown


def test_what_is_left_open_is_one_line_at_the_end_too(folder: Path) -> None:
    told = exportdb(folder, "report").stdout
    _, _, end = told.partition("not as expected:")
    assert end.count("own/mine/third.py") == 2  # what is left open, and the next step
    assert (
        "error: mine/third · jit-script, make-fx · cpu: inputs() still has its TODO, line 15 of "
        "own/mine/third.py"
    ) in end
    assert "no message" not in told


def test_a_refusal_names_the_line_that_its_message_does_not(folder: Path) -> None:
    (folder / "raises.py").write_text(HEAD.format(name="raises") + RAISES + INPUTS)
    told = exportdb(folder, "run", "raises.py", "--exporter", "make-fx").stdout
    assert "your line: raises.py:9\n      return torch.zeros" in told


def test_an_adapter_that_raises_is_annotated_where_it_does(folder: Path) -> None:
    words = ("mine/first", "--cases", "own", "--exporter", "adapter.py:Mine")
    told = exportdb(folder, "run", *words).stdout
    assert "your line: adapter.py:7 in capture\n      return kinds" in told
    annotated = exportdb(folder, "report", "--format", "github").stdout
    assert "file=adapter.py,line=7," in annotated


def test_what_is_wrong_is_shown_on_the_sample_that_made_it_so() -> None:
    raised = SampleResult("accepts", "data: large", "raised", {}, "RuntimeError: no")
    refuses = SampleResult("rejects", "n=9", "disagrees", {"n": 9}, "output differs")
    differs = SampleResult("accepts", "called again", "disagrees", {}, "2.0 in eager")
    example = SampleResult("example", "example", "agrees")

    def deciding(outcome: str, *samples: SampleResult) -> SampleResult | None:
        return Record("t/a", "mine", "cpu", outcome, "compare", samples=samples).deciding

    assert deciding("wrong", example, raised, refuses, differs) == differs
    assert deciding("specialized", example, refuses, raised) == raised
    assert deciding("unguarded", example, refuses) == refuses
    assert deciding("supported", example) is None


def test_a_file_that_a_model_looks_for_where_it_is_not_is_said_with_what_to_do(
    folder: Path,
) -> None:
    reads = '    size = len(open("words.txt").read())\n\n' + BRANCH.format(what="sum") + INPUTS
    (folder / "reads.py").write_text(HEAD.format(name="reads") + reads)
    said = exportdb(folder, "run", "reads.py", "--exporter", "make-fx").stdout
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'words.txt'" in said
    assert "open Path(__file__).with_name(...)" in said
    (folder / "words.txt").write_text("word")
    beside = reads.replace(
        '"words.txt"', "__import__('pathlib').Path(__file__).with_name('words.txt')"
    )
    (folder / "reads.py").write_text(HEAD.format(name="reads") + beside)
    said = exportdb(folder, "run", "reads.py", "--exporter", "make-fx").stdout
    assert "1 result: 1 new" in said and "refused" in said

"""What a diagnosis can change, try and make smaller, on programs of a few lines."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

import exportdb
from exportdb.diagnose import rules, shapes, statements
from exportdb.diagnose.as_case import as_case
from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import Change
from exportdb.diagnose.flat import flattened
from exportdb.diagnose.origin import file_origin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.reduce import ReductionProgress, reduced, smaller
from exportdb.diagnose.search import Search, Setup, _overrides
from exportdb.diagnose.wording import question
from exportdb.executors.protocol import Ending, Task
from exportdb.plugins import EXPORTERS, find
from exportdb.records.record import Record, SampleResult

SILENT = """
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100


def make():
    return Model(), (torch.randn(5),), {}, {"x": {0: Dim("n", min=1)}}
"""


def keeping_make(text: str) -> Iterator[str]:
    """Smaller programs that keep ``make``."""
    return smaller(text, "make")


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exportdb", "diagnose", *words, "--home", str(folder / "home")],
        capture_output=True, text=True, cwd=folder, check=False,
    )  # fmt: skip


def test_silent_trouble_is_found_explained_and_fixed(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SILENT)
    done = command(tmp_path, "model.py:make")
    assert done.returncode == 0, done.stderr
    assert "accepts n=1: disagrees" in done.stdout
    assert "line 8: return x + 1 if x.shape[0] >= 2 else x * 100" in done.stdout
    assert "range-wider-than-guards" in done.stdout
    assert '+ n = Dim("n", min=3)' in done.stdout
    assert "what it no longer takes: n below 3" in done.stdout


SHAPES_AND_MODEL = {
    "parts.py": """
from dataclasses import dataclass

@dataclass
class Pair:
    first: object
    second: object
""",
    "net.py": """
import torch
from parts import Pair

class Net(torch.nn.Module):
    def forward(self, pair):
        if pair.first.sum() > 0:
            return pair.first + pair.second
        return pair.first - pair.second
""",
    "model.py": """
import torch
from net import Net
from parts import Pair

def make():
    scale = torch.load("scale.pt")
    return Net(), (Pair(torch.ones(3) * scale, torch.ones(3)),)
""",
}


@pytest.mark.slow
def test_a_model_of_several_files_is_fixed_in_the_files_that_need_it(tmp_path: Path) -> None:
    for name, text in SHAPES_AND_MODEL.items():
        (tmp_path / name).write_text(text)
    torch.save(torch.ones(1), tmp_path / "scale.pt")
    done = command(tmp_path, "model.py:make")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "+++ parts.py" in done.stdout
    assert "+torch.export.register_dataclass(Pair)" in done.stdout
    assert "+++ net.py" in done.stdout
    assert "torch.where(pair.first.sum() > 0" in done.stdout
    assert "+++ model.py" not in done.stdout
    assert {p.name: p.read_text() for p in tmp_path.glob("*.py")} == SHAPES_AND_MODEL


PACKAGED = {
    "shop/__init__.py": "from .ranker import Ranker",
    "shop/parts.py": "def shift(x):\n    return x + 1\n",
    "shop/ranker.py": """
import torch

from . import parts
from .parts import shift


class Ranker(torch.nn.Module):
    def forward(self, x):
        return parts.shift(x) if x.sum() > 0 else shift(x)


def make():
    return Ranker(), (torch.ones(3),)
""",
}


@pytest.mark.parametrize("given", ["shop/ranker.py:make", "shop.ranker:make"])
def test_a_model_of_a_package_may_import_relatively(tmp_path: Path, given: str) -> None:
    (tmp_path / "shop").mkdir()
    for name, text in PACKAGED.items():
        (tmp_path / name).write_text(text)
    done = command(tmp_path, given, "--seconds", "0.1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "export: refused" in done.stdout
    assert "if x.sum() > 0 else shift(x)" in done.stdout and "E0001" in done.stdout
    assert "there was no time to try everything" in done.stdout


def test_several_files_become_one_text() -> None:
    others = {f"/x/{name}": text for name, text in SHAPES_AND_MODEL.items()}
    text = flattened(SHAPES_AND_MODEL["model.py"], others)
    assert "from parts" not in text and "from net" not in text
    assert text.count("class Pair") == 1
    assert text.index("class Pair") < text.index("class Net") < text.index("def make")


def test_a_dim_that_is_left_to_torch_keeps_its_size_in_other_samples() -> None:
    asked = shapes.RequestedShapes({(0, 0): "n", (0, 1): "Dim.AUTO"}, {"n": shapes.Bounds(1, 9)})
    (made,) = shapes.sampled(asked, (torch.ones(4, 5),), {"n": 7})
    assert made.shape == (7, 5)


def test_what_numbers_rows_is_drawn_again_where_there_are_fewer() -> None:
    asked = shapes.RequestedShapes({(0, 0): "n"}, {"n": shapes.Bounds(1, 9)})
    example = (torch.ones(6, 2), torch.tensor([0, 5, 3, 1]))
    assert shapes.index_limit(asked, example, {"n": 9}) is None
    assert shapes.index_limit(asked, example, {"n": 2}) == 2
    (_, index) = shapes.sampled(asked, example, {"n": 2}, below=2)
    assert int(index.max()) < 2


RECORD = Record(
    case="x", suite="diagnose", exporter="export", device="cpu", outcome="wrong", phase="done"
)


def test_a_small_program_is_a_case_with_its_dims() -> None:
    text = as_case(SILENT, "make", "model.py", RECORD)
    assert "models: [Model]" in text
    assert "def inputs(n=5):\n    return (torch.randn(n),)" in text
    assert "dynamic_shapes = {'x': {0: Dim('n', min=1)}}" in text
    assert "def make" not in text


def test_dims_in_the_order_of_the_arguments_are_written_by_name() -> None:
    in_order = SILENT.replace('{"x": {0: ', "({0: ").replace(")}}", ")},)")
    assert in_order != SILENT
    text = as_case(in_order, "make", "model.py", RECORD)
    assert "dynamic_shapes = {'x': {0: Dim('n', min=1)}}" in text


@pytest.mark.parametrize(
    "old, new",
    [
        ("    return Model(), (torch", "    size = 5\n    return Model(), (torch"),
        ("torch.randn(5)", "torch.randn(5).abs()"),
        ("Model(), (torch", "Model(2), (torch"),
    ],
)
def test_a_program_that_is_made_in_other_ways_is_a_case_as_it_is(old: str, new: str) -> None:
    text = as_case(SILENT.replace(old, new), "make", "model.py", RECORD)
    assert "models: [made_model]" in text
    assert "dynamic_shapes = made()[3]" in text


def test_what_time_was_too_short_for_is_asked_again() -> None:
    progress = ReductionProgress("import os\nimport re\nbad\n")
    assert not reduced(progress, lambda texts: [None for _ in texts], lambda t: smaller(t))
    assert not progress.tried
    assert reduced(progress, lambda texts: ["bad" in t for t in texts], lambda t: smaller(t))
    assert progress.text == "bad\n"


@pytest.mark.slow
def test_minimise_writes_a_case_that_fails_in_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        SILENT.replace("return x + 1", "y = torch.relu(x)\n        y = y - 3\n        return x + 1")
        .replace("x.shape[0] >= 2", "int(x.sum()) > 3")
    )  # fmt: skip
    done = command(tmp_path, "model.py:make", "--out", "small.py")
    assert done.returncode == 0 or "no change" in done.stdout, done.stderr
    small = (tmp_path / "small.py").read_text()
    assert "relu" not in small
    run = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", "small.py", "--exporter", "export",
         "--home", str(tmp_path / "home"), "--json"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert '"outcome":"refused"' in run.stdout.replace(" ", "")
    assert "GuardOnDataDependentSymNode" in run.stdout


@pytest.mark.parametrize(
    "words, said",
    [
        ("model.py", "names no function"),
        ("missing.py:make", "there is no file missing.py"),
        ("no.such.module:make", "there is no module no.such.module"),
        ("net.py:Net", "net.py:Net gives a module and no example inputs: let `def inputs():`"),
    ],
)
def test_a_model_that_is_not_there_is_one_clear_error(
    tmp_path: Path, words: str, said: str
) -> None:
    (tmp_path / "net.py").write_text("import torch\n\nclass Net(torch.nn.Identity): ...\n")
    done = command(tmp_path, words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr and "case" not in done.stderr + done.stdout


def test_dynamic_shapes_in_the_place_of_keyword_arguments_are_told(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        "import torch\n\ndef make():\n"
        "    return torch.nn.ReLU(), (torch.ones(4),), {'input': {0: torch.export.Dim('n')}}\n"
    )
    done = command(tmp_path, "model.py:make")
    assert done.returncode == 2
    assert "forward does not take (multiple values for argument 'input')" in done.stderr
    assert "without kwargs, {} stands before dynamic_shapes" in done.stderr


def test_a_model_that_does_not_run_is_not_called_a_case(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SILENT.replace("return x + 1", "return x + None"))
    done = command(tmp_path, "model.py:make")
    assert done.returncode == 2
    assert "export: error, in phase eager\n  line " in done.stdout
    assert ": return x + None if " in done.stdout
    assert "nothing was tried: the program has to run in eager first" in done.stdout
    assert "case" not in done.stdout


def test_a_module_in_memory_is_diagnosed() -> None:
    found = exportdb.diagnose(
        torch.nn.Flatten(), (torch.randn(1, 3, 4),),
        dynamic_shapes={"input": {0: torch.export.Dim("batch", min=1, max=8)}},
    )  # fmt: skip
    assert found.before[0].record.outcome == "refused"
    assert found.fixed is not None
    assert found.fixed.record.outcome == "supported"


def test_a_program_is_made_as_small_as_still_fails() -> None:
    program = "import os\nimport re\n\ndef make():\n    a = 1\n    b = bad(a) + 2\n    return b\n"
    progress = ReductionProgress(program)
    assert reduced(progress, lambda texts: ["bad" in t for t in texts], keeping_make)
    assert progress.text == "def make():\n    b = bad()\n"


def test_a_reduction_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    asked: list[str] = []

    def still_fails(texts: list[str]) -> list[bool]:
        asked.extend(texts)
        return ["bad" in t for t in texts]

    progress = ReductionProgress("import os\n\ndef make():\n    return bad\n")
    reduced(progress, still_fails, keeping_make, seconds=0)
    progress.save(tmp_path / "state.json")
    first, again = set(asked), ReductionProgress.read(tmp_path / "state.json")
    asked.clear()
    assert again is not None
    assert reduced(again, still_fails, keeping_make)
    assert not {t for t in first if "bad" not in t} & set(asked)


def test_what_was_of_no_use_waits_until_all_else_was_tried() -> None:
    needed = [f"needed_for_long_{i}()" for i in range(4)]
    asked: list[str] = []

    def still_fails(texts: list[str]) -> list[bool]:
        asked.extend(texts)
        return [all(call in text for call in needed) for text in texts]

    lines = [line for i, call in enumerate(needed) for line in (call, f"odd({i})")]
    progress = ReductionProgress("def make():\n" + "".join(f"    {line}\n" for line in lines))
    assert reduced(progress, still_fails, keeping_make, batch=1)
    assert "odd" not in progress.text
    assert len(asked) < 30, "the same was tried in vain in every round"  # then it takes 36


NAMED = """
class Model(Module):
    def __init__(self):
        self.lin = Linear(3)
        self.odd = Linear(4)

    def forward(self, x):
        return twice(self.lin(x))

def twice(x):
    return x + x

def make():
    return Model()
"""


def test_what_would_stop_at_a_name_that_is_gone_is_not_tried() -> None:
    texts = list(smaller(NAMED, "make"))
    assert any("odd" not in t and "lin" in t for t in texts)
    for text in texts:
        assert "class Model" in text or "Model()" not in text
        assert "def twice" in text or "twice(" not in text
        assert "self.lin =" in text or "self.lin(" not in text


def test_the_inputs_that_a_program_returns_stay_a_tuple() -> None:
    program = "def make():\n    x = f()\n    return (Model(), (x, [x, 1]))\n"
    returned = [text.partition("return ")[2].strip() for text in smaller(program, "make")]
    assert "(Model(), (x,))" in returned
    assert "(Model(), (x, [1]))" in returned
    assert not {"(Model(), x)", "(Model(), [x, 1])"} & {*returned}


def test_what_is_kept_is_never_cut() -> None:
    assert all("def make" in text for text in smaller("a = 1\n\ndef make():\n    pass\n", "make"))


SLICED = """
def forward(self, x, start):
    p = start.item()
    rows, width = x.shape
    part = self.table[p : p + rows, None]
    kept = x * part
    kept[..., p] = 0
    return kept
"""


def test_what_holds_of_slices_from_data_is_promised_as_early_as_it_can_be_said() -> None:
    assert list(statements._slices_at(SLICED, 5)) == [
        (4, "p >= 0"), (5, "p + rows <= self.table.shape[0]"),
    ]  # fmt: skip
    assert not list(statements._slices_at(SLICED.replace("start.item()", "3"), 5))


class Pair(NamedTuple):
    """Inputs by name."""

    left: torch.Tensor
    right: torch.Tensor | None = None


def test_a_named_tuple_is_described_by_one_of_its_kind() -> None:
    inputs = {"pair": Pair(torch.ones(3), torch.ones(3))}
    asked = shapes.read({"pair": {"left": {0: torch.export.Dim("n")}}}, inputs)
    assert shapes.printed(asked, inputs)[-1] == (
        "dynamic_shapes = {'pair': Pair(left={0: n}, right=None)}"
    )


class Encoding(dict[str, torch.Tensor]):
    """What a tokenizer gives."""


def test_a_dict_of_a_class_of_its_own_is_taken_apart_by_its_items() -> None:
    text = rules._registration("Encoding", ["**"])
    space = {"torch": torch, "Encoding": Encoding}
    exec(text, space)
    value = Encoding(ids=torch.ones(3))
    parts, spec = torch.utils._pytree.tree_flatten(value)
    assert len(parts) == 1
    again = torch.utils._pytree.tree_unflatten([torch.zeros(2)], spec)
    assert type(again) is Encoding and list(again) == ["ids"]
    # A class of the user's has its parts as a list, whatever it is made from.
    asked = shapes.read({"value": [{0: torch.export.Dim("n")}]}, {"value": value})
    assert shapes.printed(asked, {"value": value})[-1] == "dynamic_shapes = {'value': [{0: n}]}"


def test_sizes_at_which_a_program_fails_of_itself_are_left_out() -> None:
    def sample(size: int, result: str) -> SampleResult:
        return SampleResult("accepts", f"n={size}", result, {"n": size})  # type: ignore[arg-type]

    record = Record(case="a/b", exporter="export", device="cpu", outcome="error", phase="eager",
                    samples=(sample(0, "eager-failed"), sample(9, "eager-failed")))  # fmt: skip
    dims = {"n": {"min": 0, "max": 9, "example": 5, "places": []}}
    (step,) = rules.steps(Seen(record, dims=dims), "export")
    assert [c.data for c in step.changes] == [{"dim": "n", "min": 1, "max": 8}]
    assert not rules.steps(Seen(record.with_(samples=()), dims=dims), "export")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("x.shape[0] > 3", "asks whether x.shape[0] > 3"),
        ("not (n == 2 and m)", "asks whether not (n == 2 and m)"),
        ("kept.shape[0]", "needs the number kept.shape[0]"),
        ("kept.shape[0] // 2", "needs the number kept.shape[0] // 2"),
    ],
)
def test_a_number_that_torch_needs_is_no_question(asked: str, said: str):
    assert question(asked) == said


class Supporting:
    """An executor to which every program is supported; ``ran`` is what it tried."""

    def __init__(self) -> None:
        self.waiting: list[Task] = []
        self.ran: list[Setup] = []

    def submit(self, task: Task) -> None:
        self.waiting.append(task)

    def endings(self) -> Iterator[Ending]:
        while self.waiting:
            task = self.waiting.pop(0)
            self.ran.append(task.tag.setup)
            record = Record(
                case="m.py:make",
                exporter="export",
                device="cpu",
                outcome="supported",
                phase="compare",
            )
            yield Ending(task, {"record": record.to_json()}, None, 0.1)


def narrowed(low: int) -> Change:
    return Change("range", f"min={low}", {"dim": "n", "min": low}, f"n below {low}")


def test_what_cannot_be_better_than_what_is_right_is_not_tried(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SILENT)
    program = ChangedProgram(file_origin(f"{tmp_path / 'model.py'}:make"), SILENT)
    exporter = find(EXPORTERS, "export")
    one = Setup(replace(program, changes=(narrowed(3),)), exporter)
    more = replace(one, modes=("otherwise",), switches=("a=b",))
    less = Setup(program, exporter, ("otherwise",), ("a=b",))
    executor = Supporting()
    end = time.monotonic() + 60
    found = Search(executor, width=1).examine([one, more, less], end, until_right=True)
    assert [a.setup for a in found] == executor.ran == [one, less]
    # What is made smaller wants to know of every program, also when one of them no longer fails.
    assert len(Search(Supporting(), width=1).examine([one, more, less], end)) == 3


def test_a_range_replaces_a_wider_one_and_says_what_both_exclude() -> None:
    assert _overrides(narrowed(3), narrowed(2))
    assert not _overrides(narrowed(2), narrowed(2))
    below = Change("range", "max=9", {"dim": "n", "max": 9}, "n above 9")
    assert not _overrides(below, narrowed(2))
    assert not _overrides(narrowed(3), replace(narrowed(2), data={"dim": "m", "min": 2}))

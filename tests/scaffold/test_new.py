"""``exportdb new``: what it writes is a case at once, apart from what only the author knows."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from exportdb.cases import database
from exportdb.cases.case import CaseError
from exportdb.cases.extract import extract
from exportdb.cases.scaffold import around
from exportdb.cli import linting

USER_FILE = '''
"""A file of somebody's."""
import os, math
import torch
from torch import nn
import torch.nn.functional as F
from dataclasses import dataclass, field

raise_if_run = 1 / 0
SCALE = 3


def helper(x):
    return F.relu(x) * SCALE


def unrelated(y):
    return math.sqrt(y)


@dataclass
class Batch:
    x: torch.Tensor


torch.export.register_dataclass(Batch)


class Model(nn.Module):
    # A comment of the author's.
    def forward(self, batch: Batch, scale=1.0):
        return helper(batch.x) * scale


class Net(nn.Module):
    def __init__(self, width, depth=2):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)


class Unused(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x, y):
        return x + y


if __name__ == "__main__":
    width = 4
    net = Net(width).eval()
    x = torch.randn(2, width)
    print(net(x))
'''


def exportdb(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "exportdb", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def checks(tree: Path) -> set[str]:
    problems = linting.problems(database.load([tree], builtin=False), None, static=True)
    return {p.check for p in problems}


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(USER_FILE)
    return path


def test_a_blank_case_wants_nothing_but_text_and_tags(tmp_path: Path) -> None:
    done = exportdb("new", "mine/first", "--cases", "tree", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "tree/mine/first.py\n"
    assert "exportdb lint mine/first --cases tree" in done.stderr
    assert checks(tmp_path / "tree") == {"L009", "L011"}


def test_a_filled_in_blank_case_is_clean_when_run(tmp_path: Path) -> None:
    exportdb("new", "mine/first", "--title", 'A "good" title', "--cases", "tree", cwd=tmp_path)
    path = tmp_path / "tree/mine/first.py"
    lines = [line.partition("  # TODO")[0] for line in path.read_text().splitlines()]
    text = "\n".join(lines).replace("TODO: what", "What").replace("tags: []", "tags: [torch.view]")
    path.write_text(text + "\n")
    db = database.load([tmp_path / "tree"], builtin=False)
    assert db.cases["mine/first"].meta.title == 'A "good" title'
    assert linting.problems(db, None, static=False) == []


def test_it_never_overwrites(tmp_path: Path) -> None:
    exportdb("new", "mine/first", "--cases", "tree", cwd=tmp_path)
    (tmp_path / "tree/mine/first.py").write_text("precious")
    done = exportdb("new", "mine/first", "--cases", "tree", cwd=tmp_path)
    assert done.returncode == 2
    assert "nothing was written" in done.stderr
    assert (tmp_path / "tree/mine/first.py").read_text() == "precious"


@pytest.mark.parametrize("case_id", ["first", "Mine/First", "mine/../../first", "mine/fi-rst"])
def test_an_illegal_id_writes_nothing(tmp_path: Path, case_id: str) -> None:
    done = exportdb("new", case_id, "--cases", "tree", cwd=tmp_path)
    assert done.returncode == 2
    assert "is not a legal ID" in done.stderr
    assert not list(tmp_path.rglob("*.py"))


def test_json_names_the_file_and_what_is_left(tmp_path: Path) -> None:
    done = exportdb("new", "mine/first", "--cases", "tree", "--json", cwd=tmp_path)
    said = json.loads(done.stdout)
    assert said["case"] == "mine/first"
    text = (tmp_path / "tree/mine/first.py").read_text().splitlines()
    assert said["todo"]
    assert all(text[todo["line"] - 1].strip() == todo["text"] for todo in said["todo"])


def test_from_takes_the_class_and_what_it_needs(user_file: Path) -> None:
    code = extract(user_file, "Model").code
    for wanted in (
        "SCALE = 3",
        "def helper",
        "@dataclass\nclass Batch",
        "register_dataclass(Batch)",
        "# A comment of the author's.",
        "from dataclasses import dataclass\n",
    ):
        assert wanted in code
    for other in ("unrelated", "import os", "math", "field", "class Net", "1 / 0", "__main__"):
        assert other not in code
    compile(code, "code", "exec")


def test_from_never_runs_the_file(user_file: Path) -> None:
    """The file divides by zero at module level."""
    tree = user_file.parent / "tree"
    done = exportdb("new", "mine/net", "--from", "model.py:Net", "--cases", "tree",
                    cwd=user_file.parent)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert checks(tree) == {"L009", "L011"}


def test_inputs_and_arguments_come_from_a_call_in_the_file(user_file: Path) -> None:
    found = extract(user_file, "Net")
    text = around("mine/net", found)
    assert "models: [make_model]" in text
    assert "return Net(4)" in text
    assert "return (torch.randn(2, 4),)" in text


def test_what_the_file_does_not_say_is_left_open(user_file: Path) -> None:
    text = around("mine/unused", extract(user_file, "Unused"))
    assert text.count("raise NotImplementedError") == 2
    assert "# TODO: the arguments of Unused: width" in text
    assert "# TODO: a sample of what forward takes: x, y" in text


def test_arguments_that_depend_on_the_run_are_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        textwrap.dedent("""
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x

        def main(size):
            return Net()(torch.randn(size))
        """)
    )
    assert extract(path, "Net").called is None


def test_a_registration_comes_along(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        textwrap.dedent("""
        import torch

        @torch.library.custom_op("mine::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)
        """)
    )
    assert "@twice.register_fake" in extract(path, "Net").code


@pytest.mark.parametrize(
    ("source", "complaint"),
    [("model.py:Nothing", "defines no class Nothing; its classes are: Batch, Model"),
     ("gone.py:Net", "cannot be read"), ("model.py", "give a file and a class")],
)  # fmt: skip
def test_from_says_what_is_wrong(user_file: Path, source: str, complaint: str) -> None:
    done = exportdb("new", "mine/x", "--from", source, "--cases", "tree", cwd=user_file.parent)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("import torch\nclass Net(:\n")
    with pytest.raises(CaseError, match=r"model\.py:2: syntax error"):
        extract(path, "Net")

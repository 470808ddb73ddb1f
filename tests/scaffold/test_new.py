"""``exportdb new``: what it writes is a case at once, apart from what only the author knows."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from exportdb.cases import database, scaffold
from exportdb.cases.case import CaseError
from exportdb.cases.extract import extract
from exportdb.cases.scaffold import around
from exportdb.cli import linting
from exportdb.suites.written import inputs_text

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


def test_of_a_private_case_only_the_program_is_left_to_fill_in(tmp_path: Path) -> None:
    done = exportdb("new", "mine/first_one", "--cases", "tree", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "tree/mine/first_one.py\n"
    left = [line for line in done.stderr.splitlines() if "TODO" in line]
    assert [line.partition("TODO: ")[2] for line in left] == [
        "the program", "what forward takes, from the sizes of the dims",
    ]  # fmt: skip
    assert "next: fill these in, then exportdb run mine/first_one --cases tree" in done.stderr
    path = tmp_path / "tree/mine/first_one.py"
    assert path.read_text().startswith('"""\ntitle: "First one"\n"""\n')
    done = exportdb("lint", "--cases", "tree", "--only", "--static", cwd=tmp_path)
    assert done.returncode == 0, done.stdout  # the rest is advice


def test_a_blank_public_case_wants_nothing_but_text_and_tags(tmp_path: Path) -> None:
    scaffold.write(tmp_path / "tree", "mine/first", scaffold.blank("mine/first"))
    assert checks(tmp_path / "tree") == {"L009", "L038"}


def test_a_filled_in_blank_case_is_clean_when_run(tmp_path: Path) -> None:
    blank = scaffold.blank("mine/first", 'A "good" title')
    path = scaffold.write(tmp_path / "tree", "mine/first", blank)
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


def test_the_folder_of_a_draft_stands_for_its_program(tmp_path: Path) -> None:
    (tmp_path / "drafts/found").mkdir(parents=True)
    (tmp_path / "drafts/found/program.py").write_text(
        scaffold.blank("mine/draft", "What was found").replace("relu", "frac")
    )
    new = ("new", "mine/first", "--cases", "tree", "--from")
    done = exportdb(*new, "drafts", cwd=tmp_path)
    assert (done.returncode, "or a draft's folder" in done.stderr) == (2, True)
    done = exportdb(*new, "drafts/found", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "x.frac()" in (tmp_path / "tree/mine/first.py").read_text()


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
    assert checks(tree) == {"L004", "L009", "L011"}  # two of them advice


def test_inputs_and_arguments_come_from_a_call_in_the_file(user_file: Path) -> None:
    found = extract(user_file, "Net")
    text = around("mine/net", found)
    assert "models: [make_model]" in text
    assert "return Net(4)" in text
    assert "return (torch.randn(2, 4),)" in text


def test_what_a_class_is_made_with_is_kept_though_it_asks_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "fuse.py"
    path.write_text(
        "import torch\n\nclass Fuse(torch.nn.Module):\n"
        "    def __init__(self, *sizes):\n        super().__init__()\n"
        "        self.parts = torch.nn.ModuleList(torch.nn.Linear(s, 4) for s in sizes)\n\n"
        "    def forward(self, *xs, scale=None):\n        return xs\n\n"
        "def make():\n    x = torch.randn(2, 3)\n"
        "    return Fuse(3, 5), (x, x), {'scale': x}\n\n"
        "def plain():\n    return Fuse(3, 5), (torch.randn(2, 3),), {}\n"
    )
    text = around("mine/fuse", extract(path, "Fuse", (path, "make")))
    assert "return Fuse(3, 5)\n" in text and "models: [make_model]" in text
    assert "return make()[1:3]" in text  # with the keywords
    assert "return plain()[1]" in around("mine/fuse", extract(path, "Fuse", (path, "plain")))


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
     ("model.py:unrelated", "the function gives the inputs with --inputs model.py:unrelated"),
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


PROJECT = {
    "shop/__init__.py": "",
    "shop/model.py": """
        from __future__ import annotations
        from torch import nn
        from . import sizes
        from .layers import Block as Layer, Norm
        from .data.batches import Batch


        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Layer(4)
                self.norm = Norm()

            def forward(self, batch: Batch):
                return self.norm(self.block(batch))
        """,
    "shop/layers.py": """
        import torch, math
        import torch.nn as nn
        from shop.data.batches import SCALE

        raise_if_run = 1 / 0


        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(width) * SCALE)

            def forward(self, x):
                return x * self.weight


        class Norm(nn.Module):
            def forward(self, x):
                return x - x.mean()
        """,
    "shop/sizes.py": "WIDTH = 4\n",
    "shop/data/__init__.py": "",
    "shop/data/batches.py": """
        import torch

        SCALE = 2.0
        Batch = torch.Tensor


        def batch():
            return (torch.ones(5, 4),)
        """,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip())
    return tmp_path


def run_case(tree: Path) -> str:
    """What forward gives, of the only case in a tree, run in a process that sees nothing else."""
    (path,) = tree.glob("*/*.py")
    code = "import runpy, sys; new = runpy.run_path(sys.argv[1]); "
    code += "print(new['Model']()(*new['inputs']()))"
    command = [sys.executable, "-I", "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/")
    return done.stdout + done.stderr


@pytest.mark.parametrize("source", ["shop/model.py:Model", "shop.model:Model"])
def test_from_brings_along_what_is_imported_from_the_project(project: Path, source: str) -> None:
    words = ("mine/model", "--from", source, "--inputs", "shop.data.batches:batch")
    done = exportdb("new", *words, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "next: fill these in, then exportdb run mine/model --cases cases" in done.stderr
    assert "tensor([[0., 0., 0., 0.]" in run_case(project / "cases")


MODULES = """
    import torch
    import shop.sizes
    import shop.data.batches as data, math
    from shop import layers
    from . import sizes as widths


    def widened(WIDTH):
        return WIDTH + widths.WIDTH


    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.block = layers.Block(shop.sizes.WIDTH)

        def forward(self, x: data.Batch):
            return self.block(x) * widened(math.floor(1.5)) * {more}
    """


@pytest.mark.parametrize(
    ("more", "seen"),
    [("data.SCALE", "20., 20., 20., 20."), ("len(dir(data))", "No module named 'shop'")],
)
def test_what_is_used_of_whole_modules_comes_along(project: Path, more: str, seen: str) -> None:
    """Where a module is used as a value it stays an import, which a case by itself lacks."""
    text = textwrap.dedent(MODULES).lstrip().replace("{more}", more)
    (project / "shop/model.py").write_text(text)
    words = ("mine/model", "--from", "shop.model:Model", "--inputs", "shop.data.batches:batch")
    assert exportdb("new", *words, cwd=project).returncode == 0
    (case,) = (project / "cases").glob("*/*.py")
    assert ("import shop" in case.read_text()) == ("No module" in seen)
    assert seen in run_case(project / "cases")


def test_the_new_case_runs_before_anything_is_filled_in(project: Path) -> None:
    words = ("--from", "shop.model:Model", "--inputs", "shop/data/batches.py:batch")
    exportdb("new", "mine/model", *words, cwd=project)
    run = ("run", "mine/model", "--cases", "cases", "--exporter", "make-fx", "--json")
    done = exportdb(*run, cwd=project)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["outcome"] for r in records if r["kind"] == "record"] == ["supported"]


@pytest.mark.parametrize(
    "body",
    ["return Net(), (torch.ones(2),)", "n = Net().eval()\n    return n, (torch.ones(2),), {}"],
)
def test_inputs_of_a_function_for_diagnose_are_what_stands_after_the_module(
    project: Path, body: str
) -> None:
    """``diagnose FILE:make`` wants the module with its inputs; a case makes the module itself."""
    text = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    text += f"        return x * 3\n\n\ndef make():\n    {body}\n"
    (project / "net.py").write_text(text)
    words = ("mine/net", "--from", "net.py:Net", "--inputs", "net.py:make")
    assert exportdb("new", *words, cwd=project).returncode == 0
    run = ("run", "mine/net", "--cases", "cases", "--exporter", "make-fx", "--json")
    records = [json.loads(line) for line in exportdb(*run, cwd=project).stdout.splitlines()]
    assert [r["outcome"] for r in records if r["kind"] == "record"] == ["supported"]


def test_what_the_user_has_to_do_in_the_code_is_not_left_open(project: Path) -> None:
    (project / "plain.py").write_text(
        "import torch\n\n\nclass Plain(torch.nn.Module):\n    # TODO: faster\n"
        "    def forward(self, x):\n        return x + 1  # TODO ask Ann\n"
    )
    done = exportdb("new", "mine/plain", "--from", "plain.py:Plain", "--json", cwd=project)
    left = [each["text"] for each in json.loads(done.stdout)["todo"]]
    assert left[-1] == "# TODO: a sample of what forward takes: x" and len(left) == 1
    path = project / "cases/mine/plain.py"
    assert "# TODO: faster" in path.read_text()
    done = exportdb("new", "mine/again", "--from", str(path), "--json", cwd=project)
    assert [each["text"] for each in json.loads(done.stdout)["todo"]] == left


def test_a_class_of_an_installed_package_is_imported_from_there(tmp_path: Path) -> None:
    """Its source would bring along the package; of torch's own classes that took minutes."""
    package = tmp_path / "site-packages" / "lib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .layers import *\n")
    (package / "layers.py").write_text("from lib.net import Wide as Broad\n")
    (package / "net.py").write_text(
        "import torch\n\n\nclass Wide(torch.nn.Module):\n"
        "    def __init__(self, width):\n        super().__init__()\n\n"
        "    def forward(self, x, y):\n        return torch.nn.functional.relu(x) + y\n"
    )
    data = tmp_path / "data.py"
    data.write_text("from __future__ import annotations\nimport torch\n\n\n"
                    "def batch():\n    return torch.ones(2), torch.ones(2)\n")  # fmt: skip
    found = extract(package / "__init__.py", "Broad", (data, "batch"))
    assert (found.needs, found.takes) == (("width",), ("x", "y"))
    assert "from lib import Broad\n" in found.code and "class Wide" not in found.code
    assert "def batch():" in found.code
    compile(found.code, "case", "exec")
    with pytest.raises(CaseError, match="defines no class Narrow"):
        extract(package / "__init__.py", "Narrow")
    alone = extract(package / "net.py", "Wide")
    assert alone.code == "from lib.net import Wide\n"


def test_a_name_that_only_one_of_two_files_needs_is_no_clash(tmp_path: Path) -> None:
    model, data = tmp_path / "model.py", tmp_path / "data.py"
    model.write_text(
        "import torch\n\nSIZE = 4\n\n\ndef batch():\n    return 'of the model file'\n\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return x * SIZE\n"
    )
    data.write_text("import torch\n\nSIZE = 7\n\n\ndef batch():\n    return (torch.ones(3),)\n")
    found = extract(model, "Net", (data, "batch"))
    assert "SIZE = 4" in found.code and "SIZE = 7" not in found.code
    assert "torch.ones(3)" in found.code and "of the model file" not in found.code
    assert found.code.count("import torch\n") == 1
    (tmp_path / "train.py").write_text(
        "import torch\nfrom model import Net\n\n\n"
        "def make():\n    return Net(3), (torch.ones(3),)\n"
    )
    of_both = extract(model, "Net", (tmp_path / "train.py", "make"))
    assert of_both.made is not None and of_both.made.args == ("3",)
    assert of_both.code.count("class Net") == 1
    data.write_text(data.read_text().replace("ones(3)", "ones(SIZE)"))
    with pytest.raises(CaseError, match="SIZE is defined in"):
        extract(model, "Net", (data, "batch"))


def test_names_that_two_files_define_differently_are_told(project: Path) -> None:
    with (project / "shop/model.py").open("a") as file:
        file.write("\nSCALE = 3\n")
    done = exportdb("new", "mine/model", "--from", "shop/model.py:Model", cwd=project)
    assert done.returncode == 2
    assert "SCALE is defined in" in done.stderr
    assert not (project / "cases").exists()


def test_saved_inputs_give_shapes_and_dtypes(project: Path) -> None:
    import torch

    saved = torch.zeros(5, 4, dtype=torch.float64), {"ids": torch.tensor([3, 9]), "none": None}
    torch.save(saved, project / "example.pt")
    words = ("--from", "shop/model.py:Model", "--inputs", "example.pt")
    assert exportdb("new", "mine/model", *words, cwd=project).returncode == 0
    text = (project / "cases/mine/model.py").read_text()
    ids = '{"ids": torch.randint(3, 10, (2,)), "none": None}'
    assert f"return (torch.randn(5, 4, dtype=torch.float64), {ids})" in text


@pytest.mark.parametrize(
    ("saved", "takes", "text"),
    [
        ({"x": 1, "mask": None}, ("x",), '{"x": 1, "mask": None}'),
        ({"ids": 1}, ("batch",), '({"ids": 1},)'),
        ({}, (), "({},)"),
        ([1, 2], ("x", "y"), "(1, 2)"),
        ([1, 2], ("x",), "([1, 2],)"),
        ([], (), "([],)"),
        ((1, 2), ("x",), "(1, 2)"),
        (1, ("x",), "(1,)"),
    ],
)
def test_saved_inputs_are_given_as_forward_takes_them(saved, takes, text, tmp_path: Path) -> None:
    import torch

    torch.save(saved, tmp_path / "saved.pt")
    assert inputs_text(tmp_path / "saved.pt", takes) == text


class Own:
    """A class of the user's."""


def _saved_kinds(folder: Path) -> dict[str, str]:
    """Files that hold no inputs, each with what is said of it."""
    import numpy
    import torch

    def write(name: str, what: object) -> None:
        torch.save(what, folder / f"{name}.pt")

    write("module", torch.nn.Linear(2, 3))
    write("own", Own())
    write("numpy", {"x": numpy.ones(3)})
    write("state", torch.nn.Linear(2, 3).state_dict())
    write("set", (torch.ones(2), {1, 2}))
    write("sparse", (torch.eye(2).to_sparse(),))
    (folder / "garbage.pt").write_bytes(bytes(range(256)))
    (folder / "empty.pt").touch()
    whole = (folder / "module.pt").read_bytes()
    (folder / "cut.pt").write_bytes(whole[: len(whole) // 2])
    (folder / "pickled.pt").write_bytes(pickle.dumps(Own()))
    torch.jit.script(torch.nn.ReLU()).save(folder / "script.pt")
    damaged = "is no file that torch.save wrote, or is damaged"
    return {
        "module": "holds torch.nn.modules.linear.Linear",
        "own": "holds tests.scaffold.test_new.Own",
        "numpy": "holds a NumPy array", "state": "holds an OrderedDict", "set": "holds a set",
        "sparse": "holds a sparse_coo tensor", "script": "holds a TorchScript module",
        "garbage": damaged, "empty": damaged, "cut": damaged, "pickled": damaged,
    }  # fmt: skip


def test_of_a_file_that_holds_no_inputs_one_line_says_what_is_expected(tmp_path: Path) -> None:
    for name, says in _saved_kinds(tmp_path).items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(CaseError) as raised:
                inputs_text(tmp_path / f"{name}.pt", ("x",))
        message = raised.value.message
        assert message.startswith(says), name
        assert "\n" not in message and "\x1b" not in message and "weights_only" not in message
        assert "; expected are inputs: a tensor, or a tuple, list or dict of tensors" in message


def test_a_list_of_one_is_the_argument_and_that_is_said(project: Path) -> None:
    import torch

    torch.save([torch.zeros(5, 3), torch.zeros(2)][:1], project / "one.pt")
    words = ("--from", "shop/model.py:Model", "--inputs", "one.pt")
    done = exportdb("new", "mine/model", *words, cwd=project)
    assert done.returncode == 0
    assert "return (torch.randn(5, 3),)" in (project / "cases/mine/model.py").read_text()
    assert "one.pt holds a list of one, which is taken as the arguments: batch is " in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--from", "shop.model:Model", "--inputs", "missing.pt"], "missing.pt: cannot be read"),
        (["--from", "shop.model:Model", "--inputs", "shop/model.py"], "a file and a function"),
        (["--from", "shop.model:Model", "--inputs", "shop.sizes:batch"], "defines no function"),
        (["--from", "shop.nothing:Model"], "a module and a class"),
        (["--inputs", "example.pt"], "--inputs goes with --from"),
    ],
)
def test_what_cannot_be_used_is_told(project: Path, words: list[str], complaint: str) -> None:
    done = exportdb("new", "mine/model", *words, cwd=project)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert not (project / "cases").exists()


def test_a_draft_becomes_a_case_under_another_title(tmp_path: Path) -> None:
    draft = tmp_path / "draft.py"
    exportdb("new", "a/draft", "--title", "Found by chance", cwd=tmp_path)
    draft.write_text((tmp_path / "cases/a/draft.py").read_text())
    words = ("new", "mine/sums", "--from", "draft.py", "--title", 'Sums: a "title"')
    done = exportdb(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "next: " in done.stderr and "exportdb run mine/sums" in done.stderr
    before, after = draft.read_text(), (tmp_path / "cases/mine/sums.py").read_text()
    assert after == before.replace('"Found by chance"', '"Sums: a \\\\"title\\\\""')

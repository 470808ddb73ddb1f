"""What a user does from day to day, from a folder of their own, with the installed wheel."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import CASE, EXPORTER

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
MODEL = """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


def make():
    return Net(), (torch.ones(4, 3),)


def batch():
    return (torch.ones(4, 3),)


if __name__ == "__main__":
    torch.export.export(*make())
"""


BROKEN = """
import torch


class OnData(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x - 1


class OnSize(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 1 else x


class ToList(torch.nn.Module):
    def forward(self, x):
        return torch.zeros([int(v) for v in x.abs().tolist()])


class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


class Numpy(torch.nn.Module):
    def forward(self, x):
        return x + torch.from_numpy(x.numpy().copy())


class Raises(torch.nn.Module):
    def forward(self, x):
        try:
            return x.view(7)
        except RuntimeError as error:
            return x + len(str(error).split()) if x.mean() > 0 else x


def batch():
    return (torch.ones(4),)
"""
#: What the report says of each, if it is captured wrongly or not at all.
SAID = {
    "OnData": "E0001", "OnSize": "", "ToList": "E0002", "Counts": "≠ wrong", "Numpy": "E0301",
    "Raises": "E0001",
}  # fmt: skip


#: Models as people have them, each with the file that makes it and what the cause is called.
ORDINARY = {
    "shop/net.py": ("gate.py, line 8: if x.abs().max() > 10:", "E0001"),
    "hf.py": ("Found <class 'hf.Output'> in output", "E0209"),
    "reads.py": ("line 9: for i in range(int(ids.max())):", "E0002"),
    "stars.py": ("line 11: if scale is not None and scale.item() != 1:", "E0001"),
}
FILES = {
    "shop/__init__.py": "",
    "shop/config.py": "WIDTH = 8\n",
    "shop/gate.py": """
import torch
from .config import WIDTH


class Gate(torch.nn.Linear):
    def forward(self, x):
        if x.abs().max() > 10:
            x = x / x.abs().max()
        return super().forward(x).sigmoid()
""",
    "shop/net.py": """
import torch
from .gate import Gate, WIDTH


def make():
    return torch.nn.Sequential(Gate(WIDTH, 2)), (torch.randn(3, WIDTH),)
""",
    "hf.py": """
from dataclasses import dataclass
import torch


@dataclass
class Output:
    logits: torch.Tensor
    hidden: torch.Tensor | None = None


class Encoder(torch.nn.Module):
    def forward(self, input_ids, attention_mask=None):
        return Output(input_ids * 2 if attention_mask is None else input_ids * attention_mask)


def make():
    return Encoder(), (torch.ones(2, 5),), {"attention_mask": torch.ones(2, 5)}
""",
    "vocab.txt": "the cat sat",
    "reads.py": """
import torch

class Lookup(torch.nn.Module):
    def __init__(self, path="vocab.txt"):
        super().__init__()
        self.words = len(open(path).read().split())
    def forward(self, ids):
        for i in range(int(ids.max())):
            ids = ids + i
        return ids % self.words


def make():
    return Lookup(), (torch.tensor([0, 2, 1]),)
""",
    "stars.py": """
import torch


class Fuse(torch.nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.parts = torch.nn.ModuleList(torch.nn.Linear(s, 4) for s in sizes)
    def forward(self, *xs, scale=None):
        total = sum(part(x) for part, x in zip(self.parts, xs))
        if scale is not None and scale.item() != 1:
            total = total * scale
        return total


def make():
    return Fuse(3, 5), (torch.randn(2, 3), torch.randn(2, 5)), {"scale": torch.tensor(2.0)}
""",
    "saved.py": """
import torch


class Pool(torch.nn.Module):
    def forward(self, x, lengths):
        return torch.stack([row[: int(n)].mean(0) for row, n in zip(x, lengths)])
""",
}


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of an environment that has the wheel, and of this one all but exportdb."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    others = [p for p in sys.path if p.endswith("site-packages")]
    (site / "zz_others.pth").write_text("\n".join(others))
    bin = folder / "venv" / "bin"
    install = [bin / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run([*map(str, install)], check=True)
    return bin


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a model, an adapter and a tree of two cases."""
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "adapter.py").write_text(EXPORTER)
    (tmp_path / "private" / "acme").mkdir(parents=True)
    for name, body in (("adds", "x + 1"), ("doubles", "x * 2")):
        text = CASE.format(title=name.capitalize(), body=body)
        (tmp_path / "private" / "acme" / f"{name}.py").write_text(text)
    return tmp_path


def given(installed: Path, here: Path, line: str, code: int = 0) -> str:
    """What a line of a shell says, on both streams; it must end with ``code``."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    variables["PATH"] = f"{installed}:{variables['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=here, env=variables, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stdout
    return done.stdout


def test_it_is_the_wheel_that_runs(installed: Path, here: Path):
    where = given(installed, here, "python -c 'import exportdb; print(exportdb.__file__)'")
    assert str(installed.parent) in where


def test_the_guides_are_where_doctor_says(installed: Path, here: Path):
    found = json.loads(given(installed, here, "exportdb doctor --json 2>/dev/null"))
    [guides] = [Path(c["details"]) for c in found["checks"] if c["kind"] == "guides"]
    assert guides.is_relative_to(installed.parent)
    given(installed, here, "exportdb new --exporter adapter.py:Mine")
    [page] = re.findall(r"All keys: (\S+\.md)", (here / "exportdb.toml").read_text())
    assert (guides / page).is_file()


def test_from_pip_install_to_the_cause_of_a_refusal(installed: Path, here: Path):
    """The install is the first command, each of these the second."""
    said = given(installed, here, "python model.py 2>&1 | exportdb explain")
    assert "E0001" in said and "model.py:7" in said and "torch.cond" in said
    said = given(installed, here, "exportdb diagnose model.py:make --seconds 5 || test $? = 1")
    assert "line 7: if x.sum() > 0:" in said and "E0001" in said


def test_from_a_model_to_a_case_that_is_run(installed: Path, here: Path):
    new = "exportdb new acme/net --from model.py:Net --inputs model.py:batch --cases private"
    assert "private/acme/net.py" in given(installed, here, new)
    said = given(installed, here, "exportdb run acme/net --cases private --exporter export")
    assert "✖ refused" in said and "private/acme/net.py:" in said and "E0001" in said


def test_the_cause_of_a_refusal_of_ordinary_models_is_the_second_command(installed, here: Path):
    """Relative imports, an output of a class, a file that is read, ``*args``: each as it stands."""
    (here / "shop").mkdir()
    for name, text in FILES.items():
        (here / name).write_text(text)
    for file, (line, entry) in ORDINARY.items():
        command = f"exportdb diagnose {file}:make --seconds 5 || test $? = 1"
        said = given(installed, here, command)
        assert line in said and entry in said
    given(installed, here, "exportdb new my/fuse --from stars.py:Fuse --inputs stars.py:make")
    said = given(installed, here, "exportdb run my/fuse --cases cases --exporter export")
    assert "✖ refused" in said and "if scale is not None and scale.item() != 1:" in said
    save = "import torch; torch.save((torch.ones(3, 6, 4), torch.tensor([6, 2, 4])), 'x.pt')"
    given(installed, here, f'python -c "{save}"')
    given(installed, here, "exportdb new my/pool --from saved.py:Pool --inputs x.pt")
    said = given(installed, here, "exportdb run my/pool --cases cases --exporter export")
    assert "✖ refused" in said and "E0002" in said and "cases/my/pool.py:" in said


def test_six_models_that_are_not_captured_are_told_apart_in_one_run(installed: Path, here: Path):
    (here / "models.py").write_text(BROKEN)
    news = [
        f"exportdb new six/{name.lower()} --from models.py:{name} --inputs models.py:batch"
        " --cases mine"
        for name in SAID
    ]
    given(installed, here, " && ".join(news))
    said = given(installed, here, "exportdb run --cases mine --only --exporter export,make-fx")
    table, _, causes = said.partition("\n\n")
    for name, what in SAID.items():
        assert f"six/{name.lower()}" in table
        assert what in causes
    assert "your line: mine/six/ondata.py:" in causes
    assert "error" not in table
    again = given(installed, here, "exportdb report 2>/dev/null")
    assert again in said
    for form, begins in (("markdown", "## exportdb: 12 results"), ("junit", "<?xml"),
                         ("sarif", "{"), ("json", "{"), ("badge", "<svg")):  # fmt: skip
        line = f"exportdb report --format {form} 2>/dev/null"
        assert given(installed, here, line).startswith(begins)


@pytest.mark.parametrize("page", ["README.md", "docs/first-exporter.md"])
def test_the_first_report_of_a_page_is_the_one_that_a_reader_gets(installed, here: Path, page: str):
    text = (ROOT / page).read_text()
    if "toy.py" in text:
        (here / "toy.py").write_text(text.partition("```python\n")[2].partition("```")[0])
    line, _, report = text.partition("```console\n$ ")[2].partition("```")[0].partition("\n")
    said = given(installed, here, f"{line} 2>/dev/null")
    paths = re.compile(r"\S*/(?=\w+\.py)")
    lines = [found for found in said.splitlines() if not found.startswith(("slowest", "records"))]
    assert paths.sub("", "\n".join(lines)).strip() == paths.sub("", report).strip()


def test_from_an_adapter_to_a_gate_that_passes_in_five_commands(installed: Path, here: Path):
    """The install is the first; here one case stands for the database."""
    for line in (
        "exportdb new --exporter adapter.py:Mine",
        "exportdb run control_flow/cond_nested",
        "exportdb accept --note 'as it is today'",
        "exportdb check control_flow/cond_nested",
    ):
        said = given(installed, here, line)
    assert "1 result: 1 expected" in said
    assert (here / ".github/workflows/exportdb.yml").is_file()
    assert (here / "expectations/control_flow.yaml").is_file()


def test_what_the_workflow_runs_on_a_pull_request(installed: Path, here: Path):
    given(installed, here, "exportdb new --exporter adapter.py:Mine")
    with (here / "exportdb.toml").open("a") as configuration:  # these two stand for the database
        configuration.write('cases = ["private"]\nonly = true\n')
    given(installed, here, "exportdb run && exportdb accept")
    (here / "adapter.py").write_text(EXPORTER.replace("return y", "return y + 1"))
    workflow = yaml.safe_load((here / ".github/workflows/exportdb.yml").read_text())
    check, report = (
        step["run"].replace("${{ matrix.torch }}", "2.13")
        for step in workflow["jobs"]["check"]["steps"]
        if step.get("name") in ("Check", "Report")
    )
    given(installed, here, f"set -e\n{check}", code=1)
    said = given(installed, here, f"set -e\nexport GITHUB_STEP_SUMMARY=summary.md\n{report}")
    assert "::error file=adapter.py,line=2,title=regressed" in said
    assert "### Not as expected" in (here / "summary.md").read_text()
    assert "kind" in (here / "records-2.13.jsonl").read_text()
    assert 'failures="2"' in (here / "reports" / "junit.xml").read_text()


def test_what_pytest_names_is_known_again(installed: Path, here: Path):
    (here / "pyproject.toml").write_text(
        '[tool.exportdb]\ncases = "private"\nonly = true\nexporters = "adapter.py:Mine"\n'
        'expectations = "known"\n'
    )
    given(installed, here, "exportdb run && exportdb accept")
    (here / "adapter.py").write_text(EXPORTER.replace("return y", "return y * y"))
    pytest_ = "python -m pytest -q"
    failed = given(installed, here, f"{pytest_} --pyargs exportdb", code=1)
    names = re.findall(r"^FAILED (\S+)", failed, re.M)
    assert names == ["exportdb::acme/adds[mine-cpu]", "exportdb::acme/doubles[mine-cpu]"]
    (here / "adapter.py").write_text(EXPORTER)
    assert "1 passed" in given(installed, here, f"{pytest_} -n 2 '{names[0]}'")
    assert "1 passed" in given(installed, here, f"{pytest_} -n 2 --lf --pyargs exportdb")


def test_the_hook_keeps_a_broken_case_from_a_commit(installed: Path, here: Path):
    """What pre-commit would run, as git's own hook."""
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (here / "exportdb.toml").write_text('cases = "private"\n')
    given(installed, here, "git init -q . && git config user.email a@b.c && git config user.name a")
    script = here / ".git" / "hooks" / "pre-commit"
    script.write_text(f"#!/bin/sh\nexec {hook['entry']}\n")
    script.chmod(0o755)
    given(installed, here, "git add private && git commit -qm first")
    case = here / "private" / "acme" / "adds.py"
    case.write_text(case.read_text().replace("title:", "titel:"))
    said = given(installed, here, "git commit -qam second", code=1)
    assert "private/acme/adds.py:2: L002 unknown key 'titel'" in said


def test_private_cases_from_lint_to_gate(installed: Path, here: Path):
    (here / "exportdb.toml").write_text(
        'cases = "private"\nonly = true\nexporters = "adapter.py:Mine"\nexpectations = "known"\n'
    )
    given(installed, here, "exportdb lint")
    assert "2 results: 2 new" in given(installed, here, "exportdb run")
    given(installed, here, "exportdb accept")
    assert "2 results: 2 expected" in given(installed, here, "exportdb check")
    passed = given(installed, here, "python -m pytest -q -p no:cacheprovider --pyargs exportdb")
    assert "2 passed" in passed


def test_a_gate_with_waivers_from_day_to_day(installed: Path, here: Path):
    """A defect is found early, excused for a time, left alone until then, and called for after."""
    given(installed, here, "exportdb new --exporter adapter.py:Mine")
    with (here / "exportdb.toml").open("a") as configuration:  # these two stand for the database
        configuration.write('cases = ["private"]\nonly = true\n')
    given(installed, here, "exportdb run && exportdb accept")
    (here / "adapter.py").write_text(EXPORTER.replace("return y", "return y + 1"))
    said = given(installed, here, "exportdb check -j 1 --max-failures 1", code=1)
    assert "stopped at 1 result not as expected" in said and "supported was expected" in said
    given(installed, here, "exportdb run")
    assert "--issue LINK" in given(installed, here, "exportdb accept", code=1)
    given(installed, here, "exportdb accept --issue me/mine#7 --until 2999-01-31")
    said = given(installed, here, "exportdb check --only-affected")
    assert "2 of 2 results are left out (--only-affected)" in said
    kept = here / "expectations" / "acme.yaml"
    kept.write_text(kept.read_text().replace("2999", "2020"))
    said = given(installed, here, "exportdb check --only-affected", code=1)
    assert "the waiver me/mine#7 ended on 2020-01-31" in said


SLOW = """
import time
from pathlib import Path


class Slow:
    name = "slow"

    def capture(self, program):
        here = Path(__file__).parent
        while (here / "first").exists() and not (here / "go").exists():
            time.sleep(0.05)
        (here / "first").touch()
        return program.module
"""
#: Runs a command in a terminal of its own and passes on what is typed.
IN_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def test_ctrl_c_in_a_terminal_and_on_from_there(installed: Path, here: Path):
    (here / "slow.py").write_text(SLOW)
    run = ["run", "--cases", "private", "--only", "--exporter", "slow.py:Slow", "-j", "1"]
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "60"}
    with subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, str(installed / "exportdb"), *run], cwd=here,
        env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as terminal:  # fmt: skip
        assert terminal.stdin is not None and terminal.stdout is not None
        said = b""
        while b"1/2 " not in said:
            more = os.read(terminal.stdout.fileno(), 4096)
            assert more, said
            said += more
        terminal.stdin.write(b"\x03")
        terminal.stdin.flush()
        said += terminal.stdout.read()
    assert terminal.returncode == 130
    assert b"interrupted; resume it with: exportdb run --resume" in said
    (here / "go").touch()
    said_then = given(installed, here, "exportdb run --resume")
    assert "examining: 2 results, 1 of them known already" in said_then
    assert "2 results: 2 new" in said_then


def test_shards_come_together(installed: Path, here: Path):
    words = "--cases private --only --exporter adapter.py:Mine"
    for i in (1, 2):
        line = f"exportdb run {words} --shard {i}/2 --out shard-{i}.jsonl"
        given(installed, here, f"{line} || test $? = 2")  # a part may be empty
    shards = " ".join(sorted(p.name for p in here.glob("shard-*.jsonl")))
    given(installed, here, f"exportdb merge {shards} --out all.jsonl")
    cases = {json.loads(line).get("case") for line in (here / "all.jsonl").read_text().splitlines()}
    assert cases == {None, "acme/adds", "acme/doubles"}
    assert "2 results: 2 new" in given(installed, here, f"exportdb report {shards}")
    accept = "exportdb accept --cases private --exporter adapter.py:Mine --expectations known"
    said = given(installed, here, f"{accept} --from {shards.replace(' ', ',')}")
    assert "reading" in said and "2 results accepted" in said
    given(installed, here, f"exportdb diff all.jsonl {shards.replace(' ', ',')} --common")


def test_a_new_case_with_nothing_but_what_contributing_says(tmp_path: Path):
    """In a copy of the repository, line by line, the lines that `new` leaves filled in between."""
    for folder in ("cases", "exportdb"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    text = (ROOT / "CONTRIBUTING.md").read_text()
    lines = text.partition("## Add a case")[2].split("```")[1].splitlines()[1:]
    assert [line.split()[1] for line in lines] == ["new", "lint", "run", "accept"]

    def exportdb(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *shlex.split(line)[1:]], cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": ".", "EXPORTDB_HOME": "home"},
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    new, lint, run, accept = lines
    made = exportdb(new)
    assert made.returncode == 0, made.stderr
    case = tmp_path / made.stdout.strip()
    left = made.stderr.count("TODO")
    found = exportdb(lint)
    assert found.returncode == 1 and found.stdout.count("left to be filled in") == left == 4
    for todo, given in {
        "  TODO: what happens and why, in a few sentences.": "  It is what relu is.",
        "tags: []  # TODO": "tags: [torch.dynamic-shape]  #",
        "  # TODO: the program": "",
        "  # TODO: what forward takes": "  #",
    }.items():
        assert todo in case.read_text()
        case.write_text(case.read_text().replace(todo, given))
    done = exportdb(lint)
    assert done.returncode == 0, done.stdout
    done = exportdb(f"{run} --exporter export")
    assert done.returncode == 0, done.stdout
    assert "supported" in done.stdout and "next: exportdb accept" in done.stdout
    done = exportdb(accept)
    assert done.returncode == 0, done.stderr
    assert case.with_suffix(".yaml").is_file()

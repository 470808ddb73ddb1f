"""What an installation without torch says of itself: one thing to install, and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.test_packaging import ROOT


@pytest.fixture
def exportdb(tmp_path: Path):
    """Runs ``exportdb`` in an environment that has what it requires, and no torch."""
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    for name in (
        "click",
        "rich",
        "yaml",
        "packaging",
        "msgspec",
        "markdown_it",
        "mdurl",
        "pygments",
    ):
        (site / name).symlink_to(Path(__import__(name).__file__).parent)
    (site / "exportdb.pth").write_text(f"{ROOT}\n")
    declared = Path(str(distribution("exportdb").locate_file("")))  # its entry points
    (info,) = declared.glob("exportdb-*.dist-info")
    (site / info.name).symlink_to(info)
    code = (
        "import sys; sys.argv[0] = 'exportdb'; from exportdb.cli.main import main; sys.exit(main())"
    )

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [environment / "bin/python", "-c", code, *words], cwd=tmp_path, capture_output=True,
            text=True, env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        )  # fmt: skip

    return run


def test_a_run_says_what_to_install(exportdb, tmp_path: Path) -> None:
    done = exportdb("run", "views/write_through_as_strided", "--exporter", "make-fx")
    assert done.returncode == 2
    assert (
        "torch is not installed, and running a program needs torch: pip install 'exportdb[torch]'"
        in done.stderr
    )
    assert done.stderr.count("torch is not installed") == 1
    for word in ("process", "Traceback", "--resume", "examining"):
        assert word not in done.stderr
    assert not [*tmp_path.glob(".exportdb/runs/*.jsonl")]


def test_saved_inputs_need_it_and_say_so(exportdb, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        return x\n"
    )
    (tmp_path / "x.pt").write_bytes(b"anything")
    done = exportdb("new", "a/net", "--from", "model.py:Net", "--inputs", "x.pt")
    assert done.returncode == 2
    assert "reading saved inputs needs torch: pip install 'exportdb[torch]'" in done.stderr
    assert not (tmp_path / "cases").exists()
    assert exportdb("new", "a/net", "--from", "model.py:Net").returncode == 0


def test_doctor_calls_nothing_fit_that_needs_torch(exportdb) -> None:
    done = exportdb("doctor", "--json")
    assert done.returncode == 2
    checks = json.loads(done.stdout)["checks"]
    exporters = {c["name"]: c["state"] for c in checks if c["kind"] == "exporter"}
    assert exporters["make-fx"] == "problem"


@pytest.mark.parametrize("verb", [("diagnose", "model.py:make"), ("hunt", "--programs", "1")])
def test_what_runs_programs_says_what_to_install(exportdb, tmp_path: Path, verb) -> None:
    (tmp_path / "model.py").write_text("def make():\n    return None, ()\n")
    done = exportdb(*verb)
    assert done.returncode == 2
    assert "torch is not installed" in done.stderr and "Traceback" not in done.stderr


def test_suites_are_listed_with_their_options(exportdb) -> None:
    done = exportdb("list", "--suites", "--json")
    assert done.returncode == 0, done.stderr
    options = {suite["name"]: suite["options"] for suite in json.loads(done.stdout)}
    assert options["ops"] == {"samples": "1", "dtypes": "float32", "dims": "named"}
    assert options["cases"] == {} and {"upstream", "modules", "models"} < options.keys()
    assert "samples=1 dtypes=float32 dims=named" in exportdb("list", "--suites").stdout

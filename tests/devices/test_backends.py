"""Back ends that torch loads by itself: one that fails is named, once, and can be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

RUN = ("run", "control_flow/cond_on_value", "--exporter", "export")
OFF = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}


@pytest.fixture
def backend(tmp_path: Path):
    """Installs a back end whose loading does what ``body`` says."""

    def install(body: str) -> None:
        site = tmp_path / "site"
        info = site / "demo_backend-1.2.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: demo-backend\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text("[torch.backends]\ndemo = demo_backend:load\n")
        (site / "demo_backend.py").write_text(f"import os\ndef load():\n    {body}\n")

    return install


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise OSError('libdemo.so is missing')", "OSError: libdemo.so is missing"),
        ("os._exit(3)", "exit code 3"),
    ],
)
def test_a_run_names_the_one_that_fails_and_examines_nothing(exportdb, backend, body, said):
    backend(body)
    done = exportdb(*RUN)
    assert done.returncode == 2
    assert "the back end demo (demo-backend 1.2)" in done.stderr
    assert said in done.stderr
    assert "TORCH_DEVICE_BACKEND_AUTOLOAD=0" in done.stderr
    assert "result" not in done.stdout


def test_doctor_names_it_too(exportdb, backend):
    backend("raise OSError('libdemo.so is missing')")
    done = exportdb("doctor")
    assert done.returncode == 2
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("backend")]
    assert "problem" in line and "demo-backend 1.2" in line and "libdemo.so is missing" in line


@pytest.mark.slow
def test_left_out_it_does_no_harm(exportdb, backend):
    backend("raise OSError('libdemo.so is missing')")
    assert exportdb(*RUN, **OFF).returncode == 0
    done = exportdb("doctor", **OFF)
    assert done.returncode == 0
    assert "not loaded" in done.stdout


def test_the_version_of_one_that_loads_is_part_of_the_environment(exportdb, backend):
    backend("pass")
    assert '"demo-backend":"1.2"' in exportdb(*RUN, "--json").stdout
    assert "demo-backend" not in exportdb(*RUN, "--json", **OFF).stdout

"""The wheel: an exporter's CI installs it and has the whole database."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from exportdb.cases.database import builtin_tree, load

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds just what the wheel installs."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_every_case_and_data_file_is_in_the_wheel(site: Path) -> None:
    installed = site / "exportdb" / "database"
    here = {p.relative_to(builtin_tree()) for p in builtin_tree().rglob("*.[pyt]*") if p.is_file()}
    here = {p for p in here if p.suffix in (".py", ".yaml", ".txt")}
    assert here == {p.relative_to(installed) for p in installed.rglob("*") if p.is_file()}
    assert (site / "exportdb" / "exporters" / "template" / "adapter.py.in").is_file()


def test_all_that_the_site_is_built_from_is_in_the_wheel(site: Path) -> None:
    for folder, installed in (("docs", "documentation"), ("exportdb/site", "site")):
        here = {p.relative_to(ROOT / folder) for p in (ROOT / folder).rglob("*") if p.is_file()}
        here = {p for p in here if "__pycache__" not in p.parts and "_build" not in p.parts}
        assert here and not {p for p in here if not (site / "exportdb" / installed / p).is_file()}


def test_the_installed_command_reads_the_installed_cases(site: Path, tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r}); from exportdb.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "list", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) >= len(load().cases)

"""The wheel: an exporter's CI installs it and has the whole database."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from exportdb.cases.database import builtin_tree, load
from exportdb.plugins import EXPORTERS, PluginRef
from exportdb.resolve import own_expectations

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


def built(folder: Path, kind: str, into: Path) -> Path:
    """A distribution of the project in ``folder``."""
    words = ["-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run([sys.executable, *words], cwd=folder, check=True, capture_output=True)
    (made,) = into.iterdir()
    return made


def test_the_source_distribution_has_what_a_contributor_needs(tmp_path: Path) -> None:
    with tarfile.open(built(ROOT, "sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {
        "CONTRIBUTING.md", "Makefile", "Containerfile", "constraints.txt", ".ci/run",
        ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "docs/cases.md",
        "tests/test_packaging.py", "plugins/tvm/exportdb_tvm.py",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("plugin", sorted(p.name for p in (ROOT / "plugins").iterdir()))
def test_a_plug_in_is_a_package_with_its_expectations(plugin: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(built(ROOT / "plugins" / plugin, "wheel", tmp_path)) as archive:
        names = archive.namelist()
    assert f"exportdb_{plugin}.py" in names
    assert any(n.endswith("entry_points.txt") for n in names)
    here = ROOT / "plugins" / plugin / "expectations"
    kept = {p.relative_to(here).as_posix() for p in here.rglob("*.yaml")}
    inside = f"exportdb_{plugin}_expectations/"
    assert kept == {n.removeprefix(inside) for n in names if n.startswith(inside)}


def test_an_installed_plug_in_has_its_expectations_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    site = tmp_path / "site"
    for folder in ("expectations", "exportdb_theirs_expectations"):
        (site / folder).mkdir(parents=True)
    (site / "exportdb_theirs.py").write_text("")
    (site / "exportdb_bare.py").write_text("")
    monkeypatch.syspath_prepend(site)
    theirs, bare = (
        PluginRef(EXPORTERS, name, f"exportdb_{name}:Theirs", "", "some")
        for name in ("theirs", "bare")
    )
    assert own_expectations(None, [theirs]) == site / "exportdb_theirs_expectations"
    assert own_expectations(None, [bare]) is None  # the folder may be anybody's
    assert own_expectations(tmp_path, [theirs]) == tmp_path


#: What a page may name that is in the repository and not in a wheel.
OUTSIDE = re.compile(r"(?<![\w./])(?:tools|tests|plugins|\.ci|cases)/[\w./]*\w")


@pytest.mark.parametrize(
    "page", sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("docs/**/*.md"))
)
def test_a_path_that_a_page_names_is_there_or_said_to_be_elsewhere(page: str) -> None:
    text = (ROOT / page).read_text()
    named = {n for n in OUTSIDE.findall(text) if (ROOT / n.partition("/")[0]).is_dir()}
    for path in (n for n in named if n.endswith((".py", ".yaml", ".txt", "/run"))):
        address = path.endswith(".py") and path.startswith("cases/")
        assert address or (ROOT / path).is_file(), f"{page} names {path}"
    if named:
        assert re.search(r"repository|source distribution|\bclone\b|checkout", text), (page, named)


def test_what_a_page_names_of_the_package_is_there() -> None:
    installed = {"exportdb/database/", "exportdb/documentation/"}  # by a wheel alone
    text = "\n".join(page.read_text() for page in ROOT.glob("docs/**/*.md"))
    named = set(re.findall(r"`(exportdb/[\w/]*(?:\.\w+|/))`", text)) - installed
    assert len(named) > 30
    assert not {path for path in named if not (ROOT / path).exists()}


def test_the_container_is_made_of_files_that_are_there() -> None:
    lines = (ROOT / "Containerfile").read_text().splitlines()
    assert lines[-1] == 'CMD ["make", "run"]'
    assert "RUN make .venv/.ready" in lines  # what `make run` needs, and no more
    assert "READY := $(VENV)/.ready" in (ROOT / "Makefile").read_text()
    assert {".git", ".venv", ".exportdb"} <= set((ROOT / ".dockerignore").read_text().split())

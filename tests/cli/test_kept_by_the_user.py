"""What ``accept`` writes stands in a folder of the user's, never in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases import database
from exportdb.cases.yamlfile import Part
from tests.cli.conftest import EXPORTER
from tests.scaffold.test_new_exporter import exportdb

PUBLIC = "views/write_through_as_strided"
#: What a folder of one's own has of the topic of that case.
KEPT = "views.yaml"


def expectations_of_the_public_case() -> bytes:
    return (database.builtin_tree() / f"{PUBLIC}.yaml").read_bytes()


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """A folder outside of every checkout in which an adapter was tried on a public case."""
    (tmp_path / "mine.py").write_text(EXPORTER)
    done = exportdb(tmp_path, "run", PUBLIC, "--exporter", "mine.py:Mine")
    assert done.returncode == 0, done.stderr
    return tmp_path


@pytest.mark.parametrize("words", [(), ("--exporter", "mine.py:Mine")])
def test_of_an_adapter_beside_it(measured: Path, words: tuple[str, ...]) -> None:
    before = expectations_of_the_public_case()
    done = exportdb(measured, "accept", *words)
    assert done.returncode == 0, done.stderr
    assert expectations_of_the_public_case() == before
    assert "mine:" in Part(measured / "expectations" / KEPT, PUBLIC).text()[0]
    checked = exportdb(measured, "check", PUBLIC, "--exporter", "mine.py:Mine")
    assert checked.returncode == 0, checked.stdout


def test_of_a_built_in_exporter_where_the_user_says(measured: Path) -> None:
    exportdb(measured, "run", PUBLIC, "--exporter", "make-fx", "--switch", "mode=eval")
    before = expectations_of_the_public_case()
    done = exportdb(measured, "accept")
    assert done.returncode == 2
    assert "give --expectations DIR" in done.stderr
    done = exportdb(measured, "accept", "--expectations", "known")
    assert done.returncode == 0, done.stderr
    assert "make-fx:" in Part(measured / "known" / KEPT, PUBLIC).text()[0]
    assert expectations_of_the_public_case() == before

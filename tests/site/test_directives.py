"""An exporter's own documentation: the directives in a project that is not ours."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from exportdb.records.record import Record

from .conftest import record, write_records


@pytest.fixture
def project(tree: Path, tmp_path: Path) -> Path:
    """A project with another theme, the cases of the tests and one file of records."""
    root = tmp_path / "docs"
    root.mkdir()
    write_records(root / "records.jsonl", record(exporter="mine", outcome="degraded"))
    (root / "conf.py").write_text(
        "extensions = ['exportdb.site']\nhtml_theme = 'alabaster'\n"
        f"exportdb_records = ['records.jsonl']\nexportdb_cases = [{str(tree)!r}]\n"
        "exportdb_builtin = False\nexportdb_url = 'https://example.org/db/'\n"
    )
    return root


def build(project: Path, text: str | None = None, jobs: int = 1) -> tuple[str, str]:
    """The page that Sphinx makes of an index, and what it warned of."""
    if text is not None:
        (project / "index.rst").write_text(f"Matrix\n======\n\n{text}")
    warnings = io.StringIO()
    out = project / "_build"
    with patch_docutils(), docutils_namespace():
        Sphinx(project, project, out, out / ".doctrees", "html", status=io.StringIO(),
               warning=warnings, parallel=jobs).build()  # fmt: skip
    return (out / "index.html").read_text(encoding="utf-8"), warnings.getvalue()


def test_a_matrix_of_one_case_has_notes_and_links_to_the_site(project: Path) -> None:
    page, warnings = build(project, ".. exportdb-matrix:: area/adds\n   :exporter: mine, export\n")
    assert warnings == ""
    assert page.index(">mine</a>") < page.index(">export</a>")  # in the order given
    assert "◐</span> degraded</span>" in page
    assert 'href="https://example.org/db/exporters/mine.html"' in page
    assert "export-strict" not in page


def test_a_matrix_of_many_cases_is_a_table_of_them(project: Path) -> None:
    page, warnings = build(project, ".. exportdb-matrix:: area/*\n")
    assert warnings == ""
    for case in ("adds", "adds_later", "unmeasured"):
        assert f'href="https://example.org/db/cases/area/{case}.html"' in page


def test_case_error_and_trend(project: Path) -> None:
    page, warnings = build(
        project,
        ".. exportdb-case:: area/added\n\n.. exportdb-error:: E0001\n\n"
        ".. exportdb-trend::\n   :exporter: export\n   :device: cpu\n",
    )
    assert warnings == ""
    assert "A case of the tests." in page and "dynamic_shapes" in page
    assert "E0001: The program branches" in page
    assert "<svg" in page and "torch 2.15" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".. exportdb-matrix:: area/nothing", "no case is named area/nothing"),
        (".. exportdb-case:: nothing", "no case is named nothing"),
        (".. exportdb-error:: E9999", "no entry E9999"),
        (
            ".. exportdb-matrix:: area/adds\n   :exporter: mien",
            "exporter mien; known: export, ",
        ),
        (".. exportdb-trend::\n   :device: cpuu", "device cpuu; known: cpu"),
        (".. exportdb-matrix::\n   :exporters: mine", "unknown option"),
    ],
)
def test_what_is_not_there_is_a_warning_at_its_line(project: Path, text: str, said: str) -> None:
    _, warnings = build(project, f"{text}\n")
    assert said in warnings and "index.rst:4" in warnings


def test_new_records_are_shown_without_touching_the_document(project: Path) -> None:
    page, _ = build(project, ".. exportdb-matrix:: area/adds\n   :exporter: mine\n")
    assert "degraded" in page
    write_records(project / "records.jsonl", record(exporter="mine"))
    page, _ = build(project)
    assert "degraded" not in page and "supported" in page


def test_a_document_without_change_is_not_read_again(project: Path) -> None:
    build(project, ".. exportdb-matrix:: area/adds\n")
    doctree = project / "_build" / ".doctrees" / "index.doctree"
    before = doctree.stat().st_mtime_ns
    build(project)
    assert doctree.stat().st_mtime_ns == before


def test_two_matrices_on_a_page_have_notes_of_their_own(
    project: Path, wrong: Record
) -> None:  # fmt: skip
    write_records(project / "records.jsonl", wrong)
    page, _ = build(project, ".. exportdb-matrix:: area/adds\n\n.. exportdb-matrix:: area/adds\n")
    assert 'id="exportdb-0-1"' in page and 'id="exportdb-1-1"' in page


def test_a_record_is_text_here_too(project: Path, wrong: Record) -> None:
    evil = "<script>alert(1)</script>"
    write_records(project / "records.jsonl", wrong.with_(exporter=evil, repro=json.dumps(evil)))
    page, _ = build(project, ".. exportdb-matrix:: area/adds\n")
    assert evil not in page and "&lt;script&gt;alert(1)" in page

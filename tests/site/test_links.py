"""The checker finds what does not hold, and only that."""

from __future__ import annotations

from pathlib import Path

from exportdb.site.links import check

GOOD = """<!DOCTYPE html><html><head><link rel="stylesheet" href="style.css">
<link rel="canonical" href="https://example.org/a.html"></head>
<body id="top"><a href="#top">up</a> <a href="sub/b.html#here">b</a> <a href="https://pytorch.org">o</a>
<a href="mailto:a@b.c">m</a> <img src="data:image/png;base64,AA=="></body></html>"""


def site(tmp_path: Path, page: str) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "style.css").write_text("")
    (tmp_path / "sub" / "b.html").write_text('<p id="here"><a href="../a.html">a</a></p>')
    (tmp_path / "a.html").write_text(page)
    return tmp_path


def test_a_sound_site_has_no_complaint(tmp_path: Path) -> None:
    assert check(site(tmp_path, GOOD)) == []


def test_each_kind_of_trouble_is_named_with_its_line(tmp_path: Path) -> None:
    page = """<a href="gone.html">1</a>
<a href="sub/b.html#nowhere">2</a>
<a href="#nowhere">3</a>
<a href="../out.html">4</a>
<script src="https://cdn.example.org/x.js"></script>
<link rel="stylesheet" href="//fonts.example.org/f.css">
<img src="http://example.org/i.png">"""
    found = [(b.line, b.why) for b in check(site(tmp_path, page))]
    assert sorted(found) == [
        (1, "there is no such file"),
        (2, "there is no such anchor"),
        (3, "there is no such anchor"),
        (4, "there is no such file"),
        (5, "is loaded from outside"),
        (6, "is loaded from outside"),
        (7, "is loaded from outside"),
    ]

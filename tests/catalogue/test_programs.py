"""The programs that entries of the catalogue show: they do what they say, and are shown as text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from exportdb.cases import catalogue
from exportdb.cases.entry_text import change
from exportdb.cli import entry
from exportdb.explain import matcher
from exportdb.explain.answer import explained
from exportdb.explain.matching import Matcher

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import check_entries

BUILTIN = catalogue.load().entries
SHOWN = sorted(e.id for e in BUILTIN.values() if e.fails)

FAILS = "import sys\n\nraise ValueError('the flux capacitor is empty')\n"
WORKS = "import sys\n\nprint('the flux capacitor is full')\n"


def tree(folder: Path, fails: str = FAILS, works: str = WORKS, **more: str) -> Path:
    """A tree of one entry that has these programs."""
    told = {"title": "T", "meaning": "M", "remedy": "R", "fails": fails, "works": works,
             "messages": ["the flux capacitor is empty"]} | more  # fmt: skip
    (folder / "errors").mkdir(parents=True)
    text = json.dumps({k: v for k, v in told.items() if v})  # JSON is YAML
    (folder / "errors" / "mine.yaml").write_text(f"# Mine.\n\nE9001: {text}\n")
    return folder


def problems(folder: Path) -> list[str]:
    entries = catalogue.load([folder]).entries
    return check_entries.problems(entries["E9001"], Matcher(entries.values()))


@pytest.mark.slow
@pytest.mark.parametrize("entry_id", SHOWN)
def test_the_programs_of_an_entry_do_what_it_says(entry_id: str) -> None:
    assert not check_entries.problems(BUILTIN[entry_id], matcher())


def test_most_entries_show_programs_and_no_case_is_needed_beside_them() -> None:
    assert len(SHOWN) > 90


@pytest.mark.parametrize("entry_id", SHOWN)
def test_programs_are_short_python_and_differ_in_little(entry_id: str) -> None:
    shown = BUILTIN[entry_id]
    for text in (shown.fails, shown.works):
        compile(text, entry_id, "exec")
        assert "exportdb" not in text
        assert len(text.splitlines()) <= 40
        assert max(map(len, text.splitlines())) <= 100
    kept = set(shown.fails.splitlines()) & set(shown.works.splitlines())
    assert kept and shown.fails != shown.works


def test_programs_that_do_what_they_say_are_no_problem(tmp_path: Path) -> None:
    assert problems(tree(tmp_path)) == []


@pytest.mark.parametrize(
    ("fails", "works", "says"),
    [
        (WORKS, WORKS + "\n", "E9001: fails ran through"),
        ("1 / 0", WORKS, "E9001: fails raised what no entry surely explains"),
        ("raise ValueError('Expecting `args` to be a tuple')", WORKS, "what E0206 explains first"),
        (FAILS, "import no_such_module", "E9001: works failed:"),
        (FAILS, "import sys\nsys.exit(3)", "E9001: works failed:"),
    ],
)
def test_programs_that_do_otherwise_are_one_clear_problem(
    fails: str, works: str, says: str, tmp_path: Path
) -> None:
    (found,) = problems(tree(tmp_path, fails, works))
    assert says in found


def test_a_program_that_does_not_end_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_entries, "LIMIT", 1)
    (found,) = problems(tree(tmp_path, works="while True: pass"))
    assert "works failed:\nnothing after 1 seconds" in found


def test_a_program_does_not_see_what_another_wrote(tmp_path: Path) -> None:
    left = "import os\nassert not os.listdir('.').count('left')\nopen('left', 'w')\n"
    assert problems(tree(tmp_path, left + FAILS, left + WORKS)) == []


def test_the_tool_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_entries.main(["E9001", "--cases", str(tree(tmp_path / "good"))]) == 0
    assert check_entries.main(["E9001", "--cases", str(tree(tmp_path / "bad", WORKS))]) == 1
    assert "fails ran through\n1 entries with programs, 1 problems" in capsys.readouterr().out
    assert check_entries.main(["E9999"]) == 1
    assert "there is no entry E9999" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fails", "works"), [("", WORKS), (FAILS, ""), (FAILS, "  \n"), (FAILS, "[]")]
)
def test_one_program_without_the_other_is_a_problem_with_its_line(
    fails: str, works: str, tmp_path: Path
) -> None:
    folder = tree(tmp_path, fails, works)
    if works == "[]":
        file = folder / "errors" / "mine.yaml"
        file.write_text(file.read_text().replace('"[]"', "[]"))
    read = catalogue.load([folder])
    (problem,) = read.broken
    assert (problem.path, problem.line) == (folder / "errors" / "mine.yaml", 3)
    assert "works" in problem.message or "fails" in problem.message
    assert "E9001" not in read.entries


WRAPS = """\
E9001: {title: T, meaning: M, remedy: R, wrapper: true, messages: [the time machine failed],
  works: "pass", fails: "raise ValueError('the time machine failed: the flux capacitor is empty')"}
E9002: {title: T, meaning: M, remedy: R, messages: [the flux capacitor is empty]}
"""


def test_a_wrapper_only_has_to_be_among_what_is_sure(tmp_path: Path) -> None:
    (tmp_path / "errors.yaml").write_text(WRAPS)
    assert problems(tmp_path) == []
    (tmp_path / "errors.yaml").write_text(WRAPS.replace("wrapper: true", "wrapper: false"))
    entries = catalogue.load([tmp_path]).entries.values()
    first = explained("ValueError: the time machine failed: the flux capacitor is empty",
                      Matcher(entries)).answers[0].entry.id  # fmt: skip
    assert bool(problems(tmp_path)) == (first != "E9001")


def test_an_explanation_shows_the_change(tmp_path: Path) -> None:
    own = Matcher(catalogue.load([tree(tmp_path)]).entries.values())
    found = explained("ValueError: the flux capacitor is empty", own)
    assert found.change == found.as_json()["change"] == change(found.answers[0].entry)
    assert "-raise ValueError('the flux capacitor is empty')" in found.change
    assert "  +print('the flux capacitor is full')" in str(found)


def test_what_is_not_sure_and_what_a_case_shows_is_no_change(tmp_path: Path) -> None:
    own = Matcher(catalogue.load([tree(tmp_path, also="hovercraft")]).entries.values())
    unsure = explained("my hovercraft", own)
    assert unsure.answers[0].entry.id == "E9001" and not unsure.sure
    assert unsure.change == "" and "flux" not in str(unsure)
    shown = explained("Could not guard on data-dependent expression Eq(u0, 1)", matcher())
    assert any(s.diff for s in shown.cases) and shown.change == ""


def test_an_entry_is_shown_with_its_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tree(tmp_path, FAILS + "print('\x1b[2J')\n")
    entry.show("E9001", [folder], as_json=False)
    shown = capsys.readouterr().out
    assert "This fails:\n\n  import sys\n" in shown
    assert "  +print('the flux capacitor is full')\n" in shown
    assert "No case shows it" not in shown and "\x1b" not in shown
    entry.show("E9001", [folder], as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["works"], told["change"].splitlines()[:2]) == (WORKS, ["--- fails", "+++ works"])

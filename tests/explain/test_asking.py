"""The ways to ask: the command, an exception, pytest, IPython; long and hostile texts."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import exportdb
from exportdb.cases import catalogue
from exportdb.explain import explain
from exportdb.explain.answer import explained
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import LONGEST, read
from tests.explain.texts import GUARD, TRACEBACK, first


def test_a_megabyte_is_read_and_more_is_not() -> None:
    assert len(read("x " * LONGEST).tokens) < LONGEST
    assert first("line\n" * 200_000 + TRACEBACK) == ("E0001", True)


@pytest.mark.parametrize("text", [
    "\x1b]0;" + "a" * 300_000, "[" * 100_000, "could not guard on " * 50_000, "\x00" * 1000,
    '  File "' * 50_000, "(((" * 100_000 + "pid=", "E   " * 200_000, "\ud800 lone surrogate",
])  # fmt: skip
def test_hostile_texts_are_answered_and_cannot_speak_to_the_terminal(text: str) -> None:
    said = str(explain(text))
    assert not any(c < " " and c != "\n" for c in said)


def test_an_exception_is_explained_with_what_it_came_from() -> None:
    try:
        try:
            raise RuntimeError("There was no fake impl registered for mylib.foo.default")
        except RuntimeError as e:
            raise SystemError("export failed") from e
    except SystemError as error:
        found = exportdb.explain(error)  # type: ignore[operator]  # the package is callable
    assert found.entry is not None and found.entry.id == "E0404"
    assert len(found.brief().splitlines()) == 3


def command(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "exportdb", "explain", *words],
                          input=given, capture_output=True, text=True, check=False)  # fmt: skip


def test_the_command_takes_words_a_file_or_standard_input(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(TRACEBACK)
    answers = [command(GUARD), command(str(tmp_path / "log.txt")), command("-", given=TRACEBACK),
               command(given=TRACEBACK)]  # fmt: skip
    assert all(a.returncode == 0 and a.stdout.startswith("E0001: ") for a in answers)
    assert "/home/me/model.py:7" in answers[1].stdout
    assert command("the moon is in the wrong phase").returncode == 1
    assert command("-").returncode == 2


def test_the_id_of_an_entry_shows_that_entry() -> None:
    done = command("e0001")
    assert (done.returncode, done.stdout.split("\n")[0][:6]) == (0, "E0001:")
    shown = [sys.executable, "-m", "exportdb", "show", "E0001"]
    assert done.stdout == subprocess.run(shown, capture_output=True, text=True).stdout
    assert command("E9999").returncode == 2


def test_the_command_speaks_json() -> None:
    data = json.loads(command("--json", "-", given=TRACEBACK).stdout)
    assert data["sure"] and data["answers"][0]["entry"] == "E0001"
    assert data["place"]["line"] == 7 and data["cases"][0]["diff"]


def test_an_answer_says_which_torch_says_so() -> None:
    entry = replace(next(iter(catalogue.load().entries.values())), since="2.4", until="2.8")
    words = entry.messages[0].text
    own = explained(f"torch._dynamo.exc.Unsupported: {words}", Matcher([entry]))
    assert "torch:       since 2.4, until 2.8" in str(own)
    told = own.as_json()["answers"][0]
    assert (told["since"], told["until"]) == ("2.4", "2.8")


def test_a_failed_test_says_what_its_export_error_means(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\nsys.modules.setdefault('torch', sys)\n"
        f"def test_export():\n    raise RuntimeError({GUARD!r})\n"
        "def test_other():\n    assert 1 == 2\n"
    )

    def said(*more: str) -> str:
        words = ["-m", "pytest", "-p", "no:cacheprovider", *more, "test_it.py"]
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True,
                              text=True, check=False)  # fmt: skip
        return done.stdout

    assert said().count("exportdb explain") == 1
    assert "E0001" in said() and "E0001" not in said("--no-exportdb-explain")


def test_ipython_gets_three_lines_under_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    class Shell:
        """What the extension needs of IPython's shell."""

        shown: object = None

        def set_custom_exc(self, kinds, handler):  # type: ignore[no-untyped-def]
            self.handler = handler

        def showtraceback(self, what, tb_offset=None):  # type: ignore[no-untyped-def]
            self.shown = what

    shell = Shell()
    exportdb.load_ipython_extension(shell)  # type: ignore[attr-defined]
    shell.handler(shell, RuntimeError, RuntimeError(GUARD), None)
    assert shell.shown
    assert len(capsys.readouterr().err.splitlines()) == 3
    shell.handler(shell, RuntimeError, RuntimeError("the moon is in the wrong phase"), None)
    assert capsys.readouterr().err == ""

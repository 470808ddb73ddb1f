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
from exportdb.cli import output
from exportdb.explain import explain, reading
from exportdb.explain.answer import explained
from exportdb.explain.matching import Matcher
from exportdb.explain.messages import essential_lines
from exportdb.explain.reading import LONGEST, clean, read
from tests.explain.texts import GUARD, TRACEBACK, first


def test_a_megabyte_is_read_and_more_is_not() -> None:
    assert len(read("x " * LONGEST).tokens) < LONGEST
    assert first("line\n" * 200_000 + TRACEBACK) == ("E0001", True)


@pytest.mark.parametrize("given", ["argument", "file", "pipe"])
def test_of_a_text_that_is_too_long_the_end_is_read_and_it_is_said(
    tmp_path: Path, given: str
) -> None:
    log = "step 7 took 12 seconds\n" * (10 * LONGEST // 23) + TRACEBACK
    if given == "argument":
        found = explain(log)
        assert (found.sure, found.cut, explain(TRACEBACK).cut) == (True, True, False)
        said = str(found)
    else:
        (tmp_path / "log.txt").write_text(log)
        done = command(str(tmp_path / "log.txt")) if given == "file" else command(given=log)
        said = done.stdout
    assert said.startswith("E0001: ")
    assert said.rstrip().endswith("its beginning and its end were read, its middle was not.")


def test_a_text_that_is_too_long_keeps_its_beginning_and_its_end() -> None:
    text = f"first {'x' * LONGEST}last"
    assert len(reading.ends(text)) == LONGEST
    assert reading.ends(text).startswith("first x")
    assert reading.ends(text).endswith("xlast")
    assert reading.ends("x" * LONGEST) == "x" * LONGEST


@pytest.mark.parametrize("text", [
    "\x1b]0;" + "a" * 300_000, "[" * 100_000, "could not guard on " * 50_000, "\x00" * 1000,
    '  File "' * 50_000, "(((" * 100_000 + "pid=", "E   " * 200_000, "\ud800 lone surrogate",
])  # fmt: skip
def test_hostile_texts_are_answered_and_cannot_speak_to_the_terminal(text: str) -> None:
    said = str(explain(text))
    assert not any(c < " " and c != "\n" for c in said)


#: What a terminal obeys without ESC: C1 controls, and characters that turn a line about.
OBEYED = [chr(c) for c in (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))]


def test_what_a_terminal_obeys_without_an_escape_does_not_reach_it() -> None:
    source = "".join(f"if x.sum() > 0{c}:" for c in OBEYED)
    text = f'Traceback (most recent call last):\n  File "/home/u/{OBEYED[-1]}m.py", line 3, in f\n'
    found = explain(f"{text}    {source}\nGuardOnDataDependentSymNode: {GUARD}\n")
    assert found.place is not None
    assert found.sure
    caused = explain(f"{GUARD}\nCaused by: /home/u/\x9b2Jm.py:3 in f")
    every = [str(found), str(caused), *essential_lines(f"no {''.join(OBEYED)} more")]
    assert not [c for said in every for c in said if c in OBEYED]
    assert clean("a\x9b31mred\x9b0m\x9d0;title\x9c") == "ared"


def test_json_escapes_what_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    data = {"said": "".join(OBEYED)}
    output.put_json(data)
    whole = capsys.readouterr().out
    output.put_lines([data])
    lines = capsys.readouterr().out
    assert json.loads(whole) == json.loads(lines) == data
    assert not [c for c in whole + lines if c in OBEYED]


@pytest.mark.parametrize(
    "piece", ["\r", "x\n", "1;", '{"a": [1,2,3], "msg": "x"}, ', "2025-01-01 10:10:10,123 ERROR "]
)
def test_behind_a_megabyte_of_anything_the_error_is_found(piece: str) -> None:
    text = piece * (LONGEST // len(piece)) + "\n" + TRACEBACK
    found = explain(text)
    assert [(a.entry.id, a.sure) for a in found.answers[:1]] == [("E0001", True)]


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
    assert (told["since"], told["until"], told["package"]) == ("2.4", "2.8", "torch")


def test_an_answer_says_which_package_says_so_or_why_that_is_not_known() -> None:
    plain = next(iter(catalogue.load().entries.values()))
    text = f"torch._dynamo.exc.Unsupported: {plain.messages[0].text}"

    def said(**known: str) -> str:
        own = replace(plain, since="", until="") if "undated" in known else plain
        return str(explained(text, Matcher([replace(own, **known)])))

    assert "warp:        since 0.3" in said(package="warp", since="0.3")
    assert "undated:     Python says it." in said(undated="Python says it.")


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

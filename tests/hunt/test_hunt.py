"""The command: programs are made, put to an exporter of one's own, and causes come out."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from exportdb.cases.frontmatter import parse_case
from exportdb.cli.hunt import command
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Workers
from exportdb.hunt import buckets, hunting
from exportdb.hunt.hunting import Hunt
from exportdb.hunt.known import Known
from exportdb.hunt.leads import Leads
from exportdb.hunt.neutral import NEUTRAL
from exportdb.hunt.state import GeneratedCase, HuntOptions, HuntState
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from exportdb.resolve import find_devices, find_exporters
from exportdb.runner.run import Settings
from tests.hunt.made import CASE, cause_of, silent_in


@pytest.fixture(autouse=True)
def _closes_hunts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every hunt that a test has opened here when it ends."""
    opened: list[Hunt] = []

    def opening(hunt: Hunt, *given: Any) -> None:
        begin(hunt, *given)
        opened.append(hunt)

    begin = Hunt.__init__
    monkeypatch.setattr(Hunt, "__init__", opening)
    yield
    for hunt in opened:
        hunt.close()


#: Right but for one thing: every output that is a tensor of floating point is one too large.
WRONG = """
import os
import time
from pathlib import Path

import torch
from torch.utils import _pytree as pytree


class Wrong:
    name = "wrong"

    def capture(self, program):
        def run(*args, **kwargs):
            return pytree.tree_map_only(
                torch.Tensor, lambda t: t + 1 if t.is_floating_point() else t,
                program.module(*args, **kwargs),
            )
        return run


class Refusing(Wrong):
    name = "refusing"

    def capture(self, program):
        raise KeyError("aten.foo")


class Honest(Wrong):
    name = "honest"

    def capture(self, program):
        raise RuntimeError("dynamic sizes are not supported")


class Shallow(Wrong):
    name = "shallow"

    def capture(self, program):
        if any("inner" in name for name, _ in program.module.named_children()):
            raise KeyError("inner")
        return program.module


class Elsewhere(Wrong):
    name = "elsewhere"

    def capture(self, program):
        wrong = super().capture(program)
        return program.module if program.device == "cpu" else wrong


class Sound(Wrong):
    name = "sound"

    def capture(self, program):
        return program.module


class Late(Wrong):
    name = "late"

    def capture(self, program):
        time.sleep(3)
        return super().capture(program)


class Hanging(Wrong):
    name = "hanging"

    def capture(self, program):
        time.sleep(1000)


class Announced(Late):
    name = "announced"
    timeout_factor = 20.0


class Wavering(Sound):
    name = "wavering"

    def capture(self, program):
        asked = Path(os.environ["EXPORTDB_HOME"], "asked")
        if not asked.exists():
            asked.touch()
            raise KeyError("aten.foo")
        return super().capture(program)
"""


def hunt(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = folder / "mine.py"
    path.write_text(WRONG)
    environment = dict(os.environ, EXPORTDB_HOME=str(folder / "home"), OMP_NUM_THREADS="1")
    return subprocess.run(
        [sys.executable, "-m", "exportdb", "hunt", "--jobs", "1", "--seconds", "3", *words],
        capture_output=True, text=True, env=environment, cwd=folder, check=False,
    )  # fmt: skip


def found(folder: Path, exporter: str, *words: str) -> tuple[int, dict[str, Any]]:
    done = hunt(folder, "--exporter", f"mine.py:{exporter}", "--json", *words)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.slow
def test_an_exporter_that_is_wrong_is_caught_with_small_programs(tmp_path: Path) -> None:
    code, said = found(tmp_path, "Wrong", "--programs", "1", "--seed", "3")
    assert code == 1
    assert said["programs"] == 1
    silent = [c for c in said["causes"] if c["outcome"] == "wrong"]
    assert silent
    for cause in silent:
        draft = Path(said["drafts"]) / f"wrong-{cause['key']}"
        assert (draft / "program.py").read_text() == cause["text"]
        assert json.loads((draft / "cause.json").read_text())["key"] == cause["key"]
        assert "TODO title" in (draft / "report.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("exporter", "on"), [("Elsewhere", ["toy"]), ("Wrong", ["cpu", "toy"])])
def test_a_cause_says_on_which_devices_it_is(tmp_path: Path, exporter: str, on: list[str]) -> None:
    devices = ("--device", "cpu", "--device", "toy")
    code, said = found(tmp_path, exporter, "--programs", "1", "--seed", "3", *devices)
    assert (code, said["programs"], sum(said["outcomes"].values())) == (1, 1, 2)
    assert {tuple(cause["devices"]) for cause in said["causes"]} == {tuple(on)}
    for cause in said["causes"]:  # no script in plain torch makes a tensor on this device
        script = Path(said["drafts"]) / f"{cause['exporter']}-{cause['key']}" / "proof.py"
        assert not script.exists()


def test_all_of_a_hunt_goes_to_the_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = HuntOptions(
        find_exporters(["export"]), find_devices(["cpu"]), home=tmp_path, cluster="head:1"
    )
    hunt, opened = Hunt(asked, Known()), []

    def open_executor(workers: Workers) -> None:
        opened.append(workers.cluster)
        raise RunnerError("no such cluster")

    def run(request: object, settings: Settings, watch: object) -> None:
        opened.append(settings.cluster)
        raise RunnerError("no such cluster")

    monkeypatch.setattr(hunting, "open_executor", open_executor)
    monkeypatch.setattr(hunting, "run", run)
    for step in (partial(hunt._programs, range(1)), partial(hunt._examined, []),
                 partial(hunt._follow, {}, {})):  # fmt: skip
        with pytest.raises(RunnerError):
            step()
    assert opened == ["head:1"] * 3


def test_a_cluster_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    done = hunt(tmp_path, "--programs", "1", "--cluster", "127.0.0.1:1")
    assert done.returncode == 2
    assert "there is no Ray cluster at 127.0.0.1:1" in done.stderr


def test_what_is_known_at_once_is_counted_by_its_reason(tmp_path: Path) -> None:
    asked = HuntOptions(find_exporters(["export"]), find_devices(["cpu"]), home=tmp_path)
    hunt = Hunt(asked, Known(errors={"abc": {"export": ["topic/case"]}}))
    made = GeneratedCase(parse_case("p", tmp_path / "p.py", CASE), ())
    error = ErrorInfo("AssertionError", "a node is where none may be", "abc")
    record = Record("p", "export", "cpu", Outcome.REFUSED, "capture", error=error)
    assert hunt._leads([record, record], {"p": made}) == ({}, ["topic/case"] * 2)


def test_a_lead_that_was_followed_before_a_kill_is_not_followed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = HuntOptions(
        find_exporters(["export"]), find_devices(["cpu"]), home=tmp_path, resume=True
    )
    error = ErrorInfo("AssertionError", "a node is where none may be", "abc")
    records = [
        Record(name, "export", "cpu", Outcome.REFUSED, "capture", error=error) for name in "pq"
    ]
    made = {
        name: GeneratedCase(parse_case(name, tmp_path / f"{name}.py", CASE), ()) for name in "pq"
    }
    followed: list[str] = []
    killed = [True]

    def follow(leads: Leads, record: Record, *given: object) -> None:
        if record.case == "q" and killed.pop():
            raise KeyboardInterrupt
        followed.append(record.case)

    monkeypatch.setattr(hunting, "open_executor", lambda workers: SimpleNamespace(close=int))
    monkeypatch.setattr(Leads, "follow", follow)
    leads = {(silent_in("export", "example"), "cpu"): records}
    first = Hunt(asked, Known())
    with pytest.raises(KeyboardInterrupt):
        first._follow(leads, made)
    first.close()
    killed.append(False)
    Hunt(asked, Known())._follow(leads, made)
    assert followed == ["p", "q"]


@pytest.mark.parametrize("step", ["_examined", "_leads"])
def test_the_time_that_a_hunt_took_before_a_kill_counts_when_it_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    asked = HuntOptions(
        find_exporters(["export"]), find_devices(["cpu"]), minutes=1.0, home=tmp_path, resume=True
    )
    now = [100.0]
    monkeypatch.setattr(hunting, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def takes_its_time(hunt: Hunt, *given: object) -> list[object]:
        now[0] += 25.0
        return []

    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    for name in ("_programs", "_examined"):
        monkeypatch.setattr(Hunt, name, takes_its_time)
    monkeypatch.setattr(Hunt, "_tell_what_cannot_be_tried", lambda *given: None)
    monkeypatch.setattr(Hunt, step, killed)
    first = Hunt(asked, Known())
    with pytest.raises(KeyboardInterrupt):
        first.go()
    first.close()
    now[0] += 1000.0  # until somebody goes on with it
    taken = {"_examined": 25.0, "_leads": 50.0}[step]
    assert Hunt(asked, Known())._seconds() == taken


def test_where_nothing_can_be_tried_a_hunt_ends_and_says_why(tmp_path: Path) -> None:
    idle = Record(
        "p", "export", "cuda", Outcome.UNAVAILABLE, "setup", error=ErrorInfo("Unusable", "no GPU")
    )
    told: list[str] = []
    hunt = Hunt(HuntOptions((), (), home=tmp_path), Known())
    hunt.told = told.append
    with pytest.raises(RunnerError, match="export cannot be tried: no GPU; exportdb doctor"):
        hunt._tell_what_cannot_be_tried([idle, idle])
    hunt._tell_what_cannot_be_tried([idle, Record("p", "export", "cpu", Outcome.SUPPORTED, "run")])
    assert told == ["export cannot be tried: no GPU"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--minutes", "nan"], "'nan' is not a valid number of minutes"),
        (["--minutes", "inf"], "'inf' is not a valid number of minutes"),
        (["--timeout", "soon"], "'soon' is not a valid number of seconds"),
        (["--programs", "many"], "'many' is not a valid whole number"),
        (["--around", ","], "no name is given"),
        (["--like", ","], "no case, topic or tag is given"),
        (["--like", "control_flow", "--around", "views"], "give --like or --around"),
    ],
)
def test_words_that_mean_nothing_are_one_clear_error(words: list[str], said: str) -> None:
    done = CliRunner().invoke(command, words)
    assert (done.exit_code, said in done.output) == (2, True)


def test_no_hunt_touches_the_drafts_of_another(tmp_path: Path) -> None:
    drafted = cause_of("return x.frac()", silent_in("export", "example"))
    asked = HuntOptions((), (), home=tmp_path)
    first, second = (Hunt(asked, Known()) for _ in range(2))  # at once, or one after the other
    assert first.drafts != second.drafts
    for hunt in (first, second):
        (hunt.drafts / drafted.draft).mkdir()
    (second.drafts / "export-found-again").mkdir()
    second.state.causes[drafted.key] = drafted
    second.state.save(second.folder / "state.json")
    second.close()
    again = Hunt(replace(asked, resume=True), Known())
    assert again.drafts == second.drafts
    assert [place.name for place in again.drafts.iterdir()] == [drafted.draft]
    assert (first.drafts / drafted.draft).is_dir()
    assert (
        Hunt(replace(asked, seed=3, resume=True), Known()).folder.name
        == replace(asked, seed=3).name
    )


def test_a_hunt_that_is_running_is_not_gone_on_with(tmp_path: Path) -> None:
    asked = HuntOptions((), (), home=tmp_path, resume=True)
    running = Hunt(asked, Known())
    (running.drafts / "export-just-found").mkdir()
    with pytest.raises(RunnerError, match="is still running; wait for it, or leave out --resume"):
        Hunt(asked, Known())
    assert (running.drafts / "export-just-found").is_dir()
    beside = Hunt(replace(asked, resume=False), Known())
    assert beside.folder != running.folder
    running.close()
    beside.close()
    assert Hunt(asked, Known()).folder == beside.folder


@pytest.mark.slow
def test_an_internal_error_is_one_cause_however_many_programs_show_it(tmp_path: Path) -> None:
    code, said = found(tmp_path, "Refusing", "--programs", "3")
    assert code == 1
    (cause,) = said["causes"]
    assert (cause["outcome"], cause["kind"]) == ("refused", "KeyError")
    assert "aten.foo" in cause["error"]


@pytest.mark.parametrize(("minutes", "programs"), [(None, 80), (10.0, 80), (1.0, 30), (0.1, 20)])
def test_the_first_round_is_no_larger_than_there_is_time_for(
    tmp_path: Path, minutes: float | None, programs: int
) -> None:
    hunt = Hunt(HuntOptions((), (), minutes=minutes, home=tmp_path), Known())
    assert hunt._round(0.0) == range(programs)


def test_a_list_of_no_exporter_is_not_the_default_one(tmp_path: Path) -> None:
    done = hunt(tmp_path, "--exporter", ",")
    assert (done.returncode, "no exporter is named" in done.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("exporter", ["Honest", "Sound", "Wavering"])
def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path, exporter: str) -> None:
    code, said = found(tmp_path, exporter, "--programs", "3")
    assert (code, said["causes"]) == (0, [])
    assert not list(Path(said["drafts"]).iterdir())
    refused = {"Honest": 3, "Sound": 0, "Wavering": 1}  # once alone, so it counts for nothing
    assert said["outcomes"].get("refused", 0) == refused[exporter]


@pytest.mark.slow
def test_a_hunt_that_hangs_ends_with_its_minutes(tmp_path: Path) -> None:
    code, said = found(tmp_path, "Hanging", "--minutes", "1", "--timeout", "4")
    assert 0 < said["programs"] < 30  # of the first round
    assert said["outcomes"] == {"timeout": said["programs"]}
    assert code == 1 and [cause["outcome"] for cause in said["causes"]] == ["timeout"]


def test_programs_that_there_was_no_time_for_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporters, devices = find_exporters(["export"]), find_devices(["cpu"])
    hunt = Hunt(HuntOptions(exporters, devices, minutes=1.0, home=tmp_path), Known())
    made = [
        GeneratedCase(parse_case(name, tmp_path / f"{name}.py", CASE), ("items",), None, ("sort",))
        for name in ("p", "q", "r")
    ]
    record = Record("p", "export", "cpu", Outcome.SUPPORTED, "run")
    monkeypatch.setattr(Hunt, "_programs", lambda hunt, numbers: made)
    monkeypatch.setattr(Hunt, "_examined", lambda hunt, cases, until: [record])
    monkeypatch.setattr(Hunt, "_over", lambda hunt, seconds: hunt.state.next > 0)
    state = hunt.go()
    assert (state.made, state.elements, state.operators) == (1, {"items": 1}, {"sort": 1})


def test_a_hunt_ends_after_a_round_in_which_nothing_came_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporters, devices = find_exporters(["export"]), find_devices(["cpu"])
    hunt = Hunt(HuntOptions(exporters, devices, programs=500, home=tmp_path), Known())
    made = [GeneratedCase(parse_case("p", tmp_path / "p.py", CASE), ())]
    record = Record("p", "export", "cpu", Outcome.TIMEOUT, "eager")
    monkeypatch.setattr(Hunt, "_programs", lambda hunt, numbers: made)
    monkeypatch.setattr(Hunt, "_examined", lambda hunt, cases, until: [record])
    monkeypatch.setattr(Hunt, "_follow", lambda hunt, leads, made: None)
    assert hunt.go().next == 80


@pytest.mark.slow
def test_an_exporter_has_the_time_that_it_declares(tmp_path: Path) -> None:
    for exporter, outcome in (("Late", "timeout"), ("Announced", "wrong")):
        code, said = found(tmp_path, exporter, "--programs", "1", "--timeout", "1")
        assert code == 1 and said["outcomes"] == {outcome: 1} and said["causes"]


def test_a_hunt_in_which_nothing_came_to_its_end_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hunt, "go", lambda hunt: HuntState(made=3, outcomes={"timeout": 3}))
    done = CliRunner().invoke(command, ["--home", str(tmp_path)], standalone_mode=False)
    assert (done.return_value, "give a longer --timeout" in done.output) == (2, True)


def test_the_text_says_how_often_each_element_came_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = HuntState(made=3, outcomes={"supported": 3}, elements={"items": 1, "views": 3})
    monkeypatch.setattr(Hunt, "go", lambda hunt: state)
    done = CliRunner().invoke(command, ["--home", str(tmp_path)], standalone_mode=False)
    assert "2 elements of the grammar: views 3, items 1\n" in done.output


def test_the_text_says_which_operators_came_up_and_why_programs_could_not_be_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators = {"mul": 3, "add": 2, "sort": 1}
    state = HuntState(made=3, outcomes={"error": 2, "supported": 1}, operators=operators)
    error = ErrorInfo("RuntimeError", "Tensor.item() cannot be called on meta tensors", "abc")
    of_meta = Record("p", "export", "meta", Outcome.ERROR, "eager", error=error)
    state.errors = {buckets.reason(of_meta): 2}
    monkeypatch.setattr(Hunt, "go", lambda hunt: state)
    done = CliRunner().invoke(command, ["--home", str(tmp_path)], standalone_mode=False)
    assert "3 operators of ATen: mul 3, add 2, sort 1; 1 in one program each\n" in done.output
    why = "Tensor.item() cannot be called on meta tensors"
    assert f"  error 2: on meta, in eager: RuntimeError: {why}\n" in done.output


@pytest.mark.slow
def test_a_hunt_is_gone_on_with(tmp_path: Path) -> None:
    found(tmp_path, "Refusing", "--programs", "2", "--seed", "5")
    code, said = found(tmp_path, "Refusing", "--programs", "4", "--seed", "5", "--resume")
    assert (code, said["programs"], len(said["causes"])) == (1, 4, 1)
    # Without --resume it begins anew, and what was examined before is taken from the cache.
    done = hunt(tmp_path, "--exporter", "mine.py:Refusing", "--programs", "2", "--seed", "5")
    assert "2 of them known already" in done.stderr
    assert "1 new cause" in done.stdout


def _living(home: Path) -> list[int]:
    """The processes that were started for a hunt with this home."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"EXPORTDB_HOME={home}".encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_a_hunt_that_was_killed_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    words = ("--programs", "24", "--seed", "9")
    whole = tmp_path / "whole"
    whole.mkdir()
    _, wanted = found(whole, "Refusing", *words)
    environment = dict(os.environ, EXPORTDB_HOME=str(tmp_path / "home"), OMP_NUM_THREADS="1")
    (tmp_path / "mine.py").write_text(WRONG)
    command = [sys.executable, "-m", "exportdb", "hunt", "--jobs", "1", "--seconds", "3",
               "--exporter", "mine.py:Refusing", "--resume", *words]  # fmt: skip
    hunting = subprocess.Popen(
        command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    assert hunting.stderr is not None
    next(line for line in hunting.stderr if line.startswith("examining"))
    time.sleep(3)  # in the midst of it: how far it is is told too rarely to wait for
    hunting.kill()
    hunting.communicate()
    end = time.monotonic() + 20
    while _living(tmp_path / "home") and time.monotonic() < end:
        time.sleep(0.2)
    assert _living(tmp_path / "home") == []
    _, said = found(tmp_path, "Refusing", "--resume", *words)
    for name in ("programs", "outcomes", "elements"):
        assert said[name] == wanted[name], name
    assert [c["key"] for c in said["causes"]] == [c["key"] for c in wanted["causes"]]


def test_a_state_that_cannot_be_read_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state = HuntState(next=7, made=6, seconds=1.5, elements={"views": 2})
    state.save(path)
    assert HuntState.read(path) == state
    path.write_text(path.read_text()[:20])  # killed while it was written elsewhere
    assert HuntState.read(path) == HuntState()


@pytest.mark.slow
def test_programs_like_a_case(tmp_path: Path) -> None:
    code, said = found(
        tmp_path, "Sound", "--programs", "4", "--like", "data_dependent/add_two_masked"
    )
    assert code == 0
    assert said["programs"] >= 3
    assert set(said["elements"]) <= {
        "operator", "comparison", "function", "constant", "range", "branch", "module", "outline",
        "inline", "statement", "view", *NEUTRAL,
    }  # fmt: skip


@pytest.mark.slow
def test_a_change_that_means_the_same_is_a_lead_where_the_outcome_changes(tmp_path: Path) -> None:
    like = ("--like", "data_dependent/add_two_masked")
    code, said = found(tmp_path, "Shallow", "--programs", "16", "--seed", "1", *like)
    assert code == 1
    kinds = {cause["kind"]: cause for cause in said["causes"]}
    cause = kinds["supported before the change"]
    assert "self.inner = " in cause["text"]
    made = parse_case("p", tmp_path / "p.py", cause["unchanged"]).program
    assert "self.inner" not in made and "if " not in made  # nothing of what the case does is left
    (draft,) = Path(said["drafts"]).glob(f"*{cause['key']}")
    assert (draft / "unchanged.py").read_text() == cause["unchanged"]


def test_a_case_that_is_none_cannot_be_begun_from(tmp_path: Path) -> None:
    done = hunt(tmp_path, "--exporter", "mine.py:Sound", "--like", "no_such_case")
    assert done.returncode == 2
    assert "no_such_case" in done.stderr


def test_an_exporter_is_given_what_is_known_of_the_one_that_it_extends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, object] = {}

    def of(cases: object, extends: dict[str, str | None], own: Path | None) -> Known:
        told.update(extends, own=own)
        return Known()

    class Nothing(hunting.Hunt):
        def go(self) -> HuntState:
            return HuntState(made=1, outcomes={"supported": 1})

    (tmp_path / "mine.py").write_text(WRONG.replace('"wrong"', '"wrong"\n    extends = "export"'))
    (tmp_path / "expectations").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Known, "of", of)
    monkeypatch.setattr(hunting, "Hunt", Nothing)
    words = ["--exporter", "mine.py:Wrong", "--programs", "1", "--home", str(tmp_path / "home")]
    assert CliRunner().invoke(command, words, standalone_mode=False).return_value == 0
    assert (told["wrong"], told["export-strict"]) == ("export", "export")
    assert told["own"] == (tmp_path / "expectations").resolve()


@pytest.mark.parametrize(("outcomes", "code"), [
    ({"error": 2}, 2), ({"error": 1, "unavailable": 1}, 2), ({"timeout": 1}, 2),
    ({"error": 9, "refused": 1}, 0),
])  # fmt: skip
def test_nothing_was_found_only_where_something_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcomes: dict[str, int], code: int
) -> None:
    class Nothing(hunting.Hunt):
        def go(self) -> HuntState:
            return HuntState(made=2, outcomes=outcomes)

    monkeypatch.setattr(hunting, "Hunt", Nothing)
    words = ["--programs", "2", "--home", str(tmp_path)]
    assert CliRunner().invoke(command, words, standalone_mode=False).return_value == code

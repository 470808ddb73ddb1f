"""What an environment must hold, what meets it already, and the name it is found by."""

from __future__ import annotations

import fcntl
import json
import threading
from pathlib import Path

import pytest

from exportdb.environments import store, tool
from exportdb.environments.bridge import bridge
from exportdb.environments.store import StoredEnvironment
from exportdb.environments.wanted import EnvironmentTrouble, unmet, wanted
from exportdb.plugins import EXPORTERS, find


@pytest.mark.parametrize(
    "given, torch",
    [
        (["a"], "torch==2.13.0"),
        (["a", "torch>=2.11"], "torch>=2.11"),
        (["a", "Torch == 2.11.*"], "Torch==2.11.*"),
    ],
)
def test_torch_is_the_one_here_unless_it_is_named(given, torch):
    assert [r for r in wanted(given, "2.13.0+cpu").requirements if "orch" in r] == [torch]


def test_a_minor_version_means_any_of_its_releases():
    assert wanted([], "2.13").requirements == ("torch==2.13.*",)


def test_the_name_hangs_on_what_is_asked_for_and_not_on_how():
    name = wanted(["b>=1", "a"], "2.13.0").name
    assert wanted(["a", "b >= 1"], "2.13.0").name == name
    assert wanted(["b>=1", "a"], "2.13.0+cpu").name == name
    assert wanted(["b>=2", "a"], "2.13.0").name != name
    assert wanted(["b>=1", "a"], "2.15.0").name != name


def test_what_exportdb_needs_goes_with_it():
    ours = wanted([], "2.13.0").ours
    assert {"click", "pyyaml", "numpy"} <= {r.partition(">")[0] for r in ours}
    assert not any("pytest" in r for r in ours)


def test_what_is_installed_is_met():
    asked = ["pytest", "pytest>=2", "pytest<2", "no-such-thing", "never; python_version<'3'"]
    assert unmet(asked) == ("pytest<2", "no-such-thing")


def test_a_requirement_that_cannot_be_read_is_told():
    with pytest.raises(EnvironmentTrouble, match=r"'a b==' is not a requirement .*like a==1\.2"):
        wanted(["a b=="], "2.13.0")


def test_a_tool_that_is_not_known_is_told(monkeypatch):
    monkeypatch.setenv("EXPORTDB_ENV_TOOL", "conda")
    with pytest.raises(EnvironmentTrouble, match="must be uv or pip"):
        tool.choose()


class Stub:
    """Makes an environment that is nothing but a folder."""

    name = "stub"

    def __init__(self, fails: bool = False) -> None:
        self.made, self.fails = 0, fails

    def make(self, folder, want, log, say):
        self.made += 1
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").touch()
        if self.fails:
            raise EnvironmentTrouble("no such package")
        return "a==1\n"


@pytest.fixture
def stub(tmp_path: Path, monkeypatch) -> Stub:
    made = Stub()
    monkeypatch.setenv("EXPORTDB_ENVS", str(tmp_path / "envs"))
    monkeypatch.setattr(tool, "choose", lambda: made)
    return made


def test_it_is_made_once_listed_and_removed(stub):
    want = wanted(["a"], "2.13.0")
    first = store.make(want)
    assert store.make(want) == first == store.find(want)
    assert (stub.made, first.lock) == (1, ("a==1",))
    assert store.listed() == [first]
    json.dumps(first.to_json())
    store.remove(first)
    assert store.find(want) is None
    assert store.listed() == []


def test_one_that_failed_leaves_nothing_that_could_be_taken_for_it(stub):
    want = wanted(["a"], "2.13.0")
    stub.fails = True
    with pytest.raises(EnvironmentTrouble, match="no such package"):
        store.make(want)
    assert store.find(want) is None
    stub.fails = False
    assert isinstance(store.make(want), StoredEnvironment)


def test_one_that_was_interrupted_is_made_anew(stub):
    want = wanted(["a"], "2.13.0")
    made = store.make(want)
    (made.folder / "exportdb-environment.json").unlink()
    assert store.find(want) is None
    store.make(want)
    assert stub.made == 2


def test_another_process_that_makes_it_is_waited_for(stub):
    want = wanted(["a"], "2.13.0")
    store.folder().mkdir(parents=True)
    heard = threading.Event()
    with (store.folder() / f"{want.name}.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        asker = threading.Thread(target=store.make, args=(want, lambda line: heard.set()))
        asker.start()
        assert heard.wait(10), "it says that it waits"
        assert stub.made == 0
        fcntl.flock(other, fcntl.LOCK_UN)
        asker.join(10)
    assert stub.made == 1


def test_a_bridge_shows_exportdb_and_nothing_else_of_here(tmp_path: Path):
    own = tmp_path / "mine.py"
    own.write_text("class Mine: name = 'mine'")
    refs = [find(EXPORTERS, f"{own}:Mine"), find(EXPORTERS, "export")]
    (folder,) = bridge(Path("python"), refs, tmp_path).path
    seen = {p.name.partition("-")[0] for p in Path(folder).iterdir()}
    assert seen == {"exportdb"}
    assert bridge(Path("other"), refs, tmp_path).path == (folder,)

"""What plug-ins say of themselves, without trusting them and without torch here."""

from __future__ import annotations

import pytest

from exportdb.cases.capabilities import CAPABILITIES
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.runner import declarations as module
from exportdb.runner.declarations import declarations_of

PLUGIN = """
import pathlib
mark = pathlib.Path(__file__).with_name("asked")
mark.write_text(mark.read_text() + "x" if mark.exists() else "x")

class Mine:
    name = "mine"
    version = "7"
    extends = "export"
    packages = ["pytest"]
    lacks = {"training", "values"}
    def unusable(self):
        return UNUSABLE
    def capture(self, program): ...

class Bare:
    def capture(self, program): ...
"""
#: The same, which does not look whether it can be used.
QUIET = PLUGIN.replace("    def unusable(self):\n        return UNUSABLE\n", "")


@pytest.fixture
def plugin(tmp_path):
    def write(text: str = PLUGIN.replace("UNUSABLE", "None"), name: str = "Mine"):
        (tmp_path / "plugin.py").write_text(text)
        return find(EXPORTERS, f"{tmp_path}/plugin.py:{name}")

    return write


def one(ref, home=None):
    return declarations_of([ref], home)[ref.target]


def asked(tmp_path) -> int:
    return len((tmp_path / "asked").read_text())


def test_a_plug_in_says_what_it_declares(plugin):
    said = one(plugin())
    assert (said.name, said.version, said.extends) == ("mine", "7", "export")
    assert (said.packages, said.lacks) == (("pytest",), ("training", "values"))
    assert (said.unusable, said.failure) == (None, None)


def test_a_plug_in_that_declares_nothing_has_the_defaults(plugin):
    said = one(plugin(name="Bare"))
    assert (said.name, said.lacks, said.devices, said.computes) == ("bare", (), None, True)


@pytest.mark.parametrize(
    "text, kind, message",
    [
        ("raise RuntimeError('no such backend')", "raised", "no such backend"),
        ("import os; os._exit(5)", "crashed", "exit code 5"),
        ("import sys; sys.exit(5)", "raised", "5"),
        ("other = 1", "raised", "Mine"),
        ("class Mine: ...", "raised", "no method capture"),
    ],
)
def test_a_plug_in_that_cannot_be_asked_says_why(plugin, text, kind, message):
    failure = one(plugin(text)).failure
    assert failure.kind == kind
    assert message in failure.message


@pytest.mark.parametrize(
    "declared, complaint",
    [
        (
            "timeout_factor = float('nan')",
            "timeout_factor must be a number from 0 to 1000, not nan",
        ),
        ("timeout_factor = -1", "timeout_factor must be a number from 0 to 1000, not -1"),
        ("rounds_to = -1", "rounds_to must be a number from 0 to 1, not -1"),
        ("rounds_to = float('nan')", "rounds_to must be a number from 0 to 1, not nan"),
        ("extends = 5", "extends must be a text, not 5"),
        ("lacks = 'training'", "lacks must be a list, not 'training'"),
        ("packages = [1]", "packages[0] must be a text, not 1"),
    ],
)
def test_what_cannot_be_declared_is_its_failure_and_nobody_elses(plugin, declared, complaint):
    ref = plugin(f"class Mine:\n    {declared}\n    def capture(self, program): ...\n")
    other = find(EXPORTERS, "onnx")
    said = declarations_of([ref, other])
    assert said[ref.target].failure.message == complaint
    assert said[other.target].failure is None


@pytest.mark.parametrize("group, name", [(EXPORTERS, "lacks"), (DEVICES, "lacks"),
                                         (DEVICES, "offers"), (DEVICES, "demands")])  # fmt: skip
def test_a_capability_that_nobody_knows_is_refused_with_those_that_are_known(group, name, tmp_path):
    path = tmp_path / "plugin.py"
    path.write_text(f"class Mine:\n    {name} = {{'trainign'}}\n    def capture(self, p): ...\n")
    message = one(find(group, f"{path}:Mine")).failure.message
    said = f"{path}:Mine: `{name}` has 'trainign', which is no capability; did you mean training?"
    assert message.startswith(said)
    assert message.endswith(f"known: {', '.join(CAPABILITIES)}")


def test_a_reason_without_end_is_cut(plugin):
    assert len(one(plugin(PLUGIN.replace("UNUSABLE", "'x' * 10**6"))).unusable) == module.MAX_TEXT


@pytest.mark.parametrize(
    "declared",
    [
        r"version = 'caf\udce9'",
        r"description = 'caf\udce9'",
        r"extends = 'caf\udce9'",
        r"packages = ('caf\udce9',)",
        r"preload = ('caf\udce9',)",
    ],
)
def test_half_a_character_that_is_declared_can_be_kept(plugin, tmp_path, declared):
    ref = plugin(f"class Mine:\n    {declared}\n    def capture(self, program): ...\n")
    said = one(ref, tmp_path)
    assert said == one(ref, tmp_path)
    texts = (said.version, said.description, said.extends or "", *said.packages, *said.preload)
    assert r"caf\udce9" in texts


def test_our_own_are_asked_here(monkeypatch):
    monkeypatch.setattr(
        module, "_ask_in_children", lambda asked, *_: pytest.fail(f"asked for {asked}")
    )
    refs = [find(EXPORTERS, e) for e in ("export", "symbolic")] + [find(DEVICES, "meta")]
    said = declarations_of(refs)
    assert [said[r.target].name for r in refs] == ["export", "symbolic", "meta"]
    assert said[refs[2].target].computes is False


def test_what_was_said_is_kept_until_the_plug_in_changes(plugin, tmp_path):
    first = one(plugin(QUIET), tmp_path)
    assert one(plugin(QUIET), tmp_path) == first
    assert asked(tmp_path) == 1
    one(plugin(QUIET + "# edited\n"), tmp_path)
    assert asked(tmp_path) == 2


def test_what_was_said_is_asked_again_when_a_module_that_the_plug_in_imports_changes(
    plugin, tmp_path
):
    ref = plugin(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from base_of_plugin import Base\n"
        "class Mine(Base):\n    def capture(self, program): ...\n"
    )
    for lacks in ("values", "training"):
        (tmp_path / "base_of_plugin.py").write_text(f"class Base: lacks = [{lacks!r}]\n")
        assert one(ref, tmp_path).lacks == (lacks,)


def test_what_is_missing_is_looked_for_again(plugin, tmp_path):
    text = PLUGIN.replace("UNUSABLE", "'no licence'")
    assert one(plugin(text), tmp_path).unusable == "no licence"
    assert one(plugin(text), tmp_path).unusable == "no licence"
    assert asked(tmp_path) == 2


def test_who_looks_whether_it_can_be_used_looks_each_time(plugin, tmp_path):
    looking = plugin(PLUGIN.replace("UNUSABLE", "None if mark.read_text() != 'xx' else 'gone'"))
    assert [one(looking, tmp_path).unusable for _ in range(3)] == [None, "gone", None]
    assert one(looking, tmp_path).lacks == ("training", "values")


def test_an_import_takes_no_longer_than_it_may(plugin):
    ref = plugin("import time; time.sleep(60)")
    failure = declarations_of([ref], timeout=0.5)[ref.target].failure
    assert (failure.kind, failure.message) == ("timeout", "did not finish within 0.5 s")


def test_what_somebody_has_edited_is_asked_for_again(plugin, tmp_path):
    first = one(plugin(QUIET), tmp_path)
    kept = tmp_path / "plugins.json"
    kept.write_text(kept.read_text().replace('"version":"7"', '"version":"8"'))
    assert one(plugin(QUIET), tmp_path) == first
    assert asked(tmp_path) == 2


def test_what_is_kept_may_be_damaged(plugin, tmp_path):
    (tmp_path / "plugins.json").write_text("[{")
    assert one(plugin(), tmp_path).name == "mine"

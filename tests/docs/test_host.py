"""The workflow that the guide on hosting gives is whole, and its commands are ones that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from exportdb.cli.main import cli

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "host.md"


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    (text,) = re.findall(r"```yaml\n(name: .*?)```", PAGE.read_text("utf-8"), re.S)
    return yaml.load(text, yaml.BaseLoader)  # to YAML 1.1 the key "on" is true


def test_its_commands_are_understood(workflow: dict[str, Any]) -> None:
    steps = workflow["jobs"]["build"]["steps"]
    commands = [shlex.split(re.sub(r"\$\{\{.*?\}\}", "https://example.org/a", s["run"]))
                for s in steps if s.get("run", "").startswith("exportdb ")]  # fmt: skip
    assert [words[1] for words in commands] == ["run", "site"]
    for words in commands:
        command = cli.get_command(click.Context(cli), words[1])
        assert command is not None
        command.make_context(words[1], words[2:])


def test_what_is_built_is_kept_by_every_run_and_published_by_the_main_branch_alone(
    workflow: dict[str, Any],
) -> None:
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert set(workflow["on"]) == {"push", "pull_request", "schedule"}
    assert "if" not in build
    kept = next(s for s in build["steps"] if s.get("uses", "").startswith("actions/upload-pages"))
    assert kept["with"]["path"] == "site"
    assert publish["needs"] == "build" and publish["if"] == "github.ref == 'refs/heads/main'"


def test_it_asks_for_nothing_that_a_scheduled_run_does_not_know(workflow: dict[str, Any]) -> None:
    """There is no event to ask, and every expression names a step of the job or the context."""
    jobs = workflow["jobs"].values()
    named = {step["id"] for job in jobs for step in job["steps"] if "id" in step}
    asked = re.findall(r"\$\{\{ *([\w.-]+) *\}\}", PAGE.read_text("utf-8"))
    assert asked and not [e for e in asked if e.startswith("github.event")]
    assert {e.split(".")[1] for e in asked if e.startswith("steps.")} <= named


def test_runs_of_other_branches_do_not_push_aside_what_waits_to_be_published(
    workflow: dict[str, Any],
) -> None:
    assert "github.ref" in workflow["concurrency"]["group"]

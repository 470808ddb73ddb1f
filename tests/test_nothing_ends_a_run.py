"""Exporters that die, hang, exit, flood or break what is around them, through the real command:
each becomes a record of its own, and the others go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import broken_exporters as broken

PLUGIN = Path(broken.__file__)
CASE = "dynamic_shapes/derived_dim_double"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Record by exporter of one run of all of them beside a sound one."""
    exporters = [f"{PLUGIN}:{name}" for name in broken.CAUGHT_ISOLATED]
    words = [w for e in [*exporters, "export"] for w in ("--exporter", e)]
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", CASE, *words, "--timeout", "20", "--json"],
        env={**os.environ, "EXPORTDB_HOME": str(tmp_path_factory.mktemp("home"))},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["exporter"]: line for line in lines[1:]}


def kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


@pytest.mark.parametrize("name", broken.CAUGHT_ISOLATED)
def test_it_is_a_record_with_the_right_outcome(name: str, records: dict[str, dict]) -> None:
    record = records[kebab(name)]
    assert record["outcome"] == broken.CAUGHT_ISOLATED[name]
    assert record["error"]["message"]
    assert record["phase"] in ("capture", "run", "compare")


def test_the_sound_exporter_beside_them_is_untouched(records: dict[str, dict]) -> None:
    assert records["export"]["outcome"] == "supported"
    assert len(records) == len(broken.CAUGHT_ISOLATED) + 1

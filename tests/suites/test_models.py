"""Models of installed packages: listed as data, built small, examined at other sizes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from exportdb.environments.wanted import unmet
from exportdb.suites.models import ModelInput, Models, entries

needs_models = pytest.mark.skipif(bool(unmet(Models.requirements)), reason="needs exportdb[models]")


@pytest.fixture
def exportdb(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words],
            cwd=tmp_path, env={**os.environ, "EXPORTDB_HOME": str(tmp_path / "home")},
            capture_output=True, text=True, encoding="utf-8", timeout=400,
        )  # fmt: skip

    return run


def test_a_size_is_a_number_times_a_dim_and_more():
    given = ModelInput.of("ids b 2*s 7 p+1")
    assert given.shape == ((1, "b", 0), (2, "s", 0), (0, "", 7), (1, "p", 1))
    assert given.dims == {"b", "s", "p"}
    with pytest.raises(ValueError, match="is not a size"):
        ModelInput.of("ids s*2")


def test_every_kind_has_models_and_every_input_has_a_dim_that_varies():
    kinds = Counter(id.partition("/")[0] for id in entries())
    assert sum(kinds.values()) >= 70
    assert list(kinds)[:5] == ["cache", "encoder_decoder", "experts", "state_space", "vision"]
    assert {"detection", "audio", "diffusion"} <= set(kinds)
    for id, entry in entries().items():
        dims = entry.used_dims
        assert "b" in dims and all(low <= size < high for size, low, high in dims.values()), id
        assert len({size for size, _, _ in dims.values()}) == len(dims), id


def test_what_is_missing_is_named_with_its_extra(exportdb, tmp_path):
    (tmp_path / "absent.py").write_text(
        "from exportdb.suites.models import Models\n"
        "class Absent(Models):\n"
        "    name = 'absent'\n"
        "    requirements = ('no-such-distribution',)\n"
    )
    done = exportdb("list", "--suite", "absent.py:Absent")
    assert (done.returncode, done.stderr.strip().splitlines()) == (2, [
        "exportdb: the suite absent cannot be listed: it needs no-such-distribution; "
        "pip install 'exportdb[models]'",
    ])  # fmt: skip


@needs_models
def test_models_are_listed_and_examined_at_other_sizes(exportdb):
    listed = json.loads(exportdb("list", "--suite", "models", "--json").stdout)
    assert len(listed) >= 70
    words = ("series/patchtst", "vision/resnet", "--exporter", "export", "--json")
    done = exportdb("run", "--suite", "models", *words)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    records = {r["case"]: r for r in found if r["kind"] == "record"}
    assert set(records) == {"series/patchtst", "vision/resnet"}
    for record in records.values():
        assert (record["suite"], record["samples"][0]["result"]) == ("models", "agrees")
        sizes = [s["sizes"] for s in record["samples"] if s["role"] == "accepts"]
        assert len({s["b"] for s in sizes if "b" in s}) > 1


@needs_models
@pytest.mark.slow
@pytest.mark.parametrize("id", list(entries()))
def test_eager_takes_both_ends_of_every_range(id):
    import torch

    entry = entries()[id]
    defined = entry.define()
    model = defined.models["Model"]()
    with torch.no_grad():
        for end in (0, 1, 2):
            sizes = {name: entry.dims[name][end] for name in defined.sizes}
            model(**defined.inputs(**sizes))

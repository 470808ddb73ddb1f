"""A small database of its own, records as runs write them, and the build of a site."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from exportdb.cases.database import builtin_tree
from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.record import ErrorInfo, Finding, Record, SampleResult
from exportdb.site import build
from exportdb.site.load import Inputs, load
from exportdb.site.model import Site
from exportdb.site.options import Say, SiteOptions

CASE = '''"""
title: {title}
description: >
  {description}
tags: [torch.dynamic-shape]
{more}"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return {body}


def inputs(n=5):
    return (torch.randn(n),)


dynamic_shapes = {{"x": {{0: torch.export.Dim("n", min=2, max=32)}}}}
'''

EXPECTED = """\
export:
  - outcome: supported
    measured: [2.13/cpu]
    graph: |2
        %0: float32[s0] = x
        %1: float32[s0] = aten.add.Tensor(%0, 1)
        return [%1]
  - when: {torch: '>=2.15'}
    outcome: refused
    phase: capture
    error: {type: RuntimeError, fingerprint: 00ff, message: it went away}
    measured: [2.15/cpu]

export-strict: {measured: [2.13/cpu]}
"""


def write_case(tree: Path, case_id: str, **words: str) -> Path:
    """A case of the tests; its title is its ID unless told otherwise."""
    path = tree / f"{case_id}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {"title": case_id.rpartition("/")[2].replace("_", " "), "body": "x + 1", "more": "",
            "description": "A case of the tests.", **words}  # fmt: skip
    path.write_text(CASE.format(**told))
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three cases of one topic: one with expectations, a rewrite of it, and one without a word.

    A fourth is the database's own, which the guides show.
    """
    root = tmp_path / "tree"
    for name in ("branch_on_value.py", "branch_on_value.yaml"):
        (root / "control_flow").mkdir(parents=True, exist_ok=True)
        shutil.copy(builtin_tree() / "control_flow" / name, root / "control_flow")
    write_case(root, "area/adds", more="rewrites: [area/adds_later]\n")
    (root / "area/adds.yaml").write_text(EXPECTED)
    write_case(root, "area/adds_later", body="1 + x")
    write_case(root, "area/unmeasured")
    (root / "redirects.yaml").write_text("area/added: area/adds\n")
    return root


def record(case: str = "area/adds", **fields: Any) -> Record:
    """A record as a run would write it, of torch.export on the CPU."""
    told: dict[str, Any] = {"exporter": "export", "device": "cpu", "outcome": "supported",
                            "phase": "compare", "run": "r", "env": "0" * 16}  # fmt: skip
    return Record(case=case, **{**told, **fields})


def write_records(
    path: Path, *records: Record, torch: str = "2.13.0+cpu", started: str = "2026-01-02T03:04:05",
    switches: tuple[str, ...] = (),
) -> Path:  # fmt: skip
    """A file of records of one run; its name is the run's."""
    environment = Environment(torch, "3.11.7", "CPython", "Linux-x86_64", switches=switches)
    header = Header(path.stem, started, (environment,), len(records))
    lines = [
        header.encode(),
        *(r.with_(run=path.stem, env=environment.digest).encode() + b"\n" for r in records),
    ]
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def wrong() -> Record:
    """A silently wrong result with all that a record can say."""
    return record(
        outcome="wrong",
        samples=(
            SampleResult("example", "example", "agrees", {"n": 5}),
            SampleResult("accepts", "n=2", "disagrees", {"n": 2}, "output[0] differs"),
        ),
        findings=(Finding("range-wider-than-guards", "x.size()[0] is published as 2..32"),),
        graph="  %0: float32[s0] = x\n  %1: float32[s0] = aten.add.Tensor(%0, 1)\n",
        graph_readable="# File: /a/area/adds.py:13 in forward, code: return x + 1\n"
        "  add = torch.ops.aten.add.Tensor(x, 1)\n",
        graph_digest="abcd",
        ranges={"x.size()[0]": ("2", "32")},
        facts=json.loads('{"symbols": [{"name": "s0", "source": "x.size()[0]", "traced": ["3", '
                         '"32"], "published": ["2", "32"]}], "guards": ["n != 7"], '
                         '"display": {"lines": {"n != 7": "adds.py:13 in forward"}}}'),
        seconds={"capture": 0.5},
    )  # fmt: skip


@pytest.fixture
def refused() -> Record:
    """A refusal that the catalogue explains."""
    message = "Could not guard on data-dependent expression u0 > 4 (unhinted: u0 > 4).\nAdvice."
    return record(
        outcome="refused", phase="capture", error=ErrorInfo("GuardOnDataDependentSymNode", message)
    )


def build_site(
    tree: Path, *records: Path, url: str = "", strict: bool = False, say: Say = lambda _: None
) -> build.BuildResult:  # fmt: skip
    """Build the site of a tree beside it, in ``site``, where the guides are built already."""
    inputs = Inputs(records, (tree,), builtin=False)
    options = SiteOptions(tree.parent / "site", tree.parent / "state", url=url, strict=strict)
    with_guides(options)
    return build.build(inputs, options, say)


def with_guides(options: SiteOptions) -> None:
    """Begin a site with the guides, which no case and no record changes, as if it had been built
    before; a site that was begun is left as it is."""
    if not options.state.exists():
        guides = _guides()
        shutil.copytree(guides / "state", options.state, ignore=shutil.ignore_patterns("lock"))
        shutil.copytree(guides / "site", options.out, dirs_exist_ok=True)


#: Where all processes of the test run share what they made, and what each has done there so far.
_shared: list[Path] = []


@pytest.fixture(scope="session", autouse=True)
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of the test run have in common."""
    base = tmp_path_factory.getbasetemp()
    _shared[:] = [base.parent if "PYTEST_XDIST_WORKER" in os.environ else base]
    return _shared[0]


BUILD = """
import sys
from pathlib import Path
from exportdb.site import build
from exportdb.site.load import Inputs, load
from exportdb.site.model import Site
from exportdb.site.options import SiteOptions
tree, root = Path(sys.argv[1]), Path(sys.argv[2])
build.build(Inputs((), (tree,), builtin=False), SiteOptions(root / "site", root / "state"))
torch = sys.modules.get("torch")
print(getattr(torch, "__file__", None))
"""


def built_alone(tree: Path, root: Path) -> str:
    """Build a site of a tree in a new process; the file of the torch that it imported, or None."""
    command = [sys.executable, "-c", BUILD, str(tree), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@functools.cache
def _guides() -> Path:
    """A site of the guides alone, built from nothing once in a test run."""
    root = _shared[0] / "guides"
    with FileLock(_shared[0] / "guides.lock"):
        if not (root / "torch.txt").exists():
            (root / "tree").mkdir(parents=True, exist_ok=True)
            (root / "torch.txt").write_text(built_alone(root / "tree", root))
    return root


@pytest.fixture(scope="session")
def imported_torch() -> str:
    """The file of the torch that the build of the guides imported, or None."""
    return (_guides() / "torch.txt").read_text()


@pytest.fixture(scope="session")
def whole_memory(shared: Path) -> Path:
    """What loading the whole database leaves behind: the second who loads it needs a sixth."""
    memory = shared / "whole.sqlite"
    with FileLock(shared / "whole.lock"):
        if not memory.exists():
            load(Inputs(), memory)
    return memory


@pytest.fixture(scope="session")
def whole(whole_memory: Path) -> Site:
    """The model of the whole database."""
    return load(Inputs(), whole_memory)

"""What the tests of conformance share: a case from a text, examined in this process."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exportdb.cases.frontmatter import parse_case
from exportdb.devices.builtin import Cpu
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import Export
from exportdb.records.record import Record
from exportdb.suites.cases import CaseProgram

HEADER = '''"""
title: A program
description: It is made for a test.
{more}"""
import torch
from torch.export import Dim
'''


class Made(Exporter):
    """A capture that is the function it was made with."""

    name = "made"
    description = "of a test"

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call

    def capture(self, program: Program) -> Artifact:
        return Artifact(call=self.call)


@pytest.fixture
def examine(tmp_path: Path) -> Callable[..., Record]:
    """``examine(program, exporter=Export(), device=Cpu(), more="")`` of a program's text.

    ``more`` is further front matter, a line a key.
    """
    from exportdb.conformance.examine import examine as examine_program

    def run(
        program: str, exporter: Exporter | None = None, device: object = None, more: str = "",
        **options: object,
    ) -> Record:  # fmt: skip
        path = tmp_path / "program.py"
        path.write_text(HEADER.format(more=more) + textwrap.dedent(program))
        case = parse_case("program", path, path.read_text())
        return examine_program(CaseProgram(case), exporter or Export(), device or Cpu(), **options)

    return run


def results(record: Record) -> dict[str, str]:
    """What happened on each sample, by its name."""
    return {sample.name: sample.result for sample in record.samples}

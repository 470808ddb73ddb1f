"""Broken exporters as backends go wrong: each shows in the program that it names."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import detection.mutants  # noqa: E402, F401  # fills MUTANTS
from detection.examining import Bench  # noqa: E402
from detection.mutant import MUTANTS  # noqa: E402
from detection.mutants.backends.witness import WITNESSES  # noqa: E402

from exportdb.cases.frontmatter import parse_case  # noqa: E402

PROGRAM = '''"""
title: A program
description: It is made for a test.
"""
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = {part}

    def forward(self, x):
        return {expression}

def inputs():
    return {inputs}
'''


def bench(expression: str, inputs: str) -> Bench:
    """The program of a witness; a module in it is made once, with the model."""
    part = "torch.nn.Identity()"
    if expression.startswith("torch.nn.") and not expression.startswith("torch.nn.functional."):
        part, called, rest = expression.partition(")(")
        part, expression = part + ")", f"self.part({rest}" if called else expression
    source = PROGRAM.format(part=part, expression=expression, inputs=inputs)
    return Bench(parse_case("program", Path("program.py"), source), "Model")


def shown(name: str) -> bool:
    """Whether the mutant of that name is caught in the program that it names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program, mutant = bench(*WITNESSES[name]), MUTANTS[name]
        result = program.result(mutant)
        return result is not None and result.blames(program.control(mutant.base))


def test_a_defect_shows_in_the_program_that_it_names():
    assert shown("a-trace-is-along-the-other-diagonal")


def test_a_defect_does_not_show_in_another_program():
    name = "a-trace-is-along-the-other-diagonal"
    program = bench("torch.relu(x)", "torch.randn(4, 6)")
    assert program.result(MUTANTS[name]) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WITNESSES))
def test_every_defect_shows_in_the_program_that_it_names(name):
    assert shown(name)

"""Runs the executing checks on one case, inside the process that has it to itself.

Owns the order of the checks and that a program which cannot even be imported is one problem and
no more. The process is made by ``exportdb.executors``.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from exportdb.cases.case import Case
from exportdb.conformance.errors import one_line
from exportdb.conformance.lint import all_checks
from exportdb.conformance.lint.checks.import_fails import CHECK as IMPORT_FAILS
from exportdb.conformance.lint.subject import Subject
from exportdb.suites.protocol import ProgramError


def check_case(case: Case, rewrites: Sequence[Case] = ()) -> list[list[Any]]:
    """``[line, check, message]`` for every problem that the executing checks find in ``case``.

    ``rewrites`` are the cases that its front matter names as such.
    """
    warnings.simplefilter("ignore")
    try:
        subject = Subject(case, rewrites)
    except ProgramError as e:
        return [[case.program_line, IMPORT_FAILS.id, e.message]]
    except Exception as e:
        return [
            [_raised_at(e, case), IMPORT_FAILS.id, f"importing the program raises {one_line(e)}"]
        ]
    return [
        [line, check.id, message]
        for check in all_checks()
        if check.on_program is not None
        for line, message in check.on_program(subject)
    ]


def _raised_at(error: BaseException, case: Case) -> int:
    """The last line of the case's file in an exception's traceback."""
    line, trace = case.program_line, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(case.path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line

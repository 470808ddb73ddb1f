"""torch's own ExportDB, as the installed torch has it; nothing of it is copied."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable
from typing import Any

from exportdb.cases.case import FrontMatter
from exportdb.suites.protocol import Definition, Suite, SuiteProgram


class Upstream(Suite):
    """The examples of ``torch._export.db``, with their tags and what torch claims of them."""

    name = "upstream"
    description = "torch's own ExportDB, live from the installed torch"

    def programs(self, **_: str) -> Iterable[SuiteProgram]:
        """Every example."""
        from torch._export.db.examples import all_examples

        return [_program(case) for _, case in sorted(all_examples().items())]


def _program(case: Any) -> SuiteProgram:
    described = inspect.cleandoc(case.description)
    claimed = case.support_level.name.lower().replace("_", "-")
    meta = FrontMatter(
        described.splitlines()[0], described, tags=(*sorted(case.tags), f"upstream.{claimed}")
    )
    text = inspect.getsource(inspect.getmodule(type(case.model)) or type(case.model))
    return SuiteProgram(case.name, lambda: _define(case), meta, text)


def _define(case: Any) -> Definition:
    from exportdb.suites.memory import InMemory

    further = [] if case.extra_args is None else [case.extra_args]
    given = InMemory(
        case.model, case.example_args, case.example_kwargs, case.dynamic_shapes,
        accepts=lambda: copy.deepcopy(further),
    )  # fmt: skip
    return given.define(case.name)

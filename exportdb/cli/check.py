"""``exportdb check``: examine cases and gate on what is not as expected."""

from __future__ import annotations

from typing import Any

import click

from exportdb.cli import options, running


@click.command("check")
@click.option("--max-failures", type=options.Count(min=1), metavar="N",
              help="Stop after N results that are not as expected.")  # fmt: skip
@click.option("--only-affected", is_flag=True,
              help="Skip results that were as expected if nothing they depend on has changed: "
              "case, adapter, its imports, packages, expectations.")  # fmt: skip
@click.option("--measured-before", is_flag=True,
              help="Skip cases that an exporter was never measured on, such as those that came "
              "with a new exportdb; they would be new, and fail.")  # fmt: skip
@running.one
def command(**params: Any) -> int:
    """Examine cases, and fail on every result that is not as expected.

    Begins with what was not as expected in the last run.

    \b
      exportdb check --jobs 4 --max-failures 10
      exportdb check --only-affected
      exportdb check --measured-before
      exportdb check --exporter my_exporter.py:Mine --expectations my_expectations

    Exit codes: 0 all as expected, 1 surprises (a new result is one: see exportdb accept), 2 could
    not run, or a result is an error.
    """
    return running.execute(params, gate=True)

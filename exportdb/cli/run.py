"""``exportdb run``: examine cases and say what came out."""

from __future__ import annotations

from typing import Any

import click

from exportdb.cli import running


@click.command("run")
@running.one
def command(**params: Any) -> int:
    """Examine cases with exporters, and report what each exporter can capture.

    \b
      exportdb run control_flow --exporter export,make-fx
      exportdb run path/to/case.py --exporter my_exporter.py:Mine
      exportdb run --tag torch.dynamic-shape --device meta

    Exit codes: 0 completed, 2 could not run, or a result is an error.
    """
    return running.execute(params, gate=False)

"""``exportdb schema``: the JSON Schema of what exportdb reads and writes."""

from __future__ import annotations

import click

from exportdb.cases.data import json_schema
from exportdb.cli import output


@click.command("schema")
@click.argument("what", type=click.Choice(["records"]))
def command(what: str) -> int:
    """Print the JSON Schema of a file: of one line of records.

    \b
      exportdb schema records > records.schema.json
    """
    assert what == "records"
    from exportdb.records.jsonl import EnvironmentLine
    from exportdb.records.record import SCHEMA, Record

    output.put_json(
        json_schema(
            EnvironmentLine | Record,
            f"exportdb records, version {SCHEMA}",
            "One line of a file of records (JSON Lines, UTF-8). The first lines are environments, "
            "one each, the first of them with the facts of the run; each further line is a record.",
        )
    )
    return 0

"""``exportdb schema``: the JSON Schemas of what exportdb reads and writes."""

from __future__ import annotations

from typing import Any

import click

from exportdb import config
from exportdb.cases.case import FrontMatter
from exportdb.cases.data import json_schema
from exportdb.cli import output
from exportdb.records.expectation import ALIKE, AlikeEntry, ExpectationEntry
from exportdb.records.jsonl import EnvironmentLine
from exportdb.records.record import SCHEMA, Record
from exportdb.store import status

_ENTRIES = ExpectationEntry | list[ExpectationEntry]
_ALIKE = "Exporters that have the same single entry."
_WHAT: dict[str, tuple[Any, str, str]] = {
    "case": (FrontMatter, "Front matter of a case", "What the YAML in a case's docstring says."),
    "expectations": (
        dict[str, _ENTRIES] | None,
        "Expectations of one case",
        "The entries of each exporter; a single one may stand alone, and one that several "
        "exporters have stands under `alike`. Resolved by one rule: start "
        "with what the extended exporter resolves to, then apply this exporter's entries in order "
        "whose `when` holds; an entry with an outcome replaces all before it, one without "
        "overrides the keys it has, and null takes a key away.",
    ),
    "records": (
        EnvironmentLine | Record,
        f"exportdb records, version {SCHEMA}",
        "One line of a file of records (JSON Lines, UTF-8). The first lines are environments, "
        "one each, the first of them with the facts of the run; each further line is a record.",
    ),
    "configuration": (
        config.Keys,
        "Configuration of exportdb",
        "What exportdb.toml says, or [tool.exportdb] in pyproject.toml.",
    ),
    "status": (
        status.Status,
        f"exportdb status, version {status.SCHEMA}",
        "What is supported, and what changed: what `exportdb status --format json` writes.",
    ),
}


@click.command("schema")
@click.argument("what", type=click.Choice(list(_WHAT)))
def command(what: str) -> int:
    """Print the JSON Schema of what exportdb reads and writes, for editors and other programs.

    \b
      exportdb schema records > records.schema.json
    """
    schema = json_schema(*_WHAT[what])
    if what == "expectations":
        alike = json_schema(list[AlikeEntry], ALIKE, _ALIKE)
        schema["$defs"] |= alike.pop("$defs")
        file = next(s for s in schema["anyOf"] if "additionalProperties" in s)
        file["properties"] = {ALIKE: {k: v for k, v in alike.items() if k != "$schema"}}
    output.put_json(schema)
    return 0

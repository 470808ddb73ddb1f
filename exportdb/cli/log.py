"""``exportdb log``: what was measured of a case, by exporter, version of torch and date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from exportdb import resolve
from exportdb.cases import database
from exportdb.cases.database import SelectionError
from exportdb.cli import options, output
from exportdb.store.history.expected import measured_as_expected, with_expected
from exportdb.store.history.lines import Line, Measurement, folded, lines
from exportdb.store.history.since import Since, by_version, since


@click.command("log")
@click.argument("case", metavar="CASE", shell_complete=options.complete_cases)
@options.exporters_option("Show only these exporters.")
@options.devices_option("Show only these devices.")
@click.option("--all", "every", is_flag=True, help="Show every measurement, not only changes.")
@options.trees_option
@options.expectations_option
@options.home_option
@options.history_option
@options.json_option
def command(
    case: str, exporters: tuple[str, ...], devices: tuple[str, ...], every: bool,
    trees: tuple[Path, ...], expectations: Path | None, home: Path | None, history: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Show every result of a case over time, and since which version of torch each outcome holds.

    Consecutive measurements with the same result share a line. Results that expectations confirm
    count as measured and have no date. A version that was never measured is shown as unknown.

    \b
      exportdb log dynamic_shapes/derived_dim_double
      exportdb log dynamic_shapes/derived_dim_double --exporter export --all

    Exit codes: 0 shown, 2 nothing is known about such a case.
    """
    wanted, found_devices = resolve.split(exporters), resolve.split(devices)
    db = options.open_history(home, history)
    found, names = _expected(case, trees, expectations)
    found = [m for m in found if (not wanted or m.exporter in wanted)
             and (not found_devices or m.device in found_devices)]  # fmt: skip
    runs: list[Measurement] = []
    if db is not None:
        from exportdb.store.history.reading import measured

        runs = measured(db, names, wanted, found_devices)
    every_one = with_expected(runs, found)
    if not every_one:
        raise SelectionError(f"{case!r} was never measured; see exportdb list")
    told, levels = lines(every_one, every), _since(every_one)
    if as_json:
        output.put_json(_as_json(names[0], told, levels))
    else:
        _print(names[0], told, levels, every)
    return 0


#: Suite, exporter, device, switches.
Column = tuple[str, str, str, tuple[str, ...]]


def _expected(
    case: str, trees: Sequence[Path], expectations: Path | None
) -> tuple[list[Measurement], list[str]]:
    """What expectations say of a case, and all IDs it had; a program of another suite has one."""
    roots = [*resolve.configuration().cases, *trees]
    db = database.load(roots, only={case})
    if (new := db.redirects.get(case)) is not None:
        db = database.load(roots, only={new})
    one = db.cases.get(new or case)
    if one is None:
        return [], [case]
    former = [old for old, now in db.redirects.items() if now == one.id]
    return list(measured_as_expected(resolve.expectations_for(expectations), one)), [
        one.id,
        *former,
    ]


def _since(found: Sequence[Measurement]) -> dict[Column, list[Since]]:
    columns: dict[Column, list[Measurement]] = {}
    for m in found:
        columns.setdefault(m.column, []).append(m)
    return {column: since(by_version(some)) for column, some in sorted(columns.items())}


def _as_json(case: str, told: Sequence[Line], levels: dict[Column, list[Since]]) -> dict[str, Any]:
    names = ("suite", "exporter", "device", "switches")
    return {
        "case": case,
        "lines": [line.to_json() for line in told],
        "since": [
            {**dict(zip(names, column, strict=True)), **s.to_json()}
            for column, found in levels.items()
            for s in found
        ],
    }


def _print(case: str, told: Sequence[Line], levels: dict[Column, list[Since]], every: bool) -> None:
    several = len({suite for suite, *_ in levels}) > 1
    output.put(case)
    output.table(
        ("exporter", "version", "torch", "outcome", "from", "until", "runs"),
        [(_name(line.first.column, several), line.first.exporter_version, ", ".join(versions),
          _shown(line.first), line.first.date[:10] or "accepted",
          line.until[:10] if line.count > 1 else "", str(line.count) if line.first.date else "")
         for versions, line in (
             [((li.first.torch,), li) for li in told] if every else folded(told)
         )],
    )  # fmt: skip
    output.put()
    output.table(
        ("exporter", "support"),
        [(_name(column, several), "; ".join(map(str, found))) for column, found in levels.items()],
    )


def _name(column: Column, several: bool) -> str:
    suite, exporter, device, switches = column
    where = "+".join((device, *switches))
    return f"{suite}: {exporter} {where}" if several else f"{exporter} {where}"


def _shown(m: Measurement) -> str:
    return output.shown(m.outcome) + (f" ({m.error})" if m.error else "")

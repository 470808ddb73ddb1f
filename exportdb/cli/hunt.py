"""``exportdb hunt``: programs that nobody wrote, put to exporters."""

from __future__ import annotations

import os
from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cli import options, output


@click.command("hunt")
@options.exporters_option("Exporters to put the programs to, given as for run. Default: export.")
@options.devices_option("The device. Default: cpu.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), metavar="N",
              help="Stop after so many minutes. Default: 10, unless --programs is given.")  # fmt: skip
@click.option("--programs", type=click.IntRange(min=1), metavar="N",
              help="Stop after so many programs.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True,
              help="The same seed and torch give the same programs.")  # fmt: skip
@click.option("--like", multiple=True, metavar="CASE", shell_complete=options.complete_cases,
              help="Begin from these cases and change them; an ID, a topic or a tag.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the last hunt of the same options.")
@click.option("--all", "everything", is_flag=True, help="Show known causes as well.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N",
              help="Examinations at a time. Default: one per core.")  # fmt: skip
@options.home_option
@options.json_option
def command(
    exporters: tuple[str, ...], devices: tuple[str, ...], minutes: float | None,
    programs: int | None, seed: int, like: tuple[str, ...], resume: bool, everything: bool,
    jobs: int | None, home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Make programs that eager runs, capture each, and show what went wrong by cause.

    Each cause comes with the smallest program that shows it, as a draft of a case, and with a
    script in plain PyTorch that was run. What the database knows already is left out.

    \b
      exportdb hunt --exporter export,export-strict --minutes 10
      exportdb hunt --exporter my_backend.py:Mine --programs 500 --seed 7
      exportdb hunt --exporter export --like data_dependent

    Exit codes: 0 nothing new, 1 new causes, 2 it could not be done.
    """
    from exportdb.cli.progress import Progress
    from exportdb.hunt.hunting import Asked, Hunt, new
    from exportdb.hunt.known import Known
    from exportdb.store.home import home_folder

    database = resolve.load()
    asked = Asked(
        exporters=resolve.find_exporters(exporters or ("export",)),
        device=resolve.find_devices(devices)[0],
        seed=seed, programs=programs,
        minutes=minutes if minutes or programs else 10.0,
        like=tuple(_cases(like)), jobs=jobs or len(os.sched_getaffinity(0)),
        home=home_folder(home), resume=resume,
    )  # fmt: skip
    output.note("reading what the database knows")
    known = Known.of(database, plugins.builtin_extends())
    with Progress() as progress:
        hunt = Hunt(asked, known, progress, progress.note)
        state = hunt.go()
    causes = list(state.causes.values())
    shown = new(causes)
    if as_json:
        output.put_json({
            "programs": state.made, "outcomes": state.outcomes, "elements": state.elements,
            "drafts": str(hunt.drafts), "seconds": round(state.seconds, 1),
            "causes": [c.as_json() for c in (causes if everything else shown)],
        })  # fmt: skip
        return int(bool(shown))
    counted = ", ".join(f"{name} {n}" for name, n in sorted(state.outcomes.items()))
    output.put(f"{output.plural(state.made, 'program')}: {counted}")
    for cause in causes if everything else shown:
        b = cause.bucket
        output.put(
            f"\n{output.glyph(b.outcome)} {b.outcome} · {', '.join(cause.exporters)} · {b.kind}"
        )
        output.put(f"  {cause.sample or b.said}"[:160])
        output.put("".join(f"      {line}\n" for line in cause.forward[:12]).rstrip("\n"))
        if cause.known:
            output.put(f"  known: {cause.known}")
        elif cause.proved is False:
            output.put("  the script in plain torch does not show it")
    known_ones = len(causes) - len(shown)
    output.put(
        f"\n{output.plural(len(shown), 'new cause')}, {known_ones} known; drafts: {hunt.drafts}"
    )
    return int(bool(shown))


def _cases(words: tuple[str, ...]) -> list:  # type: ignore[type-arg]
    """The cases that these words select, by ID, topic or tag."""
    from exportdb.cases.database import SelectionError

    if not words:
        return []
    asked = resolve.split(words)
    try:
        return resolve.select(asked).cases
    except SelectionError:
        return resolve.select(tags=asked).cases

"""``exportdb hunt``: generated programs, tried on exporters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exportdb import resolve
from exportdb.cases.case import Case
from exportdb.cli import options, output
from exportdb.hunt import EXAMINATION_TIMEOUT, REDUCTION_SECONDS
from exportdb.prose import plural
from exportdb.records.outcome import Outcome

if TYPE_CHECKING:
    from exportdb.hunt.drafts import ReducedCause
    from exportdb.hunt.state import HuntState

#: Reasons why programs could not be tried, and operators that came up most, in the text: ``--json``
#: has all.
_SHOWN_ERRORS, _SHOWN_OPERATORS = 3, 10


@click.command("hunt")
@options.exporters_option("Exporters to try. Default: export.")
@options.devices_option(
    "Devices to run on, each program on every one: names, path/to/file.py:Name or "
    "package.module:Name. Default: cpu."
)
@click.option(
    "--minutes",
    type=options.TimeLimit("minutes"),
    metavar="N",
    help="Examine nothing more after N minutes; what was found until then is still reduced. "
    "Default: 10, unless --programs is given.",
)
@click.option("--programs", type=options.Count(min=1), metavar="N",
              help="Stop after N programs.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True,
              help="The same seed and torch give the same programs.")  # fmt: skip
@click.option("--like", multiple=True, metavar="CASE", shell_complete=options.complete_cases,
              help="Generate by changing these cases: an ID, a topic or a tag.")  # fmt: skip
@click.option("--around", multiple=True, metavar="NAME,...",
              shell_complete=options.complete_elements,
              help="Generate programs around these elements of the grammar, like higher-order, or "
              "around calls of these operators, by any name: argmax, nn.functional.gelu, "
              "aten.convolution. Default: all elements, by quota.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the last hunt with the same options.")
@click.option("--seconds", type=options.TimeLimit(), default=REDUCTION_SECONDS,
              show_default=True, metavar="SECONDS",
              help="CPU time for reducing the program of one cause.")  # fmt: skip
@click.option("--timeout", type=options.TimeLimit(), default=EXAMINATION_TIMEOUT, show_default=True,
              metavar="SECONDS",
              help="Seconds that one examination may take, or as many times longer as its exporter "
              "declares.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Show known causes too.")
@click.option("--jobs", "-j", type=options.Count(min=1), metavar="N",
              help="Examinations at a time. Default: one per core.")  # fmt: skip
@options.cluster_option("Hunt")
@options.expectations_option
@options.home_option
@options.json_option
def command(
    exporters: tuple[str, ...], devices: tuple[str, ...], minutes: float | None,
    programs: int | None, seed: int, like: tuple[str, ...], around: tuple[str, ...],
    resume: bool, seconds: float, timeout: float,
    everything: bool, jobs: int | None, cluster: str | None, expectations: Path | None,
    home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Generate programs that run in eager, capture each, and show what breaks, by cause.

    Each cause comes with the smallest program that shows it: as a draft of a case, and as a script
    in plain PyTorch that was run. Causes that the database already knows are left out.

    \b
      exportdb hunt --exporter export,export-strict --minutes 10
      exportdb hunt --exporter my_backend.py:Mine --programs 500 --seed 7
      exportdb hunt --exporter export --like data_dependent
      exportdb hunt --exporter my_backend.py:Mine --around argmax,gelu
      exportdb hunt --exporter my_backend.py:Mine --device cpu,cuda --cluster auto

    Exit codes: 0 nothing new, 1 new causes, 2 cannot run.
    """
    from exportdb.cli.progress import RunProgress
    from exportdb.hunt.causes import new, unconfirmed
    from exportdb.hunt.hunting import Hunt
    from exportdb.hunt.known import Known
    from exportdb.hunt.state import HuntOptions
    from exportdb.store.home import home_folder

    if like and around:
        raise click.UsageError("give --like or --around: a program begins from a case, or around "
                               "what is named")  # fmt: skip
    database = resolve.load()
    asked = HuntOptions(
        exporters=resolve.find_exporters(exporters or ("export",)),
        devices=resolve.find_devices(devices),
        seed=seed, seconds=seconds, timeout=timeout, programs=programs,
        minutes=minutes if minutes or programs else 10.0,
        like=tuple(_cases(like)), around=_around(around, home_folder(home)),
        jobs=jobs or len(os.sched_getaffinity(0)), cluster=cluster, home=home_folder(home),
        resume=resume,
    )  # fmt: skip
    output.note("reading what the database knows")
    extends = resolve.declared_extends(asked.exporters, asked.home)
    own = resolve.own_expectations(expectations, asked.exporters)
    known = Known.of(database, extends, own)
    with RunProgress() as progress, closing(Hunt(asked, known, progress, progress.note)) as hunt:
        state = hunt.go()
    causes = list(state.causes.values())
    shown = causes if everything else new(causes) + unconfirmed(causes)
    if as_json:
        output.put_json(_as_json(state, shown, hunt.drafts))
    else:
        _print(state, shown, hunt.drafts, len(asked.devices) > 1)
        if everything:
            _print_left_out(state)
    return _exit_code(state, len(new(causes)), timeout)


def _as_json(state: HuntState, shown: Sequence[ReducedCause], drafts: Path) -> dict[str, Any]:
    return {
        "programs": state.made, "outcomes": state.outcomes, "errors": state.errors,
        "elements": state.elements, "operators": state.operators,
        "drafts": str(drafts), "seconds": round(state.seconds, 1),
        "causes": [cause.as_json() for cause in shown], "left_out": state.left_out,
        "ill_conditioned": state.ill_conditioned,
    }  # fmt: skip


def _exit_code(state: HuntState, new: int, timeout: float) -> int:
    seen = [Outcome(name) for name in state.outcomes]
    if new or not all(o.tells_nothing or o is Outcome.ERROR for o in seen):
        return int(bool(new))
    if Outcome.ERROR in seen:
        output.note("eager ran none of these programs here, so nothing is known of the exporters")
    else:
        output.note(f"no examination came to its end within {timeout:g} s, so nothing is known of "
                    "these exporters; give a longer --timeout, and more --minutes")  # fmt: skip
    return 2


def _print(state: HuntState, shown: Sequence[ReducedCause], drafts: Path, where: bool) -> None:
    from exportdb.hunt.causes import new, unconfirmed

    counted = ", ".join(f"{name} {n}" for name, n in sorted(state.outcomes.items()))
    output.put(f"{plural(state.made, 'program')}: {counted}")
    for why, n in _most(state.errors)[:_SHOWN_ERRORS]:
        output.put(f"  error {n}: {why}")
    if state.elements:
        count = plural(len(state.elements), "element")
        output.put(f"{count} of the grammar: {_told(state.elements)}")
    if state.operators:
        count = plural(len(state.operators), "operator")
        often = _told(dict(_most(state.operators)[:_SHOWN_OPERATORS]))
        once = sum(n == 1 for n in state.operators.values())
        output.put(f"{count} of ATen: {often}; {once} in one program each")
    for cause in shown:
        b = cause.bucket
        who = ", ".join(cause.exporters) + (f" on {', '.join(cause.devices)}" if where else "")
        output.put(f"\n{output.glyph(b.outcome)} {b.outcome} · {who} · {', '.join(cause.kinds)}")
        output.put(f"  {(cause.sample or b.said).partition(chr(10))[0]}"[:160])
        if cause.departs:
            output.put(f"  {cause.departs}"[:160])
        output.put("\n".join(f"      {line}" for line in cause.forward[:12]))
        if not cause.finished:
            output.put("  not as small as it gets: with more --seconds another may be left")
        if cause.unchanged:
            output.put("  does better without the change: unchanged.py, in the folder of its draft")
        if cause.known:
            output.put(f"  known: {cause.known}")
        elif cause.near:
            output.put(f"  the case most like it: {cause.near}")
        if cause.proved is False:
            output.put("  not confirmed, so not counted: its script shows nothing")
        elif cause.again is False:
            output.put("  not confirmed, so not counted: it did not come out alike again")
        elif cause.again:
            output.put(f"  came out alike again; in the folder of its draft: {cause.command}")
    if state.ill_conditioned:
        count = plural(state.ill_conditioned, "result")
        output.put(f"\nill-conditioned: {count}, on which eager itself moves as far; left out")
    causes = list(state.causes.values())
    fresh, doubted = len(new(causes)), len(unconfirmed(causes))
    known = f"{len(causes) - fresh - doubted} known"
    told = f"{known}, {doubted} not confirmed" if doubted else known
    output.put(f"\n{plural(fresh, 'new cause')}, {told}; drafts: {drafts}")


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in _most(counts))


def _print_left_out(state: HuntState) -> None:
    """What was known as soon as it was seen, so that no program of it was made small."""
    for why, count in _most(state.left_out):
        output.put(f"  left out: {plural(count, 'result')}, known: {why}")


def _around(words: tuple[str, ...], home: Path) -> tuple[str, ...]:
    """The elements of the grammar and the operators that these words name."""
    from exportdb.hunt.around import NotKnown
    from exportdb.hunt.around import around as named

    if not words:
        return ()
    if not (names := resolve.split(words)):
        raise click.BadParameter("no name is given", param_hint="--around")
    try:
        return named(names, home)
    except NotKnown as e:
        raise click.BadParameter(str(e), param_hint="--around") from None


def _cases(words: tuple[str, ...]) -> list[Case]:
    """The cases that these words select, by ID, topic or tag."""
    from exportdb.cases.database import SelectionError

    if not words:
        return []
    if not (asked := resolve.split(words)):
        raise click.BadParameter("no case, topic or tag is given", param_hint="--like")
    try:
        return resolve.select(asked).cases
    except SelectionError:
        tagged = [case for case in resolve.load() if set(asked) <= set(case.meta.tags)]
        if not tagged:
            named = ", ".join(asked)
            raise SelectionError(f"no case, topic or tag is {named}; see exportdb list") from None
        return tagged

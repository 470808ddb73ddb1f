"""From records to expectation files: the fewest entries that say what was measured, and no more.

Owns taking a file apart into points, putting points together again, and the file's text. Pure but
for reading; who writes the text is the caller. How entries are read back is
``expectation_files``'s; a file written here resolves, at every point, to the value put in, and
accepting the same records twice changes no byte.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from exportdb.cases import yamlfile
from exportdb.cases.case import Case, CaseError
from exportdb.cases.yamlfile import Part
from exportdb.records import waiver
from exportdb.records.expectation import (
    VALUE_KEYS,
    Entries,
    ExpectationEntry,
    Expected,
    Extends,
    Point,
    When,
    Where,
    computes,
    expectation,
    resolve,
    value_of,
    version_key,
)
from exportdb.records.expectation_files import Expectations, layout_of
from exportdb.records.expectation_text import HEADER, render
from exportdb.records.outcome import Outcome, Verdict, how_often
from exportdb.records.record import Record
from exportdb.records.refused import Refused, Remedy
from exportdb.records.verdict import comparable, differences, judge

_ISSUE = re.compile(r"https?://\S+|[\w.-]+(/[\w.-]+)?#\d+")


@dataclass(frozen=True)
class Link:
    """Where a defect is reported or explained: an issue (``pytorch#1``, a URL), a note, or both.

    ``until`` is when that ends, as :mod:`exportdb.records.waiver` reads it.
    """

    issue: str | None = None
    note: str | None = None
    until: str | None = None

    def __bool__(self) -> bool:
        return bool(self.issue or self.note or self.until)


@dataclass(frozen=True)
class AcceptedFile:
    """What accepting records makes of one expectation file; ``before`` is "" for a new one."""

    path: Path
    before: str
    after: str
    accepted: tuple[Record, ...] = ()
    refused: tuple[Refused, ...] = field(default=())

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after


def rewrite(
    expectations: Expectations,
    case: Case,
    records: Sequence[tuple[Record, Where]],
    link: Link = Link(),  # frozen
    known: Mapping[str, Link] | None = None,
    so_far: str | None = None,
) -> AcceptedFile:
    """The expectation file of ``case`` after accepting records of it, each with where it was made.

    ``so_far`` is its text where another case of the file was accepted before. ``link`` is put on
    accepted outcomes that need an issue and have none; ``known`` maps exporters that are unsound by
    design to where that is explained, so that theirs need none. Raises CaseError for a file that
    cannot be read.
    """
    part, extends = expectations.written_for(case), expectations.extends
    everywhere = expectations.entries(case)
    inside = expectations.entries_in(part)
    points = {e: decompose(everywhere, extends, e) for e in inside}
    accepted: list[Record] = []
    refused: list[Refused] = []
    for record, where in records:
        name, point = record.exporter, where.point
        if name not in inside and _known_elsewhere(everywhere, extends, record, where):
            accepted.append(record)
            continue
        # What it inherits is explained where it inherits it from.
        before = points.get(name, {}).get(point) or resolve(everywhere, extends, name, where)
        value = _linked(before, _measured(before, record), link)
        value = _in_known_words(value, points.get(name, {}), point)
        if refusal := _refusal(case, record, value, (known or {}).get(name), where):
            refused.append(refusal)
            continue
        if record.outcome is not Outcome.UNAVAILABLE:  # declared: nobody needs to expect it
            points.setdefault(name, {})[point] = value
        elif judge(record, expectation(everywhere, extends, name, where)).surprise:
            why = record.error.message if record.error else "it does not say why"
            reason = f"it has become unavailable: {why}; what was measured before stays"
            refused.append(Refused(record, reason))
            continue
        accepted.append(record)
    _add_lines(points)
    entries = _recompose(extends, everywhere, inside, points)
    beside = Part(case.expectations_path)
    others = expectations.entries_in(beside) if part != beside else {}
    for record, where in records:
        known_now = expectation({**others, **entries}, extends, record.exporter, where)
        if record in accepted and judge(record, known_now).surprise:
            accepted.remove(record)
            reason = f"an entry with a python or platform condition in {part.path} decides it"
            refused.append(Refused(record, reason))
    if so_far is None:
        so_far = part.path.read_text(encoding="utf-8") if part.path.is_file() else ""
    after = _changed(so_far, part, entries)
    return AcceptedFile(part.path, so_far, after, tuple(accepted), tuple(refused))


def _changed(text: str, part: Part, entries: Entries) -> str:
    """The text of a file with these entries in that part of it. Raises CaseError."""
    told = render(entries, layout_of(part)) if any(entries.values()) else ""
    if not part.key or not (text or told):
        return f"{HEADER}{told}" if told else ""
    try:
        return yamlfile.with_part(text or HEADER, part.key, told)
    except ValueError as e:
        raise CaseError(part.path, 1, str(e)) from None


def _measured(before: Expected | None, record: Record) -> Expected:
    """What a record says. One run says nothing new of what is known to be intermittent."""
    known = (before["outcome"], *before.get("sometimes", ())) if before else ()
    if before and before.get("sometimes") and not record.outcomes and record.outcome in known:
        return {k: v for k, v in before.items() if k not in ("issue", "note", "until")}
    return value_of(record)


def _in_known_words(value: Expected, known: Mapping[Point, Expected], point: Point) -> Expected:
    """``value``, its error told as it is told already, here or at another point.

    A message is never compared, so another one alone must not change a file. The line that an error
    names, or on which the capture departs, is added where the file lacks it.
    """
    here = [known[point]] if point in known else []
    for other in (*here, *known.values()):
        same = other["outcome"] == value["outcome"] and not differences(other, value)
        if same and "error" in value:
            line = {k: v for k, v in value["error"].items() if k == "line"}
            return {**value, "error": {**other["error"], **line, **other["error"]}}
        if same and "departs" in other:
            return {**value, "departs": other["departs"]}
    return value


def _add_lines(points: Mapping[str, dict[Point, Expected]]) -> None:
    """Say the line that an error names wherever the same error is expected, and the one on which a
    capture departs wherever it does so for the same reason: what is alike stays alike."""
    found: dict[tuple[str, str], str] = {}
    errors = [
        (values, point, value["error"])
        for values in points.values()
        for point, value in values.items()
        if value.get("error")
    ]
    for _, _, error in errors:
        if "line" in error:
            found.setdefault((error["type"], error["fingerprint"]), error["line"])
    for values, point, error in errors:
        if line := found.get((error["type"], error["fingerprint"])):
            values[point] = {**values[point], "error": {**error, "line": line}}
    departs: dict[str, str] = {}
    for values in points.values():
        for value in values.values():
            if "departs" in value and _departing(value):
                departs.setdefault(_departing(value), value["departs"])
    for values in points.values():
        for point, value in values.items():
            if line := departs.get(_departing(value)):
                values[point] = {**value, "departs": line}


def _departing(value: Expected) -> str:
    """What has one first difference: a graph, and the samples on which it is wrong; or a sample on
    which one side alone raises, for that line is where eager goes another way than on the
    example."""
    outcome, samples = Outcome(value["outcome"]), value.get("samples", {})
    result = outcome.shown_by if outcome.right_on_example else ""
    told = [(name, found) for name, found in samples.items() if found in ("disagrees", result)]
    if result and told and told[0][1] == result:
        return repr((outcome, told[0]))
    return repr((outcome, samples, value["graph"])) if value.get("graph") else ""


def decompose(entries: Entries, extends: Extends, exporter: str) -> dict[Point, Expected]:
    """The value at every point where an exporter was measured."""
    found = {}
    for point in sorted((p for e in entries.get(exporter, ()) for p in e.points), key=_age):
        value = resolve(entries, extends, exporter, point.where)
        if value is not None:
            found[point] = value
    return found


def compose(
    points: Mapping[Point, Expected], inherited: Callable[[Point], Expected | None]
) -> tuple[ExpectationEntry, ...]:
    """The fewest entries (found greedily) that give every point its value.

    ``inherited`` is what the exporter that this one extends resolves to. The first entry, without
    conditions, is the value at the newest torch on the CPU; what differs from it follows under
    the shortest condition that is true of the points. What was measured under other switches than
    the defaults is told by entries of its own, since no entry holds under two sets of them.
    """
    made: tuple[ExpectationEntry, ...] = ()
    if not any(computes(p.device) and _is_predicted(v) for p, v in points.items()):
        # What computes elsewhere: "supported" is said once, and read as predicted without values.
        points = {p: _as_supported(v) for p, v in points.items()}
        inherited = partial(_inherited_as_supported, inherited)
    for switches in sorted({p.switches for p in points}):
        made += _settled({p: v for p, v in points.items() if p.switches == switches}, inherited)
    return made


def _is_predicted(value: Expected) -> bool:
    return value.get("outcome") == Outcome.PREDICTED


def _as_supported(value: Expected) -> Expected:
    return {**value, "outcome": Outcome.SUPPORTED} if _is_predicted(value) else value


def _inherited_as_supported(
    inherited: Callable[[Point], Expected | None], point: Point
) -> Expected | None:
    value = inherited(point)
    return value and _as_supported(value)


def _settled(
    points: Mapping[Point, Expected], inherited: Callable[[Point], Expected | None]
) -> tuple[ExpectationEntry, ...]:
    # What is not compared (messages, the order of keys) is shared between entries, so that a
    # value read back may have another one than it was written with. Settle on what is stable.
    entries = _compose(points, inherited)
    for _ in range(4):
        read_back = {p: _resolved(entries, inherited, p) or {} for p in points}
        entries, before = _compose(read_back, inherited), entries
        if entries == before:
            break
    return entries


def _resolved(
    entries: Sequence[ExpectationEntry],
    inherited: Callable[[Point], Expected | None],
    point: Point,
) -> Expected | None:
    value = inherited(point)
    for entry in entries:
        if entry.when.holds(point.where):
            value = entry.applied_to(value)
    return value


def _compose(
    points: Mapping[Point, Expected], inherited: Callable[[Point], Expected | None]
) -> tuple[ExpectationEntry, ...]:
    if not points:
        return ()
    order = sorted(points, key=_age, reverse=True)
    keys = {p: _key(points[p]) for p in order}
    shared = {keys[p]: points[p] for p in reversed(order)}
    always = When(switches=order[0].switches)
    entries = [ExpectationEntry(when=always, **_difference(inherited(order[0]), points[order[0]]))]
    current = {p: entries[0].applied_to(inherited(p)) for p in order}
    while left := [p for p in order if _key(current[p]) != keys[p]]:
        best: tuple[tuple[int, int, str], When, list[Point]] | None = None
        for when in _conditions(order, keys):
            holds = [p for p in order if when.holds(p.where)]
            if len({keys[p] for p in holds}) != 1:
                continue
            text = (when.torch or "") + "".join(when.devices)
            rank = (-sum(p in left for p in holds), len(text), text)
            if rank[0] and (best is None or rank < best[0]):
                best = rank, when, holds
        assert best is not None, "a condition on one version and one device always fits"
        _, when, holds = best
        target = shared[keys[holds[0]]]
        if len(holds) == len(order):  # alike, beside parents that are not: nothing is inherited
            entries = [ExpectationEntry(when=always, **target)]
            break
        changes = [_difference(current[p], target) for p in holds]
        same = all(c == changes[0] for c in changes)
        entries.append(ExpectationEntry(when=when, **(changes[0] if same else target)))
        current |= {p: entries[-1].applied_to(current[p]) for p in holds}
    return _with_measured(entries, order)


def _with_measured(
    entries: Sequence[ExpectationEntry], points: Sequence[Point]
) -> tuple[ExpectationEntry, ...]:
    """Each point noted at the last entry that applies to it, the CPU's first."""
    points = sorted(points, key=lambda p: (p.device != "cpu", p.device, version_key(p.torch)))
    deciding = {p: max(i for i, e in enumerate(entries) if e.when.holds(p.where)) for p in points}
    noted = [
        e.with_(measured=tuple(str(p) for p in points if deciding[p] == i))
        for i, e in enumerate(entries)
    ]
    return tuple(e for e in noted if e.value or e.measured)


def _recompose(
    extends: Extends, everywhere: Entries, inside: Entries,
    points: Mapping[str, Mapping[Point, Expected]],
) -> dict[str, tuple[ExpectationEntry, ...]]:  # fmt: skip
    """The entries of all exporters of a file, those first that others inherit from."""
    merged: dict[str, Sequence[ExpectationEntry]] = dict(everywhere)
    made: dict[str, tuple[ExpectationEntry, ...]] = {}

    def make(name: str) -> None:
        if name in made or name not in points:
            return
        parent = extends.get(name)
        if parent is not None:
            make(parent)

        def inherited(point: Point) -> Expected | None:
            return None if parent is None else resolve(merged, extends, parent, point.where)

        by_hand = tuple(e for e in inside.get(name, ()) if e.when.by_hand)
        made[name] = merged[name] = compose(points[name], inherited) + by_hand

    for name in points:
        make(name)
    return {name: made[name] for name in sorted(made) if made[name]}


def _conditions(points: Sequence[Point], keys: Mapping[Point, str]) -> Iterator[When]:
    """Every condition that tells some of the points from others.

    Devices that came out alike (in ``keys``) under the versions of a condition may share it.
    """
    minors = sorted({p.torch for p in points}, key=version_key)
    devices = sorted({p.device for p in points})
    later = minors[1:]
    specs: list[str | None] = [None, *(f"<{m}" for m in later), *(f">={m}" for m in later)]
    specs += [f"=={m}.*" for m in minors]
    specs += [f">={a},<{b}" for i, a in enumerate(later) for b in later[i + 1 :]]
    for spec in specs:
        when = When(torch=spec, switches=points[0].switches)
        if spec:
            yield when
        alike = defaultdict(list)
        for device in devices:
            here = when.with_(device=device)
            yield here
            if len(found := {keys[p] for p in points if here.holds(p.where)}) == 1:
                alike[found.pop()].append(device)
        yield from (when.with_(device=tuple(d)) for d in alike.values() if len(d) > 1)


def _difference(before: Expected | None, after: Expected) -> dict[str, Any]:
    """What an entry must say to turn ``before`` into ``after``."""
    if before is None or before["outcome"] != after["outcome"]:
        return {k: after[k] for k in VALUE_KEYS if k in after}
    return {
        k: after.get(k)
        for k in VALUE_KEYS
        if comparable(k, before.get(k)) != comparable(k, after.get(k))
    }


def _key(value: Expected | None) -> str:
    """A text that is equal for values that are compared as equal."""
    return json.dumps({k: comparable(k, v) for k, v in (value or {}).items()}, sort_keys=True)


def _age(point: Point) -> tuple[bool, tuple[int, ...], str]:
    """Sorts points: the CPU above all others, then by version."""
    return point.device == "cpu", version_key(point.torch), point.device


def _linked(before: Expected | None, value: Expected, link: Link) -> Expected:
    """``value`` with the issue and note that its outcome had before, or those given now.

    ``before`` is what was expected there, measured or inherited.
    """
    same = before is not None and all(
        before.get(k) == value.get(k) for k in ("outcome", "sometimes")
    )
    kept = before if before is not None and same else {}
    told = {"issue": link.issue, "note": link.note} if _needs_link(value) else {}
    named = {k: told.get(k) or kept.get(k) for k in ("issue", "note")}
    if any(named.values()):  # who gives the link anew says anew when it ends
        named["until"] = link.until if told and link else kept.get("until")
    return {k: v for k, v in {**value, **named}.items() if v is not None}


def _needs_link(value: Expected) -> bool:
    """Whether it is a defect, or comes out now one way and now another."""
    return Outcome(value["outcome"]).needs_issue or "sometimes" in value


def _refusal(
    case: Case, record: Record, value: Expected, known: Link | None, where: Where
) -> Refused | None:
    if record.outcome is Outcome.ERROR:
        return Refused.error(record)
    if record.verdict is Verdict.FLAKY and not record.outcomes:
        return Refused.flaky(record)
    linked = value.get("issue") or value.get("note")
    if "sometimes" in value and not linked:
        often = (
            f"{how_often(record.outcomes)}, which" if record.outcomes else "an intermittent result"
        )
        return Refused.unlinked(record, often)
    if record.case_digest and record.case_digest != case.digest:
        return Refused(record, "the case has changed since; run it again", Remedy.RUN)
    if record.outcome.needs_issue and not (linked or known):
        return Refused.unlinked(record, str(record.outcome))
    if (until := value.get("until")) and waiver.ended(until, where.torch):
        said = f"{waiver.in_words(value)}; give --issue or --note again, with another end or none"
        return Refused(record, said, Remedy.LINK)
    return None


def _known_elsewhere(everywhere: Entries, extends: Extends, record: Record, where: Where) -> bool:
    """Whether a file that is not to be written has confirmed the very same."""
    measured = {p for e in everywhere.get(record.exporter, ()) for p in e.points}
    known = expectation(everywhere, extends, record.exporter, where)
    return where.point in measured and not judge(record, known).surprise


# --- exporters that are unsound by design ------------------------------------------------------


def issue(text: str) -> str:
    """An issue link as given. Raises ValueError unless it is a URL or ``project#number``."""
    if not _ISSUE.fullmatch(text):
        raise ValueError(
            f"{text!r} is not an issue; give a URL or project#number, like pytorch#12345"
        )
    return text


def known_links(path: Path) -> dict[str, Link]:
    """Exporters that are unsound by design, from a tree's ``exporters.yaml``; {} without one.

    The file maps an exporter to ``{issue: ..., note: ...}``. Raises CaseError.
    """
    if not path.is_file():
        return {}
    data, lines = yamlfile.load_file(path)
    if not isinstance(data, dict):
        raise CaseError(path, 1, "must map exporters to an issue or a note")
    links = {}
    for name, given in data.items():
        line = lines.get(str(name), 1)
        if not isinstance(given, dict) or not given or given.keys() - {"issue", "note"}:
            raise CaseError(path, line, f"{name} must be a mapping of issue and note")
        if not all(isinstance(v, str) and v.strip() for v in given.values()):
            raise CaseError(path, line, f"{name}: issue and note must be texts")
        try:
            links[str(name)] = Link(
                issue(given["issue"]) if "issue" in given else None, given.get("note")
            )
        except ValueError as e:
            raise CaseError(path, line, f"{name}: {e}") from None
    return links

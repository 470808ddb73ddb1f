"""What one attempt showed, in words: outcome, the user's lines, the entry, samples and sizes.

Owns the wording of an attempt and of what to read when no change helped. Which line it is about is
left to ``pointing``, which entry to ``exportdb.explain``.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from pathlib import Path

from exportdb import prose
from exportdb.cases import catalogue
from exportdb.cases.catalogue import Entry
from exportdb.diagnose.pointing import (
    OF_STATE,
    STATE,
    Place,
    assumptions,
    call_lines,
    decision_lines,
    rebinding_lines,
    state_lines,
)
from exportdb.diagnose.search import Attempt
from exportdb.explain import Explanation, explain
from exportdb.explain.messages import essential_lines
from exportdb.prose import plural
from exportdb.records.display import one_sample
from exportdb.records.outcome import Outcome


def explanation(attempt: Attempt) -> Explanation | None:
    """What the catalogue says of the attempt's error, and which case is like the user's line; None
    if there was none."""
    error, seen = attempt.record.error, attempt.seen
    if error is None:
        return None
    source = seen.text_of(seen.file).splitlines()
    frame = ""
    if 0 < seen.line <= len(source):
        name = Path(seen.file).name or "model.py"
        frame = f'  File "{name}", line {seen.line}\n    {source[seen.line - 1].strip()}\n'
    return explain(f"{frame}{error.type}: {error.message}")


def user_line(attempt: Attempt) -> Place:
    """The user's line that the attempt's failure comes from, with its file; line 0 if none is
    known."""
    seen = attempt.seen
    if seen.line:
        return seen.file, seen.line
    places = [(file, line) for line, _, _, file in assumptions(seen)] or rebinding_lines(seen)
    if not places and (departs := attempt.record.departs) and departs.line:
        places = [(str(attempt.program.path), departs.line)]
    if not places and attempt.record.error is None:
        places = decision_lines(seen)
    if not places and (attempt.record.error is None or _is_of_state(attempt)):
        places = state_lines(seen)
    places = places or call_lines(seen, attempt.program.origin.name)
    return places[0] if places else ("", 0)


def _is_of_state(attempt: Attempt) -> bool:
    found = explanation(attempt)
    return found is not None and found.entry is not None and found.entry.id in OF_STATE


def told(attempt: Attempt, known: set[str]) -> list[str]:
    """One exporter's outcome with what explains it; ``known`` are the entries shown before."""
    record = attempt.record
    outcome = Outcome(record.outcome)
    what = f"in phase {record.phase}" if outcome is Outcome.ERROR else outcome.meaning
    lines = [f"{attempt.exporter.name}: {outcome}, {what}", *_places(attempt)]
    if error := record.error:
        first, *more = essential_lines(error.message)
        lines += [f"  {error.type}: {first}", *(f"    {line}" for line in more)]
    lines += _entry(attempt, known)
    against = [s for s in record.samples if s.counts_against]
    for sample in against[:3]:
        lines.append(f"  {one_sample(sample)}")
    if len(against) > 3:
        lines.append(f"  and {len(against) - 3} more samples")
    lines += [f"  {f.id}: {f.message}" for f in record.findings]
    constants = [d for d in record.facts.get("dims", ()) if not d["kept"]]
    if constants:
        became = ", ".join(f"{d['source']} became {d['value']}" for d in constants)
        lines.append(f"  dims that became constants: {became}")
    return lines


def _places(attempt: Attempt) -> list[str]:
    """The lines it is about, each with what was assumed there."""
    if Outcome(attempt.record.outcome).faultless:
        return []
    seen = attempt.seen
    why: dict[Place, list[str]] = {}
    if (place := user_line(attempt))[1]:
        why[place] = [question(seen.asked)] if seen.asked else []
    for line, text, _, file in assumptions(seen):
        why.setdefault((file, line), []).append(f"assumes that {text}")
    if attempt.record.error is None:
        decided = "decides on a size: the capture has the side that the example took"
        for place in decision_lines(seen):
            why.setdefault(place, []).append(decided)
    if attempt.record.error is None and not why:
        why |= {place: [] for place in state_lines(seen)}
    lines = []
    for (file, line), texts in why.items():
        source = seen.text_of(file).splitlines()
        if 0 < line <= len(source):
            where = f"{Path(file).name}, " if file else ""
            lines.append(f"  {where}line {line}: {source[line - 1].strip()}")
            lines += [f"    {text}" for text in texts]
    return lines


def question(asked: str) -> str:
    """What torch wants to know: whether something holds, or a number."""
    return f"asks whether {asked}" if _is_condition(asked) else f"needs the number {asked}"


def _is_condition(asked: str) -> bool:
    """Whether torch asked for a yes or a no, and not for a number.

    >>> _is_condition("x.shape[0] > 3"), _is_condition("top.shape[0]")
    (True, False)
    """
    try:
        node = ast.parse(asked, mode="eval").body
    except SyntaxError:
        return True
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def entry_of(attempt: Attempt) -> Entry | None:
    """The entry that surely explains the attempt: by its error, or by what it keeps."""
    found = explanation(attempt)
    if found is None and state_lines(attempt.seen):
        return catalogue.load(only=[STATE[0]]).entries.get(STATE[0])
    return found.entry if found else None


def _entry(attempt: Attempt, known: set[str]) -> list[str]:
    entry = entry_of(attempt)
    if entry is None or entry.id in known:
        return []
    known.add(entry.id)
    said = f"{entry.id} {entry.title}. {entry.meaning}"
    return prose.lines(said, "  ")


def not_fixed(attempt: Attempt, tried: int, out_of_time: bool, reduced: bool) -> list[str]:
    """What to read and do next where no change that was tried helps; ``reduced`` says that the
    small program is there already."""
    lines = [f"no change that was tried fixes it ({plural(tried, 'program')} examined)"]
    if out_of_time:
        lines += ["there was no time to try everything: --seconds allows more"]
    if attempt.seen.asked and _is_condition(attempt.seen.asked):
        lines += prose.lines(
            f"torch cannot know whether {attempt.seen.asked} at line {attempt.seen.line}: if the "
            "answer is always the same, torch._check it before that line"
        )
    found = explanation(attempt)
    if found is None:
        if state_lines(attempt.seen):
            entry = catalogue.load(only=[STATE[0]]).entries.get(STATE[0])
            lines += _advice(entry.remedy if entry else "")
            lines += [f"the same in a few lines, and what captures: exportdb show {STATE[1]}"]
        return [*lines, *([] if reduced else [_MINIMISE])]
    lines += _advice(found.entry.remedy if found.entry else "")
    if not found.entry and found.answers:
        lines += ["similar, not sure:"]
        lines += [f"  {a.entry.id}: {a.entry.title}" for a in found.answers]
    for shown in found.cases[:1]:
        captured = f", captured as {shown.rewrite.id}" if shown.rewrite else ""
        lines.append(f"the nearest case: exportdb show {shown.case.id}{captured}")
        lines += [textwrap.indent(shown.diff, "  ")] if shown.diff else []
    return [*lines, *([] if reduced else [_MINIMISE])]


#: What can always be done next.
_MINIMISE = "next: the same command with --minimise, for a small program that shows it"


def _advice(remedy: str) -> Sequence[str]:
    return prose.lines(f"what to do: {remedy}") if remedy else []

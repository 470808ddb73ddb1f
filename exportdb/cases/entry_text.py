"""An entry of the catalogue as text: what it is, what it means, what to do, what to change.

Owns the words that ``explain`` and ``show`` have in common. What an entry holds is said by
``exportdb.cases.catalogue``.
"""

from __future__ import annotations

from exportdb.cases.catalogue import Entry
from exportdb.prose import filled


def entry_lines(entry: Entry) -> list[str]:
    """Title, meaning, remedy, causes, and how the remedy depends on the place, as lines."""
    lines = [f"{entry.id}: {entry.title}", "", filled(entry.meaning), ""]
    lines += ["What to do:", filled(entry.remedy, "  ")]
    if entry.causes:
        lines += ["", "Which cause it is:"]
        lines += [filled(cause, "    ", "  - ") for cause in entry.causes]
    if entry.where:
        lines += ["", "It depends on where it was raised:", filled(entry.where, "  ")]
    return lines


def versions(entry: Entry) -> str:
    """Which releases of torch, or of another package, say what an entry explains, or why that
    cannot be told; "" where neither is known."""
    told = (("since", entry.since), ("until", entry.until))
    known = ", ".join(f"{word} {version}" for word, version in told if version)
    return known or entry.undated


def dated_by(entry: Entry) -> str:
    """What :func:`versions` is about: a package, or that none is known."""
    return entry.package if entry.since else "undated"


def said_by(entry: Entry) -> str:
    """Which releases of which package say it, or why that cannot be told, as lines; or ""."""
    known, head = versions(entry), f"{dated_by(entry)}:"
    return filled(known, " " * 13, f"{head:<12} ") if known else ""


def change(entry: Entry) -> str:
    """What makes the program of an entry that fails the one that works; "" where it has none."""
    return diff(entry.fails, entry.works, "fails", "works") if entry.fails else ""


def diff(before: str, after: str, one: str, other: str) -> str:
    """What makes one program another, as a unified diff; ``one`` and ``other`` are their names."""
    import difflib  # most of what is shown has no diff

    rows = difflib.unified_diff(before.splitlines(), after.splitlines(), one, other, "", "", 2, "")
    return "\n".join(rows)

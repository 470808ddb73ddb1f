"""When files of a folder were last changed, as far as git knows.

Owns how git is asked; a folder that is no checkout, or a machine without git, knows nothing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

#: When, as a date in ISO 8601, and in which commit.
Change = tuple[str, str]


def last_changes(folder: Path, pattern: str) -> dict[str, Change]:
    """The last commit of each file under ``folder`` whose name fits ``pattern``, by its path there.

    A file with changes that nobody committed is left out.
    """
    found: dict[str, Change] = {}
    here: Change = ("", "")
    log = ("log", "--format=%x00%cs %h", "--name-only", "--relative", "--", pattern)
    for line in _git(folder, *log):
        if line.startswith("\0"):
            date, _, commit = line[1:].partition(" ")
            here = (date, commit)
        elif line:
            found.setdefault(line, here)
    for path in _git(folder, "diff", "--name-only", "--relative", "HEAD", "--", pattern):
        found.pop(path, None)
    return found


def _git(folder: Path, *words: str) -> list[str]:
    """What git prints, by lines; nothing where it fails."""
    try:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", "-C", str(folder), *words],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []

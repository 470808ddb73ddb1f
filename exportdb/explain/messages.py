"""The part of an error message that a reader needs: what is wrong, and how to fix it.

Messages of torch end in stacks, links and names of variables, with the fix in between. Owns what of
a message is left out; which error it is, is left to ``exportdb.explain``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exportdb.explain import reading

#: Lines that say what is wrong before the rest is counted, and characters of a line.
MOST, WIDEST = 5, 1000
#: What stands for a message without any text.
NO_MESSAGE = "no message"

_STACK = re.compile(
    r"\s*(?:from user code|user stack|traceback \(|caused by:|stack from|the following call raised"
    r"|framework stack|c\+\+ stack)", re.IGNORECASE,
)  # fmt: skip
_NOISE = re.compile(
    r"\s*(?:for (?:more|extended|c\+\+) |if you suspect|the error above occurred|developer debug"
    r"|set torchdynamo_verbose|while executing|original traceback|explanation:\s*$"
    r"|the above exception was the direct cause|during handling of the above exception)",
    re.IGNORECASE,
)  # fmt: skip
_FIX = re.compile(
    r"\s*(?:suggested fix|to fix|hint:|consider |please |you can |try |did you |instead[, ])",
    re.IGNORECASE,
)


def essential_lines(message: str) -> list[str]:
    """What is wrong, then how to fix it, without stacks and links: whole lines, at least one.

    What is wrong is cut to its first lines; what fixes it never is.

    >>> essential_lines("no n\\n\\nUser stack:\\n  File 'a.py'\\n\\nSuggested fixes:\\n  n = 5\\n")
    ['no n', 'Suggested fixes:', '  n = 5']
    """
    wrong: list[str] = []
    fixes: list[str] = []
    for line, is_fix in _sorted(reading.clean(message).split("\n")):
        (fixes if is_fix else wrong).append(_bounded(line))
    if not wrong and not fixes:
        return [NO_MESSAGE]
    more = len(wrong) - MOST
    return wrong[:MOST] + ([f"... {more} more lines"] if more > 0 else []) + fixes


def _sorted(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """The lines that count, each with whether it is part of a fix."""
    in_stack = in_fix = False
    for line in lines:
        if not line.strip():
            in_stack = in_fix = False
        elif _FIX.match(line):
            in_stack, in_fix = False, True
        elif _STACK.match(line):
            in_stack, in_fix = True, False
        elif _NOISE.match(line):
            in_fix = False
            continue
        if line.strip() and not in_stack:
            yield line.rstrip(), in_fix


def _bounded(line: str) -> str:
    """A line of which the middle is left out where it is too long: a fix may stand at its end."""
    half = WIDEST // 2
    return line if len(line) <= WIDEST else f"{line[:half]} ... {line[-half:]}"

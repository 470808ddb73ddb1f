"""The user's own line of a traceback, whoever wrote it down: Python, a notebook, pytest or rich.

Owns which frames are a library's and where a frame says its file, line, function and source. The
explain page does the same in ``site/static/explaining.js``; a test holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from exportdb.explain.reading import FRAME, bare, each, plain

_TORCH_FILE = (
    r"[/\\]torch[/\\](?:_dynamo|export|_export|fx|nn|_functorch|_inductor|_ops|onnx|utils|jit"
    r"|_subclasses|_higher_order_ops|_library|_guards|_compile|_tensor|_C|autograd|__init__)"
    r"|^torch[/\\]|-packages[/\\]torch[/\\]"
)
#: Our own files in a checkout, which no path of installed packages gives away.
_OUR_FILE = (
    r"[/\\]exportdb[/\\](?:(?:conformance|devices|diagnose|environments|executors|exporters|hunt"
    r"|runner|suites|symbolic)[/\\]|plugins\.py$)"
)
#: Regular expressions that the page uses too: without classes that JavaScript reads otherwise.
PATTERNS = {
    "torch": _TORCH_FILE,
    "library": r"site-packages|dist-packages|[/\\]lib[/\\]python[0-9]|[/\\]bin[/\\][^/\\.]+$"
    r"|<frozen|<string>|<eval_with_key>"
    rf"|{_TORCH_FILE}|{_OUR_FILE}|executorch[/\\]exir",
    # A frame of pytest or rich, and one of an older notebook, which says its line below, at an
    # arrow.
    "placed": r"^[ \t]*([^ \t\":]{1,300}\.py):([0-9]{1,9}):?(?:,? in ([^\n]{0,200}))?$",
    "unplaced": r"^[ \t]*\[?((?:[~/<]|[A-Za-z]:\\)[^ \t\]]{1,300})\]?(?:\([^)]{0,300}\))?"
    r" in ([A-Za-z0-9_][^\n]{0,200})",
    "arrow": r"^[ \t]*(?:-+>|\u2771|>) ?\[?([0-9]{1,9})\]?(?:\([^)]{0,300}\))?[ \t]([^\n]*)",
    # What follows is the user's own, and a place that torch names without a traceback.
    "from_user": r"^[ \t]*from user code",
    "caused": r"(?:Caused by: |# )\(?([^ \t\n()]{1,200}\.py):([0-9]{1,9}) in ([A-Za-z0-9_]{1,80})",
}
_TORCH, _LIBRARY, _PLACED, _UNPLACED, _ARROW, _FROM_USER, _CAUSED = map(
    re.compile, PATTERNS.values()
)
#: Lines below a frame among which its own is marked.
BELOW = 12


@dataclass(frozen=True)
class UserLine:
    """A line of a program that a traceback names."""

    file: str
    line: int
    function: str
    source: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}"
        return where + (f" in {self.function}" if self.function else "")


def user_line(text: str) -> UserLine | None:
    """The last line of a traceback that is not of torch or another library, or None.

    What stands after ``from user code:`` counts before everything else, a library's line there too;
    torch's own only where nothing else is named: the body of torch.cond is called by torch itself.
    """
    said = plain(text)
    lines = each(bare, said.split("\n"))
    frames = [i for i, frame in enumerate(each(_is_frame, lines)) if frame]
    places = [(i, p) for i in frames if (p := _place(lines, i))]
    starts = [i for i, found in enumerate(each(_FROM_USER.match, lines)) if found]
    own, not_torchs, last = (_last(places, of) for of in (_LIBRARY, _TORCH, None))
    for start in reversed(starts):
        for at, found in (own, not_torchs):
            if at >= start:
                return found
    if own[1] or (starts and last[0] >= starts[0]):
        return own[1] or last[1]
    caused = _CAUSED.search(said)
    return UserLine(caused[1], int(caused[2]), caused[3], "") if caused else None


def _last(
    places: list[tuple[int, UserLine]], foreign: re.Pattern[str] | None
) -> tuple[int, UserLine | None]:
    """The last place in no such file, with where it stands; -1 and None where there is none."""
    for at, place in reversed(places):
        if foreign is None or not foreign.search(place.file):
            return at, place
    return -1, None


def _is_frame(line: str) -> bool:
    return bool(FRAME.match(line) or _PLACED.match(line) or _UNPLACED.match(line))


def _place(lines: list[str], at: int) -> UserLine | None:
    """What the frame that begins in this line says, or None where none does."""
    if frame := FRAME.match(lines[at]) or _PLACED.match(lines[at]):
        file, line, function = frame.groups("")
        marked = _marked(lines, at)
        below = lines[at + 1] if at + 1 < len(lines) else ""
        after = below if below.startswith((" ", "\t")) else ""
        source = marked[1] if marked and marked[0] == int(line) else after
        return UserLine(file, int(line), function.strip(" \t"), source.strip(" \t"))
    if (frame := _UNPLACED.match(lines[at])) and (marked := _marked(lines, at)):
        return UserLine(frame[1], marked[0], frame[2].strip(" \t"), marked[1].strip(" \t"))
    return None


def _marked(lines: list[str], at: int) -> tuple[int, str] | None:
    """Number and source of the line that is marked below a frame, before the next frame."""
    for line in lines[at + 1 : at + 1 + BELOW]:
        if _is_frame(line):
            return None
        if arrow := _ARROW.match(line):
            return int(arrow[1]), arrow[2]
    return None

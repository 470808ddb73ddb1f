"""The user's own line of a traceback, whoever wrote it down: Python, a notebook, pytest or rich.

Owns which frames are a library's and where a frame says its file, line, function and source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from exportdb.explain.reading import FRAME, bare, each, plain

_TORCH = re.compile(
    r"[/\\]torch[/\\](?:_dynamo|export|_export|fx|nn|_functorch|_inductor|_ops|onnx|utils|jit"
    r"|_subclasses|_higher_order_ops|_library|_guards|_compile|_tensor|_C|autograd|__init__)"
    r"|^torch[/\\]|-packages[/\\]torch[/\\]"
)
#: Our own files in a checkout, which no path of installed packages gives away.
_OURS = re.compile(
    r"[/\\]exportdb[/\\](?:(?:conformance|devices|diagnose|environments|executors|exporters|hunt"
    r"|runner|suites|symbolic)[/\\]|plugins\.py$)"
)
_LIBRARY = re.compile(
    r"site-packages|dist-packages|[/\\]lib[/\\]python\d|[/\\]bin[/\\][^/\\.]+$"
    r"|<frozen|<string>|<eval_with_key>"
    rf"|{_TORCH.pattern}|{_OURS.pattern}|executorch[/\\]exir"
)
#: A frame of pytest or rich, and one of an older notebook, which says its line below, at an arrow.
_PLACED = re.compile(r"[ \t]*([^ \t\":]{1,300}\.py):([0-9]+):?(?:,? in (.{0,200}))?$")
_UNPLACED = re.compile(
    r"[ \t]*\[?((?:[~/<]|[A-Za-z]:\\)[^ \t\]]{1,300})\]?(?:\([^)]{0,300}\))? in (\w.{0,200})"
)
_ARROW = re.compile(r"[ \t]*(?:-+>|\u2771|>) ?\[?([0-9]+)\]?(?:\([^)]{0,300}\))?[ \t](.*)")
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
    starts = [i for i, line in enumerate(lines) if line.lstrip().startswith("from user code")]
    named = [[p for i, p in places if i >= start] for start in reversed(starts)]
    for found in named:
        for foreign in (_LIBRARY, _TORCH):
            if own := [p for p in found if not foreign.search(p.file)]:
                return own[-1]
    every = [p for _, p in places if not _LIBRARY.search(p.file)]
    if every or any(named):
        return (every or next(filter(None, named)))[-1]
    caused = re.search(r"(?:Caused by: |# )\(?([^\s()]{1,200}\.py):(\d+) in (\w{1,80})", said)
    return UserLine(caused[1], int(caused[2]), caused[3], "") if caused else None


def _is_frame(line: str) -> bool:
    return bool(FRAME.match(line) or _PLACED.match(line) or _UNPLACED.match(line))


def _place(lines: list[str], at: int) -> UserLine | None:
    """What the frame that begins in this line says, or None where none does."""
    if frame := FRAME.match(lines[at]) or _PLACED.match(lines[at]):
        file, line, function = frame.groups("")
        marked = _marked(lines, at)
        after = lines[at + 1] if at + 1 < len(lines) and lines[at + 1][:1].isspace() else ""
        source = marked[1] if marked and marked[0] == int(line) else after
        return UserLine(file, int(line), function.strip(), source.strip())
    if (frame := _UNPLACED.match(lines[at])) and (marked := _marked(lines, at)):
        return UserLine(frame[1], marked[0], frame[2].strip(), marked[1].strip())
    return None


def _marked(lines: list[str], at: int) -> tuple[int, str] | None:
    """Number and source of the line that is marked below a frame, before the next frame."""
    for line in lines[at + 1 : at + 1 + BELOW]:
        if _is_frame(line):
            return None
        if arrow := _ARROW.match(line):
            return int(arrow[1]), arrow[2]
    return None

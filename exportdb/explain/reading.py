"""What a pasted error text says: the words to match, and what of it is the user's own.

Owns the way from raw text (terminal colours, prefixes of logs, lines broken at the edge of a
terminal, frames of a traceback) to tokens, and finding the user's line, the symbols and the
expressions that an error names. What the words mean is left to ``matching``. The explain page does
the same in ``site/static/matching.js``; a test holds the two together.

Every regular expression here is anchored or without nested repetition: its time grows with the
length of the text and never faster.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

#: Characters of a text that are read; the rest of a log says nothing new.
LONGEST = 1_050_000
#: Words that are matched, from the beginning and from the end, and how often a line may come again.
FIRST, LAST, AGAIN = 10_000, 30_000, 2

#: Regular expressions that the page uses too: without classes that JavaScript reads otherwise.
PATTERNS = {
    "terminal": r"(?:\x1b|\^\[)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))",
    "control": r"[\x00-\x08\x0b-\x1f\x7f]",
    # What logs, test runners and process groups put before a line.
    "prefix": r"^(?:[ \t]*\[(?:[A-Za-z0-9_-]*rank)?[0-9]+\]:? ?"
    r"|[VIWEF][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ +[0-9]+ [^\]]{1,200}\] ?"
    r"(?:\[[^\]]{1,40}\] ?){0,4}"
    r"|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:,.]+Z?\]? ?(?:\[[^\]]{1,40}\] ?){0,4}"
    r"|\([A-Za-z0-9_]{1,40} pid=[0-9]+[^)]{0,60}\) ?"
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)[: ]{1,2}(?:[A-Za-z0-9_.]{1,60}:)?"
    r"|E {2,}|> {2,}| *[|\u2502] )",
    "pytest": r"^E(?: {2,}|$)",
    # What torch says around every error, whatever it is: it tells nothing of this one.
    "footer": r"^[ \t]*(?:Set (?:TORCH_LOGS|TORCHDYNAMO_VERBOSE|torch\._dynamo\.config\.verbose)"
    r"|You can suppress this exception|import torch\._dynamo *$"
    r"|=+ (?:Diagnostic Run|[0-9]+ NONE [0-9]+ NOTE)|verbose: [A-Za-z]{4,5}, log level"
    r"|torch\._dynamo\.config\.suppress_errors|\(scroll up for backtrace\)"
    r"|The error above occurred when calling torch\.export)",
    # What a warning said, which ends nothing, and what begins a traceback.
    "warning": r"^(?:[^ \t].{0,400}:[0-9]{1,7}: )?[A-Za-z_.]{0,60}Warning: ",
    "warned": r"^ {2,3}[^ ]",  # the source that Python shows below a warning
    "ended": r"^[ \t]*(?:[A-Za-z_][A-Za-z0-9_.]{0,100})?(?:Error|Exception|Unsupported)[ :]",
    "traceback": r"Traceback \(most recent call last",
    "frame": r"^[ \t]*File \"?([^\"]{1,400}?)\"?(?:, line |:)([0-9]+)(?:, in (.{0,200}))?",
    # The frame of an older notebook, whose line numbers stand at its source alone.
    "cell": r"^[ \t]*(?:[~/<]|[A-Za-z]:\\)[^ \t]{1,300} in [A-Za-z_<][A-Za-z0-9_<>]{0,100}(?:\(|$)",
    "source": r"^(?:[ \t]{4,}|[ \t]*(?:-+> ?)?\[?[0-9]+\]?[ (])",
    "marks": r"^[ \t~^]+$",
    # What Python says between exceptions, and the exception that a line of a program raises.
    "between": r"^[ \t]*(?:Traceback \(most recent call last|The above exception was the direct"
    r"|During handling of the above exception)",
    "raises": r"^[ \t>0-9-]{0,40}raise ([A-Za-z_.]{1,80})",
    # What begins a line of its own, however long the line above it is.
    "begins": r"^(?:[ \t]*File "
    r"|[A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Unsupported)(?::|$))",
    # A line that says what failed, after what failed because of it.
    "exception": r"^[ \t]*[A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Unsupported): *[^ ]",
    # The number of an error (0x:14) is a word: another number is another error.
    "token": r"x:[0-9a-f]{1,2}(?![0-9a-z_])|[a-z_][a-z0-9_]*|[0-9]+|[=!<>]=",
    "symbol": r"^(?:[suif]|zuf|zf)[0-9]+$",
    "word": r"[A-Za-z_][A-Za-z0-9_]{2,}",
    "part": r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+",
    # A place in the sources of torch or of what takes its programs, as tracebacks of several makes
    # and names of modules say it: the module, and the function if that is said.
    "place": r"(?:^|[^A-Za-z0-9_.])((?:torch|executorch|onnxruntime|onnxscript|torch_tensorrt"
    r"|coremltools|openvino|ai_edge_torch|litert_torch|torch_mlir|torch_migraphx|torch_xla|torchax"
    r"|optimum|iree|tvm|triton)(?:[/\\\\.][A-Za-z_][A-Za-z0-9_]{0,60}){1,8})"
    r"(?:(?:(?:\"?, line |:|\()[0-9]{1,7}\)?[:,]? ?(?:in )?| in )([A-Za-z_][A-Za-z0-9_]{0,60})?)?",
}
(
    _TERMINAL,
    _CONTROL,
    _PREFIX,
    _PYTEST,
    _FOOTER,
    _WARNING,
    _WARNED,
    _ENDED,
    _TRACEBACK,
    _FRAME,
    _CELL,
    _SOURCE,
    _MARKS,
    _BETWEEN,
    _RAISES,
    _BEGINS,
    _EXCEPTION,
    _TOKEN,
    _SYMBOL_TOKEN,
    _WORD,
    _PART,
    _PLACE,
) = map(re.compile, PATTERNS.values())
#: Letters of a word that make a term, ``decomposition`` and ``decompose`` being one, and letters
#: that it has at least.
STEM, SHORT = 6, 3
#: How many places, the last of a text, are looked at.
PLACES = 4
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
    r"site-packages|dist-packages|[/\\]lib[/\\]python\d|<frozen|<string>|<eval_with_key>"
    rf"|{_TORCH.pattern}|{_OURS.pattern}|executorch[/\\]exir"
)
_SYMBOL = re.compile(r"\b(?:[su]|zuf|i)\d{1,4}\b")
_EXPRESSION = re.compile(
    r"data-dependent expression (.{1,200}?) \(unhinted"
    r"|we were trying to evaluate is (.{1,200}?) \(unhinted"
    r"|[Gg]uard failed: (.{1,200})"
    r"|satisfy the generated guard (.{1,200}?)\.?$"
    r"|assertion failed for expression (.{1,200}?) on node"
    r"|specialized it to be a constant \((\w{1,40})\)",
    re.MULTILINE,
)
_OPERATOR = re.compile(
    r"\b(?:torch\.ops\.)?((?:aten|prims|torchvision|quantized_decomposed|quantized|mylib)"
    r"(?:\.|::)[\w.]{1,60})"
)


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


@dataclass(frozen=True)
class ErrorText:
    """A text as it is matched.

    ``lines`` are those that may say what went wrong, without prefixes and frames; ``tokens`` their
    words, ``last`` those from the last exception on; ``terms`` what these words are put together
    of; ``context`` the words of the whole text, frames included.
    """

    lines: tuple[str, ...]
    tokens: tuple[str, ...]
    terms: frozenset[str]
    context: frozenset[str]
    last: tuple[str, ...]


@lru_cache(maxsize=1)
def read(text: str) -> ErrorText:
    """The words of a text to match; several ask in turn for those of one text.

    >>> read("E   RuntimeError: Could not guard on u0 == 12").tokens
    ('runtimeerror', 'could', 'not', 'guard', 'on', '$', '==', '#')
    """
    raw = clean(text)
    lines = _unwrapped(raw.split("\n"))
    kept = _without_frames([_bare(line) for line in _told(lines)])
    raised = bool(_TRACEBACK.search(raw)) or any(map(_ENDED.match, lines))
    telling = [s for s in (_without_warnings(kept) if raised else kept) if not _FOOTER.match(s)]
    said = tuple(telling if _TOKEN.search("\n".join(telling).lower()) else kept)
    seen: Counter[tuple[str, ...]] = Counter()
    words: list[str] = []
    begins = 0
    for line in said:
        told_here = tokens(line)
        seen[told_here] += 1
        if seen[told_here] <= AGAIN:
            begins = len(words) if _EXCEPTION.match(line) else begins
            words += told_here
    last = tuple(words[begins:][-LAST:])
    if len(words) > FIRST + LAST:
        words = words[:FIRST] + words[-LAST:]
    raising = [_bare(line) for line in lines if "raise " in line]
    told_of = "\n".join(line for line in raw.split("\n") if not _FOOTER.match(line))
    named = [found[1] for line in raising if (found := _RAISES.match(line))]
    about = (terms("\n".join([*said, *named])) or terms(raw)) | place_terms(told_of)
    return ErrorText(said, tuple(words), about, frozenset(_TOKEN.findall(raw.lower())), last)


def _told(lines: list[str]) -> list[str]:
    """Of a pytest report, what it says of the error; of another text, everything.

    Where a report is cut in the error, the first line of it has lost its mark.
    """
    marked = [i for i, line in enumerate(lines) if _PYTEST.match(line)]
    if not marked:
        return lines
    before = [i - 1 for i in marked[:1] if i and _EXCEPTION.match(lines[i - 1])]
    return [lines[i] for i in before + marked]


def clean(text: str) -> str:
    """``text`` without colours and control characters, lines ended by a line feed."""
    text = _TERMINAL.sub("", text[:LONGEST]).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub(" ", text).encode("utf-8", "replace").decode("utf-8")


def tokens(text: str) -> tuple[str, ...]:
    """Words, numbers (as ``#``), symbols of sizes (as ``$``) and comparisons, in order."""
    return tuple(map(_token, _TOKEN.findall(text.lower())))


def terms(text: str) -> frozenset[str]:
    """What the words of a text are put together of, each cut to its stem, and names as a whole.

    >>> sorted(terms("ExportedProgram.run_decompositions"))
    ['decomp', 'export', 'exportedprogram', 'progra', 'run', 'run_decompositions']
    """
    found: set[str] = set()
    for word in set(_WORD.findall(text)):
        parts = _PART.findall(word)
        found.update(p[:STEM].lower() for p in parts if len(p) >= SHORT)
        if len(parts) > 1:
            found.add(word.lower())
    return frozenset(found)


def place_terms(text: str) -> frozenset[str]:
    """The modules and functions of torch and its kin that a traceback ends in.

    >>> sorted(place_terms('File "/a/torch/fx/proxy.py", line 7, in iter'))
    ['torch.fx', 'torch.fx.proxy', 'torch.fx.proxy:iter']
    """
    ends = [found for line in text.split("\n") if (found := _PLACE.search(line))][-PLACES:]
    terms: set[str] = set()
    for module, function in (end.groups("") for end in ends):
        parts = re.split(r"[/\\.]", module.removesuffix(".py"))
        name = parts[0]
        terms.add(f"{name}.")  # a package alone, which a word may be, too
        for part in parts[1:]:
            name += f".{part}"
            terms.add(name)
        if function:
            terms.add(f"{name}:{function}")
    terms.discard("torch.")
    return frozenset(terms)


def _token(word: str) -> str:
    if word[0].isdigit():
        return "#"
    return "$" if _SYMBOL_TOKEN.match(word) else word


def _unwrapped(lines: list[str]) -> list[str]:
    """Lines that a terminal broke at its edge, made whole."""
    width = max(map(len, lines), default=0)
    if not 60 <= width <= 240 or sum(len(line) == width for line in lines) < 2:
        return lines
    whole = [""]
    for line in lines:
        if whole[-1] and _BEGINS.match(line):
            whole.append("")
        whole[-1] += line
        if len(line) < width:
            whole.append("")
    return whole


def _bare(line: str) -> str:
    """A line without up to four prefixes."""
    for _ in range(4):
        found = _PREFIX.match(line)
        if not found or not found[0]:
            break
        line = line[found.end() :]
    return line


def _without_frames(lines: list[str]) -> list[str]:
    kept, after = [], False
    for line in lines:
        if _FRAME.match(line) or _CELL.match(line):
            after = True
        elif _MARKS.match(line) or _BETWEEN.match(line) or (after and _SOURCE.match(line)):
            continue
        else:
            after = False
            kept.append(line)
    return kept


def _without_warnings(lines: list[str]) -> list[str]:
    kept, after = [], False
    for line in lines:
        shown = after and bool(_WARNED.match(line))
        after = bool(_WARNING.match(line))
        if not (after or shown):
            kept.append(line)
    return kept


def user_line(text: str) -> UserLine | None:
    """The last line of a traceback that is not of torch or another library, or None.

    What stands after ``from user code:`` counts before everything else, a library's line there too;
    torch's own only where nothing else is named: the body of torch.cond is called by torch itself.
    """
    lines = [_bare(line) for line in clean(text).split("\n")]
    places = [(i, p) for i, line in enumerate(lines) if (p := _place(lines, i, line))]
    starts = [i for i, line in enumerate(lines) if line.strip().startswith("from user code")]
    said = [[p for i, p in places if i >= start] for start in reversed(starts)]
    for found in said:
        for foreign in (_LIBRARY, _TORCH):
            if own := [p for p in found if not foreign.search(p.file)]:
                return own[-1]
    every = [p for _, p in places if not _LIBRARY.search(p.file)]
    if every or any(said):
        return (every or next(filter(None, said)))[-1]
    caused = re.search(r"(?:Caused by: |# )\(?([^\s()]{1,200}\.py):(\d+) in (\w{1,80})", text)
    return UserLine(caused[1], int(caused[2]), caused[3], "") if caused else None


def _place(lines: list[str], at: int, line: str) -> UserLine | None:
    frame = _FRAME.match(line)
    if not frame:
        return None
    source = lines[at + 1].strip() if at + 1 < len(lines) and _SOURCE.match(lines[at + 1]) else ""
    return UserLine(frame[1], int(frame[2]), (frame[3] or "").strip(), source)


def symbols(text: str) -> tuple[str, ...]:
    """Symbols of sizes and numbers that a message names, in order."""
    return tuple(dict.fromkeys(_SYMBOL.findall("\n".join(read(text).lines))))[:8]


def expressions(text: str) -> tuple[str, ...]:
    """Conditions and constants that a message names, in order."""
    found = _EXPRESSION.findall("\n".join(read(text).lines))
    return tuple(dict.fromkeys(e.strip() for groups in found for e in groups if e))[:5]


def operators(text: str) -> tuple[str, ...]:
    """Operators that a message names, in order."""
    return tuple(dict.fromkeys(_OPERATOR.findall("\n".join(read(text).lines))))[:5]

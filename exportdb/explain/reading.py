"""What a pasted error text says: the words to match, without what was put around them.

Owns the way from raw text (terminal colours, prefixes of logs, lines broken at the edge of a
terminal, frames of a traceback) to tokens, and finding the symbols and the expressions that an
error names. What the words mean is left to ``matching``, and the user's line to ``frames``. The
explain page does the same in ``site/static/matching.js``; a test holds the two together.

Every regular expression here is anchored or without nested repetition: its time grows with the
length of the text and never faster.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

#: Characters of a text that are read, and how many of them from its beginning: what ended a program
#: stands at the end of its log.
LONGEST, HEAD = 1_050_000, 300_000
#: Words that are matched, from the beginning and from the end, and how often a line may come again.
FIRST, LAST, AGAIN = 10_000, 30_000, 2

T = TypeVar("T")

#: Regular expressions that the page uses too: without classes that JavaScript reads otherwise.
PATTERNS = {
    "terminal": r"(?:(?:\x1b|\^\[)\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:(?:\x1b|\^\[)\]|\x9d)[^\x07\x1b\x9c]{0,200}(?:\x07|\x1b\\|\x9c)",
    # What a terminal obeys, of one byte and of two, and what turns the direction of a line about.
    "control": r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]",
    # Empty lines, of which so many say what a few say.
    "blank": r"\n{18,}",
    # Letters of two bytes, as ONNX Runtime prints them on Windows: a blank after each.
    "wide": r"(?:[^ \t\n] |  ){16,}",
    # What a page of the web and a line of JSON put into a text.
    "tag": r"</?(?:a|b|br|code|div|em|font|i|li|p|pre|samp|span|strong|td|th|tr|tt|u|ul)"
    r"(?: [a-z-]+=[^<>]{0,300})? ?/?>",
    "entity": r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27);",
    "escaped": r"\\n",
    # What logs, test runners and process groups put before a line.
    "prefix": r"^(?:[ \t]*\[(?:[A-Za-z0-9_-]*rank ?)?[0-9]+\]:? ?"
    r"|[VIWEF][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ +[0-9]+ [^\]]{1,200}\] ?"
    r"(?:\[[^\]]{1,40}\] ?){0,4}"
    r"|\[?(?:[0-9]{4}-)?[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9:,.]+Z?\]? ?"
    r"(?:\[[^\]]{1,60}\] ?|[|-] |std(?:err|out) [FP] "
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)[: ] {0,8}|[^ ]{1,60} {1,8}[|-] ){0,8}"
    r"|\[[0-9/-]{0,12} ?[0-9]{2}:[0-9]{2}:[0-9]{2}[0-9.,]{0,10}\] ?(?:\[[^\]]{1,40}\] ?){0,4}"
    r"|\([A-Za-z0-9_]{1,40} pid=[0-9]+[^)]{0,60}\) ?"
    r"|[a-z][a-z0-9_-]{0,40}[-_][0-9]{1,4} +\| "
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)[: ]{1,2}(?:[A-Za-z0-9_.]{1,60}:)?"
    r"|E {2,}|>(?: +|$)| *[|\u2502] )",
    # The mark of a line that was quoted in an answer.
    "quote": r"^[ \t]{0,3}> ?",
    # The right edge of a box, a line that fills it, and one that may go on with that line.
    "box": r"[\u2502\u256e\u256f]",
    "full": r"^[ \t]{0,40}\u2502.{20,398}[^ \u2502\u2500] ?\u2502[ \t]{0,8}$",
    "goes_on": r"^[ \t]{0,40}\u2502 ?(?=[^ \u2502\u2500\u2771])",
    "edge": r"[ \t\u2500]{0,200}[\u2502\u256e\u256f][ \t]{0,8}$",
    "pytest": r"^E(?: {2,}|$)",
    # What torch says around every error, whatever it is: it tells nothing of this one.
    "footer": r"^[ \t]*(?:Set (?:TORCH_LOGS|TORCHDYNAMO_VERBOSE|torch\._dynamo\.config\.verbose)"
    r"|You can suppress this exception|import torch\._dynamo *$"
    r"|=+ (?:Diagnostic Run|[0-9]+ NONE [0-9]+ NOTE)|verbose: [A-Za-z]{4,5}, log level"
    r"|always_classified is unsupported"  # torch.export, of most errors of strict mode
    r"|torch\._dynamo\.config\.suppress_errors|\(scroll up for backtrace\)"
    r"|failed while attempting to run meta for [a-z_]"
    # What a launcher of processes says when one of them has raised.
    r"|torch\.distributed\.elastic\.multiprocessing\.errors\.ChildFailedError"
    r"|Root Cause \(first observed failure|(?:time|host|rank|exitcode|error_file|traceback) {1,9}: "
    r"|(?:Hint: )?(?:It may be possible to write Dynamo tracing rules"
    r"|This is likely to be a Dynamo bug"
    r"|This graph break (?:is fundamental|may (?:be difficult to debug|have been caused by)))"
    r"|The error above occurred when calling torch\.export)",
    # What a warning said, which ends nothing, and what begins a traceback.
    "warning": r"^(?:[^ \t].{0,400}:[0-9]{1,7}: )?[A-Za-z_.]{0,60}Warning: ",
    "warned": r"^ {2,3}[^ ]",  # the source that Python shows below a warning
    "ended": r"^[ \t]*(?:[A-Za-z_][A-Za-z0-9_.]{0,100})?(?:Error|Exception|Unsupported)[ :]",
    "traceback": r"Traceback \(most recent call last",
    "frame": r"^[ \t]*File \"?([^\"]{1,400}?)\"?(?:, line |:)([0-9]{1,9})(?![0-9])"
    r"(?:,? in (.{0,200}))?",
    # The frame of an older notebook, whose line numbers stand at its source alone, of rich and of
    # pytest.
    "cell": r"^[ \t]*(?:\[?(?:[~/<]|[A-Za-z]:\\)[^ \t]{1,300}|[^ \t\":]{1,300}\.py:[0-9]+:?)"
    r" in(?: [A-Za-z_<][A-Za-z0-9_.<>]{0,100}(?:\(|$)|$)",
    "source": r"^(?:[ \t]{4,}|[ \t]*(?:(?:-+>|\u2771) ?)?\[?[0-9]+\]?[ (])",
    "marks": r"^[ \t~^]+$",
    # What Python says between exceptions (a notebook names the exception before it), and the
    # exception that a line of a program raises.
    "between": r"^[ \t\u256d\u2500]*(?:(?:[A-Za-z_][A-Za-z0-9_.]{0,100} {2,})?"
    r"Traceback \(most recent call last"
    r"|The above exception was the direct|During handling of the above exception)",
    "raises": r"^[ \t>0-9-]{0,40}raise ([A-Za-z_.]{1,80})",
    # The mark of the line that a notebook's frame stands at, and what a line that raises quotes.
    "marked": r"^[ \t]*(?:-+>|\u2771) ?[0-9]",
    "quoted": r"\"[^\"]{4,400}\"|'[^']{4,400}'",
    # The head of a notebook's traceback: all that names the exception where a frame ends the text.
    # One that Python raises for anything tells nothing.
    "head": r"^[ \t]*(?!(?:Key|Index|Value|Type|Attribute|Assertion|Name|Runtime|Import|OS)Error )"
    r"([A-Za-z_][A-Za-z0-9_.]{0,100}) {2,}Traceback \(most recent call last",
    # Where a package is installed says nothing of an error.
    "installed": r"(^|[ \t'\"(\[<=,])(?:[^ \t'\"(\[<=,]{1,300}[/\\\\])?"
    r"(?:site|dist)-packages[/\\\\]",
    # What every failed assertion of torch in C++ says, and the classes of Python's warnings: as
    # words, nothing of which one it is.
    "assertion": r"INTERNAL ASSERT FAILED|please report a bug to PyTorch"
    r"|\b(?:User|Future|Deprecation|Runtime)Warning\b",
    # What begins a line of its own, however long the line above it is.
    "begins": r"^(?:[ \t]*File "
    r"|[A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Unsupported)(?::|$))",
    # A line that says what failed, after what failed because of it.
    "exception": r"^[ \t]*[A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Unsupported): *[^ ]",
    # The number of an error (0x:14) is a word: another number is another error. A symbol in quotes
    # is a text that a program made of it, not the symbol.
    "token": r"'(?:[suif]|zuf|zf)[0-9]+'|x:[0-9a-f]{1,2}(?![0-9a-z_])"
    r"|[a-z_][a-z0-9_]*|[0-9]+|[=!<>]=",
    "symbol": r"^(?:[suif]|zuf|zf)[0-9]+$",
    "word": r"[A-Za-z_][A-Za-z0-9_]{2,}",
    "part": r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+",
    # A place in the sources of torch or of what takes its programs, as tracebacks of several makes,
    # names of modules and failed assertions of C++ say it: the module, and the function if that is
    # said.
    "place": r"(?:^|[^A-Za-z0-9_.])((?:torch|executorch|onnxruntime|onnxscript|torch_tensorrt"
    r"|coremltools|openvino|ai_edge_torch|litert_torch|torch_mlir|torch_migraphx|torch_xla|torchax"
    r"|optimum|iree|tvm|triton|nemo|mmdeploy|ultralytics)(?:[/\\\\.][A-Za-z_][A-Za-z0-9_]{0,60}){1,8}"
    r"|(?:aten[/\\\\]src|c10|caffe2)(?:[/\\\\][A-Za-z_][A-Za-z0-9_]{0,60}){1,8})"
    r"(?:\]\([^)]{0,300}\))?"
    r"(?:(?:(?:\"?, line |:|\()[0-9]{1,7}\)?[:,]? ?(?:in )?| in )([A-Za-z_][A-Za-z0-9_]{0,60})?)?",
}
(
    _TERMINAL,
    _CONTROL,
    _BLANK,
    _WIDE,
    _TAG,
    _ENTITY,
    _ESCAPED,
    _PREFIX,
    _QUOTE,
    _BOX,
    _FULL,
    _GOES_ON,
    _EDGE,
    _PYTEST,
    _FOOTER,
    _WARNING,
    _WARNED,
    _ENDED,
    _TRACEBACK,
    FRAME,
    _CELL,
    _SOURCE,
    _MARKS,
    _BETWEEN,
    _RAISES,
    _MARKED,
    _QUOTED,
    _HEAD,
    _INSTALLED,
    _ASSERTION,
    _BEGINS,
    _EXCEPTION,
    _TOKEN,
    _SYMBOL_TOKEN,
    _WORD,
    _PART,
    _PLACE,
) = map(re.compile, PATTERNS.values())
ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&nbsp;": " "}
#: Prefixes that a line may have, and characters of a line that ends in the edge of a box.
PREFIXES, WIDEST = 6, 400
#: Lines of a statement that raises which are looked at.
SHOWN = 8
#: Letters of a word that make a term, ``decomposition`` and ``decompose`` being one, and letters
#: that it has at least.
STEM, SHORT = 6, 3
#: Words that say nothing alone.
STOP = frozenset(
    """
    a an and are as at be been but by can cannot could did do does for from had has have if
    in is it its may must no not of on or please should so such than that the then there
    these this to up use used using was we were when which while will with would you your #
    error expected got given found type types tensor tensors torch function
    """.split()  # noqa: SIM905
)
#: How many places, the last of a text, are looked at.
PLACES = 4
#: What a message names: symbols, expressions (one of the groups) and operators. The page uses these
#: too.
NAMED = {
    "symbol_named": r"(?<![A-Za-z0-9_])(?:[su]|zuf|i)[0-9]{1,4}(?![A-Za-z0-9_])",
    "expression": r"data-dependent expression ([^\n]{1,200}?) \(unhinted"
    r"|we were trying to evaluate is ([^\n]{1,200}?) \(unhinted"
    r"|[Gg]uard failed: ([^\n]{1,200})"
    r"|satisfy the generated guard ([^\n]{1,200}?)\.?$"
    r"|assertion failed for expression ([^\n]{1,200}?) on node"
    r"|specialized it to be a constant \(([A-Za-z0-9_]{1,40})\)",
    "operator": r"(?<![A-Za-z0-9_])(?:torch\.ops\.)?((?:aten|prims|torchvision"
    r"|quantized_decomposed|quantized|mylib)(?:\.|::)[A-Za-z0-9_.]{1,60})",
}
_SYMBOL, _EXPRESSION, _OPERATOR = (re.compile(p, re.MULTILINE) for p in NAMED.values())


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
    raw = plain(text)
    lines = each(lambda line: _INSTALLED.sub(r"\1/", line), _unwrapped(raw.split("\n")))
    told = each(bare, _told(lines))
    kept = _without_frames(told)
    raised = bool(_TRACEBACK.search(raw)) or any(map(_ENDED.match, set(lines)))
    messages = _of_this_error(_without_warnings(kept) if raised else kept)
    said = tuple(messages if _TOKEN.search("\n".join(messages).lower()) else kept)
    said += _quoted_at_the_end(told)
    seen: Counter[tuple[str, ...]] = Counter()
    words: list[str] = []
    begins = 0
    for line, told_here in zip(said, each(tokens, said), strict=True):
        seen[told_here] += 1
        if seen[told_here] <= AGAIN:
            begins = len(words) if _EXCEPTION.match(line) else begins
            words += told_here
    last = tuple(words[begins:][-LAST:])
    if len(words) > FIRST + LAST:
        words = words[:FIRST] + words[-LAST:]
    raising = [bare(line) for line in lines if "raise " in line]
    told_of = "\n".join(_of_this_error(lines))
    named = [found[1] for line in raising if (found := _RAISES.match(line))]
    if not any(map(_EXCEPTION.match, set(said))):
        named += [found[1] for found in each(_HEAD.match, lines) if found]
        named += _shown_at_the_end(told) if raised else []
    words_said = _ASSERTION.sub(" ", "\n".join([*said, *named]))
    about = (terms(words_said) or terms("\n".join(lines))) | place_terms(told_of)
    return ErrorText(said, tuple(words), about, frozenset(_TOKEN.findall(raw.lower())), last)


def each(of: Callable[[str], T], lines: Sequence[str]) -> list[T]:
    """``of`` of every line, worked out once of equal lines: a log says the same line often."""
    found = {line: of(line) for line in set(lines)}
    return [found[line] for line in lines]


def _of_this_error(lines: list[str]) -> list[str]:
    """Lines without those that torch says around every error."""
    return [s for s, footer in zip(lines, each(_FOOTER.match, lines), strict=True) if not footer]


def _told(lines: list[str]) -> list[str]:
    """Of a pytest report, what it says of the error; of another text, everything.

    Where a report is cut in the error, the first line of it has lost its mark.
    """
    marked = [i for i, mark in enumerate(each(_PYTEST.match, lines)) if mark]
    if not marked:
        return lines
    before = [i - 1 for i in marked[:1] if i and _EXCEPTION.match(lines[i - 1])]
    return [lines[i] for i in before + marked]


def is_cut(text: str) -> bool:
    """Whether a text is so long that its middle is not read."""
    return len(text) > LONGEST


def ends(text: str) -> str:
    """A text that is too long without its middle, in whose place a line ends.

    >>> len(ends("x" * LONGEST * 2)), ends("x" * LONGEST + "KeyError: 3")[-11:]
    (1050000, 'KeyError: 3')
    """
    return text if not is_cut(text) else f"{text[:HEAD]}\n{text[HEAD + 1 - LONGEST :]}"


def clean(text: str) -> str:
    """``text`` without colours and control characters, lines ended by a line feed.

    >>> clean("2 0 2 4   [ E : o n n x r u n t i m e ] ")
    '2024 [E:onnxruntime]'
    """
    text = _TERMINAL.sub("", ends(text)).replace("\r\n", "\n").replace("\r", "\n")
    text = _BLANK.sub("\n" * 17, _CONTROL.sub(" ", text))
    text = _WIDE.sub(lambda found: found[0][::2], text)
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=1)
def plain(text: str) -> str:
    """``text`` as Python printed it, where it is a page of the web, a line of JSON or in a box.

    >>> plain(r'Traceback (most recent call last):\\nKeyError: \\"n\\"').split("\\n")[1:]
    ['KeyError: "n"']
    """
    text = clean(text)
    if _TRACEBACK.search(text) and len(_ESCAPED.findall(text)) > 2 * text.count("\n"):
        text = _ESCAPED.sub("\n", text).replace('\\"', '"')
    if _TAG.search(text):
        text = _ENTITY.sub(lambda found: ENTITIES.get(found[0], "'"), _TAG.sub("", text))
    lines = _unquoted(text.split("\n"))
    if _BOX.search(text):
        lines = [_EDGE.sub("", s) if len(s) <= WIDEST else s for s in _unboxed(lines)]
    return "\n".join(lines)


def _unquoted(lines: list[str]) -> list[str]:
    """Lines without the marks of a quotation, where all of them have one.

    >>> _unquoted(["> Traceback", ">   File", ""])
    ['Traceback', '  File', '']
    """
    for _ in range(PREFIXES):
        filled = [s for s in lines if s.strip()]
        if len(filled) < 2 or not all(map(_QUOTE.match, filled)):
            break
        lines = each(lambda line: _QUOTE.sub("", line), lines)
    return lines


def _unboxed(lines: list[str]) -> list[str]:
    """Lines of a box that were broken at its edge, made whole: the edge is left."""
    whole: list[str] = []
    is_full = False
    for line in lines:
        goes_on = _GOES_ON.match(line) if is_full else None
        if goes_on:
            whole[-1] = _EDGE.sub("", whole[-1]) + line[goes_on.end() :]
        else:
            whole.append(line)
        is_full = len(line) <= WIDEST and bool(_FULL.match(line))
    return whole


def tokens(text: str) -> tuple[str, ...]:
    """Words, numbers (as ``#``), symbols of sizes (as ``$``) and comparisons, in order.

    >>> tokens("KeyError: s0") == tokens("KeyError: 's0'")
    False
    """
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
    if word[0] == "'":
        return "'$"
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


def bare(line: str) -> str:
    """A line without its prefixes."""
    for _ in range(PREFIXES):
        found = _PREFIX.match(line)
        if not found or not found[0]:
            break
        line = line[found.end() :]
    return line


def _without_frames(lines: list[str]) -> list[str]:
    kept, after = [], False
    for line, (frame, between) in zip(lines, each(_around, lines), strict=True):
        if frame:
            after = True
        elif between or (after and _SOURCE.match(line)):
            continue
        else:
            after = False
            kept.append(line)
    return kept


def _around(line: str) -> tuple[bool, bool]:
    """Whether a line is a frame, and whether it stands between frames or exceptions."""
    return _is_frame(line), bool(_MARKS.match(line) or _BETWEEN.match(line))


def _is_frame(line: str) -> bool:
    return bool(FRAME.match(line) or _CELL.match(line))


def _frames(lines: list[str]) -> list[int]:
    return [i for i, frame in enumerate(each(_is_frame, lines)) if frame]


def _quoted_at_the_end(lines: list[str]) -> tuple[str, ...]:
    """What the source line that raises quotes, where a traceback ends before it says its error."""
    frames = _frames(lines)
    below = lines[frames[-1] + 1 :] if frames else []
    shown = [i for i, line in enumerate(below) if _MARKED.match(line)] or range(len(below))
    raising = [i for i in shown if _RAISES.match(below[i])]
    if not raising or any(_TOKEN.search(s.lower()) for s in _without_frames(lines[frames[-1] :])):
        return ()
    statement = below[raising[-1] :]
    ends = next((i for i, line in enumerate(statement) if line.rstrip().endswith(")")), SHOWN)
    found = _QUOTED.findall("\n".join(statement[: min(ends + 1, SHOWN)]))
    named = _RAISES.match(statement[0])
    return (f"{named[1] if named else ''}: {' '.join(q[1:-1] for q in found)}",) if found else ()


def _shown_at_the_end(lines: list[str]) -> list[str]:
    """The source of the last frame, where a text ends in a frame."""
    frames = _frames(lines)
    if not frames or any(_TOKEN.search(s.lower()) for s in _without_frames(lines[frames[-1] :])):
        return []
    below = lines[frames[-1] + 1 :]
    return [s for s in below if _MARKED.match(s)] or below[:SHOWN]


def _without_warnings(lines: list[str]) -> list[str]:
    kept, after = [], False
    for line, warning in zip(lines, each(_WARNING.match, lines), strict=True):
        shown = after and bool(_WARNED.match(line))
        after = bool(warning)
        if not (after or shown):
            kept.append(line)
    return kept


def symbols(text: str) -> tuple[str, ...]:
    """Symbols of sizes and numbers that a message names, in order."""
    return tuple(dict.fromkeys(_SYMBOL.findall("\n".join(read(text).lines))))[:8]


def expressions(text: str) -> tuple[str, ...]:
    """Conditions and constants that a message names, in order."""
    found = _EXPRESSION.findall("\n".join(read(text).lines))
    return tuple(dict.fromkeys(e.strip(" \t") for groups in found for e in groups if e))[:5]


def operators(text: str) -> tuple[str, ...]:
    """Operators that a message names, in order."""
    return tuple(dict.fromkeys(_OPERATOR.findall("\n".join(read(text).lines))))[:5]

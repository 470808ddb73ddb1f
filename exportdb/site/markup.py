"""From data to HTML: escaping, highlighting, diffs, and the templates.

Owns that nothing from a case, a record or an error reaches a page unescaped: templates escape by
themselves, and what is made here is made of escaped pieces.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import jinja2
import pygments
from markupsafe import Markup, escape

from exportdb.records import findings
from exportdb.records.outcome import Outcome
from exportdb.site import addresses, words

TEMPLATES = Path(__file__).parent / "templates"
#: What no HTML page may hold: control characters but tab and newline, and lone surrogates.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """``text`` with what no HTML page may hold replaced."""
    return _UNWRITABLE.sub("\ufffd", text.replace("\r\n", "\n"))


@cache
def environment() -> jinja2.Environment:
    """The templates; every value is escaped unless it is Markup."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda v: clean(v) if type(v) is str else v,
    )
    env.globals.update(
        addresses=addresses, counted=words.counted, first_line=words.first_line, id=id,
        briefly=words.briefly, inline=inline, meaning=findings.meaning, outcome=outcome,
        paragraphs=paragraphs, spans=words.spans, where=words.where,
    )  # fmt: skip
    return env


@cache
def outcome(of: Outcome) -> Markup:
    """An outcome as it is always shown: a glyph and its name; colour only repeats it."""
    return Markup(
        '<span class="xdb-o xdb-{0} xdb-{1}" title="{0}: {2}"><span aria-hidden="true">{3}</span> '
        "{0}</span>"
    ).format(of.value, of.tone, of.meaning, of.glyph)


def say_once(html: str, said: set[str]) -> Markup:
    """``html`` with the meaning of each outcome at its first place alone, unless ``said`` has it: a
    script shows it everywhere, and in a table it would be most of what is sent."""

    def kept(found: re.Match[str]) -> str:
        new = found[2] not in said
        said.add(found[2])
        return found[0] if new else found[1] + ">"

    return Markup(
        re.sub(r'(<span class="xdb-o xdb-([a-z]+) xdb-[a-z]+") title="[^"]*">', kept, html)
    )


def squeezed(html: str) -> str:
    """A page without the white space around its line ends, but where that is shown: the theme's
    templates leave much.

    >>> squeezed("<p>\\n\\n  a</p> <pre>\\n\\n  b</pre>\\n\\n")
    '<p>\\na</p> <pre>\\n\\n  b</pre>\\n'
    """
    parts = re.split(r"(<(?P<tag>pre|script|textarea)\b.*?</(?P=tag)>)", html, flags=re.DOTALL)
    parts[0::3] = [re.sub(r"\s*\n\s*", "\n", part) for part in parts[0::3]]
    return "".join(parts[i] for i in range(len(parts)) if i % 3 != 2)


def render(template: str, **context: Any) -> Markup:
    """A template with its values filled in."""
    return Markup(environment().get_template(template).render(context).strip())


def link(href: str, text: str) -> Markup:
    """A text that leads somewhere; just the text where there is no such page."""
    return Markup('<a href="{}">{}</a>' if href else "{1}").format(clean(href), clean(text))


def python(
    code: str,
    first_line: int = 1,
    anchor: str = "",
    marks: Mapping[int, str] = MappingProxyType({}),
) -> Markup:
    """Python code with colours. Each line is numbered and, with ``anchor``, has an ID (``L17``).

    ``marks`` says of lines, by number, what is to be noticed there.
    """
    lines = _highlighted(clean(code))
    width = len(str(first_line + len(lines)))
    rows = []
    for number, line in enumerate(lines, first_line):
        named = f' id="{anchor}{number}"' if anchor else ""
        marked = (
            f' class="xdb-marked" data-mark="{escape(marks[number])}"' if number in marks else ""
        )
        # What marks a line follows its last character, so that no code is ever covered.
        end = "<i hidden>\n</i>" if marked else "\n"
        rows.append(f'<span{named}{marked} data-n="{number:>{width}}">{line}{end}</span>')
    return Markup(
        f'<pre class="xdb-code xdb-numbered highlight" tabindex="0">{"".join(rows)}</pre>'
    )


def paragraphs(text: str) -> Markup:
    """Plain text: blank lines part paragraphs, and `backticks` are code.

    >>> paragraphs("a `b<c`")
    Markup('<p>a <code>b&lt;c</code></p>')
    """
    parts = [" ".join(p.split()) for p in re.split(r"\n\s*\n", clean(text)) if p.strip()]
    return Markup("").join(Markup("<p>{}</p>").format(inline(p)) for p in parts)


def summary(text: str, most: int = 160) -> str:
    """Text in one line of at most ``most`` characters, cut between words, without backticks.

    >>> summary("A bare `if`\\n on a tensor", 15)
    'A bare if on…'
    """
    flat = " ".join(clean(text).replace("`", "").split())
    return flat if len(flat) <= most else flat[: most - 1].rsplit(" ", 1)[0] + "…"


def inline(text: str) -> Markup:
    """One run of plain text, in which `backticks` are code."""
    pieces = re.split(r"`([^`]+)`", clean(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(p) if i % 2 else escape(p) for i, p in enumerate(pieces)
    )


class DiffLine(NamedTuple):
    """A line of a diff: its ``sign`` is "-", "+", " " or "⋯" (lines left out); ``number`` is that
    of a line that the first program alone has, else 0.
    """

    sign: str
    text: str
    html: Markup
    number: int = 0


def diff(before: tuple[str, int], after: str, context: int = 2) -> list[DiffLine]:
    """What makes one program another: lines that differ, and a few around them.

    The first is given with the number of its first line.
    """
    (one, start), other = before, after
    a, b = _lines(clean(one)), _lines(clean(other))
    left, right = _highlighted(clean(one)), _highlighted(clean(other))
    rows: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    for group in matcher.get_grouped_opcodes(context):
        part: list[DiffLine] = []
        for tag, a1, a2, b1, b2 in group:
            if tag == "equal":
                part += [DiffLine(" ", a[i], left[i]) for i in range(a1, a2)]
                continue
            # Blank lines that come or go are no help either.
            part += [DiffLine("-", a[i], left[i], start + i) for i in range(a1, a2) if a[i].strip()]
            part += [DiffLine("+", b[i], right[i]) for i in range(b1, b2) if b[i].strip()]
        told = [i for i, line in enumerate(part) if line.text.strip()]
        if not told:
            continue
        if rows:
            rows.append(DiffLine("⋯", "", Markup("")))
        rows += part[told[0] : told[-1] + 1]  # blank lines around it are no help
    return rows


def _highlighted(code: str) -> list[Markup]:
    """Python code as coloured HTML, line by line; no element spans two lines."""
    formatted = pygments.highlight(code, *_pygments())
    lines = [Markup(line) for line in formatted.split("\n")]
    wanted = len(_lines(code))
    return (lines + [Markup("")] * wanted)[:wanted]


def _lines(text: str) -> list[str]:
    """Lines as a file has them; ``splitlines`` would also part at characters within a text."""
    return text.removesuffix("\n").split("\n")


@cache
def _pygments() -> tuple[Any, Any]:
    from pygments.filter import simplefilter
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer
    from pygments.token import Name, Punctuation, Text

    @simplefilter
    def plain(_self: Any, _lexer: Any, stream: Any, _options: Any) -> Any:
        """What has the colour of the text around it needs no element, and a program has much."""
        for kind, text in stream:
            bare = kind in (Name, Name.Namespace) or kind in Punctuation or kind in Text
            yield (Text if bare else kind), text

    lexer = PythonLexer(stripnl=False, ensurenl=False)
    lexer.add_filter(plain())
    return lexer, HtmlFormatter(nowrap=True)

"""From data to HTML: escaping, highlighting, diffs, and the templates.

Owns that nothing from a case, a record or an error reaches a page unescaped: templates escape by
themselves, and what is made here is made of escaped pieces.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

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
        meaning=findings.meaning, outcome=outcome, paragraphs=paragraphs, where=words.where,
    )  # fmt: skip
    return env


@cache
def outcome(of: Outcome) -> Markup:
    """An outcome as it is always shown: a glyph and its name; colour only repeats it."""
    return Markup(
        '<span class="xdb-o xdb-{0} xdb-{1}" title="{0}: {2}"><span aria-hidden="true">{3}</span> '
        "{0}</span>"
    ).format(of.value, of.tone, of.meaning, of.glyph)


def render(template: str, **context: Any) -> Markup:
    """A template with its values filled in."""
    return Markup(environment().get_template(template).render(context).strip())


def link(href: str, text: str) -> Markup:
    """A text that leads somewhere; just the text where there is no such page."""
    return Markup('<a href="{}">{}</a>' if href else "{1}").format(clean(href), clean(text))


def python(code: str, first_line: int = 1, anchor: str = "") -> Markup:
    """Python code with colours. Each line is numbered and, with ``anchor``, has an ID (``L17``)."""
    lines = _highlighted(clean(code))
    width = len(str(first_line + len(lines)))
    rows = []
    for number, line in enumerate(lines, first_line):
        named = f' id="{anchor}{number}"' if anchor else ""
        rows.append(f'<span{named} data-n="{number:>{width}}">{line}\n</span>')
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


@dataclass(frozen=True)
class DiffRow:
    """A line of each side; a side is None where the other has a line more.

    ``kind`` is ``same``, ``change``, ``add``, ``remove`` or ``skip`` (lines left out).
    """

    kind: str
    left: tuple[int, Markup] | None = None
    right: tuple[int, Markup] | None = None


def side_by_side(
    before: tuple[str, int], after: tuple[str, int], context: int = 3
) -> list[DiffRow]:  # fmt: skip
    """Two programs side by side: lines that differ, and a few around them.

    Each is given with the number of its first line.
    """
    (one, start), (two, other_start) = before, after
    a, b = _lines(clean(one)), _lines(clean(two))
    left, right = _highlighted(clean(one)), _highlighted(clean(two))
    rows: list[DiffRow] = []
    groups = difflib.SequenceMatcher(None, a, b, autojunk=False).get_grouped_opcodes(context)
    for group in groups:
        if group[0][1] or group[0][3]:
            rows.append(DiffRow("skip"))
        for tag, a1, a2, b1, b2 in group:
            for i in range(max(a2 - a1, b2 - b1)):
                old = (start + a1 + i, left[a1 + i]) if a1 + i < a2 else None
                new = (other_start + b1 + i, right[b1 + i]) if b1 + i < b2 else None
                kind = "same" if tag == "equal" else _KINDS[old is None, new is None]
                rows.append(DiffRow(kind, old, new))
    return rows


_KINDS = {(False, False): "change", (True, False): "add", (False, True): "remove"}


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
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)

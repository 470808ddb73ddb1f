"""From data to HTML: escaping, highlighting, diffs, and the templates.

Owns that nothing from a case, a record or an error reaches a page unescaped: templates escape by
themselves, and what is made here is made of escaped pieces.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from exportdb.records.outcome import OUTCOMES

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
    env.globals["OUTCOMES"] = OUTCOMES
    return env


def render(template: str, **context: Any) -> Markup:
    """A template with its values filled in."""
    return Markup(environment().get_template(template).render(context).strip())

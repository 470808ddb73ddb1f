"""One run of Sphinx over the sources of the site. Owns how Sphinx is called, and what it says."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from exportdb.site import collector
from exportdb.site.load import Inputs, SiteError
from exportdb.site.options import Options, Say

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run(conf: Path, source: Path, inputs: Inputs, options: Options, say: Say) -> str:
    """Build HTML from ``source`` with the ``conf.py`` in the folder ``conf``; the warnings.

    Raises SiteError when Sphinx cannot build, or warns and ``options.strict`` is set.
    """
    warnings = io.StringIO()
    overrides = {
        "exportdb_records": [str(p.resolve()) for p in inputs.records],
        "exportdb_cases": [str(p.resolve()) for p in inputs.trees],
        "exportdb_expectations": inputs.expectations and str(inputs.expectations.resolve()),
        "exportdb_builtin": inputs.builtin,
        "exportdb_provided": True,
        "exportdb_url": options.url,
        "html_baseurl": options.url,
        "html_static_path": [str((options.state / "static").resolve())],
    }
    try:
        with collector.sparing(), patch_docutils(), docutils_namespace():
            app = _Builder(
                srcdir=source,
                confdir=conf,
                outdir=options.out,
                doctreedir=options.state / "doctrees",
                buildername="html",
                confoverrides=overrides,
                status=_Lines(say),
                warning=warnings,
                parallel=options.jobs,
            )
            app.build()
    except SphinxError as e:
        raise SiteError(
            f"Sphinx could not build the site: {e}\n{COLOUR.sub('', warnings.getvalue())}"
        ) from None
    said = COLOUR.sub("", warnings.getvalue())
    if options.strict and said.strip():
        raise SiteError(f"Sphinx warned:\n{said.rstrip()}")
    return said


class _Builder(Sphinx):
    """Reads in one process. A page is read in a millisecond, and a process that has read some hands
    back all that Sphinx knows of pages: that costs more than it saves, the more so the more pages.
    """

    def is_parallel_allowed(self, typ: str) -> bool:
        return typ == "write" and super().is_parallel_allowed(typ)


class _Lines(io.StringIO):
    """Hands on what Sphinx says of its progress, now and then."""

    STEP = re.compile(r"(reading sources|writing output)\.\.\. \[ *(\d+)%\]")
    EVERY = 2.0  # seconds between two lines

    def __init__(self, say: Say) -> None:
        super().__init__()
        self.say = say
        self.said = time.monotonic()

    def write(self, text: str) -> int:
        step = self.STEP.search(text)
        if step and time.monotonic() - self.said > self.EVERY:
            self.said = time.monotonic()
            self.say(f"{step[1]}: {step[2]} %")
        return len(text)

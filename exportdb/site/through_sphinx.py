"""One run of Sphinx: the guides as its documents, our own pages through the same theme.

Owns how Sphinx is called, and that a page of ours is made and written only where it is another than
before. Our pages are no documents to Sphinx: nothing parses what they say, so no text of a case or
a record can become markup.
"""

from __future__ import annotations

import gc
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from markupsafe import Markup, escape
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils
from sphinx.util.parallel import ParallelTasks, SerialTasks, make_chunks

from exportdb.files import guides
from exportdb.records.record import digest
from exportdb.site import markup
from exportdb.site.load import SiteError
from exportdb.site.memory import code
from exportdb.site.model import Site
from exportdb.site.options import Say, SiteOptions
from exportdb.site.page import Page
from exportdb.site.pages import Draft

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
#: For fewer pages it is not worth while to start further processes.
FEW = 50


def run(site: Site, pages: OwnPages, options: SiteOptions) -> tuple[set[str], str]:
    """Build HTML of the guides and of ``pages``; the names of the guides, and the warnings.

    Raises SiteError when Sphinx cannot build, or warns and ``options.strict`` is set.
    """
    warnings = io.StringIO()
    overrides = {
        "exportdb_url": options.url,
        "exportdb_repository": options.repository,
        "exportdb_status": site.course is not None,
        "html_baseurl": options.url,
    }
    gc.freeze()  # what is there now stays until the end
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                guides(), guides(), options.out, options.state / "doctrees", "html",
                confoverrides=overrides, status=None, warning=warnings,
            )  # fmt: skip
            app.exportdb_site, app.exportdb_whole = site, True  # type: ignore[attr-defined]
            # Named late: where our scripts lie makes no page another one.
            app.config.html_static_path.append(str((options.state / "static").resolve()))
            app.connect("html-collect-pages", pages.write)
            app.build()
    except SphinxError as e:
        said = COLOUR.sub("", warnings.getvalue())
        raise SiteError(f"Sphinx could not build the site: {e}\n{said}") from None
    finally:
        gc.unfreeze()
    for unread in (options.out / "_static").rglob("*.map"):  # for the makers of the theme
        unread.unlink()
    said = COLOUR.sub("", warnings.getvalue())
    if options.strict and said.strip():
        raise SiteError(f"Sphinx warned:\n{said.rstrip()}")
    return set(app.env.found_docs), said


@dataclass
class OwnPages:
    """Our own pages; ``before`` are the keys with which they were written the last time, by file.

    ``keys`` and ``written`` are known when they have been written.
    """

    drafts: Sequence[Draft]
    before: Mapping[str, str]
    jobs: int
    say: Say
    keys: dict[str, str] = field(default_factory=dict)
    written: int = 0

    def write(self, app: Sphinx) -> list[tuple[str, dict[str, Any], str]]:
        """Write those that are other pages than before; nothing is left to Sphinx."""
        builder = app.builder
        assert isinstance(builder, StandaloneHTMLBuilder)
        # Whatever stands around a page, and the code that makes it.
        theme = [version("sphinx"), version(app.config.html_theme.replace("_", "-"))]
        around = digest(
            "\n".join([code(".html", ".css", ".js"), builder.build_info.config_hash, *theme])
        )
        made = {}
        todo = []
        for draft in self.drafts:
            if not draft.key:
                made[draft.name] = draft.make()
            key = digest(around + (draft.key or str(made[draft.name])))
            file = f"{draft.name}.html"
            self.keys[draft.name] = key
            if self.before.get(file) != key or not (app.outdir / file).is_file():
                todo.append(draft)

        render = builder.templates.render
        builder.templates.render = lambda *given: markup.squeezed(render(*given))

        def write(chunk: Sequence[Draft]) -> int:
            for draft in chunk:
                page = made.get(draft.name) or draft.make()
                builder.handle_page(page.name, _context(page), "exportdb-page.html")
            return len(chunk)

        def done(*result: Any) -> None:  # of another process with what it was given
            self.written += result[-1]
            if self.written < len(todo):
                self.say(f"{self.written:,} of {len(todo):,} pages")

        parallel = self.jobs > 1 and len(todo) > FEW
        tasks = ParallelTasks(self.jobs) if parallel else SerialTasks()
        for chunk in make_chunks(todo, self.jobs, FEW):  # type: ignore[arg-type]
            tasks.add_task(write, chunk, done)
        tasks.join()
        return []


def _context(page: Page) -> dict[str, Any]:
    """What the theme's templates ask of a page."""
    said: set[str] = set()
    page = replace(
        page, lead=markup.say_once(page.lead, said),
        sections=tuple(replace(s, html=markup.say_once(s.html, said)) for s in page.sections),
    )  # fmt: skip
    links = [(f"#{s.id}", s.title) for s in page.sections]
    below = Markup("").join(Markup("<li>{}</li>").format(markup.link(*to)) for to in links)
    toc = Markup("<ul><li>{}<ul>{}</ul></li></ul>").format(markup.link("#", page.title), below)
    return {"page": page, "title": escape(page.title), "toc": toc if links else "",
            "exportdb_kind": page.kind, "exportdb_description": page.description,
            "exportdb_path": page.source}  # fmt: skip

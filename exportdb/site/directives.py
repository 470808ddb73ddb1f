"""The directives of the Sphinx extension: a case, a support matrix, an error entry, a trend.

Each is a pure function from the model to HTML; what is here besides is how Sphinx calls them, and
that a document is read again when what a directive shows has changed. What a directive cannot find
is a warning at its line, never an empty spot.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from exportdb.records.record import digest
from exportdb.site import markup
from exportdb.site.load import Inputs, load
from exportdb.site.model import Cell, Site
from exportdb.site.pages import exporters, lists, matrix
from exportdb.site.pages.errors import MOST
from exportdb.site.pages.matrix import Href

#: Words of a directive: its arguments, its options.
Options = Mapping[str, Any]


class NotOnSite(Exception):
    """A directive names something that the site does not have."""


def case(site: Site, words: Sequence[str], options: Options, link: Href, prefix: str) -> Markup:
    """A case: title, description, program, support."""
    view = site.cases.get(site.current(words[0]))
    if view is None:
        raise NotOnSite(f"no case is named {words[0]}")
    return markup.render(
        "embedded_case.html", view=view, link=link, code=markup.python(view.case.program),
        matrix=matrix.html(_cells(site, view.cells, options), link, prefix),
    )  # fmt: skip


def support(site: Site, words: Sequence[str], options: Options, link: Href, prefix: str) -> Markup:
    """A support matrix: of one case with its notes, or a table of several cases."""
    ids = dict.fromkeys(i for pattern in words for i in _ids(site, pattern)) or site.cases
    tags = set(options.get("tag") or ())
    chosen = [i for i in ids if tags <= set(site.cases[i].case.meta.tags)]
    if not chosen:
        raise NotOnSite("no case is selected")
    if len(chosen) == 1:
        return matrix.html(_cells(site, site.cases[chosen[0]].cells, options), link, prefix)
    narrowed = _narrowed(site, options)
    return lists.support_table(narrowed, [narrowed.cases[i] for i in chosen], link)


def error(site: Site, words: Sequence[str], _options: Options, link: Href, _prefix: str) -> Markup:
    """An entry of the error catalogue."""
    entry = site.entries.get(words[0])
    if entry is None:
        raise NotOnSite(f"the error catalogue has no entry {words[0]}")
    return markup.render("embedded_error.html", entry=entry, link=link, most=MOST,
                         views=site.by_entry.get(entry.id, []))  # fmt: skip


def trend(site: Site, _words: Sequence[str], options: Options, _link: Href, _: str) -> Markup:
    """The supported share of exporters over torch versions."""
    narrowed = _narrowed(site, options)
    devices = options.get("device") or narrowed.devices[:1]
    found = [exporters.by_torch(narrowed, narrowed.exporters, d) for d in devices]
    return exporters.trends_html(found)


def _ids(site: Site, pattern: str) -> list[str]:
    """The IDs that an ID, a topic or a glob means."""
    pattern = site.current(pattern.rstrip("/"))
    ids = [i for i in site.cases if i == pattern or i.startswith(pattern + "/")]
    if not (ids := ids or fnmatch.filter(site.cases, pattern)):
        raise NotOnSite(f"no case is named {pattern}")
    return ids


def _cells(site: Site, cells: Iterable[Cell], options: Options) -> list[Cell]:
    """The cells that the options leave, exporters in the order in which they name them."""
    asked: dict[str, tuple[Sequence[str], Callable[[Cell], str]]] = {
        "exporter": (site.exporters, lambda c: c.exporter),
        "device": (site.devices, lambda c: c.point.device),
        "torch": (site.torches, lambda c: c.point.torch),
    }
    found = list(cells)
    for option, (known, of) in asked.items():
        names = options.get(option)
        for name in names or ():
            if name not in known:
                raise NotOnSite(f"nothing was measured with the {option} {name}; "
                               f"known: {', '.join(known)}")  # fmt: skip
        found = [c for c in found if not names or of(c) in names]
    names = options.get("exporter")
    return sorted(found, key=lambda c: names.index(c.exporter)) if names else found


def _narrowed(site: Site, options: Options) -> Site:
    """The site as if nothing else had been measured than what the options name."""
    views = {
        i: replace(v, cells=tuple(_cells(site, v.cells, options))) for i, v in site.cases.items()
    }
    return replace(
        site, cases=views, exporters=tuple(options.get("exporter") or site.exporters)
    )  # fmt: skip


# --- how Sphinx calls them ---------------------------------------------------------------------


def _names(text: str | None) -> list[str]:
    """An option's value: names separated by commas."""
    names = [n.strip() for n in (text or "").split(",") if n.strip()]
    if not names:
        raise ValueError("needs names, separated by commas")
    return names


class _SiteDirective(SphinxDirective):
    """What all four have in common; ``render`` makes the HTML, or raises NotOnSite."""

    has_content = False
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "exporter": _names,
        "device": _names,
        "torch": _names,
    }
    render: ClassVar[Callable[[Site, Sequence[str], Options, Href, str], Markup]]

    def run(self) -> list[nodes.Node]:
        """The HTML, or a warning in its place."""
        words = " ".join(self.arguments).split()
        prefix = f"exportdb-{self.env.new_serialno('exportdb')}"
        site = _site(_app(self.env))
        try:
            text = type(self).render(site, words, self.options, self._link, prefix)
        except NotOnSite as e:
            return [self.state.document.reporter.warning(f"{self.name}: {e}", line=self.lineno)]
        shown = self.env.metadata[self.env.docname].setdefault(SHOWN, [])
        call = (self.name, words, dict(self.options))
        shown.append((*call, _digest(site, *call)))
        return [nodes.raw("", f'<div class="xdb">{text}</div>', format="html")]

    def _link(self, address: str) -> str:
        """Where a page of the site is: in this project, at ``exportdb_url``, or nowhere."""
        page, hash_, fragment = address.partition("#")
        app, url = _app(self.env), self.config.exportdb_url
        if hasattr(app, "exportdb_whole"):
            return app.builder.get_relative_uri(self.env.docname, page) + hash_ + fragment
        return f"{url.rstrip('/')}/{page}.html{hash_}{fragment}" if url else ""


class CaseDirective(_SiteDirective):
    """``.. exportdb-case:: control_flow/branch_on_value``"""

    required_arguments = 1
    render = case


class MatrixDirective(_SiteDirective):
    """``.. exportdb-matrix:: control_flow/*``, with all cases where none is named."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {**_SiteDirective.option_spec, "tag": _names}
    render = support


class ErrorDirective(_SiteDirective):
    """``.. exportdb-error:: E0001``"""

    required_arguments = 1
    option_spec: ClassVar = {}
    render = error


class TrendDirective(_SiteDirective):
    """``.. exportdb-trend::``"""

    render = trend


DIRECTIVES: dict[str, type[_SiteDirective]] = {
    "exportdb-case": CaseDirective,
    "exportdb-matrix": MatrixDirective,
    "exportdb-error": ErrorDirective,
    "exportdb-trend": TrendDirective,
}

# --- what is shown, and reading again what has changed -----------------------------------------

#: In Sphinx's metadata of a document: its directives, each with a digest of what it showed.
SHOWN = "exportdb_shown"


def outdated(app: Sphinx, env: BuildEnvironment, *_: object) -> list[str]:
    """The documents in which a directive shows something else now."""
    shown = {document: data[SHOWN] for document, data in env.metadata.items() if SHOWN in data}
    return [
        document
        for document, calls in shown.items()
        if any(_digest(_site(app), *call) != before for *call, before in calls)
    ]


def _digest(site: Site, name: str, words: Sequence[str], options: Options) -> str:
    try:
        return digest(DIRECTIVES[name].render(site, words, options, lambda address: address, "n"))
    except NotOnSite as e:
        return str(e)


def _site(app: Sphinx) -> Site:
    """The model that this project's directives show: what its settings name, read once. Paths are
    relative to its ``conf.py``. Raises as :func:`load` does.
    """
    known: Site | None = getattr(app, "exportdb_site", None)
    if known is None:
        config, base = app.config, Path(app.confdir)
        own = config.exportdb_expectations
        known = load(
            Inputs(
                records=tuple(base / p for p in config.exportdb_records),
                trees=tuple(base / p for p in config.exportdb_cases),
                expectations=base / own if own else None,
                builtin=config.exportdb_builtin,
            )
        )
        app.exportdb_site = known  # type: ignore[attr-defined]
    return known


def _app(env: BuildEnvironment) -> Sphinx:
    """The application; Sphinx has made the public name for it obsolete."""
    app: Sphinx = env._app if hasattr(env, "_app") else env.app
    return app

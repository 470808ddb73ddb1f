"""The directives of the Sphinx extension: a case, a support matrix, an error entry, a trend.

Each is a pure function from the model to HTML; what is here besides is how Sphinx calls them, and
that a document is read again when what a directive shows has changed. What a directive cannot find
is a warning at its line, never an empty spot.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from exportdb.records.record import digest
from exportdb.site import addresses, markup, shown
from exportdb.site.model import CaseView, Cell, Site
from exportdb.site.pages import exporters, lists, matrix
from exportdb.site.pages.matrix import Link
from exportdb.site.parser import html

#: Words of a directive: its arguments, its options.
Options = Mapping[str, Any]
Render = Callable[[Site, Sequence[str], Options, Link, str], Markup]


class NotThere(Exception):
    """A directive names something that the site does not have."""


def case(site: Site, words: Sequence[str], options: Options, link: Link, prefix: str) -> Markup:
    """A case: title, description, program, support."""
    view = _case(site, words[0])
    cells = _cells(site, view.cells, options)
    return markup.render(
        "embedded_case.html", view=view, link=link, addresses=addresses,
        paragraphs=markup.paragraphs, code=markup.python(view.case.program),
        matrix=matrix.html(matrix.matrix(cells), link, prefix),
    )  # fmt: skip


def support(site: Site, words: Sequence[str], options: Options, link: Link, prefix: str) -> Markup:
    """A support matrix: of one case with its notes, or a table of several cases."""
    ids = dict.fromkeys(i for pattern in words for i in _ids(site, pattern)) or site.cases
    tags = set(options.get("tag") or ())
    chosen = [i for i in ids if tags <= set(site.cases[i].case.meta.tags)]
    if not chosen:
        raise NotThere("no case is selected")
    if len(chosen) == 1:
        cells = _cells(site, site.cases[chosen[0]].cells, options)
        return matrix.html(matrix.matrix(cells), link, prefix)
    narrowed = _narrowed(site, options)
    return lists.support_table(narrowed, [narrowed.cases[i] for i in chosen], link)


def error(site: Site, words: Sequence[str], _options: Options, link: Link, _prefix: str) -> Markup:
    """An entry of the error catalogue."""
    entry = site.entries.get(words[0])
    if entry is None:
        raise NotThere(f"the error catalogue has no entry {words[0]}")
    return markup.render(
        "embedded_error.html", entry=entry, link=link, addresses=addresses,
        paragraphs=markup.paragraphs, views=site.by_entry.get(entry.id, []),
    )  # fmt: skip


def trend(site: Site, _words: Sequence[str], options: Options, _link: Link, _: str) -> Markup:
    """The supported share of exporters over torch versions."""
    narrowed = _narrowed(site, options)
    devices = options.get("device") or narrowed.devices[:1]
    found = [exporters.by_torch(narrowed, narrowed.exporters, d) for d in devices]
    return exporters.trends_html(found)


RENDER: dict[str, Render] = {
    "exportdb-case": case,
    "exportdb-matrix": support,
    "exportdb-error": error,
    "exportdb-trend": trend,
}


def rendered(site: Site, name: str, words: Sequence[str], options: Options, link: Link,
             prefix: str) -> str:  # fmt: skip
    """What a directive shows. Raises NotThere."""
    return str(RENDER[name](site, words, options, link, prefix))


def _case(site: Site, case_id: str) -> CaseView:
    view = site.cases.get(site.current(case_id))
    if view is None:
        raise NotThere(f"no case is named {case_id}")
    return view


def _ids(site: Site, pattern: str) -> list[str]:
    """The IDs that an ID, a topic or a glob means."""
    pattern = site.current(pattern.rstrip("/"))
    ids = [i for i in site.cases if i == pattern or i.startswith(pattern + "/")]
    if not (ids := ids or fnmatch.filter(site.cases, pattern)):
        raise NotThere(f"no case is named {pattern}")
    return ids


def _cells(site: Site, cells: Iterable[Cell], options: Options) -> list[Cell]:
    """The cells that the options leave, exporters in the order in which they name them."""
    _check(site, options)
    names = options.get("exporter")
    found = [
        c for c in cells
        if (not names or c.exporter in names)
        and (not options.get("device") or c.place.device in options["device"])
        and (not options.get("torch") or c.place.torch in options["torch"])
    ]  # fmt: skip
    return sorted(found, key=lambda c: names.index(c.exporter)) if names else found


def _narrowed(site: Site, options: Options) -> Site:
    """The site as if nothing else had been measured than what the options name."""
    views = {
        i: replace(v, cells=tuple(_cells(site, v.cells, options))) for i, v in site.cases.items()
    }
    return replace(
        site, cases=views, exporters=tuple(options.get("exporter") or site.exporters)
    )  # fmt: skip


def _check(site: Site, options: Options) -> None:
    known = {"exporter": site.exporters, "device": site.devices, "torch": site.torches}
    for option, values in known.items():
        for name in options.get(option) or ():
            if name not in values:
                raise NotThere(f"nothing was measured with the {option} {name}; "
                               f"known: {', '.join(values)}")  # fmt: skip


# --- how Sphinx calls them ---------------------------------------------------------------------


def _names(text: str | None) -> list[str]:
    """An option's value: names parted by commas."""
    names = [n.strip() for n in (text or "").split(",") if n.strip()]
    if not names:
        raise ValueError("needs names, parted by commas")
    return names


class _Shown(SphinxDirective):
    """What all four have in common."""

    has_content = False
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "exporter": _names,
        "device": _names,
        "torch": _names,
    }

    def run(self) -> list[nodes.Node]:
        """The HTML, or a warning in its place."""
        site, name = _site(self.env), self.name
        words = " ".join(self.arguments).split()
        try:
            text = rendered(site, name, words, self.options, self._link, self._prefix())
        except NotThere as e:
            return [self.state.document.reporter.warning(f"{name}: {e}", line=self.lineno)]
        used(self.env).setdefault(self.env.docname, []).append(
            (name, words, dict(self.options), _digest(site, name, words, self.options))
        )
        return [html(text)]

    def _link(self, address: str) -> str:
        """Where a page of the site is: in this project, at ``exportdb_url``, or nowhere."""
        page, hash_, fragment = address.partition("#")
        if page in self.env.found_docs:
            return str(
                _app(self.env).builder.get_relative_uri(self.env.docname, page) + hash_ + fragment
            )
        url = self.config.exportdb_url
        return f"{url.rstrip('/')}/{page}.html{hash_}{fragment}" if url else ""

    def _prefix(self) -> str:
        return f"exportdb-{self.env.new_serialno('exportdb')}"


class CaseDirective(_Shown):
    """``.. exportdb-case:: control_flow/branch_on_value``"""

    required_arguments = 1


class MatrixDirective(_Shown):
    """``.. exportdb-matrix:: control_flow/*``, with all cases where none is named."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {**_Shown.option_spec, "tag": _names}


class ErrorDirective(_Shown):
    """``.. exportdb-error:: E0001``"""

    required_arguments = 1
    option_spec: ClassVar = {}


class TrendDirective(_Shown):
    """``.. exportdb-trend::``"""


DIRECTIVES: dict[str, type[Directive]] = {
    "exportdb-case": CaseDirective,
    "exportdb-matrix": MatrixDirective,
    "exportdb-error": ErrorDirective,
    "exportdb-trend": TrendDirective,
}


# --- reading again what has changed ------------------------------------------------------------


def used(env: BuildEnvironment) -> dict[str, list[tuple[str, list[str], dict[str, Any], str]]]:
    """Per document, its directives and a digest of what each showed."""
    if not hasattr(env, "exportdb_used"):
        env.exportdb_used = {}  # type: ignore[attr-defined]
    return env.exportdb_used  # type: ignore[attr-defined,no-any-return]


def outdated(_app: Sphinx, env: BuildEnvironment, *_: object) -> list[str]:
    """The documents in which a directive shows something else now."""
    if not used(env):
        return []
    site = _site(env)
    return [
        document
        for document, shown in used(env).items()
        if any(_digest(site, name, words, options) != before
               for name, words, options, before in shown)
    ]  # fmt: skip


def purge(_app: Sphinx, env: BuildEnvironment, document: str) -> None:
    """Forget a document that is read again, or gone."""
    used(env).pop(document, None)


def merge(
    _app: Sphinx, env: BuildEnvironment, documents: Sequence[str], other: BuildEnvironment
) -> None:
    """Take over what another process read."""
    for document in documents:
        if document in used(other):
            used(env)[document] = used(other)[document]


def _digest(site: Site, name: str, words: Sequence[str], options: Options) -> str:
    try:
        return digest(rendered(site, name, words, options, lambda address: address, "n"))
    except NotThere as e:
        return str(e)


def _site(env: BuildEnvironment) -> Site:
    return shown.site(_app(env))


def _app(env: BuildEnvironment) -> Sphinx:
    """The application; Sphinx has made the public name for it obsolete."""
    app: Sphinx = env._app if hasattr(env, "_app") else env.app
    return app

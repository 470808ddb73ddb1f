"""The Sphinx extension: what it adds to a project.

Owns configuration values, style sheets and scripts, and the head of our own pages. The directives
are in ``directives``; building the whole site is left to ``build``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

import exportdb
from exportdb.site import addresses, directives, markup

STATIC = Path(__file__).parent / "static"
#: The style sheets and scripts of each kind of page, in the order in which they are loaded.
ASSETS = {
    kind: ("explorer.css", "explorer-index.js", "dom.js", *names)
    for kind, names in {
        "explorer": ("matching.js", "catalogue.js", "query.js", "explorer.js"),
        "explain": (
            "explain-index.js",
            "matching.js",
            "catalogue.js",
            "explaining.js",
            "explain.js",
        ),
        "notfound": ("notfound.js",),
        "compare": ("compare-index.js", "compare.js"),
    }.items()
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the extension to a Sphinx project."""
    app.add_config_value("exportdb_records", [], "", types=[list, tuple])
    app.add_config_value("exportdb_cases", [], "", types=[list, tuple])
    app.add_config_value("exportdb_builtin", True, "", types=[bool])
    app.add_config_value("exportdb_expectations", None, "", types=[str, Path])
    app.add_config_value("exportdb_url", "", "html", types=[str])
    app.add_config_value("exportdb_repository", "", "html", types=[str])
    app.add_config_value("exportdb_status", False, "html", types=[bool])
    for name, directive in directives.DIRECTIVES.items():
        app.add_directive(name, directive)
    app.connect("env-get-outdated", directives.outdated)
    app.connect("config-inited", _add_static)
    app.connect("html-page-context", _head)
    return {
        "version": exportdb.__version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _beginning(tree: nodes.document | None) -> str:
    """What a written page begins with: its description where nobody wrote another."""
    for paragraph in tree.findall(nodes.paragraph) if tree is not None else ():
        if isinstance(paragraph.parent, nodes.section):
            return markup.summary(paragraph.astext())
    return ""


def _add_static(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))
    app.add_css_file("exportdb.css")
    app.add_js_file("exportdb.js", loading_method="defer")


def _head(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Put a page's description into its head, and load the scripts of its kind."""
    context.setdefault("exportdb_kind", "")
    context.setdefault("exportdb_description", _beginning(tree))
    url = app.config.exportdb_url.rstrip("/")
    context["exportdb_url"] = url and f"{url}/"
    context["exportdb_status"] = app.config.exportdb_status
    # What is neither ours nor a document, as the search is, nobody has written.
    written = context.get("exportdb_path", f"docs/{page}.md" if tree is not None else "")
    context["exportdb_source"] = addresses.source(app.config.exportdb_repository, written, page)
    for name in ASSETS.get(context["exportdb_kind"], ()):
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")

"""Sphinx configuration of the site and of its hand-written guides.

``exportdb site`` builds the whole site with it. The theme keeps to what works offline: no icons
from elsewhere, no search index on pages that do not search.
"""

import re
from pathlib import Path

import exportdb
import exportdb.site

project = "exportdb"
author = "the exportdb authors"
copyright = "the exportdb authors"
release = exportdb.__version__
html_title = "exportdb"

extensions = ["exportdb.site", "myst_parser", "sphinx.ext.autodoc"]
templates_path = [str(Path(exportdb.site.__file__).parent / "templates" / "sphinx")]
root_doc = "guides"  # the front page is no document, see exportdb.site.through_sphinx
exclude_patterns = ["_build"]

# The reference is read from docstrings; torch itself is never imported.
autodoc_mock_imports = ["torch"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

ICON = "_static/icon.svg"
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_center": ["exportdb-nav"],
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": [],
    "navbar_align": "left",
    "search_bar_text": "Search the guides",
    "footer_start": ["copyright"],
    "footer_end": [],
    "article_footer_items": ["exportdb-source"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "article_header_start": [],
    "show_prev_next": False,
    "back_to_top_button": False,
    "logo": {"text": "exportdb", "image_light": ICON, "image_dark": ICON},
}
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": []}  # a tree of all pages would cost more than all pages
myst_heading_anchors = 3
# Dark where the reader's system is. The theme complains on every page where it is not said.
html_context = {"default_mode": "auto"}


def setup(app):
    app.connect("autodoc-process-signature", readable)


_NO_PYTHON = re.compile(r"<factory>|<function [^<>]*(?:<lambda>)?[^<>]*>")


def readable(_app, _what, _name, _obj, _options, signature, returns):
    """A signature that Sphinx can parse: defaults that are functions or made anew are no Python."""
    return signature and _NO_PYTHON.sub("...", signature), returns

"""The site: pages from cases, expectations and records, and a Sphinx extension that embeds them.

Nothing here imports torch or runs a program. ``extensions = ["exportdb.site"]`` in a project's
``conf.py`` gives it the directives; ``exportdb site`` builds the whole site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx; the rest is imported only then."""
    from exportdb.site import extension

    return extension.setup(app)

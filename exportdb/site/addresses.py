"""Where things are on the site: the permanent address of each kind of page.

Owns every path; a page's address never depends on what else the site holds. Links within the site
are relative, so that it works from any folder.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from urllib.parse import urlencode

from exportdb.records.record import digest

TAGS, TOPICS, EXPORTERS, COMPARE = "tags/index", "topics/index", "exporters/index", "compare/index"
TRENDS, EXPLAIN, STATUS = "trends", "explain", "status"
#: Where a guide tells how scores are counted.
SCORE_RULE = "guides/history.html#the-score"

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_REFERENCE = re.compile(r"([\w.-]+)(?:/([\w.-]+))?#(\d+)")


@cache
def slug(name: str) -> str:
    """A name as part of a path: itself where that is safe, else something that stands for it.

    >>> slug("torch.cond"), slug("../up") != slug("..-up"), "/" in slug("../up")
    ('torch.cond', True, False)
    """
    if _PLAIN.fullmatch(name) and len(name) <= 100 and name != "index":
        return name
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    return f"{safe or 'x'}-{digest(name)[:8]}"


def case(case_id: str) -> str:
    """The page of a case, as a document name: its path without ``.html``."""
    return f"cases/{case_id}"


@cache
def anchor(exporter: str, torch: str, device: str) -> str:
    """The anchor of a cell on the page of its case.

    >>> anchor("export", "2.13", "cpu")
    'export-2.13-cpu'
    """
    return "-".join(map(slug, (exporter, torch, device)))


def error(entry_id: str) -> str:
    """The page of an entry of the error catalogue."""
    return f"errors/{entry_id}"


def tag(name: str) -> str:
    """The page of a tag."""
    return f"tags/{slug(name)}"


def topic(name: str) -> str:
    """The page of a topic; a nested one keeps its path."""
    return f"topics/{name or 'none'}"


def exporter(name: str) -> str:
    """The page of an exporter."""
    return f"exporters/{slug(name)}"


def compared(kind: str, a: str, b: str) -> str:
    """Where two are compared; ``kind`` is ``exporter`` or ``torch``."""
    return f"{COMPARE}#?{urlencode([(kind, a), (kind, b)])}"


def relative(to: str, start: str) -> str:
    """The link from page ``start`` to page ``to``; a fragment is kept.

    >>> relative("errors/E0001#cases", "cases/control_flow/scan")
    '../../errors/E0001.html#cases'
    """
    page, hash_, fragment = to.partition("#")
    return _from_folder(f"{page}.html", posixpath.dirname(start)) + hash_ + fragment


@cache  # pages that list many cases lie in few folders
def _from_folder(path: str, folder: str) -> str:
    return posixpath.relpath(path, folder or ".")


def source(repository: str, path: str, page: str) -> list[tuple[str, str]]:
    """Where a page can be changed, or something added to its folder, its source read and a mistake
    reported, as text and address.

    ``repository`` is the address of the code, as GitHub and those like it have it, with
    ``/tree/BRANCH`` where that is not ``main``; ``path`` is what the page is written from, a file
    or a folder; "" for one that is written from nothing. Nothing without a repository.

    >>> [href for _, href in source("https://example.org/a/b", "cases/x.py", "cases/x")][0]
    'https://example.org/a/b/edit/main/cases/x.py'
    """
    if not repository.startswith(("https://", "http://")):
        return []
    base, _, branch = repository.rstrip("/").partition("/tree/")
    branch, whole = branch or "main", "." not in posixpath.basename(path)
    change, shown = ("Add to this page", "new"), "tree"
    if not whole:
        change, shown = ("Edit this page", "edit"), "blob"
    about = urlencode({"title": f"Page {page}: ", "body": f"Page: {page}.html\n\n"})
    report = ("Report a mistake", f"{issues(repository)}?{about}")
    if not path:
        return [report]
    said, verb = change
    return [(said, f"{base}/{verb}/{branch}/{path}"),
            ("Source", f"{base}/{shown}/{branch}/{path}"), report]  # fmt: skip


def issues(repository: str) -> str:
    """The page on which issues with the code are opened; "" without a repository.

    >>> issues("https://example.org/a/b/tree/dev")
    'https://example.org/a/b/issues/new'
    """
    if not repository.startswith(("https://", "http://")):
        return ""
    return f"{repository.rstrip('/').partition('/tree/')[0]}/issues/new"


def reference(text: str) -> str:
    """The address of a reference: an issue of a project, or a URL; "" for anything else.

    >>> reference("pytorch#93579")
    'https://github.com/pytorch/pytorch/issues/93579'
    >>> reference("javascript:alert(1)")
    ''
    """
    if found := _REFERENCE.fullmatch(text):
        owner, name, number = found[1], found[2] or found[1], found[3]
        return f"https://github.com/{owner}/{name}/issues/{number}"
    return text if re.fullmatch(r"https?://\S+", text) else ""

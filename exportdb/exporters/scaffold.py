"""The folder of a new exporter: adapter, expectations, configuration, CI workflow, readme.

Owns what such a folder looks like (``template/``) and that nothing is ever overwritten.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Mapping
from pathlib import Path

_TEMPLATE = Path(__file__).with_name("template")
#: Where each template goes; ``@FILE@`` stands for the file of the adapter.
FILES = {
    "adapter.py.in": "@FILE@",
    "expectations.README.md.in": "expectations/README.md",
    "exportdb.toml.in": "exportdb.toml",
    "workflow.yml.in": ".github/workflows/exportdb.yml",
    "README.md.in": "README.md",
}
#: What is there already where somebody has an adapter.
_ITS_OWN = ("adapter.py.in", "README.md.in")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class ScaffoldError(Exception):
    """A folder that cannot be begun: what is in the way, and what to do."""


def write(name: str, folder: Path) -> list[Path]:
    """Write the files of the exporter ``name`` into ``folder``; their paths, the adapter first.

    ``name`` is in kebab case, as it will stand in records. Raises ScaffoldError for another one,
    and for a file that is there already; then nothing is written.
    """
    if not _NAME.fullmatch(name):
        raise ScaffoldError(
            f"{name!r} is not a name for an exporter: write lower-case words, like my-compiler, or "
            "the adapter that you have, like adapter.py:MyCompiler"
        )
    module = name.replace("-", "_")
    if keyword.iskeyword(module):
        raise ScaffoldError(f"{name!r} is a keyword of Python; choose another name")
    kind = "".join(word.capitalize() for word in name.split("-"))
    return _write(folder, {"@NAME@": name, "@FILE@": f"{module}.py", "@CLASS@": kind}, FILES)


def write_around(name: str, adapter: Path, kind: str, folder: Path) -> list[Path]:
    """Write the files beside the class ``kind`` of an ``adapter`` that is there; their paths.

    Raises ScaffoldError for a file that is there already; then nothing is written.
    """
    words = {"@NAME@": name, "@FILE@": os.path.relpath(adapter, folder), "@CLASS@": kind}
    return _write(folder, words, {s: t for s, t in FILES.items() if s not in _ITS_OWN})


def _write(folder: Path, words: Mapping[str, str], files: Mapping[str, str]) -> list[Path]:
    texts = {
        folder / _filled(target, words): _filled((_TEMPLATE / source).read_text("utf-8"), words)
        for source, target in files.items()
    }
    for path in texts:
        if path.exists():
            raise ScaffoldError(f"{path} already exists; nothing was written")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text

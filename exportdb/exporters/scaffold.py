"""The folder of a new exporter: adapter, expectations, configuration, CI job, readme.

Owns what such a folder looks like (``template/``) and that nothing is ever overwritten.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path

_TEMPLATE = Path(__file__).with_name("template")
#: Where each template goes; ``@MODULE@`` stands for the exporter's module.
FILES = {
    "adapter.py.in": "@MODULE@.py",
    "expectations.README.md.in": "expectations/README.md",
    "exportdb.toml.in": "exportdb.toml",
    "ci.yml.in": "ci.yml",
    "README.md.in": "README.md",
}
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
            f"{name!r} is no name for an exporter: write lower-case words, like my-compiler"
        )
    module = name.replace("-", "_")
    if keyword.iskeyword(module):
        raise ScaffoldError(f"{name!r} is a word of Python's own; choose another name")
    words = {
        "@NAME@": name,
        "@MODULE@": module,
        "@CLASS@": "".join(word.capitalize() for word in name.split("-")),
    }
    texts = {
        folder / _filled(target, words): _filled((_TEMPLATE / source).read_text("utf-8"), words)
        for source, target in FILES.items()
    }
    for path in texts:
        if path.exists():
            raise ScaffoldError(f"{path} is there already; nothing was written")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _filled(text: str, words: dict[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text

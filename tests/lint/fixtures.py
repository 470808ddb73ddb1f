"""Reads a fixture: what lint is expected to say, and the files it is to say it about.

A fixture is a text file. Lines ``expect PATH:LINE ID`` come first, then each file after a line
``=== PATH``. A path that begins with ``other:`` lies in a second tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("fixtures")


@dataclass(frozen=True)
class Fixture:
    """One fixture: its name, the expected ``PATH:LINE ID`` and the text of its files."""

    name: str
    expected: list[str]
    files: dict[str, str]

    def lay_out(self, folder: Path) -> list[Path]:
        """Write the files; the trees they lie in."""
        trees = []
        for name, text in self.files.items():
            tree, _, path = name.rpartition(":")
            root = folder / (tree or "tree")
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
            trees.append(root)
        return list(dict.fromkeys(trees))


def fixtures(kind: str) -> list[Fixture]:
    """The fixtures of the folder ``static`` or ``executing``."""
    return [_read(path) for path in sorted((FOLDER / kind).glob("*.txt"))]


def _read(path: Path) -> Fixture:
    head, *parts = path.read_text(encoding="utf-8").split("\n=== ")
    expected = [line[7:] for line in head.splitlines() if line.startswith("expect ")]
    split = (part.partition("\n") for part in parts)
    files = {name: text if text.endswith("\n") else text + "\n" for name, _, text in split}
    return Fixture(path.stem, expected, files)

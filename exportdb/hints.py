"""What was probably meant by a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def hint(
    word: str, known: Iterable[str], otherwise: str = "", most: int = 2, least: float = 0.5
) -> str:
    """The end of a message about ``word``: the ``most`` nearest to it, or else ``otherwise``.

    ``least`` is how near a word must be, from 0 to 1.

    >>> hint("exprot", ["export", "make-fx"]), hint("x", ["export"], "see --list"), hint("x", [])
    ('; did you mean export?', '; see --list', '')
    """
    import difflib

    near = difflib.get_close_matches(word, [*known], most, least)
    text = f"did you mean {' or '.join(near)}?" if near else otherwise
    return f"; {text}" if text else ""

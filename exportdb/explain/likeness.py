"""How much a program has a line like one of the user's: the same statement, with other names.

Pure. Two statements are alike by the pieces that they have in common: attributes, calls, operators;
names of variables are none. They are read piece by piece and not by Python's grammar: a line of a
traceback may be part of a statement, and the explain page does the same in
``site/static/explaining.js``, where there is no grammar; a test holds the two together.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

#: Regular expressions that the page uses too.
PATTERNS = {
    "piece": r"\"(?:[^\"\\\n]|\\[^\n])*\"|'(?:[^'\\\n]|\\[^\n])*'|[0-9][0-9A-Za-z_.]*"
    r"|\.?[A-Za-z_][A-Za-z0-9_]*|\*\*=?|//=?|<<=?|>>=?|[-+*/%&|^@:=!<>]=|->|[!-~]",
    "name": r"^\.?[A-Za-z_]",
    "literal": r"^(?:[\"'0-9]|(?:True|False|None)$)",
    "assigns": r"^(?:\*\*|//|<<|>>|[-+*/%&|^@])=$",
}
_PIECE, _NAME, _LITERAL, _ASSIGNS = map(re.compile, PATTERNS.values())
#: Words that begin a statement of their own kind, and those that are pieces of an expression.
BEGIN = frozenset((
    "if", "while", "for", "return", "assert", "raise", "with", "del", "yield", "await", "import",
    "from",
))  # fmt: skip
WITHIN = frozenset(("and", "or", "not", "in", "is", "if", "else", "for", "lambda"))
#: A statement: its kind, and how often it has which piece.
Statement = tuple[str, Counter[str]]


def likeness(line: str, program: str) -> float:
    """From 0 to 1: how much the statement of ``program`` that is most like ``line`` is like it.

    >>> program = "def forward(self, x):\\n    if x.sum() > 0:\\n        return x\\n    return -x"
    >>> [likeness(line, program) for line in ("if scores.sum() > 7:", "while True:", "x = (")]
    [1.0, 0.0, 0.0]
    """
    kind, pieces = statement(line)
    alike = (_common(pieces, other) for its, other in statements(program) if its == kind)
    return max(alike, default=0.0)


def statement(line: str) -> Statement:
    """A line as a statement.

    >>> statement("elif x.shape[0] > 3 and not done:")[1] == Counter(
    ...     [".shape", "index", "0", ">", "0", "and", "not"])
    True
    """
    words = _PIECE.findall(line)
    first = "if" if words[:1] == ["elif"] else words[0] if words else ""
    kind, depth, before = first if first in BEGIN else "", 0, ""
    found: Counter[str] = Counter()
    for word in words[bool(kind) :]:
        if word in ("(", "[", "{"):
            depth += 1
        elif word in (")", "]", "}"):
            depth -= 1
        if not depth and not kind and (word == "=" or _ASSIGNS.match(word)):
            kind = "="
        if piece := _piece(word, before, depth):
            found[piece] += 1
        before = word
    return kind or "call", found


def _piece(word: str, before: str, depth: int) -> str:
    """What a word of a line counts as, "" for what counts as nothing."""
    if _LITERAL.match(word):
        return "0"
    if _NAME.match(word):
        return word if word[0] == "." or word in WITHIN else ""
    if word in ("(", "["):
        named = bool(_NAME.match(before)) and before not in WITHIN | BEGIN
        of_something = named or before in (")", "]")
        return {"(": "call", "[": "index"}[word] if of_something else "" if word == "(" else "list"
    if word in (")", "]", "}", ","):
        return ""
    if word in (":", "="):
        return {":": "slice", "=": "keyword"}[word] if depth else ""
    return word


@lru_cache(maxsize=256)
def statements(program: str) -> tuple[Statement, ...]:
    """The statements of a program that is Python, none of any other; those within one are their
    own."""
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return ()
    return tuple(statement(line) for line in _lines(tree))


def _lines(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While | ast.For | ast.With):
            head = copy.copy(node)
            head.body = [ast.Pass()]
            if not isinstance(head, ast.With):
                head.orelse = []
            yield ast.unparse(head).splitlines()[0]
        elif isinstance(node, ast.stmt) and not hasattr(node, "body"):
            yield ast.unparse(node)


def _common(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0

"""What symbols, expressions and inputs are called: the same in every process and torch version.

Owns canonical symbol names (``s0``, ``u0``), the text of an expression, and the names of input
leaves (``batch['mask']``) and of what is measured on them (``x.size()[0]``). Which symbols and
expressions there are is left to :mod:`exportdb.symbolic.facts` and to the canonical graph.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

Spell = Callable[[sympy.Symbol], str]

# How strongly a text holds together, weakest first. Whatever is weaker than its surroundings
# stands in parentheses.
_IF, _OR, _AND, _NOT, _COMPARE, _ADD, _MUL, _UNARY, _POW, _ATOM = range(10)

_COMPARISONS = {"Eq": "==", "Ne": "!=", "Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# Classes that torch chooses between by version or by what it could prove, for one operation.
_SYNONYMS = {"PythonMod": "Mod", "CleanDiv": "FloorDiv", "FloatTrueDiv": "IntTrueDiv"}
_RELATIONS = {
    "Equality": "Eq", "Unequality": "Ne", "StrictLessThan": "Lt", "LessThan": "Le",
    "StrictGreaterThan": "Gt", "GreaterThan": "Ge",
}  # fmt: skip
_FUNCTIONS = {
    "Max": "max", "Min": "min", "TruncToInt": "int", "ToFloat": "float", "Abs": "abs",
    "RoundToInt": "round", "RoundDecimal": "round", "FloorToInt": "floor", "CeilToInt": "ceil",
}  # fmt: skip


def is_unbacked(symbol: Any) -> bool:
    """Whether a symbol of torch's stands for a value that no input's size gives."""
    return bool(re.match(r"z?uf?\d", str(symbol)))


def spelled(expr: Any, spell: Spell = str) -> str:
    """The text of an expression in Python's notation, ``spell`` giving the names of symbols.

    Arguments whose order means nothing are ordered by their text, numbers last in a sum and
    first in a product; a comparison has its number on the right, or else points to the right.
    """
    if not isinstance(expr, sympy.Basic):
        return str(expr)
    return _text(expr, spell)[0]


class SymbolNames:
    """Canonical names of symbols, given in the order in which they are first asked for.

    Backed symbols become ``s0, s1, ...``, unbacked ones ``u0, u1, ...``.
    """

    def __init__(self) -> None:
        self._names: dict[sympy.Symbol, sympy.Symbol] = {}

    @property
    def known(self) -> Mapping[sympy.Symbol, sympy.Symbol]:
        """The symbols named so far, each with its canonical symbol, in order of appearance."""
        return self._names

    def name(self, symbol: sympy.Symbol) -> sympy.Symbol:
        """The canonical symbol for one of torch's; the next free one at its first appearance."""
        if symbol not in self._names:
            kind = "u" if is_unbacked(symbol) else "s"
            number = sum(name.name.startswith(kind) for name in self._names.values())
            self._names[symbol] = sympy.Symbol(f"{kind}{number}", integer=symbol.is_integer)
        return self._names[symbol]

    def expression(self, expr: Any) -> str:
        """The text of an expression (of sympy's, or a number) with canonical names.

        Symbols that appear here for the first time are numbered by their place in the
        expression, never by the name torch gave them.
        """
        if not isinstance(expr, sympy.Basic):
            return str(expr)
        self._name_all(expr)
        return spelled(expr, lambda symbol: self.name(symbol).name)

    def _name_all(self, expr: sympy.Basic) -> None:
        """Name the new symbols of an expression, by what its text is with one of them marked."""
        new = {s for s in expr.free_symbols if s not in self._names}
        while new:
            marked = {s: self._marked(expr, s) for s in new}
            # Where two texts are equal, exchanging the two symbols changes nothing; the name
            # only makes the choice definite.
            first = min(new, key=lambda s: (marked[s], is_unbacked(s), str(s)))
            self.name(first)
            new.remove(first)

    def _marked(self, expr: sympy.Basic, mark: sympy.Symbol) -> str:
        def spell(symbol: sympy.Symbol) -> str:
            if symbol == mark:
                return "!"
            return self._names[symbol].name if symbol in self._names else "?"

        return spelled(expr, spell)


def _text(e: sympy.Basic, spell: Spell) -> tuple[str, int]:
    """The text of ``e`` and how strongly it holds together."""
    kind = type(e).__name__
    kind = _SYNONYMS.get(kind, kind)

    def part(arg: sympy.Basic, strength: int) -> str:
        text, own = _text(arg, spell)
        return text if own >= strength else f"({text})"

    def parts(strength: int) -> list[str]:
        return sorted(part(a, strength) for a in e.args)

    if isinstance(e, sympy.Symbol):
        return spell(e), _ATOM
    if isinstance(e, sympy.Integer):
        return str(e), _ATOM if e >= 0 else _UNARY
    if isinstance(e, sympy.Rational):
        return f"{e.p}/{e.q}", _MUL
    if isinstance(e, sympy.Float):
        return repr(float(e)), _ATOM if e >= 0 else _UNARY
    if isinstance(e, sympy.Add):
        return _sum([(a.is_Number, part(a, _MUL)) for a in e.args]), _ADD
    if isinstance(e, sympy.Mul):
        return _product([(not a.is_Number, a, part(a, _UNARY)) for a in e.args])
    if isinstance(e, sympy.Pow):
        base, exponent = e.args
        return f"{part(base, _ATOM)}**{part(exponent, _ATOM)}", _POW
    if kind == "PowByNatural":
        return f"{part(e.args[0], _ATOM)}**{part(e.args[1], _ATOM)}", _POW
    if kind in _RELATIONS:
        return _comparison(e, _COMPARISONS[_RELATIONS[kind]], part), _COMPARE
    if isinstance(e, sympy.And):
        return " and ".join(parts(_NOT)), _AND
    if isinstance(e, sympy.Or):
        return " or ".join(parts(_AND)), _OR
    if isinstance(e, sympy.Not):
        return f"not {part(e.args[0], _NOT)}", _NOT
    if kind in ("FloorDiv", "Mod", "IntTrueDiv"):
        sign = {"FloorDiv": "//", "Mod": "%", "IntTrueDiv": "/"}[kind]
        return f"{part(e.args[0], _UNARY)} {sign} {part(e.args[1], _UNARY)}", _MUL
    if kind == "Identity":
        return _text(e.args[0], spell)
    if isinstance(e, sympy.Piecewise):
        *cases, (last, _) = [(part(v, _OR), part(c, _OR)) for v, c in e.args]
        return " ".join([*(f"{v} if {c} else" for v, c in cases), last]), _IF
    if kind in ("Max", "Min"):
        return f"{_FUNCTIONS[kind]}({', '.join(parts(_OR))})", _ATOM
    if e.args:
        inner = ", ".join(_text(a, spell)[0] for a in e.args)
        return f"{_FUNCTIONS.get(kind, kind)}({inner})", _ATOM
    return str(e), _ATOM  # int_oo, True, and other constants


def _sum(terms: list[tuple[bool, str]]) -> str:
    """``s0 - 2*s1 + 1``; the terms that are subtracted come after those that are added."""

    def order(term: tuple[bool, str]) -> tuple[bool, bool, str, str]:
        number, text = term
        return number, text.startswith("-"), re.sub(r"^-?[\d./]*\*?", "", text), text

    ordered = sorted(terms, key=order)
    text = ordered[0][1]
    for _, term in ordered[1:]:
        text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return text


def _product(factors: list[tuple[bool, sympy.Basic, str]]) -> tuple[str, int]:
    ordered = sorted(factors, key=lambda f: (f[0], f[2]))
    rest = [text for _, _, text in ordered]
    if ordered[0][1] == -1:
        first = rest[1]
        return "*".join([f"-{first}", *rest[2:]]), _MUL
    return "*".join(rest), _MUL


def _comparison(e: sympy.Basic, sign: str, part: Callable[[sympy.Basic, int], str]) -> str:
    left, right = e.args
    sides = [(bool(left.is_number), part(left, _ADD)), (bool(right.is_number), part(right, _ADD))]
    if sign in ("==", "!="):
        sides.sort(key=lambda side: (side[0], len(side[1]), side[1]))
    elif sides[0][0] or (sign in (">", ">=") and not sides[1][0]):
        sides.reverse()
        sign = _MIRRORED[sign]
    return f"{sides[0][1]} {sign} {sides[1][1]}"


def input_names(forward: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
    """What each leaf of ``(args, kwargs)`` is called, in the order pytree flattens them.

    ``forward`` is the function the inputs are for, a module, or a signature: its parameters give
    the names; ``x``, ``batch['mask']`` and ``xs[1]`` are names of leaves. Raises nothing: an
    input without a parameter of its own is ``args[i]`` or ``kwargs['key']``.
    """
    names: list[str] = []
    positional, var = parameter_names(forward)
    for i, value in enumerate(args):
        own = positional[i] if i < len(positional) else f"{var}[{i - len(positional)}]"
        names += [own + path for path in _paths(value)]
    parameters = parameters_of(forward)
    rest = next((p.name for p in parameters.values() if p.kind is p.VAR_KEYWORD), None)
    for key, value in kwargs.items():
        own = key if rest is None or key in parameters else f"{rest}[{key!r}]"
        names += [own + path for path in _paths(value)]
    return names


def parameters_of(forward: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function, of a module's ``forward``, or of a signature; {} if unknown."""
    if isinstance(forward, inspect.Signature):
        return forward.parameters
    try:
        return inspect.signature(getattr(forward, "forward", forward)).parameters
    except (TypeError, ValueError):
        return {}


def parameter_names(forward: Any) -> tuple[list[str], str]:
    """The names that positional arguments get, and the name of the one that takes the rest."""
    names, var = [], "args"
    for p in parameters_of(forward).values():
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            names.append(p.name)
        elif p.kind is p.VAR_POSITIONAL:
            var = p.name
    return names, var


def _paths(value: Any) -> list[str]:
    """Where each leaf of a value is in it, as Python would say it ("" for a leaf itself)."""
    from torch.utils import _pytree as pytree

    try:
        return [pytree.keystr(path) for path, _ in pytree.tree_flatten_with_path(value)[0]]
    except ValueError:  # a registered container that does not say its keys
        return [f"[{i}]" for i in range(len(pytree.tree_leaves(value)))]


class InputNames:
    """Turns what torch calls an input into the name of its leaf.

    ``names`` are the leaf names in flattening order, ``placeholders`` the names of the graph's
    placeholders for them, where a graph has been made.
    """

    def __init__(self, names: Sequence[str], placeholders: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self._own = dict.fromkeys(re.split(r"[\[.]", name)[0] for name in names)
        self._placeholders = dict(zip(placeholders, names, strict=False))

    def source(self, text: str) -> str:
        """A source's or a guard's text over leaf names: ``L['x'].size()[0]`` to ``x.size()[0]``.

        Text that only shape properties can follow is changed; anything else stays as it is.
        """
        if "args" not in self._own:  # before torch 2.8: of (args, kwargs)
            text = re.sub(r"\bL\['args'\]\[0\]\[(\d+)\]", self._positional, text)
            text = re.sub(r"\bL\['args'\]\[1\]\['(\w+)'\]", r"\1", text)
        text = re.sub(r"\bL\['(\w+)'\]", r"\1", text)
        text = re.sub(r"\bflat_args\[(\d+)\]|\binput(\d+)\b", self._numbered, text)
        text = re.sub(r"\.shape\[(\d+)\]", r".size()[\1]", text)
        return re.sub(r"(?<![\w.'\]])([A-Za-z_]\w*)\b(?!['(])", self._placeholder, text)

    def _positional(self, match: re.Match[str]) -> str:
        own, number = [*self._own], int(match[1])
        return own[number] if number < len(own) else match[0]

    def _numbered(self, match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        if match[0] in self._own:  # a parameter that happens to be called input0
            return match[0]
        return self.names[number] if number < len(self.names) else match[0]

    def _placeholder(self, match: re.Match[str]) -> str:
        return self._placeholders.get(match[1], match[1])

"""Names and texts depend on what an expression says, never on what torch called its symbols."""

from __future__ import annotations

import random
import string

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._sympy.functions import (
    CleanDiv,
    FloorDiv,
    Identity,
    IntTrueDiv,
    Max,
    Min,
    Mod,
    PythonMod,
    TruncToInt,
)

from exportdb.symbolic.names import InputNames, SymbolNames, input_names, is_unbacked, spelled

A, B = (sympy.Symbol(n, integer=True, positive=True) for n in ("s77", "s17"))
U = sympy.Symbol("u3", integer=True)


def names_of_a_b_u() -> SymbolNames:
    names = SymbolNames()
    for symbol in (A, B, U):
        names.name(symbol)
    return names


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (A + 2 * B - 3 * U - 1, "s0 + 2*s1 - 3*u0 - 1"),
        (-A * B, "-s0*s1"),
        (-(A + B), "-s0 - s1"),
        (A**2 * U, "s0**2*u0"),
        (FloorDiv(A - 1, 2) + 1, "(s0 - 1) // 2 + 1"),
        (FloorDiv(A, 2) * B, "(s0 // 2)*s1"),
        (CleanDiv(A, 2), "s0 // 2"),
        (sympy.Eq(Mod(A * B + 1, 4), 0), "(s0*s1 + 1) % 4 == 0"),
        (PythonMod(A, 4), "s0 % 4"),
        (sympy.Ge(2, A), "s0 <= 2"),
        (B > A, "s0 < s1"),
        (sympy.Eq(U * A**2, 9 * U), "9*u0 == s0**2*u0"),
        (sympy.Eq(2 * A, B), "s1 == 2*s0"),
        (Max(3, B, A), "max(3, s0, s1)"),
        (Min(A, B), "min(s0, s1)"),
        (sympy.And(A > 2, sympy.Or(B < 3, sympy.Ne(A, B))), "(s0 != s1 or s1 < 3) and s0 > 2"),
        (TruncToInt(IntTrueDiv(A, 2)), "int(s0 / 2)"),
        (Identity(A), "s0"),
        (2 * sympy.Piecewise((A, A > 8), (B, True)), "2*(s0 if s0 > 8 else s1)"),
        (sympy.Rational(1, 2) * A, "(1/2)*s0"),
        (sympy.Float(1.5), "1.5"),
        (7, "7"),
    ],
)
def test_expressions_read_like_python(expr: object, text: str) -> None:
    assert names_of_a_b_u().expression(expr) == text


def test_symbols_are_numbered_by_first_appearance_and_unbacked_ones_apart() -> None:
    names = names_of_a_b_u()
    assert [s.name for s in names.known.values()] == ["s0", "s1", "u0"]
    assert names.name(B).name == "s1"
    assert names.expression(sympy.Symbol("u0", integer=True)) == "u1"


@pytest.mark.parametrize(
    ("name", "unbacked"), [("u0", True), ("zuf3", True), ("s17", False), ("zf2", False)]
)
def test_unbacked_symbols_are_known_by_their_prefix(name: str, unbacked: bool) -> None:
    assert is_unbacked(sympy.Symbol(name)) is unbacked


leaves = st.sampled_from(["a", "b", "c"]) | st.integers(1, 5)


def grow(inner: st.SearchStrategy) -> st.SearchStrategy:
    commuting = st.tuples(st.sampled_from(["add", "mul", "max"]), inner, inner)
    dividing = st.tuples(st.sampled_from(["floordiv", "mod"]), inner, leaves)  # never by zero
    return commuting | dividing


trees = st.recursive(leaves, grow, max_leaves=6)


def build(tree: object, symbols: dict[str, sympy.Symbol], flip: bool) -> sympy.Expr:
    """The expression of a tree; with ``flip`` the arguments that commute change places."""
    if isinstance(tree, int):
        return sympy.Integer(tree)
    if isinstance(tree, str):
        return symbols[tree]
    operator, left, right = tree
    a, b = build(left, symbols, flip), build(right, symbols, flip)
    if flip and operator in ("add", "mul", "max"):
        a, b = b, a
    make = {"add": sympy.Add, "mul": sympy.Mul, "max": Max, "floordiv": FloorDiv, "mod": Mod}
    return make[operator](a, b)


@settings(max_examples=150, deadline=None)
@given(trees, st.permutations(["s3", "s77", "s210"]))
def test_renaming_symbols_and_permuting_arguments_changes_no_text(tree, renamed) -> None:
    def text(symbol_names: list[str], flip: bool, known: bool) -> str:
        symbols = {
            key: sympy.Symbol(name, integer=True, positive=True)
            for key, name in zip("abc", symbol_names, strict=True)
        }
        names = SymbolNames()
        if known:  # as after the inputs have been named
            for symbol in symbols.values():
                names.name(symbol)
        return names.expression(build(tree, symbols, flip))

    for known in (True, False):
        assert text(["s0", "s1", "s2"], False, known) == text(renamed, True, known)


@settings(max_examples=100, deadline=None)
@given(trees, st.integers(2, 40), st.integers(2, 40), st.integers(2, 40))
def test_the_text_means_what_the_expression_means(tree, a, b, c) -> None:
    symbols = {k: sympy.Symbol(k, integer=True, positive=True) for k in "abc"}
    values = dict(zip("abc", (a, b, c), strict=True))
    expr = build(tree, symbols, False)
    exact = expr.xreplace({symbols[k]: sympy.Integer(v) for k, v in values.items()})
    assert eval(spelled(expr), {"max": max, "min": min}, values) == int(exact)


def test_input_leaves_are_named_by_the_parameters_that_take_them() -> None:
    def forward(x, batch, *rest, flag=None, **more):
        return x

    args = (1, {"mask": 2, "ids": [3, 4]}, 5, (6, 7))
    names = input_names(forward, args, {"flag": True, "extra": 8})
    assert names == [
        "x", "batch['mask']", "batch['ids'][0]", "batch['ids'][1]",
        "rest[0]", "rest[1][0]", "rest[1][1]", "flag", "more['extra']",
    ]  # fmt: skip


def test_one_source_has_one_name_however_torch_spells_it() -> None:
    names = InputNames(["x", "batch['mask']"], ["x", "batch_mask"])
    for text in (
        "L['batch']['mask'].size()[0]",
        "L['flat_args'][1].size()[0]",
        "flat_args[1].size()[0]",
        "input1.size()[0]",
        "batch_mask.size()[0]",
        "batch_mask.shape[0]",
        "L['args'][0][1]['mask'].size()[0]",
        "L['args'][1]['batch']['mask'].size()[0]",
    ):
        assert names.source(text) == "batch['mask'].size()[0]"
    assert names.source("L['x'].size()[0] == 2*L['flat_args'][0].size()[1]") == (
        "x.size()[0] == 2*x.size()[1]"
    )


def test_a_parameter_called_like_one_of_torchs_inputs_keeps_its_name() -> None:
    assert InputNames(["y", "input0"]).source("input0.size()[0]") == "input0.size()[0]"
    own = InputNames(["x", "args[0][1]"])
    assert own.source("L['args'][0][1].size()[0]") == "args[0][1].size()[0]"


def test_many_new_symbols_are_still_named_the_same() -> None:
    rng = random.Random(0)
    letters = list(string.ascii_lowercase[:8])

    def text() -> str:
        rng.shuffle(letters)
        symbols = [sympy.Symbol(f"s{ord(x)}", integer=True, positive=True) for x in letters]
        return SymbolNames().expression(sympy.Add(*(i * s for i, s in enumerate(symbols, 1))))

    assert len({text() for _ in range(5)}) == 1


def test_torchs_own_infinity_is_text() -> None:
    from torch.utils._sympy.numbers import int_oo

    assert (spelled(int_oo), spelled(-int_oo), spelled(sympy.true)) == ("int_oo", "-int_oo", "True")

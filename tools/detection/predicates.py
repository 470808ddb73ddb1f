"""Predicate families: of all conditions of a form, how many do the generated samples tell apart.

For every constant of a range a program is made in memory, ``x + 1 if PREDICATE else x * 100``, and
an exporter that takes the branch of the example on every input. The samples tell the two apart if
it disagrees with eager on one of them. No program yields samples of its own.
"""

from __future__ import annotations

import copy
import multiprocessing
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.examine import examine
from exportdb.devices.builtin import Cpu
from exportdb.exporters.protocol import Exporter, Program
from exportdb.suites.cases import CaseProgram

PROGRAM = '''"""
title: A program that takes one of two branches
description: Made for the benchmark of detection.
"""
import bisect
import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = {constant}

    def forward(self, {parameters}):
        return x + 1 if {predicate} else x * 100


{rest}
'''


@dataclass(frozen=True)
class Family:
    """Conditions of one form. ``c`` in ``predicate`` stands for each of ``constants``.

    ``rest`` declares the dynamic shapes and builds the inputs; ``parameters`` are those of forward,
    the first being ``x``. ``decided_by`` says what decides: sizes, values, static inputs.
    """

    name: str
    decided_by: str
    predicate: str
    constants: Sequence[Any]
    parameters: str
    rest: str

    def program(self, constant: Any) -> CaseProgram:
        """The program with one constant."""
        predicate = self.predicate.replace("{c}", repr(constant))
        source = PROGRAM.format(
            predicate=predicate,
            constant=repr(constant),
            parameters=self.parameters,
            rest=textwrap.dedent(self.rest).strip(),
        )
        return CaseProgram(parse_case("predicate", Path("predicate.py"), source))


class Baked(Exporter):
    """Takes the branch of the example on every input."""

    name = "baked"

    def capture(self, program: Program) -> Callable[..., Any]:
        given = copy.deepcopy((program.args, dict(program.kwargs)))
        x = given[0][0]
        taken = torch.equal(program.module(*given[0], **given[1]), x + 1)

        def run(x: Any, *args: Any, **kwargs: Any) -> Any:
            return x + 1 if taken else x * 100

        return run


@dataclass(frozen=True)
class Told:
    """Of a family: which constants the samples tell apart, and at what cost in all."""

    name: str
    decided_by: str
    constants: int
    missed: Sequence[Any] = ()
    failed: Mapping[str, str] = field(default_factory=dict)  # by constant: no fair comparison
    samples: int = 0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """The share of constants that are told apart."""
        return 1 - len(self.missed) / self.constants if self.constants else 1.0


def measured(family: Family) -> Told:
    """Examine the program of every constant of a family."""
    missed, failed, samples = [], {}, 0
    started = time.perf_counter()
    for constant in family.constants:
        record = examine(family.program(constant), Baked(), Cpu())
        samples += len(record.samples)
        if not any(sample.result == "disagrees" for sample in record.samples):
            missed.append(constant)
        if record.outcome in ("error", "refused"):
            failed[repr(constant)] = str(record.error)[:200]
    seconds = time.perf_counter() - started
    return Told(
        family.name, family.decided_by, len(family.constants), missed, failed, samples, seconds
    )


def run(families: Sequence[Family], jobs: int) -> list[Told]:
    """Measure all families, in several processes."""
    torch.set_num_threads(1)
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.map(measured, families, chunksize=1)


def table(found: Sequence[Told]) -> Iterator[str]:
    """The result as lines of text, with what is missed."""
    yield f"{'predicate':<38}  {'told apart':>12}  {'share':>7}  {'samples':>7}  {'ms each':>7}"
    for kind in dict.fromkeys(t.decided_by for t in found):
        mine = [t for t in found if t.decided_by == kind]
        for told in mine:
            yield _row(told)
        whole = Told(
            f"all decided by {kind}", kind, sum(t.constants for t in mine),
            [c for t in mine for c in t.missed],
            samples=sum(t.samples for t in mine), seconds=sum(t.seconds for t in mine),
        )  # fmt: skip
        yield _row(whole)
    for told in found:
        if told.missed:
            shown = ", ".join(map(repr, told.missed[:24])) + (", ..." if told.missed[24:] else "")
            yield f"missed of {told.name}: {shown}"
        for constant, why in list(told.failed.items())[:1]:
            yield f"no comparison for {constant} of {told.name}: {why}"


def _row(told: Told) -> str:
    count = f"{told.constants - len(told.missed)} of {told.constants}"
    each = max(1, told.constants)
    return (
        f"{told.name:<38}  {count:>12}  {told.share:>7.1%}  {told.samples / each:>7.1f}  "
        f"{1000 * told.seconds / each:>7.0f}"
    )


def as_json(found: Sequence[Told]) -> list[dict[str, Any]]:
    """The result as plain data."""
    return [
        {
            "family": t.name,
            "decided_by": t.decided_by,
            "constants": t.constants,
            "told_apart": t.constants - len(t.missed),
            "missed": [repr(c) for c in t.missed],
            "failed": dict(t.failed),
            "samples": t.samples,
            "seconds": round(t.seconds, 3),
        }
        for t in found
    ]


# --- the families ------------------------------------------------------------------------------

_ONE = """
dynamic_shapes = {{"x": {{0: Dim("n", min=2, max={most})}}}}


def inputs(n=5):
    return torch.randn(n)
"""
_CLOSED = _ONE.format(most=64)
_OPEN = _ONE.format(most=None)
_TWO = """
dynamic_shapes = {"x": {0: Dim("a", min=2, max=32)}, "y": {0: Dim("b", min=2, max=32)}}


def inputs(a=5, b=7):
    return torch.randn(a), torch.randn(b)
"""
_RECTANGLE = """
dynamic_shapes = {"x": {0: Dim("a", min=2, max=32), 1: Dim("b", min=2, max=32)}}


def inputs(a=5, b=7):
    return torch.randn(a, b)
"""
_CUBOID = """
dynamic_shapes = {"x": {i: Dim(f"d{i}", min=2, max=12) for i in range(3)}}


def inputs(d0=5, d1=7, d2=3):
    return torch.randn(d0, d1, d2)
"""
_LIST = """
dynamic_shapes = {"x": {0: Dim("n", min=2, max=64)}, "k": [{0: Dim("m", min=2, max=64)}, None]}


def inputs(n=5, m=6):
    return torch.randn(n), [torch.randn(m), torch.randn(3)]
"""
_WITH = """
dynamic_shapes = {{"x": {{0: Dim("n", min=2, max=64)}}, "k": None}}


def inputs(n=5):
    return torch.randn(n), {k}
"""
_WORDS = ("mean", "sum", "max", "min", "none", "reflect", "nearest", "bilinear", "")


def _static(name: str, predicate: str, constants: Sequence[Any], example: str) -> Family:
    return Family(name, "static inputs", predicate, constants, "x, k", _WITH.format(k=example))


def families() -> list[Family]:
    """All families. Each constant leaves some input in range, or of the same kind, on each side."""
    return [
        *_plain(),
        *_plain_values(),
        *_composed(),
        *_composed_values(),
        *_mixed(),
        *_mixed_with_static(),
    ]


def _family(
    name: str, predicate: str, constants: Sequence[Any], rest: str, by: str = "sizes"
) -> Family:
    parameters = "x, y" if rest is _TWO else "x" if rest in (_CLOSED, _CUBOID) else "x, k"
    return Family(name, by, predicate, constants, parameters, rest)


def _mixed() -> list[Family]:
    """Families of which several things decide together: sizes, and numbers in tensors."""
    n, a, b = "x.shape[0]", "x.shape[0]", "y.shape[0]"
    a3, b3, d3 = "x.shape[0]", "x.shape[1]", "x.shape[2]"
    number, fraction = _WITH.format(k="torch.tensor(3)"), _WITH.format(k="torch.tensor(0.5)")
    four = _WITH.format(k="torch.tensor([3, 1, 4, 1])")

    return [
        _family("a % b == c", f"{a} % {b} == {{c}}", range(0, 16, 2), _TWO),
        _family("a // c == b", f"{a} // {{c}} == {b}", range(1, 9), _TWO),
        _family("math.gcd(a, b) == c", f"math.gcd({a}, {b}) == {{c}}", range(1, 17, 2), _TWO),
        _family("2 * min(a, b) > max(a, b) + c",
               f"2 * min({a}, {b}) > max({a}, {b}) + {{c}}", range(-26, 30, 5), _TWO),
        _family("a > c > b", f"{a} > {{c}} > {b}", range(3, 32, 4), _TWO),
        _family("a + b + d > c", f"{a3} + {b3} + {d3} > {{c}}", range(6, 36, 3), _CUBOID),
        _family("a * b * d > c", f"{a3} * {b3} * {d3} > {{c}}", range(8, 1727, 191), _CUBOID),
        _family("x.shape == (c, c, c)", "x.shape == ({c}, {c}, {c})", range(2, 13, 2), _CUBOID),
        _family("c in x.shape", "{c} in x.shape", range(2, 13, 2), _CUBOID),
        _family("n % 8 == 0 and n > c", f"{n} % 8 == 0 and {n} > {{c}}", range(2, 64, 6), _CLOSED),
        _family("divmod(n, c)[1] > 2", f"divmod({n}, {{c}})[1] > 2", range(4, 32, 3), _CLOSED),
        _family("ones in binary of n == c", f'bin(int({n})).count("1") == {{c}}', range(1, 7),
               _CLOSED),
        _family("n is a square above c", f"int({n} ** 0.5) ** 2 == {n} and {n} > {{c}}",
               range(2, 62, 6), _CLOSED),
        _family("n not in range(c, c + 5)", f"{n} not in range({{c}}, {{c}} + 5)",
               range(2, 60, 6), _CLOSED),
        _family("k.item() + c < n", f"k.item() + {{c}} < {n}", range(-8, 49, 4), number),
        _family("abs(k.item()) > c", "abs(k.item()) > {c}", range(0, 40, 4), number),
        _family("2 ** k.item() > c", "2 ** k.item() > {c}", [1, 3, 10, 100, 1000, 5000], number),
        _family("k.item() > 1 and n > c", f"k.item() > 1 and {n} > {{c}}", range(2, 64, 6), number),
        _family("float k.item() > c", "k.item() > {c}", [c / 4 for c in range(-16, 17, 3)],
               fraction),
        _family("int(k.item() * 4) == c", "int(k.item() * 4) == {c}", range(-8, 9, 2), fraction),
        _family("(k > c).sum() == 2", "int((k > {c}).sum()) == 2", range(-4, 9, 2), four),
        _family("k.argmax() == c", "int(k.argmax()) == {c}", range(4), four),
        _family("k.unique().numel() > c", "k.unique().numel() > {c}", range(1, 4), four),
        _family("k is sorted and k[0] > c", "k.tolist() == sorted(k.tolist()) and int(k[0]) > {c}",
               range(-4, 9, 3), four),
    ]  # fmt: skip


def _mixed_with_static() -> list[Family]:
    """The same with truths, words and numbers that are no tensors."""
    n, static = "x.shape[0]", "static inputs"
    return [
        _family("a bool and n > c", f"k and {n} > {{c}}", range(2, 64, 6), _WITH.format(k="True")),
        _family("no bool, or n == c", f"not k or {n} == {{c}}", range(2, 64, 6),
               _WITH.format(k="True")),
        _family("a string and n > c", f'k == "mean" and {n} > {{c}}', range(2, 64, 6),
               _WITH.format(k='"mean"')),
        _family("int(n * k) > c, a float k", f"int({n} * k) > {{c}}", range(1, 32, 3),
               _WITH.format(k="0.5")),
        _family("k + c < n, an int k", f"k + {{c}} < {n}", range(-8, 49, 4), _WITH.format(k="3")),
        _family("k is not None and n > c", f"k is not None and {n} > {{c}}", range(2, 64, 6),
               _WITH.format(k="torch.ones(2)")),
        _family("len(k) > c", "len(k) > {c}", range(6), _WITH.format(k="[torch.ones(2)] * 3"),
               static),
        _family("sum of a tuple > c", "sum(k) > {c}", range(-4, 20, 3), _WITH.format(k="(3, 5)"),
               static),
        _family("a tuple of ints in order, above c", "k[0] < k[1] and k[1] > {c}",
               range(-4, 20, 3), _WITH.format(k="(3, 5)"), static),
        _family("a string in a tuple of words", 'k in ("sum", {c})',
               ["max", "min", "none", "reflect"], _WITH.format(k='"sum"'), static),
        _family("k.endswith(c)", "k.endswith({c})", ["n", "an", "m", "x"],
               _WITH.format(k='"mean"'), static),
        _family("two bools", 'k["a"] and not k["b"]', (0,),
               _WITH.format(k='{"a": True, "b": False}'), static),
        _family("a float within c of the example", "abs(k - 0.5) < {c}", [0.01, 0.1, 0.3, 1.0, 3.0],
               _WITH.format(k="0.5"), static),
    ]  # fmt: skip


def _composed() -> list[Family]:
    """Families by what programs make of sizes and values: tables, remainders, products, roots."""
    sizes = "sizes"
    n, a, b = "x.shape[0]", "x.shape[0]", "y.shape[0]"
    rows, columns = "x.shape[0]", "x.shape[1]"

    def one(name: str, predicate: str, constants: Sequence[Any], rest: str = _CLOSED) -> Family:
        return Family(name, sizes, predicate, constants, "x", rest)

    def two(name: str, predicate: str, constants: Sequence[Any]) -> Family:
        return Family(name, sizes, predicate, constants, "x, y", _TWO)

    return [
        two("a % c == b % c", f"{a} % {{c}} == {b} % {{c}}", range(2, 17, 2)),
        two("(a * b) % c == 0", f"({a} * {b}) % {{c}} == 0", range(2, 33, 3)),
        two("abs(a - b) > c", f"abs({a} - {b}) > {{c}}", range(0, 30, 3)),
        two("max(a, b) == c", f"max({a}, {b}) == {{c}}", range(2, 33, 3)),
        two("min(a, b) >= c", f"min({a}, {b}) >= {{c}}", range(3, 33, 3)),
        two("a + b == c", f"{a} + {b} == {{c}}", range(4, 65, 4)),
        two("a * b == 2 * c", f"{a} * {b} == 2 * {{c}}", range(2, 33, 3)),
        two("a == b + c", f"{a} == {b} + {{c}}", range(-28, 29, 4)),
        two("a * a + b * b > c", f"{a} * {a} + {b} * {b} > {{c}}", range(9, 2047, 197)),
        two("a / b > c", f"{a} / {b} > {{c}}", [c / 4 for c in range(1, 60, 5)]),
        two("(a - b) // 2 == c", f"({a} - {b}) // 2 == {{c}}", range(-14, 15, 3)),
        one("n // c == 2", f"{n} // {{c}} == 2", range(1, 22, 2)),
        one("n % c > n // c", f"{n} % {{c}} > {n} // {{c}}", range(3, 33, 3)),
        one("n & c", f"{n} & {{c}}", [1, 2, 4, 8, 16, 32]),
        one("n & (n - 1) and n > c", f"{n} & ({n} - 1) and {n} > {{c}}", range(2, 62, 4)),
        one("n >> c", f"{n} >> {{c}}", range(2, 7)),
        one("n.bit_length() == c", f"int({n}).bit_length() == {{c}}", range(2, 8)),
        one("int(math.sqrt(n)) == c", f"int(math.sqrt({n})) == {{c}}", range(1, 9)),
        one("math.log2(n) > c", f"math.log2({n}) > {{c}}", [1.5, 2, 3, 4, 5, 5.9]),
        one("math.ceil(n / c) > 3", f"math.ceil({n} / {{c}}) > 3", range(1, 21, 2)),
        one("n in (c, 2 * c)", f"{n} in ({{c}}, 2 * {{c}})", range(2, 65, 4)),
        one("n is a key of a table", f"{{7: 1, {{c}}: 1}}.get({n}, 0) == 1", range(2, 65, 4)),
        one("n in a sorted list", f"bisect.bisect([{{c}}, 64], {n}) == 1", range(2, 65, 4)),
        one("c < n <= c + 3", f"{{c}} < {n} <= {{c}} + 3", range(2, 62, 4)),
        one("3 * n + 1 == c", f"3 * {n} + 1 == 3 * {{c}} + 1", range(2, 65, 4)),
        one("x.numel() > c", "x.numel() > {c}", range(4, 1024, 61), _RECTANGLE),
        one("rows == columns + c", f"{rows} == {columns} + {{c}}", range(-28, 29, 4), _RECTANGLE),
        one("x.stride(0) == c", "x.stride(0) == {c}", range(2, 33, 3), _RECTANGLE),
        one("rows * columns % c == 0", f"{rows} * {columns} % {{c}} == 0", range(2, 33, 3),
            _RECTANGLE),
    ]  # fmt: skip


def _composed_values() -> list[Family]:
    """The same of what is read from a tensor, and of what is none."""
    number, pair = _WITH.format(k="torch.tensor(3)"), _WITH.format(k="torch.tensor([3, 4])")

    def read(name: str, predicate: str, constants: Sequence[Any], rest: str = number) -> Family:
        return Family(name, "sizes", predicate, constants, "x, k", rest)

    return [
        read("table[k.item() % 4] == c", "[2, 0, 3, 1][k.item() % 4] == {c}", range(4)),
        read("k.item() in a set", "k.item() in {{c}, {c} + 1}", range(-8, 33, 3)),
        read("k.item() % c == 0", "k.item() % {c} == 0", range(2, 17, 2)),
        read("k.tolist()[1] == c", "k.tolist()[1] == {c}", range(-8, 33, 3), pair),
        read("k.sum().item() > c", "k.sum().item() > {c}", range(-8, 33, 3), pair),
        read("int(k.max()) == c", "int(k.max()) == {c}", range(-8, 33, 3), pair),
        read("(k == c).any()", "bool((k == {c}).any())", range(-8, 33, 3), pair),
        read("len of an item of a list > c", "k[0].shape[0] > {c}", range(2, 64, 4), _LIST),
        read("sum of lengths > c", "sum(v.shape[0] for v in k) > {c}", range(5, 67, 4), _LIST),
        _static("string begins with c", "k.startswith({c})", ["m", "me", "mean", "s", "r", "b"],
                '"mean"'),
        _static("length of a string > c", "len(k) > {c}", range(7), '"mean"'),
        _static("item of a tuple == c", "k[0] == {c}", range(-4, 17, 3), "(3, 5)"),
        _static("item of a dict > c", 'k["p"] > {c}', range(-4, 17, 3), '{"p": 3, "q": 5}'),
        _static("bool of a dict", 'k["on"]', (0,), '{"on": True, "q": 5}'),
        _static("int(10 * k) == c", "int(10 * k) == {c}", range(-10, 21, 3), "0.5"),
        _static("key in dict", "{c} in k", ["p", "r"], '{"p": 3, "q": 5}'),
        _static("int k & c", "k & {c}", [1, 2, 4, 8], "3"),
    ]  # fmt: skip


def _plain() -> list[Family]:
    """Families of sizes and numbers of which each compares with one constant."""
    sizes = "sizes"
    n, a, b = "x.shape[0]", "x.shape[0]", "y.shape[0]"
    return [
        Family("n == c", sizes, f"{n} == {{c}}", range(2, 65), "x", _CLOSED),
        Family("n == c, no upper bound", sizes, f"{n} == {{c}}", range(2, 129), "x", _OPEN),
        Family("n == self.c", sizes, f"{n} == self.limit", range(2, 65), "x", _CLOSED),
        Family("n >= c", sizes, f"{n} >= {{c}}", range(3, 65), "x", _CLOSED),
        Family("n >= c, no upper bound", sizes, f"{n} >= {{c}}", range(3, 257), "x", _OPEN),
        Family("n % c == 0", sizes, f"{n} % {{c}} == 0", range(2, 33), "x", _CLOSED),
        Family("n % c == 1", sizes, f"{n} % {{c}} == 1", range(2, 33), "x", _CLOSED),
        Family("n // 4 == c", sizes, f"{n} // 4 == {{c}}", range(17), "x", _CLOSED),
        Family("n * n > c", sizes, f"{n} * {n} > {{c}}", range(4, 4096, 61), "x", _CLOSED),
        Family("a == c * b", sizes, f"{a} == {{c}} * {b}", range(1, 17), "x, y", _TWO),
        Family("c * a == 3 * b", sizes, f"{{c}} * {a} == 3 * {b}", range(1, 9), "x, y", _TWO),
        Family("a > b + c", sizes, f"{a} > {b} + {{c}}", range(-29, 30), "x, y", _TWO),
        Family("a + b > c", sizes, f"{a} + {b} > {{c}}", range(4, 64), "x, y", _TWO),
        Family("a * b > c", sizes, f"{a} * {b} > {{c}}", range(4, 1024, 17), "x, y", _TWO),
        Family("a == 2 and b == c", sizes, f"{a} == 2 and {b} == {{c}}", range(2, 33), "x, y",
               _TWO),
        Family("a == c or b == c", sizes, f"{a} == {{c}} or {b} == {{c}}", range(2, 33), "x, y",
               _TWO),
        Family("(a + b) % c == 0", sizes, f"({a} + {b}) % {{c}} == 0", range(2, 17), "x, y", _TWO),
        Family("k.item() > c", sizes, "k.item() > {c}", range(-8, 65), "x, k",
               _WITH.format(k="torch.tensor(3)")),
        Family("k.item() == c", sizes, "k.item() == {c}", range(-8, 65), "x, k",
               _WITH.format(k="torch.tensor(3)")),
        Family("k[0].item() > k[1].item() + c", sizes, "k[0].item() > k[1].item() + {c}",
               range(-8, 9), "x, k", _WITH.format(k="torch.tensor([3, 4])")),
    ]  # fmt: skip


def _plain_values() -> list[Family]:
    """Families of values, types and layouts, and of what is no tensor, with one constant."""
    values = "values"
    return [
        Family("x.sum() > c", values, "x.sum() > {c}", range(-20, 21), "x", _CLOSED),
        Family("x.max() > c", values, "x.max() > {c}", range(-8, 9), "x", _CLOSED),
        Family("(x < c).any()", values, "(x < {c}).any()", range(-8, 9), "x", _CLOSED),
        Family("x[0] > c * x[1]", values, "x[0] > {c} * x[1]", range(-8, 9), "x", _CLOSED),
        Family("x.isnan().any()", values, "x.isnan().any()", (0,), "x", _CLOSED),
        Family("x.isinf().any()", values, "x.isinf().any()", (0,), "x", _CLOSED),
        Family("x.abs().max() > 10 ** c", values, "x.abs().max() > 10.0 ** {c}", range(1, 30), "x",
               _CLOSED),
        Family("(x == c).any()", values, "(x == {c}).any()", range(-4, 5), "x", _CLOSED),
        _static("int k == c", "k == {c}", range(-8, 33), "3"),
        _static("int k > c", "k > {c}", range(-8, 33), "3"),
        _static("int k % c == 0", "k % {c} == 0", range(2, 17), "3"),
        _static("float k > c", "k > {c}", [c / 4 for c in range(-16, 17)], "0.5"),
        _static("float k == c", "k == {c}", [0.0, 0.5, 1.0, -1.0, 2.0, 0.25], "0.5"),
        _static("bool, True in the example", "k", (0,), "True"),
        _static("bool, False in the example", "k", (0,), "False"),
        _static("is None, None in the example", "k is None", (0,), "None"),
        _static("is None, a tensor in the example", "k is None", (0,), "torch.ones(n)"),
        _static("string == c", "k == {c}", _WORDS, '"mean"'),
        _static("string is in c", "k in {c}", [_WORDS[:i] for i in range(1, 9)], '"mean"'),
        _static("list of length c", "len(k) == {c}", range(6), "[torch.ones(2)] * 2"),
        Family("dtype is c", "types and layouts", "str(x.dtype) == {c}",
               ["torch.float32", "torch.float64", "torch.float16", "torch.bfloat16",
                "torch.int64", "torch.complex64"], "x", _CLOSED),
        Family("is contiguous", "types and layouts", "x.is_contiguous()", (0,), "x", _CLOSED),
        Family("asks for a gradient", "types and layouts", "x.requires_grad", (0,), "x", _CLOSED),
        Family("number of axes is c", "types and layouts", "x.dim() == {c}", range(4), "x",
               _CLOSED),
        *(Family(asked, "types and layouts", asked, (0,), "x", _CLOSED)
          for asked in ("x.is_floating_point()", "x.is_complex()", "x.is_conj()", "x.is_neg()",
                        "x.storage_offset() == 0", "x.element_size() == 4", "x.stride(-1) == 1",
                        "isinstance(x, torch.nn.Parameter)", "torch.is_inference_mode_enabled()",
                        "torch.is_autocast_enabled('cpu')", "(x[1:] > x[:-1]).all()",
                        "x.isfinite().all()")),
        Family("grad mode", "types and layouts", "torch.is_grad_enabled()", (0,), "x", _CLOSED),
    ]  # fmt: skip

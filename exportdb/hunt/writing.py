"""The text of a generated program, in the format of a case.

Owns how its inputs are declared and what it gives back. What it does is a list of statements.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from exportdb.hunt.partial_program import IMPORTS, Statement

#: The sizes of the example: distinct from each other and from every constant of the grammar.
EXAMPLE = {"n": 5, "m": 7}


@dataclass(frozen=True)
class Dim:
    """A size that varies: ``spec`` is what ``dynamic_shapes`` says, with a range of its own."""

    name: str
    low: int
    high: int
    spec: str

    @property
    def hint(self) -> bool:
        """Whether ``spec`` names no range, so that the front matter has to."""
        return "min=" not in self.spec


@dataclass(frozen=True)
class Parameter:
    """One parameter of ``forward``.

    ``made`` is the expression that builds it, ``shape`` the text of its ``dynamic_shapes``,
    ``parts`` the expressions by which a program gets at what it holds. It is given by its place, by
    its name (``keyword``), or not at all, and then is what ``made`` says by default.
    """

    name: str
    made: str
    shape: str
    parts: tuple[str, ...]
    way: str = "place"


@dataclass(frozen=True)
class Signature:
    """What a program takes."""

    dims: tuple[Dim, ...]
    parameters: tuple[Parameter, ...]

    @property
    def header(self) -> str:
        """A function ``named`` that builds the parameters by name from sizes."""
        sizes = ", ".join(f"{d.name}={EXAMPLE[d.name]}" for d in self.dims)
        made = ", ".join(f"{p.name!r}: {p.made}" for p in self.parameters)
        return f"def named({sizes}):\n    return {{{made}}}\n"

    @property
    def points(self) -> list[dict[str, int]]:
        """Sizes to try: the example twice (other values), the ends, 0 and 1, and corners."""
        example = {d.name: EXAMPLE[d.name] for d in self.dims}
        low, high = {d.name: d.low for d in self.dims}, {d.name: d.high for d in self.dims}
        mixed = {d.name: (d.low if i % 2 else d.low + 1) for i, d in enumerate(self.dims)}
        crossed = {d.name: (d.low if i % 2 else d.high) for i, d in enumerate(self.dims)}
        found = [example, example, low, high, mixed, crossed]
        return [p for i, p in enumerate(found) if i < 2 or p not in found[:i]]


def signature(rng: random.Random, element: str = "") -> Signature:
    """What a program takes, by chance, and by the element that it is made around: gradients are of
    inputs that ask for them, views of inputs that are laid out in some way."""
    if element == "inputs":
        return _varied(rng)
    tensor = replace(_ANY, asks=element == "gradients", odd=element in ("views", "aliasing"))
    names = ("n",) if rng.random() < 0.55 else ("n", "m")
    dims = tuple(dim(rng, name) for name in names)
    names_left = list("xyz")
    parameters = [_tensor(rng, names_left.pop(0), dims, replace(tensor, first=True))]
    for _ in range(rng.choice((0, 1, 1, 2))):
        parameters.append(_parameter(rng, names_left.pop(0), dims, tensor))
    if names_left and rng.random() < 0.05:
        parameters = [*_twice(rng, parameters[0], names_left.pop(0)), *parameters[1:]]
    return _of(dims, parameters)


def _of(dims: Sequence[Dim], parameters: Sequence[Parameter]) -> Signature:
    used = " ".join(p.made for p in parameters)
    return Signature(tuple(d for d in dims if re.search(rf"\b{d.name}\b", used)), tuple(parameters))


def _varied(rng: random.Random) -> Signature:
    """A tensor and three inputs of other kinds, some of which are given by name, in another order,
    or left to their defaults."""
    dims = (dim(rng, "n"),)
    first = _tensor(rng, "x", dims, replace(_ANY, first=True))
    second = _container(rng, "y", dims) if rng.random() < 0.6 else _number(rng, "y")
    last = _tensor(rng, "u", dims, _ANY) if rng.random() < 0.5 else _number(rng, "u")
    others = [second, _number(rng, "z"), last]
    named = rng.choice((0, 0, 1, 2, 3))
    others = [replace(p, way="keyword") if i >= 3 - named else p for i, p in enumerate(others)]
    if others[-1].shape == "None" and "torch" not in others[-1].made and rng.random() < 0.3:
        others[-1] = replace(others[-1], way="default")
    return _of(dims, (first, *others))


#: Ends of ranges beyond what a kernel takes at once, and the share of first dims that have them;
#: of two that are so long what a program makes would be too large.
_SELDOM = {300: 0.04, 1100: 0.015}


def dim(rng: random.Random, name: str) -> Dim:
    """A size of that name, with a range by chance."""
    low = rng.choice((2, 2, 2, 2, 3, 4, 1, 0))
    kind = rng.random()
    if kind < 0.75:
        high = rng.choice((16, 16, 16, 16, 16, 64))
        if name == "n" and kind < sum(_SELDOM.values()):
            high = 300 if kind < _SELDOM[300] else 1100
        return Dim(name, low, high, f'Dim("{name}", min={low}, max={high})')
    return Dim(name, 2, 16, "Dim.DYNAMIC" if kind < 0.82 else "Dim.AUTO")


#: Tensors by kind, and how often a kind is wanted, of the first input and of others.
_BUILT = {
    "float": "torch.randn({0})", "double": "torch.randn({0}, dtype=torch.float64)",
    "int": "torch.randint(0, 4, ({0},))", "mask": "torch.rand({0}) > 0.4",
    "half": "torch.randn({0}).to(torch.bfloat16)",
    "asking": "torch.randn({0})",  # for a gradient, as it is laid out
    "ties": "torch.randint(-2, 3, ({0},)).float()",
    "large": "torch.randn({0}) * 100",
    "gaps": 'torch.randn({0}).masked_fill(torch.rand({0}) > 0.8, float("nan"))',
    "ends": 'torch.randn({0}).masked_fill(torch.rand({0}) > 0.8, float("-inf"))',
    "byte": "torch.randint(-100, 100, ({0},), dtype=torch.int8)",
    "short": "torch.randint(-9, 9, ({0},), dtype=torch.int32)",
    "wide": "torch.randint(-(2**40), 2**40, ({0},))",
    "complex": "torch.randn({0}, dtype=torch.complex64)",
}  # fmt: skip
_WANTED = {
    "float": 24, "double": 4, "int": 14, "mask": 7, "half": 4, "asking": 4, "ties": 3, "large": 2,
    "gaps": 1, "ends": 1, "byte": 1, "short": 2, "wide": 2, "complex": 2,
}  # fmt: skip
_FLOATING = ("float", "asking", "ties", "large", "gaps", "ends")


@dataclass(frozen=True)
class _Wanted:
    """Which tensors are wanted: most often floating (``first``), that ask for gradients, and laid
    out in some way."""

    first: bool = False
    asks: bool = False
    odd: bool = False


_ANY = _Wanted()


def _kind(rng: random.Random, wanted: _Wanted) -> str:
    if wanted.first and rng.random() < (1 if wanted.asks else 0.7):
        return rng.choice(("float",) * 8 + _FLOATING)
    if wanted.asks and rng.random() < 0.7:
        return rng.choice(("float", "float", "double", "ties"))
    return rng.choices(list(_WANTED), list(_WANTED.values()))[0]


def _tensor(rng: random.Random, name: str, dims: Sequence[Dim], wanted: _Wanted) -> Parameter:
    made, shape = _shaped(rng, _kind(rng, wanted), dims, wanted)
    return Parameter(name, made, shape, (name,))


def _shaped(rng: random.Random, kind: str, dims: Sequence[Dim], wanted: _Wanted) -> tuple[str, str]:
    sizes: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 2, 3, 4) if kind in _FLOATING else (1, 1, 2))):
        size = (
            dims[0].name if not sizes else rng.choice((*(d.name for d in dims[1:]), "3", "3", "4"))
        )
        sizes.append(size)
    if not wanted.first and rng.random() < 0.15:
        sizes[0] = "3"
    by_name = {d.name: d for d in dims}
    shape = ", ".join(f"{i}: {by_name[s].spec}" for i, s in enumerate(sizes) if s in by_name)
    made = _laid_out(rng, kind, sizes, 3 if wanted.odd else 1)
    asks = kind == "asking" or (wanted.asks and kind in (*_FLOATING, "double"))
    made = f"({made}).requires_grad_()" if asks else made
    return made, f"{{{shape}}}" if shape else "None"


def _laid_out(rng: random.Random, kind: str, sizes: Sequence[str], often: int = 1) -> str:
    """A tensor of these sizes, most often contiguous, or ``often`` times as seldom."""
    first, *rest = sizes
    built, layout = _BUILT[kind], rng.random() / often
    if layout < 0.06 and rest:
        return f"({built.format(', '.join((*sizes[:-2], sizes[-1], sizes[-2])))}).mT"
    if layout < 0.09:
        return f"({built.format(', '.join((f'2 * {first}', *rest)))})[::2]"
    if layout < 0.11:
        return f"({built.format(', '.join(('1', *rest)))}).expand({', '.join(sizes)})"
    if layout < 0.12 and rest:  # a gap behind each row
        return f"({built.format(', '.join((*sizes[:-1], f'{sizes[-1]} + 2')))})[..., :-2]"
    if layout < 0.13:  # not where its memory begins
        return f"({built.format(', '.join((f'{first} + 1', *rest)))})[1:]"
    if layout < 0.16 and kind == "complex":
        turned = rng.choice(("({0}).conj()", "torch._neg_view({0})"))
        return turned.format(built.format(", ".join(sizes)))
    if layout < 0.3 and len(sizes) == 4:
        return f"({built.format(', '.join(sizes))}).to(memory_format=torch.channels_last)"
    return built.format(", ".join(sizes))


#: Inputs that hold two tensors, what their ``dynamic_shapes`` hold, and how to get at them.
_CONTAINERS = (
    ("[{a}, {b}]", "[{a}, {b}]", "{x}[0]", "{x}[1]"),
    ("({a}, {b})", "({a}, {b})", "{x}[0]", "{x}[1]"),
    ('{{"b": {a}, "a": {b}}}', '{{"b": {a}, "a": {b}}}', '{x}["b"]', '{x}["a"]'),
    ("[{a}, None, {b}]", "[{a}, None, {b}]", "{x}[0]", "{x}[-1]"),
    ('{{"a": [{a}], "b": {b}}}', '{{"a": [{a}], "b": {b}}}', '{x}["a"][0]', '{x}["b"]'),
    ("({a}, 3, {b})", "({a}, None, {b})", "{x}[0]", "{x}[-1]"),
    ('{{2: {a}, 1: {b}}}', '{{2: {a}, 1: {b}}}', "{x}[2]", "{x}[1]"),
    ('collections.OrderedDict(b={a}, a={b})', '{{"b": {a}, "a": {b}}}', '{x}["b"]', '{x}["a"]'),
    ('[{{"b": {a}, "a": 2.5}}, ({b},)]', '[{{"b": {a}, "a": None}}, ({b},)]', '{x}[0]["b"]',
     "{x}[1][0]"),
)  # fmt: skip


def _twice(rng: random.Random, one: Parameter, name: str) -> tuple[Parameter, Parameter]:
    """An input, and another that has its memory."""
    made = rng.choice(("{0}", "{0}.detach()", "{0}.detach()[:]")).format(one.name)
    again = Parameter(name, made, one.shape, (name,))
    return replace(one, made=f"({one.name} := {one.made})"), again


def _parameter(rng: random.Random, name: str, dims: Sequence[Dim], wanted: _Wanted) -> Parameter:
    kind = rng.random()
    if kind < 0.7:
        return _tensor(rng, name, dims, wanted)
    return _container(rng, name, dims, wanted) if kind < 0.75 else _number(rng, name, _FEW)


def _container(
    rng: random.Random, name: str, dims: Sequence[Dim], wanted: _Wanted = _ANY
) -> Parameter:
    kinds = ("float", rng.choice(("float", "int")))
    (a, sa), (b, sb) = (_shaped(rng, kind, dims, wanted) for kind in kinds)
    made, shape, *parts = rng.choice(_CONTAINERS)
    return Parameter(
        name, made.format(a=a, b=b), shape.format(a=sa, b=sb),
        (*(part.format(x=name) for part in parts), name),
    )  # fmt: skip


#: Inputs that are no tensors, and more of them: what a narrower type or a container would change.
_FEW = ("None", "True", "3", "2.5", '"sum"')
_MORE = (*_FEW, *_FEW, "False", "-3", "0", "-0.5", "0.1", "3000000000", "1e-9", '"Mean"',
         'float("inf")', "[3, 4]", "(2.5, 3)", '{"b": 3, "a": 2.5}', "[]", "[True]", "(1, (2, 3))",
         "torch.tensor(2.5)", "torch.tensor(3)", "torch.tensor([2.0])")  # fmt: skip


def _number(rng: random.Random, name: str, among: Sequence[str] = _MORE) -> Parameter:
    return Parameter(name, rng.choice(among), "None", (name,))


def text(
    number: str, signature: Signature, statements: Sequence[Statement], returned: str, train: bool
) -> str:
    """The whole file."""
    body = [line for s in statements for line in s.body] + [f"return {returned}"]
    init = [line for s in statements for line in s.init]
    top = [line for s in statements for line in (*s.top, *(["", ""] if s.top else []))]
    if "Pair(" in returned:
        top += ['Pair = collections.namedtuple("Pair", ["b", "a"])', "", ""]
    parameters = signature.parameters
    made = [p.made for p in parameters if p.way != "default"]
    used = "\n".join((*body, *init, *top, *made))
    lines = [f"import {name}" for name in IMPORTS if re.search(rf"\b{name}\.", used)]
    lines += [*([""] if lines else []), "import torch", "from torch.export import Dim", "", ""]
    lines += top
    lines += ["class Model(torch.nn.Module):"]
    if init:
        lines += ["    def __init__(self):", "        super().__init__()"]
        lines += [f"        {line}" for line in init] + [""]
    given = ", ".join(p.name if p.way != "default" else f"{p.name}={p.made}" for p in parameters)
    lines += [f"    def forward(self, {given}):"]
    lines += textwrap.indent("\n".join(body), " " * 8).splitlines()
    shapes = ", ".join(f'"{p.name}": {p.shape}' for p in parameters if p.way != "default")
    sizes = ", ".join(f"{d.name}={EXAMPLE[d.name]}" for d in signature.dims)
    lines += ["", "", f"dynamic_shapes = {{{shapes}}}", "", ""]
    lines += [f"def inputs({sizes}):", f"    return {_arguments(parameters)}", ""]
    return _front(number, signature, train) + "\n".join(lines)


def _arguments(parameters: Sequence[Parameter]) -> str:
    """What ``inputs`` gives: a tuple, and behind it the keywords in the other order."""
    placed = "".join(f"{p.made}, " for p in parameters if p.way == "place")
    named = [f'"{p.name}": {p.made}' for p in parameters if p.way == "keyword"]
    if named:
        return f"({placed.strip()}), {{{', '.join(reversed(named))}}}"
    return f"({placed.strip()})" if placed.count(", ") == 1 else placed.removesuffix(", ")


def _front(number: str, signature: Signature, train: bool) -> str:
    ranges = ", ".join(
        f"{d.name}: {{min: {d.low}, max: {d.high}}}" for d in signature.dims if d.hint
    )
    more = (f"dims: {{{ranges}}}\n" if ranges else "") + ("train: true\n" if train else "")
    title = f"title: Generated program {number}\ndescription: Nobody wrote it.\ntags: []\n"
    return f'"""\n{title}{more}"""\n\n'

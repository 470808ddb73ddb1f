"""The text of a generated program, in the format of a case.

Owns how its inputs are declared and what it gives back. What it does is a list of statements.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from exportdb.hunt.trying import IMPORTS, Statement

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
    ``parts`` the expressions by which a program gets at what it holds.
    """

    name: str
    made: str
    shape: str
    parts: tuple[str, ...]


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


def signature(rng: random.Random) -> Signature:
    """What a program takes, by chance."""
    names = ("n",) if rng.random() < 0.55 else ("n", "m")
    dims = tuple(_dim(rng, name) for name in names)
    names_left = list("xyz")
    parameters = [_tensor(rng, names_left.pop(0), dims, first=True)]
    for _ in range(rng.choice((0, 1, 1, 2))):
        parameters.append(_parameter(rng, names_left.pop(0), dims))
    used = " ".join(p.made for p in parameters)
    return Signature(tuple(d for d in dims if re.search(rf"\b{d.name}\b", used)), tuple(parameters))


def _dim(rng: random.Random, name: str) -> Dim:
    low = rng.choice((2, 2, 2, 2, 3, 4, 1, 0))
    kind = rng.random()
    if kind < 0.85:
        return Dim(name, low, 16, f'Dim("{name}", min={low}, max=16)')
    return Dim(name, 2, 16, "Dim.DYNAMIC" if kind < 0.93 else "Dim.AUTO")


_BUILT = {
    "float": "torch.randn({})", "double": "torch.randn({}, dtype=torch.float64)",
    "int": "torch.randint(0, 4, ({},))", "mask": "torch.rand({}) > 0.4",
    "half": "torch.randn({}).to(torch.bfloat16)",
}  # fmt: skip


def _tensor(rng: random.Random, name: str, dims: Sequence[Dim], first: bool = False) -> Parameter:
    weights = (8, 0, 0, 0, 0) if first and rng.random() < 0.7 else (6, 1, 4, 2, 1)
    kind = rng.choices(list(_BUILT), weights)[0]
    made, shape = _shaped(rng, kind, dims, first)
    return Parameter(name, made, shape, (name,))


def _shaped(rng: random.Random, kind: str, dims: Sequence[Dim], first: bool) -> tuple[str, str]:
    sizes: list[str] = []
    for _ in range(rng.choice((1, 1, 2, 2, 3) if kind == "float" else (1, 1, 2))):
        wanted = (
            dims[0].name if not sizes else rng.choice((*(d.name for d in dims[1:]), "3", "3", "4"))
        )
        sizes.append(wanted)
    if not first and rng.random() < 0.15:
        sizes[0] = "3"
    by_name = {d.name: d for d in dims}
    shape = ", ".join(f"{i}: {by_name[s].spec}" for i, s in enumerate(sizes) if s in by_name)
    return _BUILT[kind].format(", ".join(sizes)), f"{{{shape}}}" if shape else "None"


def _parameter(rng: random.Random, name: str, dims: Sequence[Dim]) -> Parameter:
    kind = rng.random()
    if kind < 0.75:
        return _tensor(rng, name, dims)
    if kind < 0.85:
        (a, sa), (b, sb) = (
            _shaped(rng, k, dims, False) for k in ("float", rng.choice(("float", "int")))
        )
        if rng.random() < 0.5:
            return Parameter(
                name, f"[{a}, {b}]", f"[{sa}, {sb}]", (f"{name}[0]", f"{name}[1]", name)
            )
        return Parameter(
            name, f'{{"a": {a}, "b": {b}}}', f'{{"a": {sa}, "b": {sb}}}',
            (f'{name}["a"]', f'{name}["b"]', name),
        )  # fmt: skip
    return Parameter(name, rng.choice(("None", "True", "3", "2.5", '"sum"')), "None", (name,))


def text(
    number: str, signature: Signature, statements: Sequence[Statement], returned: str, train: bool
) -> str:
    """The whole file."""
    body = [line for s in statements for line in s.body] + [f"return {returned}"]
    init = [line for s in statements for line in s.init]
    top = [line for s in statements for line in (*s.top, *(["", ""] if s.top else []))]
    used = "\n".join((*body, *init, *top))
    lines = [f"import {name}" for name in IMPORTS if re.search(rf"\b{name}\.", used)]
    lines += [*([""] if lines else []), "import torch", "from torch.export import Dim", "", ""]
    lines += top
    lines += ["class Model(torch.nn.Module):"]
    if init:
        lines += ["    def __init__(self):", "        super().__init__()"]
        lines += [f"        {line}" for line in init] + [""]
    given = ", ".join(p.name for p in signature.parameters)
    lines += [f"    def forward(self, {given}):"]
    lines += textwrap.indent("\n".join(body), " " * 8).splitlines()
    shapes = ", ".join(f'"{p.name}": {p.shape}' for p in signature.parameters)
    sizes = ", ".join(f"{d.name}={EXAMPLE[d.name]}" for d in signature.dims)
    made = ", ".join(p.made for p in signature.parameters)
    made = f"({made},)" if len(signature.parameters) == 1 else made
    lines += ["", "", f"dynamic_shapes = {{{shapes}}}", "", ""]
    lines += [f"def inputs({sizes}):", f"    return {made}", ""]
    return _front(number, signature, train) + "\n".join(lines)


def _front(number: str, signature: Signature, train: bool) -> str:
    ranges = ", ".join(
        f"{d.name}: {{min: {d.low}, max: {d.high}}}" for d in signature.dims if d.hint
    )
    more = (f"dims: {{{ranges}}}\n" if ranges else "") + ("train: true\n" if train else "")
    title = f"title: Generated program {number}\ndescription: Nobody wrote it.\ntags: []\n"
    return f'"""\n{title}{more}"""\n\n'

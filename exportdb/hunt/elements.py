"""The grammar of generated programs: which elements there are, and how often each comes up.

Owns what may be written. An element's statements are in ``grammar/``, a file each: above ``---``
one a line, below one a paragraph. They have holes, a letter and perhaps a digit in angle brackets;
the same hole stands for the same choice within a statement. What fits into a hole is left to
``holes``.

Names of something new: ``<v>`` a local variable, ``<o>`` an attribute of the module, ``<g>`` a
global name. Something there is: ``<t>`` a tensor, ``<f>`` one of floating point, ``<i>`` one of
whole numbers, ``<b>`` a mask, ``<m>`` a matrix of floating point, ``<x>`` a tensor that is an
input, ``<p>`` an input that is none, ``<w>`` a number. Something made up: ``<n>`` an expression of
sizes, ``<k>`` a small whole number, ``<c>`` a constant, ``<d>`` an axis, ``<e>`` a dtype, ``<q>`` a
comparison, ``<a>`` an arithmetic operator, ``<u>`` a pointwise function, ``<y>`` one of two
tensors, ``<r>`` a reduction, ``<h>`` what is done to a tensor behind it, ``<s>`` another statement
of one line that assigns to ``<v>``. Lines that begin with ``init:`` belong to ``__init__``, with
``top:`` to the top of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Element:
    """``share`` is how many programs are made around this element, beside those of others.

    ``statements`` have holes; an ordinary element may stand in any other program as well.
    """

    name: str
    share: float
    statements: tuple[str, ...] = ()
    ordinary: bool = True


#: What fits into the holes that are made up.
UNARY = ("sin", "tanh", "relu", "abs", "neg", "exp", "sigmoid", "floor", "sign", "square", "erf",
         "round", "rsqrt", "log1p", "frac", "reciprocal", "isnan", "logical_not",
         "signbit", "log", "sqrt", "trunc", "ceil", "expm1", "atan", "isfinite",
         "cos", "isinf")  # fmt: skip
BINARY = ("maximum", "minimum", "fmax", "fmin", "fmod", "remainder", "atan2", "hypot", "logaddexp",
          "logaddexp2", "copysign", "nextafter", "heaviside", "float_power", "xlogy", "ldexp",
          "floor_divide", "true_divide")  # fmt: skip
REDUCTIONS = ("sum", "mean", "amax", "amin", "prod", "any", "all", "std", "argmax", "logsumexp",
              "argmin", "nansum", "count_nonzero", "median", "var", "norm")  # fmt: skip
BEHIND = (".flip(0)", ".flip(-1)", ".transpose(0, -1)", ".mT", ".movedim(0, -1)", ".movedim(-1, 0)",
          ".unsqueeze(0)", ".squeeze(0)", ".reshape(-1)", ".flatten()", ".contiguous()", ".clone()",
          "[::2]", "[1:]", "[..., :-1]", "[None]", ".roll(1, 0)", ".roll(2, -1)", ".float()",
          ".double()", ".int()", ".bool()", ".abs()", ".neg()", ".relu()", ".sigmoid()", ".exp()",
          ".log()", ".sqrt()", ".square()", ".round()", ".reciprocal()", ".sum(0)", ".sum(-1)",
          ".sum()", ".mean(-1)", ".amax(0)", ".amin(-1)", ".prod(-1)", ".cumsum(0)", ".sort()[0]",
          ".argmax(-1)", ".softmax(-1)", ".expand(2, -1, -1)", ".repeat(2, 1)")  # fmt: skip
DTYPES = ("torch.float32", "torch.float64", "torch.int64", "torch.int32", "torch.bool",
          "torch.float16", "torch.bfloat16", "torch.uint8", "torch.complex64")  # fmt: skip
CONSTANTS = (
    "2",
    "0.5",
    "-1",
    "3.0",
    "True",
    "-0.0",
    "1e-3",
    'float("inf")',
    "2147483648",
    "(1 + 2j)",
)

#: How many programs are made around an element, beside those of others: the sum is about two, so
#: that an element that is to have a tenth of all needs a fifth, and more where programs around it
#: are not always found.
SHARES = {
    "pointwise": 0.04,
    "opinfo": 0.40,  # its statements are torch's own samples of operators: ``opinfo``
    "promotion": 0.05,
    "views": 0.06,
    "indexing": 0.06,
    "mutation": 0.19,
    "aliasing": 0.20,
    "reductions": 0.05,
    "sizes": 0.08,
    "branches": 0.06,
    "items": 0.17,  # numbers read from tensors
    "unbacked": 0.26,  # sizes that the data decide, with their ``torch._check``
    "python": 0.10,
    "idioms": 0.08,
    "closures": 0.03,
    "state": 0.08,
    "submodules": 0.06,
    "higher-order": 0.27,  # control flow that is written as operators
    "modes": 0.05,
    "rewrites": 0.06,  # what compilers take together, leave out or turn around
    "gradients": 0.05,  # inputs ask for them
    "functions": 0.05,  # those of torch that OpInfo has no samples of
    "inputs": 0.06,  # numbers, containers and None, given by place or by name
    "random": 0.04,  # what it gives does not depend on the numbers that were drawn
}
#: Elements that stand in no other program than their own.
APART = ("higher-order",)


def _statements(text: str) -> tuple[str, ...]:
    r"""The statements of an element's file.

    >>> _statements("<v> = -<t>\n---\nif <n>:\n    <v> = <t>\n\n<v> = <f>\n")
    ('<v> = -<t>', 'if <n>:\n    <v> = <t>', '<v> = <f>')
    """
    lines, _, paragraphs = f"\n{text}".partition("\n---\n")
    blocks = (block.strip("\n") for block in paragraphs.split("\n\n"))
    return (*filter(None, lines.splitlines()), *filter(None, blocks))


def _read(name: str) -> Element:
    file = Path(__file__).with_name("grammar") / f"{name}.txt"
    statements = _statements(file.read_text(encoding="utf-8")) if file.exists() else ()
    return Element(name, SHARES[name], statements, ordinary=name not in APART)


ELEMENTS = tuple(map(_read, SHARES))
BY_NAME = {element.name: element for element in ELEMENTS}

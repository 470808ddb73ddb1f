"""The canonical text of a TorchScript graph: what it computes, in the form of all other graphs.

Owns what is normalised away (names of values, of this machine and this process, where a constant
or a list is made that is used once or never changes) and what is kept: operators, dtypes, sizes,
strides that are not contiguous, other devices than the program's own, blocks. It reads
TorchScript's own printout, which every version of torch gives alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16",
    "Long": "int64", "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8",
    "Bool": "bool", "ComplexHalf": "complex32", "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}  # fmt: skip
_VALUE = re.compile(r"%[^\s,():\[\]{}]+")
_TYPED = re.compile(r"(%[^\s,():\[\]{}]+) : ")
_NODE = re.compile(
    r"(?P<indent> *?)(?P<made>%.*?)? ?= (?P<op>\^?[\w:.]+)"
    r"(?:\[(?P<attributes>.*?)\](?:\(\))?)?\((?P<given>[^()]*)\)$"
)
_TENSOR = re.compile(rf"\b({'|'.join(_DTYPES)})\(([^()]*)\)")
#: A method's first input is its module; a function of TorchScript has none.
_METHOD = re.compile(r"graph\(\S+ : __torch__")
#: What is asked of a module.
_OF_MODULES = ("prim::GetAttr", "prim::SetAttr")
#: Reads a number from a tensor; of one that was made from a number it is that number.
_NUMBER_OF = ("aten::Int", "aten::ScalarImplicit")


def canonical(graph: str, device: str) -> str:
    """``graph``, TorchScript's printout, of a program whose own device is ``device``.

    >>> print(canonical('''graph(%self.1 : __torch__.T,
    ...       %x : Float(5, 3, strides=[3, 1], requires_grad=0, device=cpu)):
    ...   %lin : __torch__.Linear = prim::GetAttr[name="lin"](%self.1)
    ...   %bias : Tensor = prim::GetAttr[name="bias"](%lin)
    ...   %6 : Long(requires_grad=0, device=cpu) = prim::Constant[value={1}]() # /tmp/a.py:14:0
    ...   %7 : int = prim::Constant[value=1]() # /tmp/a.py:14:0
    ...   %8 : Float(5, 3, strides=[1, 5], requires_grad=1, device=cpu) = aten::add(%x, %bias, %7)
    ...   %9 : int[] = prim::ListConstruct(%7, %7)
    ...   %y : Tensor = aten::sum(%8, %9), scope: __module.lin # /tmp/a.py:15:0
    ...   %10 : (Tensor, int) = prim::TupleConstruct(%y, %6)
    ...   return (%10)''', "cpu"), end="")
      %0: float32[5, 3] = x
      %1: Tensor = attribute lin.bias
      %2: float32[5, 3] strides (1, 5) = aten.add(%0, %1, 1)
      %3: Tensor = aten.sum(%2, [1, 1])
      return (%3, tensor(1))
    """
    method = _METHOD.match(graph) is not None
    graph = re.sub(r"\s+# \S+:\d+:\d+$", "", graph, flags=re.MULTILINE)
    graph = re.sub(r", scope: \S+$", "", graph, flags=re.MULTILINE)
    graph = re.sub(r"__torch__\.(?:\w+\.)*", "", graph)
    head, _, body = graph.partition("):\n")
    return "\n".join(_JitPrinter(body, device).lines(head, method)) + "\n"


@dataclass(frozen=True)
class _JitNode:
    """One line that calls an operator; ``made`` are its values with their types."""

    indent: str
    made: tuple[tuple[str, str], ...]
    op: str
    attributes: str
    given: tuple[str, ...]


class _JitPrinter:
    def __init__(self, body: str, device: str) -> None:
        self._own = re.compile(rf"{re.escape(device)}(?::\d+)?")
        self._lines = [_node(line) or line for line in body.splitlines()]
        nodes = [line for line in self._lines if isinstance(line, _JitNode)]
        self._nodes = {name: node for node in nodes for name, _ in node.made}
        self._owners = {n.given[0] for n in nodes if n.op in _OF_MODULES}
        self._uses: Counter[str] = Counter()  # how often a value is used, and
        self._read: Counter[str] = Counter()  # how often only to read its number
        for line in self._lines:
            used = line.given if isinstance(line, _JitNode) else _VALUE.findall(line)
            self._uses.update(used)
            if isinstance(line, _JitNode) and line.op in _NUMBER_OF:
                self._read.update(used)
        self._shown: dict[str, str] = {}  # how a value is written where it is used
        self._modules: dict[str, str] = {}  # the path of a module of the program
        self._count = 0

    def lines(self, head: str, method: bool) -> Iterator[str]:
        """The lines of the graph; ``head`` declares its inputs, a ``method``'s module first."""
        inputs = _typed(head.partition("(")[2].replace("\n", " "))
        if method:
            self._modules[inputs.pop(0)[0]] = ""
        for name, kind in inputs:
            label = re.sub(r"\.\d+$", "", name[1:])
            yield f"  {self._number(name)}: {self._type(kind.rstrip(', '))} = {label}"
        for line in self._lines:
            if isinstance(line, str):
                yield self._other(line)
            elif not self._folded(line):
                yield self._line(line)

    def _number(self, value: str) -> str:
        self._shown[value] = f"%{self._count}"
        self._count += 1
        return self._shown[value]

    def _other(self, line: str) -> str:
        """A line that calls nothing: a block's begin, what it gives, what the graph gives."""
        if " : " in line:
            for name, _ in _typed(line):
                self._number(name)
        line = _VALUE.sub(lambda found: self._show(found[0]), line)
        return re.sub(r"return \((.*)\)$", r"return \1", line)

    def _show(self, value: str) -> str:
        if value in self._modules:
            return self._modules[value] or "self"
        return self._shown.get(value, value)

    def _folded(self, node: _JitNode) -> bool:
        """Whether ``node`` is written where its value is used, and then it is noted how."""
        if len(node.made) != 1:
            return False
        name = node.made[0][0]
        if node.op == "prim::GetAttr" and name in self._owners:
            self._modules[name] = self._path(node)
            return True
        if node.op == "prim::NumToTensor" and self._uses[name] == self._read[name]:
            return True
        if (text := self._inline(node, name)) is not None:
            self._shown[name] = text
        return text is not None

    def _inline(self, node: _JitNode, name: str) -> str | None:
        """How ``node`` is written where ``name``, its value, is used; None if it has a line."""
        if node.op == "prim::Constant":
            opaque = node.attributes.startswith("value=<")
            return None if opaque else self._constant(node)
        if node.op in _NUMBER_OF:
            made = self._nodes.get(node.given[0])
            number = made is not None and made.op == "prim::NumToTensor"
            return self._show(made.given[0]) if made and number else None
        if self._uses[name] > 1:
            return None  # a list may change between two uses
        given = [self._show(v) for v in node.given]
        if node.op == "prim::ListConstruct":
            return f"[{', '.join(given)}]"
        if node.op == "prim::TupleConstruct":
            return f"({', '.join(given)}{',' if len(given) == 1 else ''})"
        if node.op == "prim::DictConstruct":
            pairs = zip(given[::2], given[1::2], strict=True)
            return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
        return None

    def _line(self, node: _JitNode) -> str:
        given = ", ".join(self._show(v) for v in node.given)
        attributes = f"[{node.attributes}]" if node.attributes else ""
        call = f"{node.op.replace('::', '.')}{attributes}({given})"
        if node.op == "prim::GetAttr":
            call = f"attribute {self._path(node)}"
        elif node.op == "prim::SetAttr":
            call = f"attribute {self._path(node)} is {self._show(node.given[1])}"
        elif node.op == "prim::Constant":
            call = "constant"
        made = ", ".join(f"{self._number(name)}: {self._type(kind)}" for name, kind in node.made)
        return f"{node.indent}{made} = {call}" if made else f"{node.indent}{call}"

    def _path(self, node: _JitNode) -> str:
        owner = self._modules.get(node.given[0], self._show(node.given[0]))
        return f"{owner}.{_name(node)}" if owner else _name(node)

    def _constant(self, node: _JitNode) -> str:
        (_, kind), value = node.made[0], node.attributes.removeprefix("value=")
        if not node.attributes:
            return "None"
        if kind == "bool":
            return "True" if value == "1" else "False"
        if kind == "float":
            return repr(float(value))
        if kind == "Device":
            plain = value.strip('"')
            return "here" if plain == "here" or self._own.fullmatch(plain) else plain
        if value.startswith("{"):
            dtype = _DTYPES.get(kind.partition("(")[0], kind)
            said = "" if dtype in ("int64", "float64", "bool") else f", {dtype}"
            return f"tensor({value.strip('{}')}{said})"
        return value.removeprefix("name=")

    def _type(self, kind: str) -> str:
        def tensor(found: re.Match[str]) -> str:
            dtype, inner = _DTYPES[found[1]], found[2]
            sizes, strides, elsewhere = _sizes(inner), "", ""
            if (stated := re.search(r"strides=\[([^\]]*)\]", inner)) and not _contiguous(
                sizes, stated[1]
            ):
                strides = f" strides ({stated[1]})"
            if (on := re.search(r"device=(\S+)", inner)) and not self._own.fullmatch(on[1]):
                elsewhere = f" {on[1]}"
            return f"{dtype}[{', '.join(sizes)}]{strides}{elsewhere}"

        return _TENSOR.sub(tensor, kind)


def _node(line: str) -> _JitNode | None:
    """The call that a line of a printout is; None for any other line.

    >>> _node("  %2 : int, %3 : A = ^B[inplace=0]()(%x)").op, _node("   = a::b(%x)").made
    ('^B', ())
    """
    found = _NODE.match(line)
    return found and _JitNode(
        found["indent"], tuple(_typed(found["made"] or "")), found["op"], found["attributes"] or "",
        tuple(_VALUE.findall(found["given"])),
    )  # fmt: skip


def _typed(text: str) -> list[tuple[str, str]]:
    """The values that ``text`` declares, each with its type."""
    parts = _TYPED.split(text)[1:]
    return [
        (name, kind.strip().removesuffix(",").removesuffix("):"))
        for name, kind in zip(parts[::2], parts[1::2], strict=True)
    ]


def _name(node: _JitNode) -> str:
    return node.attributes.removeprefix('name="').removesuffix('"')


def _sizes(inner: str) -> list[str]:
    found = []
    for part in inner.split(", "):
        if not re.fullmatch(r"-?\d+|\*|SS\(-?\d+\)", part):
            break
        found.append(part)
    return found


def _contiguous(sizes: list[str], strides: str) -> bool:
    """Whether strides are what contiguous sizes have; those of axes of one element are free."""
    expected = 1
    for size, stride in zip(
        reversed(sizes), reversed(strides.split(", ") if strides else []), strict=False
    ):
        if not size.isdigit():
            return False
        if int(size) > 1 and stride != str(expected):
            return False
        expected *= max(int(size), 1)
    return True

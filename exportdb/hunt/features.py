"""What a program does, as a set of features, by which one cause is told from another.

A feature is the name of what is called or read, the module that it is of, a kind of statement, or
an operation together with the kind of what it is given: ``round`` of a size is another thing than
``round`` of a tensor. How alike two programs are is left to ``likeness``.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

#: What a case is given and must have, which is no part of what it does.
_NOT_LOOKED_AT = ("inputs", "accepts", "rejects")
#: Attributes and functions that give a kind of number, however a program asks for it.
_KINDS = {
    "shape": "size", "size": "size", "len": "size", "numel": "size", "nelement": "size",
    "dim": "rank", "ndim": "rank", "item": "item", "tolist": "item",
}  # fmt: skip
#: Functions of numbers that give a number of the same kind.
_KEEPING = ("abs", "int", "max", "min", "pow", "prod", "round", "sum")
#: Of two that are each other's mirror image, the one that stands for both.
_MIRRORED = {"min": "max", "Lt": "Gt", "LtE": "GtE"}
#: Functions that turn what they are given to text, all in the same way as far as a cause goes.
_TO_TEXT = ("ascii", "format", "repr", "str")
#: What is said of a whole program or of any, and so of none.
_OF_ANY = frozenset({"Module", "Model", "super", "__init__", "nn", "torch", "torch.nn"})
#: Nodes that are features by themselves.
_NAMED_NODES = (
    ast.For, ast.While, ast.If, ast.IfExp, ast.With, ast.Try, ast.Raise, ast.Assert, ast.Break,
    ast.Continue, ast.Delete, ast.Global, ast.Nonlocal, ast.Lambda, ast.Yield, ast.YieldFrom,
    ast.Slice, ast.Starred, ast.NamedExpr, ast.Set, ast.GeneratorExp, ast.ListComp,
    ast.DictComp, ast.SetComp, ast.Match,
)  # fmt: skip


@lru_cache(maxsize=8192)
def features(program: str) -> frozenset[str]:
    """The features of a program in the format of a case.

    >>> sorted(features("class Model:\\n    def forward(self, x):\\n        return round(len(x))"))
    ['len', 'round', 'round(size)']
    """
    visitor = _FeatureVisitor(ast.parse(program))
    return frozenset(visitor.found) - _OF_ANY


class _FeatureVisitor(ast.NodeVisitor):
    """``names`` are the dotted names of what is imported, ``kinds`` the kinds of variables."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: set[str] = set()
        self.names = dict(_imported(tree))
        self.kinds: dict[str, str] = {}
        self.function = ""
        self.own = {
            node.name: node for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef | ast.FunctionDef)
        }  # fmt: skip
        for _ in range(2):  # what kinds a function is given is seen after it, where it is called
            self.found.clear()
            for node in tree.body:
                if isinstance(node, ast.Assign):
                    self._assign(node)
                    if _says_what_varies(node):
                        self.found.add("sizes vary")
                elif isinstance(node, ast.ClassDef | ast.FunctionDef):
                    self.visit(node)

    def visit(self, node: ast.AST) -> None:
        """Note a node, then what is in it; an expression of constants is one constant."""
        if isinstance(node, ast.expr) and _constant(node):
            return
        if isinstance(node, _NAMED_NODES):
            self.found.add(type(node).__name__)
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Special methods are looked up by Python itself, so that nothing else names them."""
        if node.name in _NOT_LOOKED_AT and not self.function:
            return
        outer, self.function = self.function, node.name
        if outer:
            self.found.add("function within")
        if node.name.startswith("__") and node.name != "__init__":
            self.found.add(node.name)
        self.generic_visit(node)
        self.function = outer

    def visit_Name(self, node: ast.Name) -> None:
        """A name is a feature where it was imported."""
        if node.id in self.names:
            self._note(self.names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A dotted name of something imported, state of the module, or a method or attribute."""
        if dotted := _dotted(node, self.names):
            self._note(dotted)
            return
        written = isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            making = self.function == "__init__"
            self.found.add(f"state {'made' if making else 'written' if written else 'read'}")
            if not node.attr.startswith(("register_", "_")):
                return
        elif written:
            self.found.add("attribute written")
        self._note(node.attr)
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """An item that is written is a feature, one that is read is none."""
        if isinstance(node.ctx, ast.Store | ast.Del):
            self.found.add("item written")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """A function of Python's is a feature, and so is what kinds it is given."""
        name = _called(node)
        if _to_text(node):
            self._text([*node.args, *(k.value for k in node.keywords)])
            self._within(node)
            return
        if isinstance(node.func, ast.Name) and hasattr(builtins, name):
            self._note(name)
        if name in self.own:
            self._given(self.own[name], node.args)
        else:
            given = [*node.args, *(k.value for k in node.keywords)]
            # Of what kind the data of a program are, as in torch.tensor(True), is not its cause.
            if not (_dotted(node.func, self.names) and all(map(_constant, given))):
                self._operation(_MIRRORED.get(name, name), given)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text with values in it."""
        self._text([part.value for part in node.values if isinstance(part, ast.FormattedValue)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Arithmetic, or values put into a text."""
        match node:
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=ast.Tuple(elts=put)):
                self._text(put)
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=value):
                self._text([value])
            case _:
                self._operator(node.op, [node.left, node.right])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """``and``, ``or``."""
        self._operator(node.op, node.values)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """``-``, ``not``."""
        self._operator(node.op, [node.operand])
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Each comparison of a chain."""
        values = [node.left, *node.comparators]
        for op, pair in zip(node.ops, pairwise(values), strict=True):
            self._operator(op, pair)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Arithmetic, and its result has a name."""
        self._operator(node.op, [node.target, node.value])
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """A variable is known from here on."""
        self._assign(node)
        self.generic_visit(node)

    def _assign(self, node: ast.Assign) -> None:
        """A variable has the kind of what it is given."""
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.kinds[target.id] = self._kind(node.value)

    def _given(self, called: ast.ClassDef | ast.FunctionDef, values: Sequence[ast.expr]) -> None:
        """The parameters of a function have the kinds of what a call gives it."""
        if isinstance(called, ast.FunctionDef):
            for parameter, value in zip(called.args.args, values, strict=False):
                if kind := self._kind(value):
                    self.kinds[parameter.arg] = kind

    def _within(self, node: ast.Call) -> None:
        """What is in the arguments of a call, whose function tells nothing more."""
        for value in (*node.args, *(k.value for k in node.keywords)):
            self.visit(value)

    def _text(self, values: Sequence[ast.expr]) -> None:
        """Values turned to text, in whichever way."""
        self.found.add("text")
        self._operation("text", values)

    def _operator(self, op: ast.AST, given: Sequence[ast.expr]) -> None:
        name = type(op).__name__
        self.found.add(_MIRRORED.get(name, name))
        self._operation(_MIRRORED.get(name, name), given)

    def _operation(self, name: str, given: Sequence[ast.expr]) -> None:
        kinds = sorted({kind for value in given if (kind := self._kind(value))})
        if kinds and name:
            self.found.add(f"{name}({', '.join(kinds)})")

    def _kind(self, node: ast.expr) -> str:
        """What sort of number an expression is; "" for a tensor or what cannot be told."""
        match node:
            case ast.Constant(value=bool()):
                return "truth"
            case ast.Constant(value=float()) | ast.Constant(value=complex()):
                return type(node.value).__name__
            case ast.Name(id=name):
                return self.kinds.get(name, "")
            case ast.Attribute(attr=name):
                return _KINDS.get(name, "")
            case ast.Subscript(value=value):
                return self._kind(value)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                values = [*ast.iter_child_nodes(node)]
                known = any(self._kind(v) for v in values if isinstance(v, ast.expr))
                return "truth" if known else ""
            case ast.UnaryOp(operand=value):
                return self._kind(value)
            case ast.BinOp(left=ast.Constant(value=str())):
                return ""
            case ast.BinOp(left=left, right=right):
                return self._joint(left, right)
            case ast.Call(args=args):
                name = _called(node)
                if name in _KINDS:
                    return _KINDS[name]
                if name in ("float", "complex"):
                    return self._joint(*args) or name
                return self._joint(*args) if name in _KEEPING else ""
        return ""

    def _joint(self, *values: ast.expr) -> str:
        """The kind of a result: of what is looked up at run time, if there is any of it."""
        kinds = {self._kind(value) for value in values}
        order = ("size", "item", "rank", "complex", "float", "truth")
        return next((kind for kind in order if kind in kinds), "")

    def _note(self, dotted: str) -> None:
        self.found.update(_names(dotted))


def _names(dotted: str) -> Iterator[str]:
    """What a dotted name tells: its last part, and the modules on the way."""
    parts = dotted.split(".")
    for length in range(2, len(parts)):
        yield ".".join(parts[:length])
    last = parts[-1]
    if last.endswith("_") and not last.startswith("_"):
        yield from (last, last.rstrip("_"), "in place")
    else:
        yield _MIRRORED.get(last, last)


def _says_what_varies(node: ast.Assign) -> bool:
    """Whether it names a dynamic size: without one a size is a constant, and hardly the cause."""
    match node:
        case ast.Assign(targets=[ast.Name(id="dynamic_shapes")], value=shapes):
            return any(isinstance(inner, ast.Call | ast.Attribute) for inner in ast.walk(shapes))
    return False


def _constant(node: ast.expr) -> bool:
    """Whether an expression has nothing but constants in it."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=value):
            return _constant(value)
        case ast.BinOp(left=left, right=right):
            return _constant(left) and _constant(right)
        case ast.Call(func=ast.Name(id="float" | "complex" | "int"), args=args):
            return all(map(_constant, args))
    return False


def _to_text(node: ast.Call) -> bool:
    """Whether a call turns what it is given to text: ``str(n)``, ``"{}".format(n)``."""
    match node.func:
        case ast.Name(id=name):
            return name in _TO_TEXT
        case ast.Attribute(value=ast.Constant(value=str()), attr="format"):
            return True
    return False


def _called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """The whole name of what was imported; "" for what was not."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(value=value, attr=attr):
            inner = _dotted(value, names)
            return f"{inner}.{attr}" if inner else ""
    return ""


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports make, each with the whole name of what it is."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for one in names:
                    first = one.name.partition(".")[0]
                    yield (one.asname, one.name) if one.asname else (first, first)
            case ast.ImportFrom(module=str(module), names=names):
                yield from ((one.asname or one.name, f"{module}.{one.name}") for one in names)

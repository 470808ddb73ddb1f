"""Which lines of the user's file an attempt is about, where no error stops at one.

Owns reading the file's text for that. What tracing assumed of sizes is heard by ``assumed``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from exportdb.diagnose.attempt import Seen
from exportdb.symbolic.assumed import Assumed

#: A file of the user's, "" for the one that makes the module, and a line of it.
Place = tuple[str, int]

#: The entry about state that is no buffer, and the case that shows it with its rewrite.
STATE = ("E0308", "python/counter_attribute")

#: Entries whose cause is an assignment to something of the module's.
OF_STATE = (STATE[0], "E0303")


def assumptions(seen: Seen, most: int = 4) -> list[Assumed]:
    """What tracing assumed of those sizes that the failure is about, equalities first."""
    record = seen.record
    lost = {d["source"] for d in record.facts.get("dims", ()) if not d["kept"]}
    message = record.error.message if record.error else ""
    if named := re.search(r"Constraints violated \((.*?)\)!", message):
        for name in named[1].split(", "):
            lost |= set(seen.dims[name]["places"]) if name in seen.dims else {_plain(name)}
    about = [a for a in seen.assumed if lost & set(a[2])]
    if not lost and not seen.line and re.search(r"\bDim\b", message):
        about = list(seen.assumed)  # torch itself failed at a range, and names none
    about.sort(key=lambda a: (" == " not in a[1], a[3], a[0]))
    first = {(a[3], a[0], a[1]): a for a in about}
    return list(first.values())[:most]


def _plain(name: str) -> str:
    return re.sub(r"L\['(\w+)'\]", r"\1", name)


def state_lines(seen: Seen) -> list[Place]:
    """Lines that change attributes of the module while it runs, if the failure may be that; those
    that rebind one, or change its container, before those that write into a tensor."""
    record = seen.record
    again = any(s.counts_against and _AGAIN in s.name for s in record.samples)
    told = again or any(f.id == "state-mutation-differs" for f in record.findings)
    if not told and record.outcome != "refused":
        return []
    return _lines(seen, rebinding=True) + _lines(seen, rebinding=False)


def rebinding_lines(seen: Seen) -> list[Place]:
    """Lines that rebind attributes of the module, or change a container that one holds, where the
    first call is right and a later one is not: what such an attribute held was a constant to the
    capture, wherever that shows first."""
    against = [s for s in seen.record.samples if s.counts_against]
    later = against and all(_AGAIN in s.name for s in against)
    return _lines(seen, rebinding=True) if later else []


#: In the name of a sample that is a further call.
_AGAIN = "called again"


def _lines(seen: Seen, rebinding: bool) -> list[Place]:
    texts = {"": seen.source, **seen.others}
    return [(file, line) for file, text in texts.items() for line in _kept(text, rebinding)]


def decision_lines(seen: Seen) -> list[Place]:
    """Lines that decide on a size, where the capture is wrong at sizes that it claims to take:
    what the example decided there was decided for all of them."""
    wrong = {s.result for s in seen.record.samples if s.role == "accepts" and s.counts_against}
    if "disagrees" not in wrong or not seen.dims:
        return []
    texts = {"": seen.source, **seen.others}
    return [(file, line) for file, text in texts.items() for line in _decisions(text)]


def _decisions(source: str) -> Iterator[int]:
    for function in ast.walk(_parsed(source)):
        if isinstance(function, ast.FunctionDef):
            sizes = {
                n.id
                for s in ast.walk(function)
                if isinstance(s, ast.Assign) and _SIZE.search(ast.unparse(s.value))
                for target in s.targets
                for n in ast.walk(target)
                if isinstance(n, ast.Name)
            }
            for node in ast.walk(function):
                if isinstance(node, ast.If | ast.IfExp | ast.While):
                    names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
                    if names & sizes or _SIZE.search(ast.unparse(node.test)):
                        yield node.test.lineno


def call_lines(seen: Seen, maker: str) -> list[Place]:
    """Lines of what the exporter is given, for a failure at none of the program's: where a class
    is defined that torch does not know, else where the function ``maker`` (or the file, if that is
    a class) gives the ``dynamic_shapes`` or the example that the failure is about."""
    if seen.record.error is None or seen.record.outcome != "refused":
        return []
    defined = [
        (home, node.lineno)
        for name in seen.classes
        for home in [seen.homes.get(name, "")]
        for node in _parsed(seen.text_of(home)).body
        if isinstance(node, ast.ClassDef) and node.name == name
    ]
    message, tree = seen.record.error.message, _parsed(seen.source)
    given: list[int] = []
    if "dynamic_shapes" in message:
        given = [*_given(tree, maker, "dynamic_shapes")]
    elif re.search(r"to be a constant \([01]\)|\binputs?\b", message):
        given = [*_given(tree, maker, "inputs")]
    return defined or [("", line) for line in given][-1:]


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def _given(tree: ast.Module, maker: str, wanted: str) -> Iterator[int]:
    """The lines at which a file gives the example (``inputs``) or the ``dynamic_shapes``."""
    place = {"inputs": 1, "dynamic_shapes": 3}[wanted]
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) if name in (maker, wanted):
                for returned in [n for n in ast.walk(node) if isinstance(n, ast.Return)]:
                    match returned.value:
                        case ast.Tuple(elts=parts) if name == maker and len(parts) > place:
                            yield parts[place].lineno
                        case _:
                            yield returned.lineno
            case ast.Assign(targets=[ast.Name(id=name)]) if name == wanted:
                yield node.lineno


#: What makes a size of a tensor.
_SIZE = re.compile(r"\.shape\b|\.size\(|\.numel\(|\blen\(")


def _kept(source: str, rebinding: bool) -> Iterator[int]:
    methods = [
        method
        for kind in ast.walk(_parsed(source))
        if isinstance(kind, ast.ClassDef)
        for method in kind.body
        if isinstance(method, ast.FunctionDef) and method.name != "__init__"
    ]
    reached = _reached(methods)
    for method in methods:
        if method.name in reached:
            for node in ast.walk(method):
                if rebinding and isinstance(node, ast.Call) and _changes_container(node):
                    yield node.lineno
                if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    kept = [p for t in targets for p in _parts(t) if _is_attribute(p)]
                    if kept and rebinding == any(isinstance(p, ast.Attribute) for p in kept):
                        yield node.lineno


#: Methods that change a list, a dict, a set or a deque, and are none of a tensor's or a module's.
_CHANGING = frozenset((
    "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft",
    "remove", "reverse", "setdefault", "sort", "update",
))  # fmt: skip


def _changes_container(call: ast.Call) -> bool:
    """Whether a call changes a container that an attribute of the module holds."""
    match call.func:
        case ast.Attribute(value=held, attr=method):
            return method in _CHANGING and _is_attribute(held)
    return False


def _reached(methods: list[ast.FunctionDef]) -> set[str]:
    """``forward`` and the methods that it calls on the module, and those that these call."""
    calls = {
        method.name: {n.attr for n in ast.walk(method) if isinstance(n, ast.Attribute)}
        for method in methods
    }
    found, new = set[str](), {"forward"}
    while new:
        found |= new
        new = {c for name in new for c in calls.get(name, ()) if c in calls} - found
    return found


def _parts(target: ast.expr) -> list[ast.expr]:
    return list(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target]


def _is_attribute(target: ast.expr) -> bool:
    root: ast.expr = target
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    return root is not target and isinstance(root, ast.Name) and root.id == "self"

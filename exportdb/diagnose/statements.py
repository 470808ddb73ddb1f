"""What is worth trying about statements of the user's text, after which result.

Owns which rewrite is for which failure, and what can be promised to torch about data. How a
statement is written otherwise is left to ``rewriting``; ``rules`` has what concerns sizes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import Change
from exportdb.diagnose.pointing import assumptions, state_lines
from exportdb.diagnose.rewriting.by_comparison import compared
from exportdb.diagnose.rewriting.cached import uncached
from exportdb.diagnose.rewriting.chosen_modules import all_of_them
from exportdb.diagnose.rewriting.conditional import as_cond
from exportdb.diagnose.rewriting.decisions import undecided
from exportdb.diagnose.rewriting.early_ends import without_early_end
from exportdb.diagnose.rewriting.editing import bodies, function_at
from exportdb.diagnose.rewriting.kept_sizes import widened
from exportdb.diagnose.rewriting.logging_calls import without_call
from exportdb.diagnose.rewriting.loops import scanned
from exportdb.diagnose.rewriting.numpy_calls import without_numpy
from exportdb.diagnose.rewriting.packed import padded
from exportdb.diagnose.rewriting.routed_loops import over_all
from exportdb.diagnose.rewriting.rowwise import at_once, mapped
from exportdb.diagnose.rewriting.sides import one_side
from exportdb.diagnose.rewriting.signature import first_line_of_forward
from exportdb.diagnose.rewriting.sizes import by_the_tensor, from_data, symbolic
from exportdb.diagnose.rewriting.state import in_buffers
from exportdb.diagnose.rewriting.written_sizes import read_from_shape
from exportdb.records.outcome import Outcome

Changes = tuple[Change, ...]


def message_of(seen: Seen) -> str:
    error = seen.record.error
    texts = [error.message if error else ""]
    texts += [sample.message for sample in seen.record.samples if sample.counts_against]
    return "\n".join(texts)


#: What no setting of the call and no other range can fix.
MISFIT = re.compile(
    r"[Mm]ismatch between the structure|Node \w+ mismatch|associate shape|top-level keys|"
    r"input type|one of the (in|out)puts with type|flatten_with_keys"
)


# --- what a module keeps, and what cannot be captured as it is written --------------------------


def other_ways(seen: Seen) -> Iterator[Changes]:
    """Statements of known kinds written otherwise, and what a first call leaves behind."""
    if Outcome(seen.record.outcome).faultless or MISFIT.search(message_of(seen)):
        return
    message, files = message_of(seen), {seen.file: seen.line}
    kept = state_lines(seen)
    if seen.line:
        for rewrite in (without_call, padded):
            for changes in rewrite(seen.text_of(seen.file), seen.line):
                yield tuple(replace(c, file=seen.file) for c in changes)
    for line, _, _, file in seen.assumed:
        for rewrite in (at_once, mapped, scanned, symbolic, one_side):
            for changes in rewrite(seen.text_of(file), line):
                yield tuple(replace(c, file=file) for c in changes)
    if kept:
        yield from _called_before(seen)
    for file in dict.fromkeys(file for file, _ in kept):
        lines = [line for other, line in kept if other == file]
        for changes in in_buffers(seen.text_of(file), lines):
            yield tuple(replace(c, file=file) for c in changes)
    files |= {file: 0 for file, _ in kept if file not in files}
    for file, line in files.items():
        text = seen.text_of(file)
        if kept or re.search(r"unhashable|hash", message):
            for changes in uncached(text, line):
                yield tuple(replace(c, file=file) for c in changes)
        for changes in without_numpy(text, line):
            yield tuple(replace(c, file=file) for c in changes)


def _called_before(seen: Seen) -> Iterator[Changes]:
    """A call of the module before the capture: with the example; and with the largest sizes that
    are declared, for what grows with them."""
    yield (Change("warm", "call the module once before it is captured, so that it has what it "
                  "keeps from its first call: module(*args, **kwargs)"),)  # fmt: skip
    sizes = tuple((n, d["max"]) for n, d in seen.dims.items() if d["max"] is not None)
    if sizes:
        named = " and ".join(f"{name}={size}" for name, size in sizes)
        yield (Change("warm", f"call the module once with {named} before it is captured, so that "
                      "what it keeps is large enough", {"sizes": sizes}),)  # fmt: skip


def written_sizes(seen: Seen) -> Iterator[Changes]:
    """A number in the text that is the example's size of a dim, where that dim became a constant:
    read from a shape, so that the dim stays one."""
    if Outcome(seen.record.outcome).faultless:
        return
    places = dict.fromkeys((file, line) for line, _, _, file in assumptions(seen))
    if seen.line:
        places[seen.file, seen.line] = None
    for name, axis, size in _constants(seen):
        for file, line in places:
            for rewrite in (read_from_shape, widened):
                for changes in rewrite(seen.text_of(file), line, size, name, axis):
                    yield tuple(replace(c, file=file) for c in changes)


def _constants(seen: Seen) -> Iterator[tuple[str, int, int]]:
    """Input, axis and size of what was asked to be dynamic and became the example's size."""
    numbers = re.findall(r"constant \((\d+)\)", message_of(seen))
    lost = {d["source"] for d in seen.record.facts.get("dims", ()) if not d["kept"]}
    became = {
        place: dim["example"]
        for dim in seen.dims.values()
        for place in dim["places"]
        if place in lost or str(dim["example"]) in numbers
    }
    told = [message_of(seen), *(text for _, text, _, _ in seen.assumed)]
    for place, size in re.findall(r"(\w+\.size\(\)\[\d+\]) == (\d+)$", "\n".join(told), re.M):
        became.setdefault(place, int(size))
    for place, size in became.items():
        found = re.fullmatch(r"(\w+)\.size\(\)\[(\d+)\]", place)
        if found is not None and (size or 0) > 1:  # 0 and 1 are constants of themselves
            yield found[1], int(found[2]), size


def inputs_written(seen: Seen) -> Iterator[Changes]:
    """An input with parts that are put in others' places: a capture cannot write into a container
    of its caller's, and gives the parts back where it is returned."""
    for name in dict.fromkeys(re.findall(r"input (\w+)[.\[]\S* after the call", message_of(seen))):
        for file, text in {"": seen.source, **seen.others}.items():
            if line := first_line_of_forward(text, seen.kind, name):
                yield (Change(
                    "insert", f"work on a copy of {name}, whose parts are put in others' places",
                    {"before": line,
                     "text": f"{name} = torch.utils._pytree.tree_map(lambda part: part, {name})"},
                    f"callers that look into their {name} after the call, not into what it returns",
                    file,
                ),)  # fmt: skip


# --- conditions on data ------------------------------------------------------------------------


ASKS_DATA = re.compile(r"data-dependent|[Dd]ata[- ]dependent (branching|assertion)|bool\(Tensor\)|"
                        r"Dynamic control flow|Pending unbacked symbols|"
                        r"m(ax|in)imum\(\) missing 1 required")  # fmt: skip


#: Other ways to write a statement that asks the data, the more telling first.
_OF_DATA = (
    undecided, without_early_end, one_side, as_cond, over_all, from_data, by_the_tensor, symbolic,
    all_of_them, compared,
)  # fmt: skip


def checks(seen: Seen) -> Iterator[Changes]:
    """The same as changes of the file that the failure is in."""
    for changes in _checks(seen):
        yield tuple(replace(c, file=seen.file) for c in changes)


def _checks(seen: Seen) -> Iterator[Changes]:
    """``torch._check`` of what torch asks for before the user's line, or of its condition."""
    message, source = message_of(seen), seen.text_of(seen.file)
    if not seen.line or not source or not ASKS_DATA.search(message):
        return
    for rewrite in _OF_DATA:
        yield from rewrite(source, seen.line)
    if within := tuple(_check(at, f"torch._check({told})", told)
                       for at, told in _slices_at(source, seen.line)):  # fmt: skip
        yield within
    for told in _answers(seen.asked):
        yield (_check(seen.line, f"torch._check({told})", told),)
    for offered in dict.fromkeys(
        re.findall(r"^\s*\d+\. (torch\._check\w*\(.*\))\s*$", message, re.M)
    ):
        yield (_check(seen.line, offered, offered[offered.index("(") + 1 : -1]),)
    statement, condition = _condition_at(source, seen.line)
    for told in _either(condition) if condition is not None else ():
        yield (_check(statement, f"torch._check({told})", told),)
    for name, minimum in _sizes_at(source, seen.line):
        yield (_check(seen.line, f"torch._check({name} >= {minimum})", f"{name} >= {minimum}"),)


def _check(line: int, call: str, told: str) -> Change:
    return Change("insert", f"promise torch that {told}", {"before": line, "text": call},
                  f"inputs for which not {told}")  # fmt: skip


def _condition_at(source: str, line: int) -> tuple[int, ast.expr | None]:
    """The condition that a line decides on, and the line of its statement."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If | ast.While | ast.Assert) and node.test.lineno <= line <= (
            node.test.end_lineno or 0
        ):
            return node.lineno, node.test
        if isinstance(node, ast.Return | ast.Assign | ast.Expr) and node.lineno <= line <= (
            node.end_lineno or 0
        ):
            for inner in ast.walk(node):
                if isinstance(inner, ast.IfExp):
                    return node.lineno, inner.test
    return line, None


_OPPOSITE: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Gt: ast.LtE(), ast.LtE: ast.Gt(), ast.Lt: ast.GtE(), ast.GtE: ast.Lt(),
    ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(),
}  # fmt: skip


def _answers(asked: str) -> Iterator[str]:
    """What could be promised about a question of torch's, the likelier first.

    Two sizes that it compares are mostly the same; one that it compares with 0 or 1 is mostly not.
    """
    try:
        condition = ast.parse(asked, mode="eval").body
    except SyntaxError:
        return
    told = list(_either(condition))
    numbers = [n for n in ast.walk(condition) if isinstance(n, ast.Constant)]
    yield from told if numbers else reversed(told)


def _either(condition: ast.expr) -> Iterator[str]:
    """A condition that is false, then the same one that is true, as text to check.

    >>> list(_either(ast.parse("x.shape[0] > 100", mode="eval").body))
    ['x.shape[0] <= 100', 'x.shape[0] > 100']
    """
    text = ast.unparse(condition)
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1:
        opposite = ast.Compare(
            condition.left, [_OPPOSITE.get(type(condition.ops[0]), ast.Is())], condition.comparators
        )
        if type(condition.ops[0]) in _OPPOSITE:
            yield ast.unparse(opposite)
            yield text
    elif not isinstance(condition, ast.BoolOp):
        yield f"not ({text})"
        yield text


def _slices_at(source: str, line: int) -> Iterator[tuple[int, str]]:
    """What holds of the slices of a function whose bounds were read from data, where nothing is
    cut off: that each bound is within its tensor, and the first line before which that can be
    said."""
    function = function_at(tree := ast.parse(source), line)
    numbers = _from_data(tree)
    if function is None or not numbers:
        return
    told: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript):
            for text in _within(node, numbers):
                names = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
                if at := _first_after(function, names, node.lineno):
                    told[text] = min(at, told.get(text, at))
    yield from [(at, text) for text, at in told.items()]


def _first_after(function: ast.AST, names: set[str], line: int) -> int:
    """The line of the first statement, up to ``line``, before which all of these names are set."""
    found = 0
    for body in bodies(function):
        for statement, after in pairwise(body):
            assigned = {
                n.id
                for target in getattr(statement, "targets", ())
                for n in ast.walk(target)
                if isinstance(n, ast.Name)
            }
            if assigned & names and after.lineno <= line:
                found = max(found, after.lineno)
    return found


def _within(node: ast.Subscript, numbers: set[str]) -> Iterator[str]:
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    value, axis = ast.unparse(node.value), 0
    for index in indices:
        if isinstance(index, ast.Constant) and index.value in (None, ...):
            if index.value is ...:
                return
            continue  # a new axis
        if isinstance(index, ast.Slice):
            for bound, text in ((index.lower, "{} >= 0"), (index.upper, "{} <= {}.shape[{}]")):
                names = {n.id for n in ast.walk(bound) if isinstance(n, ast.Name)} if bound else ()
                if bound is not None and numbers.intersection(names):
                    yield text.format(ast.unparse(bound), value, axis)
        axis += 1


def _from_data(tree: ast.AST) -> set[str]:
    """Names that hold a number read from data."""
    return {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ".item()" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _sizes_at(source: str, line: int) -> Iterator[tuple[str, int]]:
    """Names on a line that hold a number read from data, with the least each can be."""
    numbers = _from_data(ast.parse(source))
    text = source.splitlines()[line - 1] if line <= len(source.splitlines()) else ""
    for name in sorted(numbers):
        if re.search(rf"\b{name}\b", text):
            yield name, 0
            yield name, 1

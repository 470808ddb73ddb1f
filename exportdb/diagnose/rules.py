"""What is worth trying after which result: from what an attempt showed to changes.

Owns the knowledge of what each message of torch asks for. Nothing here is a promise: ``search``
examines every change, and shows none that did not help.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.signature import named_keywords
from exportdb.diagnose.statements import (
    ASKS_DATA,
    MISFIT,
    Changes,
    checks,
    inputs_written,
    message_of,
    other_ways,
    written_sizes,
)  # fmt: skip
from exportdb.records.outcome import Outcome
from exportdb.records.switches import Switches

#: The ``resort`` of a step after which sizes are constants, or may be.
LAST = 2


@dataclass(frozen=True)
class Step:
    """One thing to try next: changes that belong together, or another way to call the exporter.

    ``what`` is that way as a user writes it, "" for changes. What gives up more than it may have to
    waits until the others have been tried: the higher its ``resort``, the longer.
    """

    changes: tuple[Change, ...] = ()
    exporter: str | None = None
    switches: Switches = ()
    what: str = ""
    resort: int = 0


def steps(seen: Seen, exporter: str) -> list[Step]:
    """What to try after ``seen``, the most promising first, nothing twice."""
    if seen.record.outcome == "error":
        return [Step(outside)] if (outside := outside_of_eager(seen)) else []
    found: dict[object, Step] = {}
    for rule in _RULES:
        for changes in rule(seen):
            resort = LAST if any(c.kind == "static" for c in changes) else 0
            found.setdefault(tuple(c.key for c in changes), Step(changes, resort=resort))
    if exporter in _OTHER_MODES and not MISFIT.search(message_of(seen)):
        for name, what in _OTHER_MODES.items():
            if name != exporter:
                found[name] = Step(exporter=name, what=what)
        found[_OBLIVIOUS] = Step(switches=(_OBLIVIOUS,), what=_OBLIVIOUSLY)
    for changes in _let_torch_decide(seen):
        found.setdefault(tuple(c.key for c in changes), Step(changes, resort=LAST))
    if any(_fits(s) for s in found.values()):  # it is tried before the rest
        return [s if _fits(s) else replace(s, resort=max(s.resort, 1)) for s in found.values()]
    return list(found.values())


def _fits(step: Step) -> bool:
    """Whether a step is made for the very line or the very sizes that the failure names."""
    return any(change.kind in ("append", "replace", "derive", "warm") for change in step.changes)


#: Exporters that are the same call with another setting, and how a user writes it.
_OTHER_MODES = {
    "export": "torch.export.export(..., strict=False)",
    "export-strict": "torch.export.export(..., strict=True)",
    "export-deferred": (
        "torch.export.export(..., prefer_deferred_runtime_asserts_over_guards=True)"
    ),
}

#: Tracing then assumes nothing of sizes 0 and 1 that it does not check.
_OBLIVIOUS = "backed-size-oblivious=on"
_OBLIVIOUSLY = "it under torch.fx.experimental._config.patch(backed_size_oblivious=True)"

# --- structure ---------------------------------------------------------------------------------


def _structure(seen: Seen) -> Iterator[Changes]:
    """``dynamic_shapes`` that does not fit the inputs, and classes that nobody registered."""
    fitting = Change(
        "match-structure", "give dynamic_shapes the structure of the inputs, None where nothing is"
        " dynamic",
    )  # fmt: skip
    register = tuple(
        Change("append", f"register {name}, so that torch sees what is in it",
               {"text": _imported_torch(seen, name) + _registration(name, attributes)},
               file=seen.homes.get(name, ""))
        for name, attributes in seen.classes.items()
    )  # fmt: skip
    if seen.record.error is not None and seen.keywords:
        for named in named_keywords(seen.source, seen.kind, seen.keywords):
            yield (named,)
            yield (*register, named)
    if seen.record.error is not None and register:
        yield register
        yield (*register, fitting)
    if seen.misfits or re.search(
        r"dynamic_shapes|Node (type|arity|keys|context) mismatch", message_of(seen)
    ):
        yield (fitting,)


def _imported_torch(seen: Seen, name: str) -> str:
    text = seen.text_of(seen.homes.get(name, ""))
    try:
        body = ast.parse(text).body
    except SyntaxError:  # running it says so
        body = []
    imported = [a.asname or a.name for s in body if isinstance(s, ast.Import) for a in s.names]
    known = any(name.partition(".")[0] == "torch" for name in imported)
    return "" if known else "import torch\n\n\n"


def _registration(name: str, attributes: list[str]) -> str:
    """The text that makes a class known to pytree; ``attributes`` is empty for a dataclass."""
    if not attributes:
        return f"torch.export.register_dataclass({name})"
    word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    listed = ", ".join(f"value.{a}" for a in attributes)
    flat, key, filled = {
        "**": (
            "list(value.values()), list(value)",
            "MappingKey",
            "value.update(zip(names, parts))",
        ),
        "*": ("list(value), list(range(len(value)))", "SequenceKey", "value.extend(parts)"),
    }.get(
        attributes[0],
        (f"[{listed}], {attributes!r}", "GetAttrKey", "vars(value).update(zip(names, parts))"),
    )
    return f"""def flatten_{word}(value):
    return {flat}


def flatten_{word}_with_keys(value):
    parts, names = flatten_{word}(value)
    return [(torch.utils._pytree.{key}(n), p) for n, p in zip(names, parts)], names


def unflatten_{word}(parts, names):
    value = {name}.__new__({name})
    {filled}
    return value


torch.utils._pytree.register_pytree_node(
    {name}, flatten_{word}, unflatten_{word}, serialized_type_name={name!r},
    flatten_with_keys_fn=flatten_{word}_with_keys,
)"""


# --- sizes -------------------------------------------------------------------------------------


def _suggested_fixes(seen: Seen) -> Iterator[Changes]:
    """What torch writes under "Suggested fixes", read as changes of dims."""
    _, found, text = message_of(seen).partition("Suggested fixes:")
    if not found:
        return
    together: list[Change] = []
    higher: list[Change] = []  # the same with ranges in which new dims begin at 2
    for line in text.splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals or name not in seen.dims:
            continue
        if bounds := re.fullmatch(r"Dim\((?:'\w+'|\"\w+\")((?:, \w+=\d+)*)\)", value):
            limits = {k: int(v) for k, v in re.findall(r"(min|max)=(\d+)", bounds[1])}
            together.append(_range(seen, name, limits.get("min"), limits.get("max")))
        elif value.isdigit():
            together.append(_constant(seen, name, int(value)))
        elif re.fullmatch(r"[\d*+\- _A-Za-z]+", value):
            together.append(_derived(seen, name, value))
            higher.append(_derived(seen, name, value, least=2))
        if len(higher) < len(together):
            higher.append(together[-1])
    if together:
        yield tuple(together)
        yield tuple(higher)


def _constant(seen: Seen, name: str, value: int) -> Change:
    """What to do about a dim that became ``value``: another example, where that was why."""
    for changes in _not_constant(seen, name, value):
        return changes[0]
    excludes = f"{name} other than {value}"
    return Change(
        "static", f"{name} is always {value}: ask for nothing there", {"dim": name}, excludes
    )


def _derived(seen: Seen, name: str, value: str, least: int = 0) -> Change:
    """``name`` is ``value``, an expression of another dim or of a new one, in the same range."""
    linear = re.fullmatch(r"(?:(\d+)\*)?([A-Za-z_]\w*)(?: ([+-]) (\d+))?", value)
    if linear is None or linear[2] in seen.dims:
        return Change("derive", f"{name} is {value}", {"dim": name, "of": value},
                      f"{name} other than {value}")  # fmt: skip
    times, plus = int(linear[1] or 1), int(f"{linear[3] or ''}{linear[4] or 0}")
    low, high = int(seen.dims[name]["min"] or 0), seen.dims[name]["max"]
    data: dict[str, object] = {"dim": name, "of": value}
    data["min"] = first = max(-((plus - low) // times), least, 0)
    if high is not None:
        data["max"] = (high - plus) // times
    excludes = f"{name} other than {value}" if plus else f"{name} that is not a multiple of {times}"
    if first * times + plus - times >= low:
        excludes += f", or below {first * times + plus}"
    return Change("derive", f"{name} is {value}", data, excludes)


def _shared_sizes(seen: Seen) -> Iterator[Changes]:
    """A size that has to equal a static one of another input: let both be dynamic."""
    constant = re.search(r"constant \((\d+)\)|Guard failed: \S+ == (\d+)", message_of(seen))
    size = int(constant[1] or constant[2]) if constant else 0
    for name, dim in seen.dims.items():
        places = [place for place in seen.static if place[3] == size == dim["example"]]
        shares = tuple(
            Change("share", f"{place} is {name} as well",
                   {"dim": name, "leaf": leaf, "axis": axis}, "")
            for place, leaf, axis, _ in places
        )  # fmt: skip
        yield from [(share,) for share in shares]
        if len(shares) > 1:
            yield shares


def _not_constant(seen: Seen, name: str, value: int) -> Iterator[Changes]:
    """An example of size 0 or 1 is a constant to torch, whatever was asked for."""
    dim = seen.dims[name]
    if value <= 1 and dim["example"] == value:
        size = max(2, int(dim["min"] or 0)) + 1
        if dim["max"] is not None:
            size = min(size, dim["max"])
        other = Change(
            "example", f"take an example in which {name} is {size}: torch makes a constant of "
            f"{value}", {"dim": name, "size": size},
        )  # fmt: skip
        yield (other,)
        yield (other, _range(seen, name, 2, None))


def _examples_of_one(seen: Seen) -> Iterator[Changes]:
    """The same where torch names no dim."""
    for name, dim in seen.dims.items():
        if dim["example"] in (0, 1) and not Outcome(seen.record.outcome).faultless:
            yield from _not_constant(seen, name, dim["example"])


def _range(seen: Seen, name: str, low: int | None, high: int | None) -> Change:
    dim = seen.dims[name]
    data: dict[str, object] = {"dim": name}
    lost = []
    if low is not None:
        data["min"] = low
        if low > (dim["min"] or 0):
            lost.append(f"{name} below {low}")
    if high is not None:
        data["max"] = high
        if dim["max"] is None or high < dim["max"]:
            lost.append(f"{name} above {high}")
    limits = ", ".join(f"{k}={data[k]}" for k in ("min", "max") if k in data)
    return Change("range", f"declare {name} with {limits}", data, " and ".join(lost))


def _shared_memory(seen: Seen) -> Iterator[Changes]:
    """Two inputs of the example that are one tensor, which the capture takes for granted."""
    if seen.shared and not Outcome(seen.record.outcome).faultless:
        what = "take an example in which no two inputs are the same tensor"
        yield (Change("unshare", what),)


def _narrower(seen: Seen) -> Iterator[Changes]:
    """Leave out the sizes on which it fails, and those that tracing took no account of."""
    failing = [
        s for s in seen.record.samples if s.role != "rejects" and s.counts_against and s.sizes
    ]
    for name, dim in seen.dims.items():
        example, sizes = dim["example"], {s.sizes[name] for s in failing if name in s.sizes}
        for symbol in seen.record.facts.get("symbols", ()):
            low = symbol.get("traced", ["0"])[0]
            if symbol.get("source") in dim["places"] and low.isdigit() and int(low) > dim["min"]:
                yield (_range(seen, name, int(low), None),)
        below = [s for s in sizes if example is not None and s < example]
        above = [s for s in sizes if example is not None and s > example]
        low = max(below) + 1 if below else None
        high = min(above) - 1 if above else None
        if low is not None or high is not None:
            yield (_range(seen, name, low, high),)
        if any(
            0 <= s.sizes.get(name, -1) < 2 <= dim["min"]
            for s in seen.record.samples
            if s.counts_against
        ):
            yield (_range(seen, name, 3, None),)  # from 3 on, torch checks what it declares
        for limit in re.findall(r"(?:>=|at least|minimum of) (\d+)", message_of(seen)):
            if (dim["min"] or 0) < int(limit) <= (example or 0):
                yield (_range(seen, name, int(limit), None),)


def outside_of_eager(seen: Seen) -> Changes:
    """The ranges without the sizes at which the program fails of itself, () if that is not why it
    fails."""
    failing = [s for s in seen.record.samples if s.sizes and s.result == "eager-failed"]
    example = {name: dim["example"] for name, dim in seen.dims.items()}
    found = []
    for name, dim in seen.dims.items():
        # Of a sample at which several sizes are others, nobody knows which it was.
        sizes = [
            s.sizes[name]
            for s in failing
            if name in s.sizes and all(n == name or s.sizes[n] == example.get(n) for n in s.sizes)
        ] or [s.sizes[name] for s in failing if s.sizes.get(name) in (0, 1)]
        if dim["example"] is None:
            continue
        low = max((n + 1 for n in sizes if n < dim["example"]), default=None)
        high = min((n - 1 for n in sizes if n > dim["example"]), default=None)
        if low is not None or high is not None:
            found.append(_range(seen, name, low, high))
    return tuple(found)


def _let_torch_decide(seen: Seen) -> Iterator[Changes]:
    """``Dim.AUTO`` for what cannot be dynamic as it was declared."""
    message = message_of(seen)
    if ASKS_DATA.search(message):  # no size decides that
        return
    fits = not MISFIT.search(message) and not seen.misfits
    if fits and seen.dims and seen.record.outcome.raised:
        for name in seen.dims if len(seen.dims) > 1 else ():
            yield (_auto(name, f"{name} may become a constant"),)
        yield (_auto("*", "any of the dims may become a constant"),)
    if seen.record.outcome is Outcome.REFUSED and seen.dims:
        yield (Change("static", "nothing is dynamic: every size is the example's", {"dim": "*"},
                      "any size other than the example's"),)  # fmt: skip


def _auto(dim: str, excludes: str) -> Change:
    which = "all dims" if dim == "*" else dim
    return Change("hint", f"let torch decide on {which}: Dim.AUTO", {"dim": dim, "hint": "AUTO"},
                  excludes)  # fmt: skip


def _numbers(seen: Seen) -> Iterator[Changes]:
    """A number among the inputs that was baked in."""
    if seen.record.outcome.ran:
        for name, leaf in seen.numbers.items():
            if re.search(rf"\b{re.escape(name)}\b", message_of(seen)):
                what = f"{name} is a number that changes: Dim.DYNAMIC"
                yield (Change("number", what, {"leaf": leaf, "hint": "DYNAMIC"}),)


def _as_assumed(seen: Seen) -> Iterator[Changes]:
    """The sizes around the example for which all holds that tracing assumed."""
    found = []
    for name, dim in seen.dims.items():
        texts = {text for _, text, about, _ in seen.assumed if set(about) <= set(dim["places"])}
        if dim["example"] is None or not texts:
            continue
        low, high = _interval(texts, dim)
        top = high if high < _MOST else dim["max"]  # beyond it nobody looked
        if low < high and (low > (dim["min"] or 0) or top != dim["max"]):
            found.append(_range(seen, name, low, top))
    if found:
        yield tuple(found)


#: The largest size that conditions are tried on, where the range has no end.
_MOST = 4096


def _interval(texts: Collection[str], dim: Mapping[str, Any]) -> tuple[int, int]:
    """The sizes around the example of which conditions on a dim's places hold, first and last."""

    def holds(size: int) -> bool:
        return all(_evaluated(text, dict.fromkeys(dim["places"], size)) for text in texts)

    low = high = dim["example"]
    top = dim["max"] if dim["max"] is not None else _MOST
    while low > (dim["min"] or 0) and high - low < _MOST and holds(low - 1):
        low -= 1
    while high < top and high - low < _MOST and holds(high + 1):
        high += 1
    return low, high


def _evaluated(text: str, sizes: Mapping[str, int]) -> bool:
    """Whether a condition on sizes holds; one that cannot be read does."""
    for place, size in sizes.items():
        text = text.replace(place, str(size))
    try:
        return bool(eval(text, {"__builtins__": {}}, {"max": max, "min": min, "int": int}))
    except Exception:
        return True


_RULES: tuple[Callable[[Seen], Iterator[Changes]], ...] = (
    _structure, written_sizes, _shared_sizes, _shared_memory, _suggested_fixes,
    _examples_of_one, _numbers, checks, inputs_written, other_ways, _narrower, _as_assumed,
)  # fmt: skip

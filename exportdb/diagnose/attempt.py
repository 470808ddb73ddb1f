"""The task of a child: examine a changed program once, and look around in it.

Owns what is learnt besides the record: the user's line, the dims, classes that pytree does not
know. Runs where torch is; what comes back is plain data.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from exportdb.diagnose.assumed import Assumed, Heard, listening
from exportdb.diagnose.program import ChangedProgram, Subject
from exportdb.diagnose.sameness import difference
from exportdb.plugins import PluginRef
from exportdb.records.record import Record
from exportdb.records.switches import Switches


@dataclass(frozen=True)
class Seen:
    """What one attempt showed.

    ``source`` is the text of the user's file as examined, ``line`` its line at which the capture
    failed, 0 where none is known; ``shapes`` the text of its ``dynamic_shapes``; ``dims`` the
    ``min``, ``max``, ``example`` and ``places`` of each named dim; ``static`` the name, leaf, axis
    and size of each size that is not asked to be dynamic; ``numbers`` the inputs that are numbers
    and are asked to stay constants, with their leaves; ``classes`` the attributes of each class
    that pytree does not know, by name, and none for a dataclass; ``assumed`` the line, the text and
    the sizes of what tracing assumed at lines of the file; ``differs`` how a rewritten program
    differs from the user's in eager, "" if it was not seen to; ``kind`` the module's class,
    ``shared`` whether two inputs of the example are one tensor, ``keywords`` the inputs that only
    its ``**`` takes.
    """

    record: Record
    source: str = ""
    line: int = 0
    shapes: tuple[str, ...] = ()
    dims: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    static: tuple[tuple[str, int, int, int], ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    classes: Mapping[str, list[str]] = field(default_factory=dict)
    assumed: tuple[Assumed, ...] = ()
    differs: str = ""
    kind: str = ""
    shared: bool = False
    keywords: tuple[str, ...] = ()

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Seen:
        """Rebuild it from what :func:`attempt` gave."""
        rest = {f.name: data[f.name] for f in fields(Seen) if f.name in data}
        rest |= {
            name: tuple(rest.get(name, ())) for name in ("shapes", "static", "assumed", "keywords")
        }
        return Seen(**rest | {"record": Record.from_json(data["record"])})


def attempt(
    program: ChangedProgram, exporter: PluginRef, device: PluginRef, switches: Switches = ()
) -> dict[str, Any]:
    """Examine ``program``; a record with everything of :class:`Seen`, as JSON-ready data."""
    import torch

    from exportdb.conformance.examine import examine
    from exportdb.conformance.options import Options
    from exportdb.executors.inside import announce

    torch.set_num_threads(1)
    said: dict[str, Any] = {"source": program.text}
    try:
        subject = program.subject()
        said |= _around(subject)
    except Exception as e:
        said["line"] = line_of(e, str(program.where))
    watched = exporter.load()
    raised: list[BaseException] = []
    heard: list[Heard] = []
    _note_what_it_does(watched, program.where, raised, heard)
    record = examine(program, watched, device.load(), Options(switches=switches), announce)
    if raised:
        said["line"] = line_of(raised[-1], program.where)
    if heard:
        said["assumed"] = heard[-1].assumed(said.pop("names", []))
    said.pop("names", None)
    if record.outcome == "supported":
        said["differs"] = difference(program)
    return said | {"record": record.to_json()}


def _note_what_it_does(
    exporter: Any, path: str, raised: list[BaseException], heard: list[Heard]
) -> None:
    """Keep what the exporter raises, and what tracing assumed of sizes."""
    capture = exporter.capture

    def noting(program: Any) -> Any:
        with listening(path) as listened:
            heard.append(listened)
            try:
                return capture(program)
            except Exception as e:
                raised.append(e)
                raise

    exporter.capture = noting


def line_of(error: BaseException, path: str) -> int:
    """The last line of the file ``path`` that an error passed or names; 0 if there is none."""
    line = 0
    cause: BaseException | None = error
    while cause is not None and not line:
        trace = cause.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                line = trace.tb_lineno
            trace = trace.tb_next
        cause = cause.__cause__ or cause.__context__
    named = re.findall(rf'{re.escape(Path(path).name)}(?:", line |:)(\d+)', str(error))
    return line or (int(named[-1]) if named else 0)


def _around(subject: Subject) -> dict[str, Any]:
    from exportdb.diagnose import shapes
    from exportdb.symbolic.names import input_names

    made, asked = subject.made, subject.asked
    names = input_names(made.module, made.args, dict(made.kwargs))
    leaves = _leaves(made)
    tensors = [leaf for leaf in leaves if hasattr(leaf, "shape")]
    example = shapes.sizes(asked, (made.args, dict(made.kwargs)))

    def named(dim: str) -> list[str]:
        return [f"{names[i]}.size()[{a}]" for i, a in asked.places(dim) if a is not None]

    return {
        "names": names,
        "kind": type(made.module).__name__,
        "keywords": _keywords(made),
        "shared": len({id(t) for t in tensors}) < len(tensors),
        "shapes": shapes.printed(asked, made.inputs()),
        "dims": {
            name: {"min": b.min, "max": b.max, "example": example.get(name), "places": named(name)}
            for name, b in asked.dims.items()
        },
        "static": [
            (f"{names[i]}.size()[{axis}]", i, axis, size)
            for i, leaf in enumerate(leaves)
            for axis, size in enumerate(getattr(leaf, "shape", ()))
            if (i, axis) not in asked.texts
        ],
        "numbers": {
            names[i]: i
            for i, leaf in enumerate(leaves)
            if type(leaf) is int and (i, None) not in asked.texts
        },
        "classes": _classes(subject),
    }


def _keywords(made: Any) -> list[str]:
    parameters = inspect.signature(made.module.forward).parameters
    some = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return [name for name in made.kwargs if name not in parameters] if some else []


def _leaves(made: Any) -> list[Any]:
    from torch.utils import _pytree as pytree

    leaves: list[Any] = pytree.tree_leaves((made.args, dict(made.kwargs)))
    return leaves


def _classes(subject: Subject) -> dict[str, list[str]]:
    """Classes of inputs and outputs that pytree takes for a leaf, with their attributes."""
    import copy

    import torch
    from torch.utils import _pytree as pytree

    from exportdb.suites.copying import copied

    found = list(_leaves(subject.made))
    try:
        args, kwargs = copy.deepcopy((subject.made.args, dict(subject.made.kwargs)))
        found += pytree.tree_leaves(copied(subject.made.module)(*args, **kwargs))
    except Exception:  # eager fails: the record says so
        pass
    plain = (torch.Tensor, int, float, complex, str, bytes, type(None), torch.nn.Module)
    return {
        type(leaf).__name__: [] if is_dataclass(leaf) else list(vars(leaf))
        for leaf in found
        if hasattr(leaf, "__dict__") and not isinstance(leaf, plain) and not callable(leaf)
    }

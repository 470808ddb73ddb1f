"""The task of a child: examine a changed program once, and look around in it.

Owns what is learnt besides the record: the user's line, the dims, classes that pytree does not
know. Runs where torch is; what comes back is plain data.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from exportdb.cases.data import Data
from exportdb.diagnose.files import imported_texts, is_users
from exportdb.diagnose.places import place_of
from exportdb.diagnose.program import ChangedModule, ChangedProgram, called_once
from exportdb.diagnose.sameness import difference
from exportdb.plugins import PluginRef
from exportdb.records.record import Record
from exportdb.records.switches import Switches
from exportdb.symbolic.assumed import Assumed, RecordedPlaces, listening


class Seen(Data, frozen=True):
    """What one attempt showed.

    ``source`` is the text of the user's file as examined, ``others`` those of the user's files that
    it imported, by path; ``line`` is the line at which the capture failed, 0 where none is known,
    in ``file``, "" for the one that makes the module; ``asked`` what torch wanted to know there,
    in names of that line; ``shapes`` the text of its ``dynamic_shapes``; ``dims`` the
    ``min``, ``max``, ``example`` and ``places`` of each named dim; ``static`` the name, leaf, axis
    and size of each size that is not asked to be dynamic; ``numbers`` the inputs that are numbers
    and are asked to stay constants, with their leaves; ``classes`` the attributes of each class
    that pytree does not know, by name, none for a dataclass, ``**`` for a dict and ``*`` for a
    list; ``homes`` the other files of the
    user's in which some of them are defined; ``assumed`` the line, the text and
    the sizes of what tracing assumed at lines of the file; ``differs`` how a rewritten program
    differs from the user's in eager, "" if it was not seen to; ``kind`` the module's class,
    ``shared`` whether two inputs of the example are one tensor, ``keywords`` the inputs that only
    its ``**`` takes; ``misfits`` whether ``dynamic_shapes`` is nested otherwise than the inputs,
    ``lost`` what is no longer taken because a dim of it has no place, ``declared`` the name, the
    ``min`` and the ``max`` that the user gave each size.
    """

    record: Record
    source: str = ""
    others: Mapping[str, str] = {}
    line: int = 0
    file: str = ""
    asked: str = ""
    shapes: tuple[str, ...] = ()
    dims: Mapping[str, Mapping[str, Any]] = {}
    static: tuple[tuple[str, int, int, int], ...] = ()
    numbers: Mapping[str, int] = {}
    classes: Mapping[str, list[str]] = {}
    homes: Mapping[str, str] = {}
    assumed: tuple[Assumed, ...] = ()
    differs: str = ""
    kind: str = ""
    shared: bool = False
    keywords: tuple[str, ...] = ()
    misfits: bool = False
    lost: tuple[str, ...] = ()
    declared: Mapping[str, tuple[str, int, int | None]] = {}

    def text_of(self, file: str) -> str:
        """The text of a file of the user's as examined, "" for one that is not known."""
        return self.others.get(file, "") if file else self.source


def attempt(
    program: ChangedProgram, exporter: PluginRef, device: PluginRef, switches: Switches = ()
) -> dict[str, Any]:
    """Examine ``program``; :class:`Seen` as JSON-ready data."""
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
        said |= place_of(e, program.where)
    watched = exporter.load()
    raised: list[BaseException] = []
    heard: list[RecordedPlaces] = []
    _note_what_it_does(watched, program.where, raised, heard)
    record = examine(program, watched, device.load(), Options(switches=switches), announce)
    if raised:
        said |= place_of(raised[-1], program.where)
    elif record.error is not None and record.phase == "eager":
        said |= _where_eager_fails(program)
    if heard:
        said["assumed"] = heard[-1].assumed(said.pop("names", []))
    said.pop("names", None)
    said["others"] = imported_texts(program.where)
    if record.outcome in ("supported", "refused"):  # what is refused may be changed further
        said["differs"] = difference(program)
    return Seen(record, **said).to_json()


def _where_eager_fails(program: ChangedProgram) -> dict[str, Any]:
    try:
        called_once(program.subject().made)
    except Exception as e:
        return place_of(e, program.where)
    return {}


def _note_what_it_does(
    exporter: Any, path: str, raised: list[BaseException], heard: list[RecordedPlaces]
) -> None:
    """Keep what the exporter raises, and what tracing assumed of sizes."""
    capture = exporter.capture

    def noting(program: Any) -> Any:
        with listening(path, is_users) as listened:
            heard.append(listened)
            try:
                return capture(program)
            except Exception as e:
                raised.append(e)
                raise

    exporter.capture = noting


def _around(subject: ChangedModule) -> dict[str, Any]:
    from exportdb.diagnose import shapes
    from exportdb.symbolic.names import input_names

    made, asked, classes = subject.made, subject.asked, _classes(subject)
    names = input_names(made.module, made.args, dict(made.kwargs))
    leaves = _leaves(made)
    tensors = [leaf for leaf in leaves if hasattr(leaf, "shape")]
    example = shapes.sizes(asked, (made.args, dict(made.kwargs)))

    def named(dim: str) -> list[str]:
        return [f"{names[i]}.size()[{a}]" for i, a in asked.places(dim) if a is not None]

    return {
        "names": names,
        "misfits": subject.fits.guessed and not subject.reshaped,
        "lost": _lost(subject, names, leaves) if subject.reshaped else (),
        "declared": _declared(subject, names),
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
        "classes": {kind.__name__: names for kind, names in classes.items()},
        "homes": {kind.__name__: home for kind in classes if (home := _home(kind, subject))},
    }


def _lost(subject: ChangedModule, names: list[str], leaves: list[Any], most: int = 6) -> list[str]:
    """The sizes that are constants because a dim that was asked for stands nowhere."""
    if not subject.fits.lost:
        return []
    dynamic = {leaf for leaf, _ in subject.declared.texts}
    fixed = [
        f"{names[i]} of other sizes than {list(leaf.shape)}"
        for i, leaf in enumerate(leaves)
        if i not in dynamic and len(getattr(leaf, "shape", ()))
    ]
    more = [f"{len(fixed) - most} more inputs of other sizes"] if len(fixed) > most else []
    return [*fixed[:most], *more] or ["some of the sizes that dynamic_shapes was to describe"]


def _declared(subject: ChangedModule, names: list[str]) -> dict[str, Any]:
    from exportdb.diagnose.shapes import Bounds

    found = {}
    for (leaf, axis), text in subject.declared.texts.items():
        bounds = subject.declared.dims.get(text, Bounds())
        where = names[leaf] if axis is None else f"{names[leaf]}.size()[{axis}]"
        found[where] = (text, bounds.min, bounds.max)
    return found


def _keywords(made: Any) -> list[str]:
    parameters = inspect.signature(made.module.forward).parameters
    some = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return [name for name in made.kwargs if name not in parameters] if some else []


def _leaves(made: Any) -> list[Any]:
    from torch.utils import _pytree as pytree

    leaves: list[Any] = pytree.tree_leaves((made.args, dict(made.kwargs)))
    return leaves


def _home(kind: type, subject: ChangedModule) -> str:
    path = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    own = path == subject.made.space.get("__file__")
    return path if path.endswith(".py") and is_users(path) and not own else ""


def _classes(subject: ChangedModule) -> dict[type, list[str]]:
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
        type(leaf): _parts(leaf)
        for leaf in found
        if hasattr(leaf, "__dict__") and not isinstance(leaf, plain) and not callable(leaf)
    }


def _parts(leaf: Any) -> list[str]:
    """How a class is taken apart: as ``Seen.classes`` says."""
    if is_dataclass(leaf):
        return []
    if isinstance(leaf, dict):
        return ["**"]
    return ["*"] if isinstance(leaf, list) else list(vars(leaf))

"""What accepted results were measured with: the versions and the platform behind each point.

Owns the file ``environments.yaml`` of a tree of cases, which ``exportdb accept`` adds to: an
expectation keeps the minor version of torch and the device alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from exportdb.cases import yamlfile
from exportdb.cases.case import CaseError
from exportdb.records.expectation import Point, Where, version_key

FILE = "environments.yaml"
_HEAD = "# Written by exportdb accept: what the results at each point were measured with.\n"


class Surrounding(NamedTuple):
    """An environment that results of a point are from; the version of torch without its build."""

    torch: str
    python: str
    platform: str


Surroundings = Mapping[Point, tuple[Surrounding, ...]]


def read(path: Path) -> Surroundings:
    """What a file says; nothing where it is not there. Raises CaseError."""
    if not path.is_file():
        return {}
    data, lines = yamlfile.load_file(path)
    found = {}
    for name, given in (data if isinstance(data, dict) else {}).items():
        try:
            (point,) = Point.several(str(name))
            found[point] = tuple(Surrounding(**{k: str(v) for k, v in e.items()}) for e in given)
        except (ValueError, TypeError, AttributeError):
            raise CaseError(
                path, lines.get(str(name), 1),
                f"{name} must be a point like 2.13/cpu, with a list of torch, python and platform",
            ) from None  # fmt: skip
    return found


def merged(known: Surroundings, places: Iterable[Where]) -> Surroundings:
    """``known`` and where further results were measured, in the order of versions."""
    found = {point: dict.fromkeys(told) for point, told in known.items()}
    for where in places:
        if where.python and where.platform:
            at = Surrounding(where.torch.partition("+")[0], where.python, where.platform)
            found.setdefault(where.point, {})[at] = None
    return {point: tuple(sorted(told, key=_numbers)) for point, told in found.items()}


def render(told: Surroundings) -> str:
    """The text of the file."""
    points = sorted(told, key=lambda p: (p.device, version_key(p.torch), p.switches))
    text = _HEAD
    for point in points:
        text += f"{point}:\n"
        for at in told[point]:
            text += f"  - {{torch: '{at.torch}', python: '{at.python}', platform: {at.platform}}}\n"
    return text


def _numbers(at: Surrounding) -> tuple[object, ...]:
    return (version_key(at.torch), at.torch, version_key(at.python), at.platform)

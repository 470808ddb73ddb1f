"""The text of an expectation file: stable, and pleasant to review line by line.

Owns what a line looks like: key order, which mappings stand on one line, graphs as literal blocks.
Which exporters share an entry is ``expectation_layout``'s.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from exportdb.records.expectation import ALIKE, Entries, ExpectationEntry, ExpectedError, Point
from exportdb.records.expectation_layout import EMPTY, Layout, arranged

HEADER = "# Written by exportdb accept, from records. Review the diff; edit by hand only notes.\n"
_WIDTH = 96
_ERROR_KEYS = ExpectedError.__struct_fields__


def render(entries: Entries, before: Layout = EMPTY) -> str:
    """The text that says ``entries`` in a file that had the layout ``before``.

    What several exporters have in common is said once: see ``like`` and ``alike`` in
    ``exportdb.records.expectation``. Where the file said the same before, its text stays.
    """
    layout = arranged(entries, before)
    parts = []
    for exporter, listed in layout.alone.items():
        data = [_plain(e) for e in listed]
        parts.append(_dump(_BlockMapping({exporter: data[0] if len(data) == 1 else data})))
    groups = [
        {"exporters": _FlowList(group.exporters), **_plain(group.entry)} for group in layout.groups
    ]
    if groups:
        parts.append(_dump(_BlockMapping({ALIKE: groups})))
    return "".join(parts)


def _folded(measured: Sequence[str]) -> list[str]:
    """The points as few texts: minor versions that follow each other are a range."""
    runs: list[list[Point]] = []
    for point in (p for text in measured for p in Point.several(text)):
        last = runs[-1][-1] if runs else None
        if last and point._replace(torch=last.torch) == last and _follows(last.torch, point.torch):
            runs[-1].append(point)
        else:
            runs.append([point])
    return [
        text
        for run in runs
        for text in ([f"{run[0].torch}..{run[-1]}"] if len(run) > 1 else [str(run[0])])
    ]


def _follows(version: str, later: str) -> bool:
    (a, b), (c, d) = (map(int, v.split(".")) for v in (version, later))
    return (a, b + 1) == (c, d)


def _plain(entry: ExpectationEntry) -> dict[str, Any]:
    """An entry as the mapping that is written: its fields in order, the long graph last."""
    data = {k: v for k, v in entry.to_json().items() if v or k not in ("when", "measured")}
    if data.get("error"):
        data["error"] = {k: data["error"][k] for k in _ERROR_KEYS if k in data["error"]}
    if data.get("samples"):
        data["samples"] = _by_result(data["samples"])
    if data.get("ranges"):
        data["ranges"] = {k: [_end(e) for e in v] for k, v in data["ranges"].items()}
    if data.get("facts"):
        data["facts"] = {k: _lines(v) for k, v in data["facts"].items()}
    if "measured" in data:
        data["measured"] = _FlowList(_folded(data["measured"]))
    return data


def _by_result(samples: Mapping[str, str]) -> dict[str, _FlowList]:
    """Results with the names of the samples that have them, in the order in which each came up."""
    found: dict[str, _FlowList] = {}
    for name, result in samples.items():
        found.setdefault(result, _FlowList()).append(name)
    return found


def _lines(fact: Any) -> Any:
    """A fact with every mapping of a list on a line of its own."""
    return (
        [_FlowMapping(v) if isinstance(v, dict) else v for v in fact]
        if isinstance(fact, list)
        else fact
    )


def _end(end: str | int) -> int | str:
    """An end of a range: a number where it is one, as a reader expects to see it."""
    end = str(end)
    return int(end) if end.lstrip("-").isdecimal() and str(int(end)) == end else end


class _BlockMapping(dict[str, Any]):
    """A mapping that never stands on one line."""


class _FlowMapping(dict[str, Any]):
    """A mapping that begins on one line, however long it is."""


class _FlowList(list[str]):
    """A list that begins on one line, however long it is."""


class _Dumper(yaml.SafeDumper):
    """Literal blocks for texts of several lines, one line for what is short."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)

    def write_single_quoted(self, text: str, split: bool = True) -> None:
        # An element of a list is not broken in two: a reader looks for it, and so does grep.
        super().write_single_quoted(text, split and not self.flow_level)

    def represent_text(self, text: str) -> yaml.ScalarNode:
        # A block that keeps several line ends would leave the document open behind it.
        style = None if "\n" not in text else '"' if text.endswith("\n\n") or text == "\n" else "|"
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    def represent_list(self, data: Any) -> yaml.SequenceNode:
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=_short(data))

    def represent_dict(self, data: Any) -> yaml.MappingNode:
        return self.represent_mapping("tag:yaml.org,2002:map", data, flow_style=_short(data))


_Dumper.add_representer(str, _Dumper.represent_text)
_Dumper.add_representer(list, _Dumper.represent_list)
_Dumper.add_representer(tuple, _Dumper.represent_list)
_Dumper.add_representer(dict, _Dumper.represent_dict)
_Dumper.add_representer(_BlockMapping, _Dumper.represent_dict)
_Dumper.add_representer(_FlowMapping, _Dumper.represent_dict)
_Dumper.add_representer(_FlowList, _Dumper.represent_list)


def _short(data: Any) -> bool:
    """Whether it stands on one line."""
    if isinstance(data, _FlowMapping | _FlowList):
        return True
    if isinstance(data, _BlockMapping):
        return False
    text = json.dumps(data, ensure_ascii=False).replace('"', "")  # YAML needs few of them
    return len(text) < _WIDTH - 10 and "\\n" not in text


def _dump(data: Any) -> str:
    text: str = yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH,
        default_flow_style=False,
    )  # fmt: skip
    return text

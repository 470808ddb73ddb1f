"""The text of an expectation file: stable, and pleasant to review line by line.

Owns the layout alone: key order, which mappings stand on one line, graphs as literal blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from exportdb.records.expectation import ERROR_KEYS, VALUE_KEYS, Entry

HEADER = "# Written by exportdb accept, from records. Review the diff; edit by hand only notes.\n"
_WIDTH = 96


def render(entries: Mapping[str, Sequence[Entry]]) -> str:
    """The file that says ``entries``; the same text for the same entries, always."""
    parts = []
    for exporter, listed in entries.items():
        data = [_plain(e) for e in listed]
        parts.append(_dump(_Block({exporter: data[0] if len(data) == 1 else data})))
    return HEADER + "\n".join(parts)


def _plain(entry: Entry) -> dict[str, Any]:
    """An entry as the mapping that is written, keys in order."""
    conditions: dict[str, Any] = {
        "torch": entry.when.torch,
        "python": entry.when.python,
        "device": entry.when.device and (
            entry.when.device[0] if len(entry.when.device) == 1 else list(entry.when.device)
        ),
        "platform": entry.when.platform,
        "switches": list(entry.when.switches) or None,
    }  # fmt: skip
    when = {k: v for k, v in conditions.items() if v is not None}
    data: dict[str, Any] = {"when": when} if when else {}
    # The graph is long, so what stands beside it comes first.
    short = {k: entry.value[k] for k in VALUE_KEYS if k in entry.value and k != "graph"}
    if short.get("error"):
        short["error"] = {k: short["error"][k] for k in ERROR_KEYS if k in short["error"]}
    if short.get("ranges"):
        short["ranges"] = {k: [_end(e) for e in v] for k, v in short["ranges"].items()}
    data |= short
    if entry.measured:
        data["measured"] = [str(p) for p in entry.measured]
    if "graph" in entry.value:
        data["graph"] = entry.value["graph"]
    return data


def _end(end: str) -> int | str:
    """An end of a range: a number where it is one, as a reader expects to see it."""
    return int(end) if end.lstrip("-").isdecimal() and str(int(end)) == end else end


class _Block(dict[str, Any]):
    """A mapping that never stands on one line."""


class _Dumper(yaml.SafeDumper):
    """Literal blocks for texts of several lines, one line for what is short."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)

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
_Dumper.add_representer(dict, _Dumper.represent_dict)
_Dumper.add_representer(_Block, _Dumper.represent_dict)


def _short(data: Any) -> bool:
    """Whether it stands on one line; an entry that has an outcome never does."""
    if isinstance(data, _Block) or (isinstance(data, dict) and "outcome" in data):
        return False
    text = json.dumps(data, ensure_ascii=False)
    return len(text) < _WIDTH - 24 and "\\n" not in text


def _dump(data: Any) -> str:
    text: str = yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH,
        default_flow_style=False,
    )  # fmt: skip
    return text

"""The text of an expectation file: stable, and pleasant to review line by line.

Owns the layout alone: key order, which mappings stand on one line, graphs as literal blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from exportdb.records.expectation import ExpectationEntry, ExpectedError

HEADER = "# Written by exportdb accept, from records. Review the diff; edit by hand only notes.\n"
_WIDTH = 96
_ERROR_KEYS = ExpectedError.__struct_fields__


def render(entries: Mapping[str, Sequence[ExpectationEntry]]) -> str:
    """The file that says ``entries``; the same text for the same entries, always."""
    parts = []
    for exporter, listed in entries.items():
        data = [_plain(e) for e in listed]
        parts.append(_dump(_Block({exporter: data[0] if len(data) == 1 else data})))
    return HEADER + "\n".join(parts)


def _plain(entry: ExpectationEntry) -> dict[str, Any]:
    """An entry as the mapping that is written: its fields in order, the long graph last."""
    data = {k: v for k, v in entry.to_json().items() if v or k not in ("when", "measured")}
    if data.get("error"):
        data["error"] = {k: data["error"][k] for k in _ERROR_KEYS if k in data["error"]}
    if data.get("ranges"):
        data["ranges"] = {k: [_end(e) for e in v] for k, v in data["ranges"].items()}
    return data


def _end(end: str | int) -> int | str:
    """An end of a range: a number where it is one, as a reader expects to see it."""
    end = str(end)
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
_Dumper.add_representer(tuple, _Dumper.represent_list)
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

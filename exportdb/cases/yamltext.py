"""YAML as the database uses it: safe, with line numbers, without aliases.

Owns loading of every YAML text in the project. Anchors and aliases are refused: no file of ours
needs them, and they are how a small file becomes a huge one. Files are left to ``yamlfile``.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from exportdb.cases.case import CaseError

MAX_BYTES = 4_000_000
MAX_DEPTH = 100

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Base):  # type: ignore[misc]  # the C loader when there is one
    """Refuses duplicate keys and keys that are not plain values."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise yaml.MarkedYAMLError(problem="a key must be a plain value",
                                           problem_mark=key_node.start_mark)  # fmt: skip
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key!r} is given twice",
                                           problem_mark=key_node.start_mark)  # fmt: skip
            seen.add(key)
        built: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return built


def _refuse_bombs(text: str) -> None:
    """Raise for aliases and for nesting that would exhaust the loader's stack."""
    if "*" not in text and text.count("[") + text.count("{") < MAX_DEPTH:
        return
    depth = 0
    for event in yaml.parse(text, _Base):
        mark: Any = event.start_mark  # of the C parser or of the Python one
        if isinstance(event, yaml.AliasEvent):
            problem = "aliases (*name) are not allowed here"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def load(text: str, path: Path, first_line: int = 1) -> tuple[Any, dict[str, int]]:
    """The value of a YAML text and the line of each of its top-level keys.

    ``first_line`` is the line of ``path`` on which ``text`` begins. Raises CaseError, which names
    the file and the line, for anything that is not plain YAML.
    """
    if len(text) > MAX_BYTES:
        raise CaseError(path, first_line, f"larger than {MAX_BYTES:,} characters")
    try:
        _refuse_bombs(text)
        loader = _StrictLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None, {}
            lines = {}
            if isinstance(node, yaml.MappingNode):
                lines = {str(k.value): k.start_mark.line + first_line for k, _ in node.value}
            return loader.construct_document(node), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line = first_line + (mark.line if mark else 0)
        raise CaseError(path, line, f"not valid YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise CaseError(path, first_line, f"not valid YAML: {e}") from None
    except (RecursionError, ValueError) as e:
        raise CaseError(path, first_line, f"not valid YAML: {e}") from None

"""Typed data: structures that are defined once, and read, checked, written and published from that.

Owns what all of them have in common, and how a value that does not fit is complained about: where
it stands, what it must be. The structures are front matter, expectations, environments and records,
each in a module of its own. The class of a field says what fits; ``Annotated`` with :func:`says`
adds what the field is for.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

import msgspec
from msgspec import structs


class DataError(ValueError):
    """A value that does not have the form it must have; the message says where, and which."""


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A structure of typed fields that is never changed. A key it does not have is an error."""

    def with_(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return structs.replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """It as JSON-ready data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Rebuild it from :meth:`to_json` data. Raises DataError."""
        rebuilt: Self = checked(data, cls)
        return rebuilt


def says(description: str, must: str = "", **bounds: Any) -> msgspec.Meta:
    """What a field is for; ``must`` says what its value must be where its class tells too little.

    ``bounds`` are those of ``msgspec.Meta``: ``min_length``, ``ge``, ``pattern`` and others.
    """
    return msgspec.Meta(description=description, extra={"must": must}, **bounds)


#: A text with something in it.
Text = Annotated[str, msgspec.Meta(min_length=1, extra={"must": "a text that is not empty"})]
Texts = Annotated[
    tuple[Annotated[str, msgspec.Meta(min_length=1)], ...],
    msgspec.Meta(extra={"must": "a list of texts, like [a, b]"}),
]


def checked(value: Any, kind: Any, where: str = "") -> Any:
    """JSON-ready data as a value of ``kind``. Raises DataError, which begins with ``where``."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as e:
        raise DataError(_complaint(value, kind, where, e)) from None


# --- what is wrong -----------------------------------------------------------------------------

_WORDS = {
    str: "a text", bool: "true or false", int: "a whole number", float: "a number",
    list: "a list", tuple: "a list",
}  # fmt: skip


def _complaint(value: Any, kind: Any, where: str, error: Exception) -> str:
    """One sentence on what does not fit: on the innermost part that can say what it must be."""
    must, choices = _choices(kind)
    at = f"{where}: " if where else ""
    for choice in choices:
        if _is_struct(choice) and isinstance(value, Mapping):
            fields = {f.encode_name: f for f in structs.fields(choice)}
            known = {*fields, choice.__struct_config__.tag_field}
            if unknown := [k for k in value if k not in known]:
                return f"{at}unknown key {unknown[0]!r}; keys are {', '.join(fields)}"
            if missing := [n for n, f in fields.items() if f.required and n not in value]:
                return f"{where or 'it'} lacks the key {missing[0]!r}"
        for name, part, part_kind in _parts(value, choice):
            try:
                msgspec.convert(part, part_kind)
            except msgspec.ValidationError as e:
                inner = _choices(part_kind)
                if not must or inner[0] or any(map(_is_struct, inner[1])):
                    return _complaint(part, part_kind, f"{where}{name}".lstrip("."), e)
    if isinstance(error.__cause__, ValueError):  # the structure's own word
        return f"{at}{error.__cause__}"
    where = where or "it"
    if isinstance(value, str) and {int, float} & set(choices) and _is_number(value):
        return f"{where} is read as the text {value!r}; YAML wants a dot: 1.0e-5"
    shown = repr(value)
    seen = f", not {shown}" if value not in ("", None) and len(shown) < 60 else ""
    return f"{where} must be {must or ' or '.join(map(_word, choices))}{seen}"


def _choices(kind: Any) -> tuple[str, list[Any]]:
    """What is said of values of a kind, and the classes that they may have."""
    must = ""
    found: list[Any] = []
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        must = next((m for n in notes if (m := (n.extra or {}).get("must"))), "")
    if get_origin(kind) in (Union, types.UnionType):
        for one in get_args(kind):
            inner, classes = _choices(one)
            must, found = must or inner, [*found, *classes]
    elif get_origin(kind) is Annotated:
        inner, found = _choices(kind)
        must = must or inner
    elif kind not in (type(None), msgspec.UnsetType):
        found = [kind]
    return must, found


def _parts(value: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of a value of some kind: how each is named, itself, and its kind."""
    origin, args = get_origin(kind), get_args(kind)
    if _is_struct(kind) and isinstance(value, Mapping):
        for field in structs.fields(kind):
            if field.encode_name in value:
                yield f".{field.encode_name}", value[field.encode_name], field.type
    elif isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        for key, item in value.items():
            yield f".{key}", item, args[1]
    elif origin in (list, tuple) and isinstance(value, list) and args[1:] in ((), (...,)):
        for i, item in enumerate(value):
            yield f"[{i}]", item, args[0]


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _word(kind: Any) -> str:
    """What a value of a class is called."""
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(a) for a in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "one of " + ", ".join(str(member.value) for member in kind)
    if _is_struct(kind):
        return "a mapping of " + ", ".join(f.encode_name for f in structs.fields(kind))
    return _WORDS.get(get_origin(kind) or kind, "a mapping")


# --- publishing --------------------------------------------------------------------------------


def json_schema(kind: Any, title: str, description: str) -> dict[str, Any]:
    """The JSON Schema of a kind of data, every field described as its definition says."""
    schema = msgspec.json.schema(kind)
    for definition in schema.get("$defs", {}).values():
        if said := definition.get("description"):
            definition["description"] = inspect.cleandoc(said).partition("\n\n")[0]
        for field in definition.get("properties", {}).values():
            field.setdefault("description", "What it is.")  # the tag of a structure
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": title, "description": description, **schema}

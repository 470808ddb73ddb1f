"""A result as a run handles it: the record, and what is known of it besides."""

from __future__ import annotations

from dataclasses import dataclass, field

from exportdb.records.record import Record
from exportdb.runner.imported import Imported


@dataclass(frozen=True)
class Measured:
    """``confirmed`` by a second try that agreed, with what was ``imported`` for it."""

    record: Record
    confirmed: bool = False
    imported: Imported = field(default_factory=Imported)

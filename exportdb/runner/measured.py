"""A result as a run handles it: the record, and what is known of it besides."""

from __future__ import annotations

from exportdb.cases.data import Data
from exportdb.records.record import Record
from exportdb.runner.imported import Imported


class Measured(Data, frozen=True):
    """``confirmed`` by a second try that agreed, with what was ``imported`` for it."""

    record: Record
    confirmed: bool = False
    imported: Imported = Imported()

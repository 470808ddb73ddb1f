"""One thing a task can change about the process it runs in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Aspect:
    """How it is called, how it is read, and, if it surely can be, how it is put back."""

    name: str
    read: Callable[[], Any]
    restore: Callable[[Any], object] | None = None

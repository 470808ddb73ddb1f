"""An exception becomes data, whatever it is of."""

from __future__ import annotations

import weakref

from exportdb.conformance.errors import error_of


class Hoard:
    """Stands for much memory."""


def test_what_ran_out_of_memory_is_let_go_of_before_it_is_described() -> None:
    held: list[weakref.ref[Hoard]] = []

    def fails() -> None:
        hoard = Hoard()
        held.append(weakref.ref(hoard))
        raise MemoryError

    try:
        fails()
    except MemoryError as e:
        assert held[0]() is not None
        assert error_of(e).message == "ran out of the memory it was given"
        assert held[0]() is None

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


def test_the_line_of_the_program_follows_that_of_the_adapter_it_came_through(tmp_path) -> None:
    program, adapter = tmp_path / "program.py", tmp_path / "adapter.py"
    program.write_text("def forward(x):\n    return x\n")
    adapter.write_text("def capture():\n    raise ValueError('no such size')\n")
    scope: dict = {}
    exec(compile(adapter.read_text(), str(adapter), "exec"), scope)
    try:
        scope["capture"]()
    except ValueError as e:
        told = error_of(e, (str(program), str(adapter)), line=2).message
        alone = error_of(e, (str(program), str(adapter))).message
    assert told == (
        f'no such size\n\nUser stack:\n  File "{adapter}", line 2, in capture\n'
        f"    raise ValueError('no such size')\n"
        f'  File "{program}", line 2, in forward\n    return x'
    )
    assert alone == told.partition(f'\n  File "{program}"')[0]

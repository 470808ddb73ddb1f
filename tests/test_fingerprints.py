"""Fingerprints: what may differ between two reports of one error, and what may not."""

from __future__ import annotations

import pytest

from exportdb.records.fingerprint import fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cannot guard on Eq(s77, 4)", "cannot guard on Eq(s12, 4)"),
        ("<M object at 0x7f00aa>", "<M object at 0x1234>"),
        ("failed in /home/a/m.py:3", "failed in /tmp/b/m.py:99"),
        ("Caused by: (ork/a/m.py:19 in forward)", "Caused by: (cases/m.py:7 in forward)"),
        ('File "/a/m.py", line 3', 'File "/b/m.py", line 7'),
        ("got exportdb_case_9e1a.Cache", "got exportdb_case_57e1.Cache"),
        ("types [<class 'int'>, <class 'str'>]", "types [<class 'str'>, <class 'int'>]"),
        ("index 735322704 is out of bounds", "index -308027840 is out of bounds"),
        ("with inconsistent min=-1, max=-6", "with inconsistent min=0, max=-6"),
        (
            "maximum recursion depth exceeded while calling a Python object",
            "maximum recursion depth exceeded in comparison",
        ),
        ("\x1b[31mred\x1b[0m", "red"),
        ("first\nsecond\nthird line of advice", "first\nsecond\nanother third line"),
    ],
)
def test_what_changes_from_run_to_run_does_not_count(one: str, other: str) -> None:
    assert fingerprint("E", one) == fingerprint("E", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Guard failed: x.size()[0] == 8", "Guard failed: x.size()[0] == 9"),
        ("Eq(s0, 4)", "Eq(u0, 4)"),
        ("input x is missing", "input y is missing"),
        ("first\nsecond", "first\nanother"),
    ],
)
def test_what_is_another_error_does(one: str, other: str) -> None:
    assert fingerprint("E", one) != fingerprint("E", other)
    assert fingerprint("E", one) != fingerprint("F", one)

"""The processor time of a child counts while it lives, and once it has ended."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from exportdb.executors.cpu_time import cpu_seconds

#: A process whose child works for a little more than half a second (the system tells it in
#: hundredths), says so, and waits.
_BUSY = """
import subprocess, sys
inner = "import sys, time\\nwhile time.process_time() < 0.55: pass\\nprint('done', flush=True)\\n"
child = subprocess.Popen([sys.executable, "-c", inner + "sys.stdin.read()"], stdin=subprocess.PIPE)
sys.stdin.read()
child.communicate()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="told by /proc alone")
def test_what_a_grandchild_uses_counts_at_once_and_stays() -> None:
    before = cpu_seconds()
    child = subprocess.Popen(
        [sys.executable, "-c", _BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "done\n"
    during = cpu_seconds()
    assert during - before >= 0.5
    time.sleep(0.3)
    assert cpu_seconds() - during < 0.25
    child.communicate()
    assert cpu_seconds() >= during

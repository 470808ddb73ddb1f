"""The environment of an exporter on another machine than the one it was made on.

Owns finding or making its like there. Which tasks are run in it is left to ``exportdb.executors``.
"""

from __future__ import annotations

from exportdb.environments import store
from exportdb.environments.bridge import Interpreter, bridge
from exportdb.environments.wanted import EnvironmentTrouble, Wanted
from exportdb.files import user_cache


def arrived(interpreter: Interpreter) -> Interpreter:
    """The like of another machine's ``interpreter`` on this one.

    It is the same Python where folders are shared, else an environment with the very same
    versions, made now unless it is there. Raises EnvironmentTrouble if it can be neither.
    """
    python = interpreter.python
    if not python.exists():
        if not interpreter.holds:
            raise EnvironmentTrouble(
                f"there is no {python}; install it on every node, or put it on a folder they share"
            )
        try:
            python = store.make(Wanted(interpreter.holds, ())).python
        except EnvironmentTrouble as e:
            raise EnvironmentTrouble(f"an exporter's environment could not be made: {e}") from None
    return bridge(python, interpreter.refs, user_cache(), interpreter.holds)

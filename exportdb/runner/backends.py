"""Device back ends that torch loads by itself when it is imported, and what to say if one fails.

torch imports every entry point of the group ``torch.backends``, unless the variable
TORCH_DEVICE_BACKEND_AUTOLOAD is other than 1; one that raises makes ``import torch`` raise, and so
everything here that needs torch. Owns finding that out once, before anything is examined, and
naming the one at fault.
"""

from __future__ import annotations

import os
import re

from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Failure, Task
from exportdb.plugins import PluginRef, installed

GROUP = "torch.backends"
VARIABLE = "TORCH_DEVICE_BACKEND_AUTOLOAD"


def autoloading() -> bool:
    """Whether torch loads what it finds, here and in the processes that are started from here."""
    return os.environ.get(VARIABLE, "1") == "1"


def autoloaded() -> dict[str, PluginRef]:
    """The back ends that ``import torch`` loads here, by name; none if that is turned off."""
    return installed(GROUP) if autoloading() else {}


def distributions() -> list[str]:
    """Names of the distributions that bring them: their versions decide results."""
    return sorted({r.distribution.partition(" ")[0] for r in autoloaded().values()} - {""})


def problem() -> tuple[str, str] | None:
    """The back end that keeps torch from being imported, and how; None if torch can be.

    Asks in a process of its own, if there is any back end to ask about.
    """
    found = autoloaded()
    if not found:
        return None
    with open_executor() as executor:
        executor.submit(Task("exportdb.runner.backends:import_torch", timeout=120.0, alone=True))
        (ending,) = executor.endings()
    if ending.failure is None:
        return None
    name = _at_fault(ending.failure, found)
    who = f"{name} ({found[name].distribution or found[name].target})" if name in found else name
    return name, (
        f"torch cannot be imported: the back end {who}, which it loads by itself, "
        f"fails with {_reason(ending.failure)}; fix or uninstall it, or set {VARIABLE}=0"
    )


def check() -> None:
    """Raises RunnerError if a back end keeps torch from being imported."""
    if found := problem():
        raise RunnerError(found[1])


def import_torch() -> None:
    """The task of the child. Raises what the back end raised."""
    try:
        import torch  # noqa: F401
    except RuntimeError as e:
        if e.__cause__ is None or not (said := _MESSAGE.match(str(e))):
            raise
        cause = e.__cause__
        raise RuntimeError(f"{said[0]} {type(cause).__name__}: {cause}") from None


_MESSAGE = re.compile(r"Failed to load the backend extension: (\S+)\.(?= |$)")


def _at_fault(failure: Failure, found: dict[str, PluginRef]) -> str:
    said = _MESSAGE.match(failure.message)
    return said[1] if said else " or ".join(found)  # it ended the process: no word from it


def _reason(failure: Failure) -> str:
    said = _MESSAGE.match(failure.message)
    text = failure.message[said.end() :].strip() if said else f"{failure.type}: {failure.message}"
    return " ".join(text.split())[:300]

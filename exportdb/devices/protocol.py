"""What a device is: where a program and its samples live.

A device plug-in is a class with a ``name``; the rest has defaults. Importing the module that
defines one must not import torch: :meth:`Device.prepare` does what needs it. Nothing here knows
of cases.
"""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from typing import ClassVar


class Device:
    """Defaults for a device. Deriving from it is a convenience, not a duty."""

    #: How it is asked for on the command line and named in records.
    name: ClassVar[str] = ""
    #: What is handed to ``torch.device``; the name unless told otherwise.
    torch_name: ClassVar[str] = ""
    #: Whether tensors on it hold values. On a device that does not, only structure, shapes,
    #: strides and dtypes are compared.
    computes: ClassVar[bool] = True
    #: Capabilities (see ``exportdb.cases.capabilities``) that a program finds here.
    offers: ClassVar[frozenset[str]] = frozenset()
    #: Capabilities that a program does not find here, though most devices have them.
    lacks: ClassVar[frozenset[str]] = frozenset()
    #: Capabilities that an exporter must have to capture here.
    demands: ClassVar[frozenset[str]] = frozenset()
    #: Whether :meth:`prepare` changes the process for good (a backend is registered once and never
    #: unregistered), so that an examination here shares its process with no other.
    own_process: ClassVar[bool] = False
    #: Whether an index out of range ends what a process can do with it, as on a GPU. Samples on
    #: which a program would do that are left out.
    fragile: ClassVar[bool] = False
    version: ClassVar[str] = "1"
    description: ClassVar[str] = ""

    def unusable(self) -> str | None:
        """Why the device cannot be used on this machine, or None. May import torch."""
        return None

    def prepare(self) -> None:
        """Make the device known to torch in this process (register a backend, warm it up).

        It may be called again in the same process.
        """

    def check(self) -> None:
        """Raise if it no longer computes in this process."""

    def context(self) -> AbstractContextManager[object]:
        """What stands around everything that makes or uses tensors, captures excepted.

        It is entered many times, after :meth:`prepare`; the default changes nothing.
        """
        return contextlib.nullcontext()

    def accelerator(self) -> str | None:
        """The hardware's own name, for the environment line, or None."""
        return None

"""From a user's own module to what is wrong with its capture, a change that fixes it, and a small
program that shows the same.

``origin`` says where the module is from, ``change`` what can be changed about it, ``rules`` and
``statements`` what is worth trying after which result (``rewriting`` has the other ways to write a
statement), ``search`` tries it, ``minimise`` makes the program small. Nothing
is proposed that was not examined.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _DiagnosePackage(ModuleType):
    """Lets ``exportdb.diagnose(module, args)`` mean ``exportdb.diagnose.diagnosis.diagnose``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from exportdb.diagnose.diagnosis import diagnose

        return diagnose(*args, **kwargs)


sys.modules[__name__].__class__ = _DiagnosePackage

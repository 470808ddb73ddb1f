"""``%load_ext exportdb``: three lines under the traceback of an export error, in IPython.

Owns the hook into IPython. What the lines say is left to ``answer``. An error that the catalogue
does not surely know is shown as before.
"""

from __future__ import annotations

import sys
from typing import Any

from exportdb.explain import explain


def load_ipython_extension(shell: Any) -> None:
    """Called by ``%load_ext exportdb``."""
    shell.set_custom_exc((Exception,), _show)


def unload_ipython_extension(shell: Any) -> None:
    """Called by ``%unload_ext exportdb``."""
    shell.set_custom_exc((), None)


def _show(shell: Any, kind: Any, error: BaseException, trace: Any, tb_offset: Any = None) -> None:
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    if lines := explain(error).brief():
        print(lines, file=sys.stderr)

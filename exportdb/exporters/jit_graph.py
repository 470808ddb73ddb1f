"""The text of a TorchScript graph without what names this machine or process."""

from __future__ import annotations

import re


def plain(graph: str) -> str:
    """``graph`` without source lines and the mangled names of modules.

    >>> plain("%2 : __torch__.a.___torch_mangle_3.M = prim::X(%1) # /tmp/a.py:3:4")
    '%2 : M = prim::X(%1)'
    """
    graph = re.sub(r"\s+# \S+:\d+:\d+$", "", graph, flags=re.MULTILINE)
    return re.sub(r"__torch__\.(?:\w+\.)*", "", graph)

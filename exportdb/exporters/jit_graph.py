"""The text of a TorchScript graph without what names this machine or process."""

from __future__ import annotations

import re


def plain(graph: str, device: str) -> str:
    """``graph`` without source lines and the mangled names of modules.

    What is on the program's own ``device`` does not say so: a graph reads the same on every device.

    >>> plain("%2 : __torch__.a.___torch_mangle_3.M = prim::X(%1) # /tmp/a.py:3:4", "cpu")
    '%2 : M = prim::X(%1)'
    >>> plain("%x : Float(3, strides=[1], device=cuda:0), %i : Long(device=cpu)", "cuda")
    '%x : Float(3, strides=[1]), %i : Long(device=cpu)'
    >>> plain('%3 : Device = prim::Constant[value="cuda:0"]()', "cuda")
    '%3 : Device = prim::Constant[value="here"]()'
    """
    own = rf"{re.escape(device)}(?::\d+)?"
    graph = re.sub(rf"(?:, )?\bdevice={own}(?=\))", "", graph)
    graph = re.sub(rf'(: Device = prim::Constant\[value=)"{own}"', r'\1"here"', graph)
    graph = re.sub(r"\s+# \S+:\d+:\d+$", "", graph, flags=re.MULTILINE)
    return re.sub(r"__torch__\.(?:\w+\.)*", "", graph)

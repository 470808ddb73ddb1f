"""``torch.jit.script``: compiles the source of ``forward``; sizes stay open, branches stay."""

from __future__ import annotations

import warnings

from exportdb.exporters.jit_graph import plain
from exportdb.exporters.protocol import Artifact, Exporter, Program


class JitScript(Exporter):
    """``torch.jit.script``. It looks at no example, so nothing is specialised to one."""

    name = "jit-script"
    description = "torch.jit.script"
    lacks = frozenset({"fake"})  # it runs what it compiles

    def capture(self, program: Program) -> Artifact:
        import torch

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it is deprecated is not what is measured
            scripted = torch.jit.script(program.module)
        return Artifact(call=scripted, graph_text=plain(str(scripted.inlined_graph)))

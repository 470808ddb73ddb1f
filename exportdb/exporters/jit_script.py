"""``torch.jit.script``: compiles the source of ``forward``; sizes stay open, branches stay."""

from __future__ import annotations

import contextlib
import copy
import warnings

from exportdb.exporters.jit_graph import canonical
from exportdb.exporters.protocol import Artifact, Exporter, Program

#: Types of the attributes that TorchScript keeps and a call may replace, beside tensors.
_PLAIN = (int, float, str, list, dict, tuple, type(None))


class JitScript(Exporter):
    """``torch.jit.script``. It looks at no example, so nothing is specialised to one."""

    name = "jit-script"
    description = "torch.jit.script"
    default = False
    lacks = frozenset({"fake"})  # it runs what it compiles

    def capture(self, program: Program) -> Artifact:
        import torch

        state = (*_PLAIN, torch.Tensor)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it is deprecated is not what is measured
            scripted = torch.jit.script(program.module)
        kept = [
            (owner, name, copy.deepcopy(value))
            for path, owner in scripted.named_modules()
            for name, value in vars(program.module.get_submodule(path)).items()
            if not name.startswith("_") and isinstance(value, state)
        ]

        def put_back() -> None:
            for owner, name, value in kept:
                with contextlib.suppress(AttributeError, RuntimeError):  # it is a constant there
                    setattr(owner, name, copy.deepcopy(value))

        # It says what the source says, in five times as many lines: shown, and not compared.
        text = canonical(str(scripted.inlined_graph), program.device)
        return Artifact(call=scripted, readable=text, put_back=put_back)

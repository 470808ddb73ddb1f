"""PT2E quantisation: the exported program with the weights and activations of layers in 8 bits."""

from __future__ import annotations

import copy
import importlib.util

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Pt2eQuantized(Exporter):
    """``prepare_pt2e``, one call on the example, ``convert_pt2e``, with torchao's x86 quantizer.

    Weights are rounded beforehand and activations at every call, by what that call gives
    (``is_dynamic=True``): ranges that were found on one example would say more of the example than
    of the program. What runs is the converted graph, in which 8 bits are simulated.
    """

    name = "pt2e-quantized"
    extends = "export"
    description = "torch.export.export, then PT2E quantisation of torchao, dynamic"
    packages = ("torchao",)
    devices = ("cpu",)
    lacks = frozenset({"training", "fake"})
    rounds_to = 1 / 128
    default = False
    timeout_factor = 2.0

    def unusable(self) -> str | None:
        if importlib.util.find_spec("torchao") is None:
            return "torchao not installed; pip install 'exportdb[pt2e]'"
        return None

    def capture(self, program: Program) -> Artifact:
        import torch
        from torchao.quantization.pt2e import quantize_pt2e
        from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86

        module = exported(program).module()
        state = {name: copy.deepcopy(value) for name, value in module.state_dict().items()}
        program.announce("lower")
        quantizer = x86.X86InductorQuantizer()
        quantizer.set_global(x86.get_default_x86_inductor_quantization_config(is_dynamic=True))
        prepared = quantize_pt2e.prepare_pt2e(module, quantizer)
        args, kwargs = copy.deepcopy((program.args, dict(program.kwargs)))
        with torch.no_grad():
            prepared(*args, **kwargs)  # weights are observed while they are used
            prepared.load_state_dict(state, strict=False)  # what that call changed
        converted = quantize_pt2e.convert_pt2e(prepared)
        return Artifact(call=converted, graph_module=converted)

"""Core ML: an exported program converted to an ML program, which only macOS can run."""

from __future__ import annotations

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Coreml(Exporter):
    name = "coreml"
    description = "coremltools.convert of a decomposed exported program; converted, not run"
    extends = "export"
    requirements = ("coremltools==9.0", "torch==2.13.*")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 2.0
    preload = ("coremltools",)

    def capture(self, program: Program) -> Artifact:
        import coremltools

        first = exported(program)
        program.announce("decompose")
        simple = first.run_decompositions({})  # it refuses the dialect that export leaves
        program.announce("lower")
        model = coremltools.convert(
            simple,
            convert_to="mlprogram",
            compute_precision=coremltools.precision.FLOAT32,  # by default float16
            minimum_deployment_target=coremltools.target.iOS18,  # the first that keeps buffers
            skip_model_load=True,
        )
        return Artifact(
            call=_not_here,
            exported_program=first,
            readable=str(model._mil_program),
            compares="nothing",
        )


def _not_here(*_: object, **__: object) -> None:
    raise RuntimeError("Core ML models run on macOS only")

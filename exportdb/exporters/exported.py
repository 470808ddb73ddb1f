"""What users do with an exported program: decompose it, export it again, unflatten it.

Each of these is expected to do what ``export`` does; where it does not, a step lost something.
"""

from __future__ import annotations

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class ExportDecomposed(Exporter):
    """``run_decompositions()`` with the default table: core ATen, functional."""

    name = "export-decomposed"
    extends = "export"
    description = "torch.export.export, then run_decompositions() to core ATen"
    default = False

    def capture(self, program: Program) -> Artifact:
        first = exported(program)
        program.announce("decompose")
        decomposed = first.run_decompositions()
        return Artifact(call=decomposed.module(), exported_program=decomposed)


class ExportRetraced(Exporter):
    """The exported module exported again, with the same example inputs and dynamic shapes."""

    name = "export-retraced"
    extends = "export"
    description = "torch.export.export of the module of an exported program"
    default = False

    def capture(self, program: Program) -> Artifact:
        import torch

        first = exported(program).module()
        program.announce("lower")
        again = torch.export.export(
            first,
            program.args,
            dict(program.kwargs),
            dynamic_shapes=program.dynamic_shapes,
            strict=False,
        )
        return Artifact(call=again.module(), exported_program=again)


class ExportUnflattened(Exporter):
    """``torch.export.unflatten``: the hierarchy of modules put back.

    It is the exported program's graph in pieces, so the program is what is shown; the call goes
    through the pieces.
    """

    name = "export-unflattened"
    extends = "export"
    description = "torch.export.export, then torch.export.unflatten"
    default = False

    def capture(self, program: Program) -> Artifact:
        import torch

        first = exported(program)
        program.announce("lower")
        return Artifact(call=torch.export.unflatten(first), exported_program=first)

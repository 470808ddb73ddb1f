"""``torch.export`` in its modes: non-strict, strict, deferred runtime asserts, draft.

What is done with an exported program afterwards is left to ``exported`` and its neighbours.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from exportdb.exporters.protocol import Artifact, Exporter, Program


class Export(Exporter):
    """``torch.export.export`` as it is called by default: non-strict."""

    name = "export"
    description = "torch.export.export, non-strict"
    flags: ClassVar[dict[str, Any]] = {"strict": False}

    def capture(self, program: Program) -> Artifact:
        return _artifact(exported(program, **self.flags))


class ExportStrict(Export):
    """``strict=True``: TorchDynamo reads the program's bytecode."""

    name = "export-strict"
    extends = "export"
    description = "torch.export.export, strict=True"
    flags = {"strict": True}  # noqa: RUF012


class ExportDeferred(Export):
    """``prefer_deferred_runtime_asserts_over_guards=True``: checks move into the graph."""

    name = "export-deferred"
    extends = "export"
    description = "torch.export.export, prefer_deferred_runtime_asserts_over_guards=True"
    flags = {"strict": False, "prefer_deferred_runtime_asserts_over_guards": True}  # noqa: RUF012

    def unusable(self) -> str | None:
        import torch

        known = inspect.signature(torch.export.export).parameters
        asked = [flag for flag in self.flags if flag not in known]
        return f"torch.export.export of this torch takes no {', '.join(asked)}" if asked else None


class ExportDraft(Exporter):
    """``draft_export``: goes on where export stops, and reports what it assumed."""

    name = "export-draft"
    extends = "export"
    description = "torch.export.draft_export"
    lacks = frozenset({"fake"})  # it runs the program for real beside the trace

    def unusable(self) -> str | None:
        import torch

        known = hasattr(torch.export, "draft_export")
        return None if known else "this torch has no torch.export.draft_export"

    def capture(self, program: Program) -> Artifact:
        import torch

        exported = torch.export.draft_export(
            program.module,
            program.args,
            dict(program.kwargs),
            dynamic_shapes=program.dynamic_shapes,
        )
        report = getattr(exported, "_report", None)
        artifact = _artifact(exported)
        artifact.reports = tuple(
            (f"draft-{kind.lower().replace('_', '-')}", f"draft_export went on past {kind}")
            for kind in sorted({f.failure_type.name for f in getattr(report, "failures", ())})
        )
        return artifact


def exported(program: Program, **flags: Any) -> Any:
    """The ``torch.export.ExportedProgram`` of ``program``, non-strict unless ``flags`` say so."""
    import torch

    return torch.export.export(
        program.module,
        program.args,
        dict(program.kwargs),
        dynamic_shapes=program.dynamic_shapes,
        **{"strict": False, **flags},
    )


def _artifact(exported: Any) -> Artifact:
    return Artifact(call=exported.module(), exported_program=exported)

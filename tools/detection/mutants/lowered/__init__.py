"""Broken exporters on top of ``torch.export``: lowerings and passes that an engineer gets wrong."""

from detection.mutants.lowered import (  # noqa: F401
    arguments,
    casts,
    kernels,
    passes,
    programs,
    rewrites,
    semantics,
)  # fmt: skip

"""What a program may need of a device or an exporter: a closed, described vocabulary.

A case names its needs in ``requires``; a device says what it ``offers``, an exporter what it
``lacks``. A need that is not met makes the examination ``unavailable``, and nothing else does.
A need may also be a version of torch, ``torch>=2.8``, where what the program imports came with it.
"""

from __future__ import annotations

from collections.abc import Iterable

CAPABILITIES: dict[str, str] = {
    "attention": "the device's own choice between implementations of attention",
    "backward": "the program computes gradients itself",
    "collectives": "torch.distributed exchanges tensors of the device",
    "cpu-kernels": "operators that CUDA has no kernel for, or none that takes these inputs",
    "cuda": "a CUDA device",
    "fake": "an exporter's: it captures from fake tensors, where the device is not there",
    "flex-attention": "the device has flex_attention",
    "integer-product": "the device multiplies matrices of integers",
    "numpy": "tensors in the processor's memory, which is what NumPy can read",
    "sparse": "the device has sparse tensors",
    "values": "tensors that hold values: the program reads data, which a meta tensor has not",
    "traced-derivatives": "derivatives are traced: forward ones under vmap, gradients within scan",
    "training": "gradients are compared (implied by `train: true`)",
}


def is_version(need: str) -> bool:
    """Whether ``need`` is a version of torch, as pip writes it.

    >>> [need for need in ("values", "torch>=2.8", "torch>=two") if is_version(need)]
    ['torch>=2.8']
    """
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        asked = Requirement(need)
    except InvalidRequirement:
        return False
    return asked.name == "torch" and bool(asked.specifier)


def unmet_versions(needs: Iterable[str], torch: str) -> list[str]:
    """Those of ``needs`` that this version of torch does not meet; a nightly counts as its release.

    >>> unmet_versions(["values", "torch>=2.8"], "2.6.0+cpu")
    ['torch>=2.8']
    >>> unmet_versions(["torch>=2.8"], "2.8.0.dev20250601")
    []
    """
    from packaging.requirements import Requirement
    from packaging.version import Version

    release = Version(torch).base_version
    return [n for n in needs if is_version(n) and release not in Requirement(n).specifier]

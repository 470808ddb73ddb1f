"""What a program may need of a device or an exporter: a closed, described vocabulary.

A case names its needs in ``requires``; a device says what it ``offers``, an exporter what it
``lacks``. A need that is not met makes the examination ``unavailable``, and nothing else does.
"""

from __future__ import annotations

CAPABILITIES: dict[str, str] = {
    "attention": "the device's own choice between implementations of attention",
    "backward": "the program computes gradients itself",
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

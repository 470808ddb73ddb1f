"""Holds a prediction of metadata, made without computing anything, against what eager gave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from exportdb.conformance.difference import Difference, short
from exportdb.symbolic.evaluate import Predicted


def prediction_differences(what: str, eager: Any, predicted: Predicted) -> Iterator[Difference]:
    """How eager contradicts a prediction; None in it is what could not be known."""
    if not isinstance(eager, torch.Tensor):
        if predicted.dtype is not None:
            yield Difference("type", f"{what} is {short(eager)} in eager, a tensor is predicted")
    elif predicted.dtype != eager.dtype:
        yield Difference(
            "dtype", f"{what} has dtype {eager.dtype} in eager, {predicted.dtype} is predicted"
        )
    elif not _fits(eager.shape, predicted.sizes, predicted.bounds):
        yield Difference(
            "shape",
            f"{what} has shape {tuple(eager.shape)} in eager, {predicted.sizes} is predicted",
        )


def _fits(
    sizes: Sequence[int],
    predicted: Sequence[int | None],
    bounds: Sequence[tuple[int | None, int | None]],
) -> bool:
    if len(sizes) != len(predicted):
        return False
    known = all(p is None or p == s for p, s in zip(predicted, sizes, strict=True))
    within = all(
        (low is None or low <= s) and (high is None or s <= high)
        for s, (low, high) in zip(sizes, bounds, strict=False)
    )
    return known and within

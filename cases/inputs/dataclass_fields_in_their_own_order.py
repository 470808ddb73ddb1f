"""
title: Dataclass and named tuple as inputs, their fields not in the order of the alphabet
description: >
  Fields are taken in the order in which the class declares them. A backend that sorts them by
  name takes the offset for the scale, and nothing fails where both have the same sizes.
tags: [python.dataclass, python.data-structure]
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch


@dataclass
class Calibration:
    scale: torch.Tensor
    offset: torch.Tensor


class Span(NamedTuple):
    start: torch.Tensor
    end: torch.Tensor


torch.export.register_dataclass(
    Calibration, serialized_type_name="exportdb.dataclass_fields_in_their_own_order.Calibration"
)


class Model(torch.nn.Module):
    def forward(self, x, calibration: Calibration, span: Span):
        read = x * calibration.scale - calibration.offset
        return read, span.end - span.start * 2


def inputs():
    calibration = Calibration(torch.rand(4) + 1, torch.randn(4))
    return torch.randn(3, 4), calibration, Span(torch.randn(3), torch.randn(3))

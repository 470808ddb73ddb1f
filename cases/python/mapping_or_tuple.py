"""
title: isinstance of an abstract class (collections.abc.Mapping)
description: >
  A batch comes as a mapping or as a tuple, and forward asks the abstract class, so that dict and
  OrderedDict count alike. The answer belongs to the structure of the example: a capture may refuse
  the other kind, and must not read it wrongly.
tags: [python.builtin, python.data-structure]
"""

from collections import OrderedDict
from collections.abc import Mapping

import torch


class Model(torch.nn.Module):
    def forward(self, batch):
        if isinstance(batch, Mapping):
            x, scale = batch["x"], batch["scale"]
        else:
            scale, x = batch
        return x.sin() * scale


def inputs():
    return ({"x": torch.randn(4), "scale": torch.randn(4)},)


def rejects():
    x, scale = torch.randn(4), torch.randn(4)
    yield ((scale, x),)
    yield (OrderedDict(scale=scale, x=x),)
    yield ({"scale": scale, "x": x},)

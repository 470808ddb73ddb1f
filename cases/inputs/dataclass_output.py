"""
title: Dataclass as output, registered
description: >
  Models of libraries return objects with named fields. The class is registered, so the capture
  can build one from the outputs of the graph; a field may be None.
tags: [python.dataclass, python.pytree, python.none]
references: [pytorch#106160]
"""

from dataclasses import dataclass

import torch


@dataclass
class Output:
    logits: torch.Tensor
    hidden: torch.Tensor | None = None


torch.export.register_dataclass(Output, serialized_type_name="exportdb.dataclass_output.Output")


class Model(torch.nn.Module):
    def forward(self, x):
        return Output(logits=x.softmax(-1))


def inputs():
    return (torch.randn(3, 4),)

"""
title: Parameters of a layer taken out of one vector
description: >
  torch.nn.utils.vector_to_parameters puts parts of a vector into the parameters of a layer, through
  .data. Tracing cannot give a parameter other memory: capture ends with an internal error, or the
  first call of what was captured does. The rewrite calls the layer with the parts in place of its
  parameters.
tags: [torch.parameter, torch.mutation, torch.data-attribute]
rewrites: [modules/layer_called_with_parts_of_a_vector]
references: [pytorch#170672]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x, vector):
        torch.nn.utils.vector_to_parameters(vector, self.layer.parameters())
        return self.layer(x)


def inputs():
    return torch.randn(5, 3), torch.randn(16)

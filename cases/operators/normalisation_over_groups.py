"""
title: Group, instance, local response and RMS normalisation
description: >
  They differ from layer norm only in what is averaged together: groups of channels, one channel,
  neighbouring channels, the last dimensions without their mean. Each has its eps and weights.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        weight, bias = torch.arange(1.0, 7.0), torch.arange(6.0) / 3
        groups = F.group_norm(x, 3, weight, bias, eps=0.01), F.instance_norm(x, eps=0.1)
        last = F.rms_norm(x, (5,), eps=0.02), F.layer_norm(x, (6, 5), eps=0.03)
        return groups, last, F.local_response_norm(x, 3, alpha=0.4), F.normalize(x, p=1.0, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=4):
    return (torch.randn(n, 6, 5) + 1,)

"""
title: Layers, pools and activations in bfloat16
description: >
  Most kernels of half types add up in single precision and round once at the end; one that
  rounds after each step is far off in the last of its eight bits.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        h = x.to(torch.bfloat16)
        weight = torch.linspace(-1, 1, 4 * 2 * 9).reshape(4, 2, 3, 3).to(torch.bfloat16)
        layers = [F.conv2d(h, weight, padding=1), F.conv_transpose2d(h, weight.transpose(0, 1))]
        layers += [h @ h.mT]
        norms = [F.layer_norm(h, (6, 6)), F.group_norm(h, 2), F.instance_norm(h)]
        norms += [F.rms_norm(h, (6,)), F.batch_norm(h, h.new_zeros(2), h.new_ones(2))]
        pools = [F.avg_pool2d(h, 2), F.max_pool2d(h, 2), F.adaptive_avg_pool2d(h, 4)]
        pools += [F.adaptive_max_pool2d(h, 4)]
        curves = [F.gelu(h), F.gelu(h, approximate="tanh"), F.silu(h), F.softplus(h), F.elu(h)]
        curves += [F.mish(h), F.hardswish(h)]
        totals = [h.softmax(-1), h.log_softmax(1), h.logsumexp(-1), h.cumsum(-1), h.var(-1)]
        totals += [h.mean((-1, -2)), h.sum(), h.prod(-1)]
        rest = [F.interpolate(h, scale_factor=2.0), F.mse_loss(h, -h), h.norm()]
        return layers, norms, pools, curves, totals, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 2, 6, 6),)

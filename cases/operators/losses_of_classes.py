"""
title: 'cross_entropy, nll_loss and BCE: label smoothing, weights, ignore_index'
description: >
  A mean over weighted classes divides by the weights that occurred, ignored targets count neither
  in the sum nor in the divisor, and positive examples may have a weight.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        weight, truth = torch.tensor([1.0, 2.0, 0.5, 3.0]), F.one_hot(y, 4).float()
        classes = F.cross_entropy(x, y, weight, label_smoothing=0.1), F.cross_entropy(x, truth)
        ignored = F.nll_loss(x.log_softmax(1), y, weight, ignore_index=2, reduction="sum")
        yes_no = F.binary_cross_entropy_with_logits(x, truth, pos_weight=weight)
        many = F.multilabel_soft_margin_loss(x, truth), F.binary_cross_entropy(truth, x.sigmoid())
        spread = F.kl_div(x.log_softmax(1), truth * 0.7 + 0.075, reduction="batchmean")
        return (
            classes,
            ignored,
            yes_no,
            many,
            spread,
            F.binary_cross_entropy(x.sigmoid(), truth, weight),
        )


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n) % 4

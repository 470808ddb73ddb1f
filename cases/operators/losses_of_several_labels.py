"""
title: Multilabel, margin and Poisson losses with weights and reductions
description: >
  A margin has an exponent and weights, labels are weighted by class, and a predicted count is
  given as it is or as its logarithm. A backend that ignores one of these still gives a plausible
  number.
tags: [torch.sweep]
train: true
requires: [values]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        classes = torch.arange(len(x)) % 4
        several = F.multilabel_soft_margin_loss(
            x, (x > 0.3).float(), weight=torch.tensor([1.0, 2, 3, 4]), reduction="none"
        )
        counts = F.poisson_nll_loss(x.exp(), x.exp() * 2, False, True, eps=0.2)
        margins = F.multi_margin_loss(x, classes, 2, 0.5, torch.tensor([1.0, 2, 3, 4]))
        signs = F.soft_margin_loss(x, (x > 0.1) * 2.0 - 1, reduction="sum")
        smooth = F.cross_entropy(x, x.softmax(1), label_smoothing=0.3, reduction="none")
        return several, counts, margins, signs, smooth, F.kl_div(x, x, log_target=True)


def inputs():
    return (torch.randn(5, 4, requires_grad=True),)

"""
title: 'Softmax before cross_entropy, and sigmoid before a loss of logits: applied twice'
description: >
  A frequent mistake, and still the program: the loss takes the shares for logits. A pass that
  merges a softmax into the loss behind it, or takes a second one for a repetition, gives the loss
  that was meant.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, label):
        shares = x.softmax(1)
        losses = F.cross_entropy(shares, label), F.nll_loss(shares, label)
        entropy = F.nll_loss(x.log_softmax(1), label), F.nll_loss(x.log_softmax(0), label)
        binary = F.binary_cross_entropy_with_logits(x.sigmoid(), shares), x.sigmoid().sigmoid()
        again = shares.softmax(1), shares.log_softmax(1), x.log_softmax(1).softmax(0)
        rest = shares.log(), x.softmax(0).log(), shares.argmax(0), x.softmax(0).argmax(1)
        return losses, entropy, binary, again, rest


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "label": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4) * 2, torch.arange(n) % 4

"""
title: Attention with dropout while training
description: >
  dropout_p is a number of Python that depends on self.training, and the operator does not look at
  the mode itself. In training mode the weights that it drops are drawn anew in every call; a
  capture keeps the mode in which it was made.
tags: [torch.attention, torch.random, torch.module]
requires: [attention]
allow:
  L063: the mode is the module's, and no input changes it
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        p = 0.5 if self.training else 0.0
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(x, x, x, dropout_p=p)


def inputs():
    return (torch.randn(2, 3, 5, 4),)

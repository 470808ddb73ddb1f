"""
title: Equation of einsum given as a word
description: >
  The equation is an argument, and a small and a large letter are two axes in it. A capture is of
  one equation: another must be refused or computed.
tags: [torch.scalar-input, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, equation):
        return torch.einsum(equation, x, y)


def inputs():
    return torch.randn(3, 3), torch.randn(3, 3), "aA,Ab->ab"


def rejects():
    yield torch.randn(3, 3), torch.randn(3, 3), "aA,bA->ab"
    yield torch.randn(3, 3), torch.randn(3, 3), "aA,Ab->Ab"

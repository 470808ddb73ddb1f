"""
title: Conjugation is a bit of the tensor
description: >
  conj() marks a tensor and computes nothing; whoever reads its memory without looking at the
  mark gets the number itself.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.conj() * x, x.conj().imag.clone(), torch.view_as_real(x), x.abs(), x.angle()


def inputs():
    return torch.tensor([1 + 2j, -3 - 1j])


def accepts():
    yield torch.tensor([2 - 5j, 4 + 0j])
    yield torch.tensor([0 + 0j, 0 - 3j])

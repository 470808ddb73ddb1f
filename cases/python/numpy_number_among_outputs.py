"""
title: NumPy number among the outputs
description: >
  A setting that came out of NumPy is returned beside the tensor, as it is. It is a np.float32,
  whose type a plain float does not have.
advice: >
  Return the tensor alone, and add the setting where the capture is called: it is the same at every
  call.
tags: [python.data-structure, torch.dtype]
errors: [E0209]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.tensor([0.3], device="cpu").numpy()[0]

    def forward(self, x):
        return x * 2, self.scale


def inputs():
    return torch.randn(3, 4)

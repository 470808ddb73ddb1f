"""
title: Parameter of no dims, such as a temperature, and layers alike but for their values
description: >
  The temperature is returned and stays without dims. The two layers have the same sizes and the
  same names for their parameters, which are told apart by the layer alone.
tags: [torch.parameter, torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = torch.nn.Parameter(torch.tensor(0.7))
        self.query, self.key = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).T
        return scores / self.temperature, self.temperature.exp()


def inputs():
    return (torch.randn(3, 4),)

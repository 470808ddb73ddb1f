"""Two inputs that are compared row by row, each with a size of its own."""

import torch
from torch import nn
from torch.export import Dim


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(10, 5)

    def forward(self, left, right, weight):
        a, b = self.enc(left), self.enc(right)
        return ((a - b) ** 2).sum(-1) * weight


def make():
    n, m, k = Dim("n", min=2, max=50), Dim("m", min=2, max=100), Dim("k")
    args = (torch.randn(6, 10), torch.randn(6, 10), torch.rand(6))
    return Siamese(), args, {}, {"left": {0: n}, "right": {0: m}, "weight": {0: k}}

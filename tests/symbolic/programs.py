"""Small programs that the tests of the symbolic floor capture."""

from __future__ import annotations

import torch
from torch.export import Dim


class SizeBranch(torch.nn.Module):
    """Tracing assumes a size of at least 2, and says so nowhere."""

    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100


class Double(torch.nn.Module):
    def forward(self, x, y):
        return x + y[::2]


class Reshaped(torch.nn.Module):
    """Makes a constant of the first size."""

    def forward(self, x):
        return x.reshape(5, -1)


class Channels(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(6, 6)

    def forward(self, x):
        return self.linear(x)


class Item(torch.nn.Module):
    def forward(self, x, k):
        n = k.item()
        torch._check(n >= 2)
        torch._check(n <= x.shape[0])
        return torch.zeros(n), x * n


class Nested(torch.nn.Module):
    def forward(self, batch, *rest, k=3):
        x = batch["x"]
        if rest[0].shape[0] > 4:
            x = x * 2
        return x + 1, rest[0] * k


def size_branch():
    return SizeBranch(), (torch.randn(5),), {}, {"x": {0: Dim("n", min=1, max=32)}}


def double():
    n = Dim("n", min=2, max=32)
    return Double(), (torch.randn(5), torch.randn(10)), {}, {"x": {0: n}, "y": {0: 2 * n}}


def specialising():
    return Reshaped(), (torch.randn(5, 7),), {}, {"x": {0: Dim.AUTO, 1: Dim.AUTO}}


def item():
    n = Dim("n", min=2, max=32)
    return Item(), (torch.randn(5), torch.tensor(3)), {}, {"x": {0: n}, "k": None}


def nested():
    shapes = {"batch": {"x": {0: Dim("n", max=64)}}, "rest": ({0: Dim.AUTO},), "k": Dim.AUTO}
    return Nested(), ({"x": torch.randn(5)}, torch.randn(7)), {"k": 9}, shapes

"""What the tests of exporters share: cases from a text, and programs that several of them use."""

from __future__ import annotations

from ..conformance.conftest import examine  # noqa: F401  # a fixture

#: A declared size, nothing else: every exporter can do it.
SCALE = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 + x.shape[0]

dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}

def inputs(n=5):
    return torch.randn(n)
"""

#: A buffer and an input changed in place, and an output that is the changed input.
IN_PLACE = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total.add_(x)
        x.mul_(2)
        return x, self.total + 1

def inputs():
    return torch.randn(3)
"""

VALUE_BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1

def inputs():
    return torch.ones(3)

def accepts():
    yield -torch.ones(3)
"""

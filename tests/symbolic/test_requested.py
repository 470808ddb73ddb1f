"""What a ``dynamic_shapes`` declares: the dims that it names, and where each stands."""

from __future__ import annotations

import torch
from torch.export import Dim

from exportdb.symbolic.requested import RootDim, requests, roots


class Model(torch.nn.Module):
    def forward(self, x, batch, *rest, k=None):
        return x


N, M = Dim("n", min=2, max=32), Dim("m")


def test_named_dims_are_found_wherever_they_stand() -> None:
    shapes = {"x": {0: 2 * N, 1: Dim.AUTO}, "batch": [{"mask": (M, None)}], "rest": None}
    assert roots(shapes) == {"n": RootDim("n", 2, 32), "m": RootDim("m", 0, None)}
    assert roots(None) == roots({"x": (Dim.DYNAMIC, Dim.STATIC, 3)}) == {}


def test_each_request_names_its_input_and_its_dim() -> None:
    x, mask = torch.ones(6, 4), torch.ones(3)
    shapes = {
        "x": {0: 2 * N, 1: Dim.AUTO}, "batch": {"mask": (M,)}, "rest": ((N,),), "k": Dim.DYNAMIC,
    }  # fmt: skip
    found = requests(Model(), (x, {"mask": mask}, torch.ones(3)), {"k": 5}, shapes)
    assert [(r.source, r.asked, r.root and r.root.name) for r in found] == [
        ("x.size()[0]", "2*n", "n"),
        ("x.size()[1]", "AUTO", None),
        ("batch['mask'].size()[0]", "m", "m"),
        ("rest[0].size()[0]", "n", "n"),
        ("k", "DYNAMIC", None),
    ]


def test_a_tensor_given_twice_is_two_inputs() -> None:
    x = torch.ones(5)
    found = requests(Model(), (x, x), {}, {"x": (N,), "batch": None})
    assert [r.leaf for r in found] == [0]

"""TorchScript's graphs in canonical form: what a graph says is kept, and how it is named is not."""

from __future__ import annotations

import torch

from exportdb.exporters.jit_graph import canonical


class Layers(torch.nn.Module):
    """Two layers whose names are no words of Python, and a key that is no word either."""

    def __init__(self, first):
        super().__init__()
        self.layers = torch.nn.ModuleDict({"a-b": torch.nn.Linear(2, 2), "a-c": torch.nn.Tanh()})
        self.first = first

    def forward(self, x):
        return {"a<b": self.layers[self.first](x), "rest": self.layers["a-b"](x).sum(dim=[0, 1])}


def traced(first):
    module = torch.jit.trace(Layers(first), (torch.ones(1, 2),), strict=False)
    return canonical(str(module.inlined_graph), "cpu")


def test_parts_and_keys_have_their_whole_names():
    text = traced("a-b")
    assert "attribute layers.a-b.weight" in text
    assert '{"a<b": ' in text


def test_numbers_and_lists_stand_where_they_are_used():
    assert "[0, 1]" in traced("a-c")
    assert "prim" not in traced("a-c")


def test_programs_that_differ_have_other_graphs():
    assert traced("a-b") != traced("a-c")


def test_a_function_has_no_module_before_its_inputs():
    @torch.jit.script
    def doubled(x, n: int):
        return x * n

    @torch.jit.script
    def three():
        return 3

    assert canonical(str(doubled.graph), "cpu").splitlines()[0] == "  %0: Tensor = x"
    assert canonical(str(three.graph), "cpu") == "  return 3\n"

"""What is told of a program, and how alike two are."""

from __future__ import annotations

import pytest

from exportdb.hunt.features import features
from exportdb.hunt.likeness import ALIKE, Corpus

FORWARD = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        {}\n"


def does(statement: str) -> frozenset[str]:
    return features(FORWARD.format(statement))


@pytest.mark.parametrize(
    ("statement", "feature"),
    [
        ("return torch.func.grad(torch.sin)(x)", "torch.func"),
        ("return x.unsqueeze_(0)", "unsqueeze_"),
        ("return x.unsqueeze_(0)", "in place"),
        ("x['a'] = 1", "item written"),
        ("return max(len(x), 2.0)", "max(float, size)"),
        ("return min(float('inf'), x.shape[0])", "max(float, size)"),
        ("n = x.size(0) + 1; return round(n)", "round(size)"),
        ("return isinstance(x.numel(), int)", "isinstance(size)"),
        ("return x.sum().item() < 2", "Gt(item)"),
        ("return (len(x) > 2) is True", "Is(truth)"),
        ("self.count = 1", "state written"),
        ("return [*x]", "Starred"),
    ],
)
def test_a_program_has_a_feature(statement: str, feature: str) -> None:
    assert feature in does(statement)
    assert feature not in does("return x")


@pytest.mark.parametrize(
    "text",
    ["repr({})", "format({})", 'format({}, ">6")', '"{{}}".format({})', 'f"{{{}}}"', '"%s" % {}',
     '"%s, %s" % ({}, 1)', '"{{a}}".format(a={})'],
)  # fmt: skip
@pytest.mark.parametrize("value", ["x.shape", "len(x)"])
def test_all_ways_to_write_a_size_as_text_are_one(text: str, value: str) -> None:
    written = text.format(value)
    assert does(f"return x * len({written})") == does(f"return x * len(str({value}))")
    assert "text(size)" in does(f"return {written}")


def test_of_what_kind_the_data_of_a_program_are_is_no_feature() -> None:
    assert does("return torch.where(torch.tensor(True), x, torch.tensor(2.5))") == {
        "where", "tensor"
    }  # fmt: skip
    assert "masked_fill(truth)" in does("return x.masked_fill(x > 1, True)")
    assert "full(size)" in does("return torch.full((2,), len(x))")


def test_what_is_common_to_all_programs_is_no_feature() -> None:
    assert does("return x") == frozenset()


def test_of_what_is_given_it_counts_whether_sizes_vary() -> None:
    program = FORWARD.format("return x") + "def inputs(n=5):\n    return torch.randn(n).clamp(1)\n"
    assert features(program + "dynamic_shapes = {'x': {}}\n") == frozenset()
    for size in ("Dim('n', min=2)", "torch.export.Dim.AUTO"):
        assert features(f"{program}dynamic_shapes = {{'x': {{0: {size}}}}}\n") == {"sizes vary"}


def test_an_expression_of_constants_is_a_constant() -> None:
    assert does("return len(x) + 2.0 ** 52") == does("return len(x) + float('1e9')")
    assert "Pow" in does("return x ** 2")


def test_how_a_program_is_split_up_does_not_matter_to_kinds() -> None:
    helper = "def low(n):\n    return round(n)\n"
    assert "round(size)" in features(helper + FORWARD.format("return low(x.shape[0])"))
    assert "LARGE" not in features("LARGE = 2.0\n" + FORWARD.format("return x.shape[0] + LARGE"))
    assert "Add(float, size)" in features(
        "LARGE = 2.0\n" + FORWARD.format("return x.shape[0] + LARGE")
    )


def test_base_classes_and_special_methods_tell() -> None:
    told = features(
        "from torch.utils._python_dispatch import TorchDispatchMode as Mode\n"
        "class Twice(Mode):\n    def __torch_dispatch__(self, func, types): return func\n"
    )
    assert {"TorchDispatchMode", "torch.utils._python_dispatch", "__torch_dispatch__"} <= told
    assert "Twice" not in told


def test_a_name_of_the_program_s_own_tells_nothing() -> None:
    assert features("class First:\n    pass\n" + FORWARD.format("return First(len(x))")) == does(
        "return len(x)"
    )


def test_what_is_rare_decides_how_alike_two_programs_are() -> None:
    common = {str(number): {"Add"} for number in range(20)}
    corpus = Corpus(common | {"a": {"Add", "frac"}, "b": {"erf"}})
    assert corpus.likeness({"frac"}, {"frac", "Add"}) > ALIKE
    assert corpus.likeness({"frac", "Add"}, {"erf", "Add"}) < ALIKE
    assert corpus.likeness({"frac"}, {"frac"}) == corpus.likeness(set(), set()) == 1
    assert corpus.likeness({"frac"}, set()) == 0
    assert corpus.likeness({"seen", "nowhere"}, {"seen", "elsewhere"}) < ALIKE
    assert corpus.having({"Add", "frac"}) == {"a"}

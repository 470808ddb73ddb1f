"""Broken exporters of the twelfth set: each shows in a small program that has what it breaks."""

from __future__ import annotations

import sys
import textwrap
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import detection.mutants  # noqa: E402, F401  # fills MUTANTS
from detection.examining import Bench  # noqa: E402
from detection.mutant import MUTANTS  # noqa: E402
from detection.mutants.backends.witness import WITNESSES  # noqa: E402

from exportdb.cases.frontmatter import parse_case  # noqa: E402


@dataclass(frozen=True)
class Small:
    """A program in which a mutant shows; with ``sizes`` the first dim of ``x`` varies."""

    body: str
    given: str = "x"
    inputs: str = "torch.randn(4, 6)"
    init: str = "pass"
    head: str = ""
    tags: str = ""
    sizes: bool = False
    train: bool = False

    def source(self) -> str:
        """The text of it, as a case."""
        init, body = (textwrap.indent(t, " " * 8) for t in (self.init, self.body))
        lines = ['"""', "title: A program", "description: It is made for a test."]
        lines += [f"tags: [{self.tags}]"] * bool(self.tags)
        lines += ["train: true"] * self.train + ['"""', "import torch", self.head]
        lines += ["class Model(torch.nn.Module):", "    def __init__(self):"]
        lines += ["        super().__init__()", init]
        lines += [f"    def forward(self, {self.given}):", body]
        lines += [f"def inputs({'n=22' * self.sizes}):", f"    return {self.inputs}"]
        lines += ['dynamic_shapes = {"x": {0: torch.export.Dim("n", min=12)}}'] * self.sizes
        return "\n".join(lines) + "\n"


PROGRAMS = {
    "relu-before-an-average-is-applied-after-it": Small("return x.relu().mean(0)"),
    "argmax-argmin-and-argsort-look-through-a-factor-a-negative-one-too": Small(
        "return (x * -2.0).argmax(1)"
    ),
    "not-of-any-is-any-of-not-and-likewise-for-all": Small(
        "return torch.logical_not((x > 0).any(1))"
    ),
    "a-product-of-two-transposed-matrices-is-the-product-transposed": Small(
        "return x[:, :4].t() @ x[:, 1:5].t()"
    ),
    "a-flip-before-and-one-after-a-running-sum-cancel-out": Small(
        "return x.flip(0).cumsum(0).flip(0)"
    ),
    "a-whole-division-times-its-divisor-is-what-was-divided": Small(
        "return (x // 2) * 2", inputs="torch.arange(8)"
    ),
    "a-sum-of-logarithms-is-the-logarithm-of-the-product": Small(
        "return (x - 3).log() + (x - 2).log()"
    ),
    "where-within-where-is-where-both-conditions-hold": Small(
        "return torch.where(x > 0, torch.where(x > 1, x, x + 5), -x)"
    ),
    "zeros-padded-before-max-pooling-are-the-padding-of-the-pooling": Small(
        "return torch.nn.functional.max_pool2d(torch.nn.functional.pad(x, (1, 1, 1, 1)), 2)",
        inputs="torch.randn(2, 4, 6, 6)",
    ),
    "zeros-padded-before-average-pooling-are-not-counted-by-it": Small(
        "return torch.nn.functional.avg_pool2d(torch.nn.functional.pad(x, (1, 1, 1, 1)), 2)",
        inputs="torch.randn(2, 4, 6, 6)",
    ),
    "batch-norm-is-folded-into-a-convolution-whose-bias-is-not-scaled": Small(
        "return self.b(self.a(x))",
        inputs="torch.randn(2, 4, 6, 6)",
        init=(
            "self.a = torch.nn.Conv2d(4, 3, 1)\nself.b = torch.nn.BatchNorm2d(3).eval()\n"
            "self.b.running_var.fill_(3.0)"
        ),
    ),
    "none-in-a-list-of-indices-is-left-out": Small("return x[:, torch.tensor([1, 0])]"),
    "true-and-false-beside-tensors-are-1-and-0": Small("return (x > 0) + True"),
    "repeat-along-dims-of-one-is-expand": Small("y = x[:, :1].repeat(1, 3)\ny[:, 0] = 7\nreturn y"),
    "results-that-nobody-uses-are-dropped-and-the-others-numbered-anew": Small(
        "return x.max(0)[1]"
    ),
    "numbers-that-are-read-from-tensors-are-one-number": Small(
        "return torch.zeros(x.item()), torch.ones(y.item())",
        given="x, y",
        inputs="torch.tensor(3), torch.tensor(5)",
    ),
    "parts-of-a-tensor-that-are-joined-again-are-the-tensor-along-any-dim": Small(
        "return torch.cat(x.split(2, 1), 0)"
    ),
    "attention-that-is-written-out-gets-the-usual-scale-when-it-is-recognised": Small(
        "return ((x @ x.transpose(-1, -2)) * 0.3).softmax(-1) @ x"
    ),
    "a-norm-that-is-written-out-has-the-variance-without-correction": Small(
        "return x * (x.var(-1, keepdim=True) + 1e-5).rsqrt()"
    ),
    "an-eps-beside-a-deviation-is-under-its-root": Small(
        "return x / (x.std(-1, keepdim=True) + 0.1)"
    ),
    "a-size-divided-and-multiplied-by-the-same-number-is-the-size": Small(
        "return x * (x.shape[0] // 2 * 2)", inputs="torch.randn(n)", sizes=True
    ),
    "a-size-divided-and-rounded-up-is-one-more-than-rounded-down": Small(
        "return x.new_zeros((x.shape[0] + 3) // 4)", inputs="torch.randn(n)", sizes=True
    ),
    "what-is-left-of-a-size-beside-whole-blocks-is-the-size": Small(
        "return x + (x.shape[0] - 4 * (x.shape[0] // 4))", inputs="torch.randn(n)", sizes=True
    ),
    "forward-hooks-of-submodules-do-not-run": Small(
        "return self.a(x)",
        init="self.a = torch.nn.Linear(6, 2)\nself.a.register_forward_hook(lambda m, a, o: o * 2)",
    ),
    "forward-pre-hooks-of-submodules-do-not-run": Small(
        "return self.a(x)",
        init=(
            "self.a = torch.nn.Linear(6, 2)\n"
            "self.a.register_forward_pre_hook(lambda m, a: (a[0] * 2,))"
        ),
    ),
    "a-parametrised-weight-is-computed-by-the-first-call-and-kept": Small(
        "return self.a(x)",
        init=(
            "self.a = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(6, 2))\n"
            "self.train()"
        ),
    ),
    "a-tensor-of-the-module-that-begins-in-the-middle-of-its-memory-is-read-from-the-begin": Small(
        "return x * self.b", init="self.register_buffer('b', torch.arange(12.0)[6:])"
    ),
    "a-tensor-of-the-module-that-is-a-view-with-gaps-is-read-without-them": Small(
        "return x * self.b", init="self.register_buffer('b', torch.arange(12.0)[::2])"
    ),
    "functional-call-runs-with-the-module-s-own-tensors": Small(
        "return torch.func.functional_call(self.a, {'weight': torch.ones(2, 6)}, (x,))",
        init="self.a = torch.nn.Linear(6, 2)",
    ),
    "vmap-puts-its-results-along-the-first-dim": Small(
        "return torch.vmap(torch.sin, out_dims=1)(x)"
    ),
    "vmap-draws-the-same-for-every-row": Small(
        "return torch.vmap(lambda r: r + torch.rand_like(r), randomness='different')(x)"
    ),
    "a-gradient-that-is-asked-for-is-that-of-the-first-argument": Small(
        "return torch.func.grad(lambda a, b: (a * b * b).sum(), argnums=1)(x, x + 1)"
    ),
    "a-mask-of-keys-is-left-out-beside-a-mask-of-attention": Small(
        "return self.a(x, x, x, key_padding_mask=m, attn_mask=torch.ones(4, "
        "4).triu(1).bool(), need_weights=False)[0]",
        given="x, m",
        inputs=(
            "torch.randn(2, 4, 6), torch.tensor([[False, False, True, True], [False, "
            "True, False, True]])"
        ),
        init="self.a = torch.nn.MultiheadAttention(6, 2, batch_first=True)",
    ),
    "attention-gets-no-row-of-zeros-and-no-bias-beside-its-keys": Small(
        "return self.a(x, x, x)[0]",
        inputs="torch.randn(2, 4, 6)",
        init="self.a = torch.nn.MultiheadAttention(6, 2, batch_first=True, add_zero_attn=True)",
    ),
    "averaged-weights-of-attention-are-those-of-the-first-head": Small(
        "return self.a(x, x, x)[1]",
        inputs="torch.randn(2, 4, 6)",
        init="self.a = torch.nn.MultiheadAttention(6, 2, batch_first=True)",
    ),
    "packed-sequences-run-over-their-padding": Small(
        "p = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor([3, 2]))\nreturn self.a(p)[1]",
        inputs="torch.randn(3, 2, 6)",
        init="self.a = torch.nn.GRU(6, 2)",
    ),
    "sequences-are-padded-with-zeros-whatever-is-asked-for": Small(
        "return torch.nn.utils.rnn.pad_sequence([x[0], x[1, :2]], padding_value=-1.0)"
    ),
    "a-norm-over-neighbouring-channels-is-not-divided-by-their-number": Small(
        "return torch.nn.functional.local_response_norm(x, 3)",
        inputs="10 * torch.randn(2, 4, 6, 6)",
    ),
    "a-spectrogram-is-padded-with-zeros-at-its-ends": Small(
        "return torch.stft(x, 8, return_complex=True, window=torch.ones(8))",
        inputs="torch.randn(32)",
    ),
    "differences-have-a-spacing-of-one": Small("return torch.gradient(x, spacing=2.0)"),
    "a-scan-that-should-go-backwards-goes-forwards": Small(
        "return scan(lambda c, a: (c + a, c * a), x[0], x, reverse=True)",
        head="from torch._higher_order_ops.scan import scan",
        tags="torch.scan",
    ),
    "a-scan-goes-along-the-first-dim": Small(
        "return scan(lambda c, a: (c + a, c * a), torch.zeros(4), x, dim=1)",
        inputs="torch.randn(4, 4)",
        head="from torch._higher_order_ops.scan import scan",
        tags="torch.scan",
    ),
    "an-associative-scan-that-should-go-backwards-goes-forwards": Small(
        "return associative_scan(lambda a, b: a + b, x, 0, reverse=True, combine_mode='generic')",
        head="from torch._higher_order_ops.associative_scan import associative_scan",
        tags="torch.associative-scan",
    ),
    "an-associative-scan-goes-along-the-first-dim": Small(
        "return associative_scan(lambda a, b: a + b, x, dim=1, combine_mode='generic')",
        head="from torch._higher_order_ops.associative_scan import associative_scan",
        tags="torch.associative-scan",
    ),
    "attention-by-blocks-does-not-change-its-scores": Small(
        "return flex_attention(x, x, x, score_mod=lambda s, b, h, q, k: s + q - k)",
        inputs="torch.randn(1, 2, 16, 16)",
        head="from torch.nn.attention.flex_attention import flex_attention",
    ),
    "a-region-of-autocast-is-in-bfloat16-whatever-it-asks-for": Small(
        "with torch.autocast('cpu', dtype=torch.float16):\n    return x @ x.t()"
    ),
    "a-default-type-that-a-program-sets-is-passed-over": Small(
        "torch.set_default_dtype(torch.float64)\ntry:\n    return x + torch.ones(6)\n"
        "finally:\n    torch.set_default_dtype(torch.float32)"
    ),
    "what-is-drawn-in-fork-rng-moves-the-caller-s-generator": Small(
        "with torch.random.fork_rng():\n    y = torch.rand(3)\nreturn y, torch.rand(3)"
    ),
    "what-is-written-into-inputs-is-written-by-the-first-call-alone": Small(
        "x.add_(1)\nreturn x.sum()"
    ),
    "outputs-that-are-views-of-inputs-are-views-of-the-runner-s-own-inputs": Small("return x[1:]"),
    "tensors-of-no-dims-are-those-of-the-first-call": Small(
        "return x * y", given="x, y", inputs="torch.randn(4, 6), torch.tensor(2.0)"
    ),
    "a-call-with-new-sizes-runs-twice-to-record-and-to-replay": Small(
        "self.b.add_(1)\nreturn x + self.b",
        inputs="torch.randn(n)",
        init="self.register_buffer('b', torch.zeros(()))",
        sizes=True,
    ),
    "a-batch-is-filled-up-with-zeros-to-four-and-the-result-cut": Small(
        "return x.mean(0)", inputs="torch.randn(6, 2)"
    ),
    "a-batch-runs-in-halves-and-the-results-are-joined": Small("return x.softmax(0)"),
    "complex-numbers-in-double-precision-are-in-single": Small(
        "return torch.complex(x.double(), x.double())"
    ),
    "whole-numbers-of-16-bits-have-32": Small("return x.to(torch.int16)"),
    "guards-are-checked-by-the-first-call-alone": Small(
        "return x * x.shape[0] if x.shape[0] > 3 else x"
    ),
    "guards-of-the-first-input-alone-are-checked": Small(
        "return x + y[0, 0] * y.shape[0]",
        given="x, y",
        inputs="torch.randn(4, 6), torch.randn(4, 5)",
    ),
    "where-no-input-asks-for-a-gradient-the-parameters-get-none": Small(
        "return self.a(x)",
        inputs="torch.arange(4)",
        init="self.a = torch.nn.Embedding(6, 2)",
        train=True,
    ),
    "of-two-equal-numbers-the-first-gets-the-gradient-of-maximum-and-minimum": Small(
        "return torch.maximum(x, x * 1.0)", train=True
    ),
    "the-statistics-of-a-batch-are-constants-on-the-way-back": Small(
        "return self.a(x)",
        init=(
            "self.a = torch.nn.BatchNorm1d(6)\nself.w = torch.nn.Parameter(torch.ones(2))\n"
            "self.train()"
        ),
        train=True,
    ),
    "dropout-draws-another-mask-on-the-way-back": Small(
        "return torch.nn.functional.dropout(x * self.w, 0.5, True)",
        init="self.w = torch.nn.Parameter(torch.ones(6))",
        train=True,
    ),
    "what-comes-back-through-a-complex-product-is-not-conjugated": Small(
        "return torch.view_as_real(torch.complex(x, x + 1) * torch.complex(x - 2, x * 3))",
        train=True,
    ),
    "of-what-was-gathered-twice-one-gradient-comes-back": Small(
        "return x.gather(0, torch.zeros(3, 6, dtype=torch.long))", train=True
    ),
    "nothing-comes-back-to-a-divisor-through-a-remainder": Small(
        "return torch.remainder(torch.ones(4, 6) * 5, x.abs() + 1)", train=True
    ),
    "the-gradient-of-a-norm-of-nought-is-not-a-number": Small("return (x * 0).norm()", train=True),
    "what-comes-back-through-a-running-product-is-divided-by-the-factors": Small(
        "return (x.relu()).cumprod(0)", train=True
    ),
    "an-angle-comes-back-by-the-quotient-also-where-its-divisor-is-nought": Small(
        "return torch.atan2(x, x * 0)", train=True
    ),
}


def shown(name: str, program: Small) -> bool:
    """Whether a mutant is caught in a program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bench = Bench(parse_case("program", Path("program.py"), program.source()), "Model")
        result = bench.result(MUTANTS[name])
        return result is not None and result.blames(bench.control(MUTANTS[name].base))


def test_a_pass_shows_where_its_pattern_is_and_nowhere_else():
    name = "relu-before-an-average-is-applied-after-it"
    assert shown(name, PROGRAMS[name])
    assert not shown(name, Small("return x.mean(0).relu()"))


def test_a_mutant_of_what_a_program_calls_is_tried_where_the_program_says_so_alone():
    name = "vmap-puts-its-results-along-the-first-dim"
    assert shown(name, PROGRAMS[name])
    program = parse_case("program", Path("program.py"), Small("return x.sin()").source())
    assert Bench(program, "Model").result(MUTANTS[name]) is None


def test_every_mutant_of_the_set_has_a_program_but_one_that_needs_a_mask_of_blocks():
    names = {name for name, mutant in MUTANTS.items() if mutant.kind.startswith("neighbour: ")}
    assert names - PROGRAMS.keys() - WITNESSES.keys() == {"attention-by-blocks-looks-at-all-blocks"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_every_mutant_shows_in_its_program(name):
    assert shown(name, PROGRAMS[name])

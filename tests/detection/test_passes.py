"""Passes that take several operators for a pattern that they almost are, and where each shows."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import detection.mutants  # noqa: E402, F401  # fills MUTANTS
from detection.examining import Bench  # noqa: E402
from detection.mutant import MUTANTS  # noqa: E402

from exportdb.cases.database import load  # noqa: E402
from exportdb.cases.frontmatter import parse_case  # noqa: E402

PASSES = {m.says: m for m in MUTANTS.values() if m.kind.startswith("passes: ")}

#: By case, the passes that it was written for, or is the first to show.
SHOWN = {
    "architectures/batch_norm_after_grouped_transposed_convolution": (
        "a batch norm behind a transposed convolution scales its weights by their first dimension",
    ),
    "architectures/batch_norm_before_padded_convolution": (
        "a batch norm before a convolution is put into its weights and bias, whatever pads it",
    ),
    "architectures/batch_norm_over_steps_after_linear": (
        "a batch norm behind a linear layer is put into its rows, whatever dimension it is over",
    ),
    "architectures/causal_convolution_padded_or_cut": (
        "padding on one side before a convolution is its own, half on each side",
        "what is cut off behind a convolution was padding on both sides",
    ),
    "architectures/channels_shuffled_between_groups": (
        "a transpose between two reshapes that are back at the old sizes is left out",
    ),
    "architectures/features_flattened_in_the_other_order": (
        "a transpose before flatten is left out",
        "a transpose before a reduction is left out, and the dim stays",
    ),
    "architectures/features_taken_before_their_norm": (
        "a batch norm behind a layer without a bias is a factor alone",
        "a batch norm is put into the convolution before it for all who use that",
    ),
    "architectures/gated_cell_with_reset_before_product": (
        "a gate before the product with the state is applied behind it",
    ),
    "architectures/images_standardised_before_padding": (
        "what is subtracted before a convolution goes into its bias, whatever pads it",
    ),
    "architectures/layers_scaled_by_position": (
        "a factor behind a layer is put into its rows, whatever dimension it is for",
    ),
    "architectures/pointwise_before_padded_convolution": (
        "a convolution of one pixel is merged with a padded one behind",
    ),
    "architectures/residual_before_and_after_activation": (
        "a kernel of one pixel is merged into the corner of a larger one beside it",
        "a sum with an activation behind it has no factor",
    ),
    "operators/casts_before_and_after_arithmetic": (
        "a cast to whole numbers is moved before a product or sum",
        "a cast to whole numbers is moved behind a product or sum",
        "a cast behind a reduction is moved before it",
        "a cast before a reduction is moved behind it",
        "a sum or product of bytes that is widened is made in the wider type",
    ),
    "operators/choices_that_look_like_functions": (
        "a product with a mask is a choice",
        "a choice by comparing with nought is relu",
        "the larger of two by comparing is their maximum",
        "a product with whether it is positive is relu",
    ),
    "operators/cut_across_the_seam": (
        "a slice that ends in the first of joined parts, or behind, is of it",
        "of stacked tensors the i-th is taken, along any dimension",
    ),
    "operators/cut_and_joined_in_another_order": (
        "slices of one tensor that are joined are the tensor",
        "parts of a tensor that are joined again are the tensor, in any order",
        "what is unbound and stacked is the same, along any dimension",
        "rows of one tensor that are stacked are the tensor",
    ),
    "operators/divided_twice_and_put_together": (
        "a whole division of a division is by both, however that rounds",
        "a remainder of a remainder is the second, whatever the divisors",
        "a quotient times its divisor and a remainder are the number, however they round",
        "a quotient of a remainder is that of the number",
        "a shift there and back is nothing",
        "a product divided by its factor is the number, and by any other",
    ),
    "operators/enlarged_and_made_smaller": (
        "an enlargement and a pool by as much cancel out, however it was enlarged",
        "two enlargements in a row are one by the product, smooth ones too",
    ),
    "operators/expanded_then_reduced": (
        "a reduction over copies is what was copied",
        "a repetition before a reduction is left out",
    ),
    "operators/factors_taken_out_of_reductions": (
        "a factor is taken out of a maximum, a median or an order, a negative one too",
        "a factor is taken out of a norm with its sign",
        "a factor is taken out of a variance or a product as it is",
        "what is added before a sum, a product or a norm is added once behind it",
        "a column of factors is taken out of a sum over the columns' dim",
    ),
    "operators/features_joined_before_a_layer": (
        "a layer on joined features is one for each, each with the bias",
        "a softmax or norm of joined parts is one of each",
        "a running sum, flip or order of joined parts is of each",
    ),
    "operators/first_of_sorted_rows": (
        "the first of what was sorted is the least, sorted downwards too",
        "one of what was sorted is found along the dim that is cut",
        "the first few of what was sorted are the largest",
        "the last of topk is the largest",
    ),
    "operators/lengths_with_eps_in_other_places": (
        "the inverse root of a sum of squares is that of their mean",
    ),
    "operators/limited_before_or_after_the_function": (
        "an activation and the sum behind it are a sum with the activation",
        "a limit before a function is one behind it",
        "a limit behind a function, a factor or a sum is one before it",
        "relu of a sum is the sum of what relu leaves",
        "a choice behind a function is made before it",
        "what replaces NaN behind a quotient replaces it before",
        "a choice between a number and nought is a product with the mask",
    ),
    "operators/limits_applied_twice": (
        "two limits in a row are the narrower of each side",
        "the least of a maximum is a clamp, in either order",
    ),
    "operators/logarithms_of_sums_of_exponentials": (
        "the logarithm of a mean of exponentials is logsumexp",
        "the logarithm of an exponential and a number is softplus",
    ),
    "operators/mask_of_the_largest": (
        "what equals the maximum is the place of the maximum",
        "what is at least the k-th largest are the places of topk",
    ),
    "operators/masked_by_product_or_by_choice": (
        "minus infinity in a mask is a large negative number added",
        "a mask and its denial are one mask",
    ),
    "operators/means_of_means": (
        "two reductions in a row are one over both dims, which are not counted anew",
        "a mean of sums, or a sum of means, is a mean over both",
        "the mean of stacked tensors is their sum",
    ),
    "operators/one_matrix_for_all_or_for_each": (
        "a matrix on the left of a batch is turned to the right as it is",
        "a batch of matrices on the right is the first of them for all",
    ),
    "operators/order_applied_and_undone": (
        "a gather of a gather is what it was, as the orders undo each other",
        "the order of an order is the order",
    ),
    "operators/padded_twice_and_cut_again": (
        "two paddings in a row are one, as the second is",
        "a cut behind a padding takes as much of it, on the right",
    ),
    "operators/pools_one_after_another": (
        "of two max pools that are merged the ragged end is dropped",
        "relu behind an average is applied before it",
    ),
    "operators/positions_by_running_sum": (
        "a running sum without its own element is the sum before it",
        "a running sum of a constant is a range",
        "running sums and differences undo each other",
    ),
    "operators/powers_of_powers": (
        "a power of a power has the product of both for its exponent",
        "a product of roots is the root of the product",
        "the root of a product is the product of the roots",
        "a difference of logarithms is the logarithm of the quotient",
        "the logarithm of a quotient or product is that of each",
        "the logarithm of a power is a multiple of the logarithm",
        "the logarithm of a product of many is the sum of their logarithms",
        "an exponential of a sum of logarithms is the product",
    ),
    "operators/products_of_matrices_added": (
        "two products with a matrix in common are one, on whichever side it stands",
        "a difference of two products is that of their sum",
        "what a product is taken from is its bias, and the sign is lost",
        "an activation between two products is left out",
        "a factor behind a product and its bias is one of the product",
        "a column behind a product is put into the rows of the matrix",
    ),
    "operators/products_summed_along_other_axes": (
        "a sum of products of small integers is added up in a wide type",
    ),
    "operators/questions_answered_by_sums": (
        "a sum that is positive says that any is",
        "a sum of nought says that none is true",
    ),
    "operators/rows_indexed_twice": (
        "of an index of an index the first is taken at the second's places",
        "two indices of two dimensions in a row are taken in pairs",
        "two index_selects in a row are one, along the first's dim",
        "a table that is looked up by what was looked up is one lookup",
    ),
    "operators/softmax_before_a_loss_that_applies_it": (
        "the logarithm of a softmax is log_softmax along the last dim",
        "log_softmax and nll_loss are cross entropy, whatever dimension it goes along",
        "a softmax before a loss that applies it is left out",
        "a softmax of a softmax is the softmax",
        "the largest of a softmax is the largest, along any dimension",
    ),
    "operators/softmax_written_out_with_changes": (
        "weights that are multiplied by a mask are masked before",
        "an exponential over its sum is a softmax along the last dim",
        "a number beside the sum of exponentials is no part of it",
    ),
    "operators/stacked_then_reduced": (
        "the mean of joined parts is the mean of their means",
        "the largest of stacked tensors is found by comparing",
    ),
    "operators/table_times_one_hot": (
        "a product of what was a one-hot matrix and a table is a lookup",
    ),
    "operators/triangles_by_comparing_positions": (
        "of two positions the same one counts as before",
    ),
    "operators/two_linear_layers_without_activation": (
        "of two linear layers in a row that are merged the first bias is lost",
        "a factor before a linear layer is moved behind it",
        "linear layers on one input have one bias",
    ),
    "transformers/attention_masked_after_softmax": (
        "weights that are masked behind a softmax are masked before it",
    ),
    "transformers/attention_scores_capped": ("scores that are capped by tanh are scores",),
    "transformers/attention_shared_out_among_queries": (
        "a softmax between two products is attention, whatever dimension it goes along",
    ),
    "transformers/attention_softmax_in_single_precision": (
        "a softmax that is told its type has that of its input",
        "a softmax of what was widened is made in the narrow type",
    ),
    "transformers/embeddings_scaled_before_they_are_added": (
        "a sum that is normalised is the normalised one for all who use it",
        "embeddings that are added and normalised are those of the tables, without a factor",
        "a table of positions is read from its first row",
    ),
    "transformers/heads_tiled_in_place_of_repeated": (
        "heads that are tiled are heads that are repeated one by one",
    ),
    "operators/calls_alike_but_for_an_argument": (
        "calls that differ in numbers and keywords alone are one",
    ),
    "operators/calls_alike_but_for_their_order": (
        "calls of the same tensors in another order are one",
    ),
    "operators/constants_of_one_element": (
        "a constant of one element is a number, of no type and no dimensions",
    ),
    "operators/rounded_to_a_grid_by_hand": (
        "a quotient that is rounded and multiplied is the number",
        "what was rounded to a grid is not rounded to another",
        "a limit before a rounding is one behind it, and whole",
    ),
}

PROGRAM = '''"""
title: A program
description: It is made for a test.
"""
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return {expression}
def inputs():
    return torch.randn(4, 6)
'''


def missed(bench: Bench, names: tuple[str, ...]) -> list[str]:
    """Those of the passes that a program does not show."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = {says: bench.result(PASSES[says]) for says in names}
        sound = bench.control("export")
    return [says for says, found in results.items() if found is None or not found.blames(sound)]


def bench_of(expression: str) -> Bench:
    """A program that gives one expression of ``x``."""
    text = PROGRAM.format(expression=expression)
    return Bench(parse_case("program", Path("program.py"), text), "Model")


def test_every_pass_has_a_case_in_which_it_shows():
    named = [says for passes in SHOWN.values() for says in passes]
    assert sorted(named) == sorted(PASSES)


def test_every_pass_says_of_which_operators_its_pattern_is():
    assert [says for says, mutant in PASSES.items() if len(mutant.lowers) < 1] == []
    assert [says for says in PASSES if not re.fullmatch(r"[a-z].*[a-z]", says)] == []


def test_a_pass_shows_in_the_near_miss_and_not_in_the_pattern_itself():
    says = "two limits in a row are the narrower of each side"
    assert missed(bench_of("x.clamp(-2, -1).clamp(0, 1)"), (says,)) == []
    assert missed(bench_of("x.clamp(-1, 2).clamp(0, 3)"), (says,)) == [says]


def test_a_pass_is_not_tried_where_its_operators_stand_apart():
    says = "the logarithm of a softmax is log_softmax along the last dim"
    assert bench_of("(x.softmax(0) + 1).log()").result(PASSES[says]) is None
    assert missed(bench_of("x.softmax(0).log()"), (says,)) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted(SHOWN))
def test_every_pass_shows_in_its_case(case):
    (found,) = load().select([case])
    assert missed(Bench(found, "Model"), SHOWN[case]) == []

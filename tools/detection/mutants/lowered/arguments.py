"""An argument of an operator that a lowering does not pass on: its default is taken instead."""

from __future__ import annotations

from typing import Any

from detection.graphs import Call, Lowering
from detection.kind import Kind

kind = Kind("arguments")

#: By operators, those of their arguments that are lost, one mutant each.
LOST = {
    "layer_norm": "weight bias eps",
    "group_norm": "weight bias eps",
    "batch_norm": "weight bias eps",
    "instance_norm": "weight bias eps",
    "rms_norm": "weight eps",
    "linear conv1d conv2d conv3d": "bias",
    "conv_transpose1d conv_transpose2d": "bias output_padding",
    "conv2d": "dilation stride padding",
    "embedding_bag": "mode per_sample_weights include_last_offset padding_idx",
    "cross_entropy_loss": "weight reduction ignore_index label_smoothing",
    "nll_loss_nd nll_loss nll_loss2d": "weight reduction ignore_index",
    "binary_cross_entropy": "weight reduction",
    "binary_cross_entropy_with_logits": "weight pos_weight reduction",
    "mse_loss l1_loss": "reduction",
    "smooth_l1_loss": "beta reduction",
    "huber_loss": "delta reduction",
    "kl_div": "log_target reduction",
    "poisson_nll_loss": "log_input full eps",
    "margin_ranking_loss": "margin reduction",
    "hinge_embedding_loss": "margin",
    "triplet_margin_loss": "margin p swap",
    "multi_margin_loss": "p margin weight",
    "cosine_embedding_loss": "margin",
    "ctc_loss _ctc_loss": "blank zero_infinity reduction",
    "avg_pool1d avg_pool2d avg_pool3d": "ceil_mode count_include_pad divisor_override padding",
    "max_pool1d max_pool2d max_pool3d": "ceil_mode dilation padding",
    "upsample_bilinear2d upsample_bicubic2d upsample_linear1d": "align_corners",
    "grid_sampler": "align_corners padding_mode interpolation_mode",
    "affine_grid_generator": "align_corners",
    "scaled_dot_product_attention": "attn_mask is_causal scale enable_gqa",
    "gelu": "approximate",
    "softplus": "beta threshold",
    "elu": "alpha scale input_scale",
    "celu": "alpha",
    "leaky_relu": "negative_slope",
    "hardtanh": "min_val max_val",
    "hardshrink softshrink": "lambd",
    "logit": "eps",
    "var std var_mean std_mean": "correction",
    "div": "rounding_mode",
    "add": "alpha",
    "sub rsub": "alpha",
    "addmm addmv addbmm baddbmm addr": "alpha beta",
    "addcmul addcdiv": "value",
    "topk": "largest",
    "sort argsort": "descending",
    "searchsorted": "right side sorter out_int32",
    "bucketize": "right out_int32",
    "clamp": "min max",
    "nan_to_num": "nan posinf neginf",
    "isclose": "rtol atol equal_nan",
    "cdist _cdist_forward": "p",
    "pairwise_distance": "p eps",
    "cosine_similarity": "dim eps",
    "linalg_vector_norm norm": "ord p",
    "linalg_matrix_norm": "ord",
    "linalg_solve": "left",
    "linalg_solve_triangular": "left unitriangular upper",
    "triangular_solve": "upper transpose unitriangular",
    "linalg_cholesky cholesky_solve": "upper",
    "linalg_eigh linalg_eigvalsh": "UPLO",
    "linalg_qr": "mode",
    "tril triu": "diagonal",
    "diagonal": "offset dim1 dim2",
    "diag_embed": "offset dim1",
    "bincount": "weights minlength",
    "histc": "min max bins",
    "diff": "n prepend append dim",
    "trapezoid cumulative_trapezoid": "dx",
    "quantile nanquantile": "interpolation",
    "round": "decimals",
    "stft": "normalized onesided center window hop_length win_length",
    "istft": "normalized center window length",
    "fft_fft fft_ifft fft_rfft fft_irfft": "n dim norm",
    "fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfftn fft_rfft2": "s dim norm",
    "fft_fftshift fft_ifftshift": "dim",
    "index_add": "alpha",
    "index_put put": "accumulate",
    "scatter_reduce index_reduce": "include_self",
    "scatter": "reduce",
    "isin": "invert",
    "roll": "dims",
    "rot90": "k dims",
    "constant_pad_nd pad": "value mode",
    "im2col col2im": "dilation padding stride",
    "multinomial": "replacement",
    "sum mean prod cumsum cumprod softmax log_softmax": "dtype",
    "arange": "step",
    "one_hot": "num_classes",
    "unique_dim unique_consecutive _unique2": "return_inverse return_counts dim",
    "repeat_interleave": "dim",
    "lstm gru rnn_tanh": "bidirectional batch_first has_biases",
    "as_strided": "storage_offset",
    "tensordot": "dims_self",
    "renorm": "maxnorm",
    "median nanmedian mode kthvalue": "keepdim",
    "sum mean amax amin argmax argmin any all logsumexp": "keepdim",
    "matrix_exp pinverse linalg_pinv": "rtol hermitian",
    "cov": "correction fweights",
    "logspace": "base",
    "gumbel_softmax dropout": "p",
}

#: What a lowering puts in place of an argument that has no default of its own.
UNSAID = {
    "align_corners": False, "padding_mode": 0, "interpolation_mode": 0, "correction": 1,
    "rounding_mode": None, "reduce": None, "output_padding": 0, "upper": False,
    "eps": 1e-5, "weight": None, "bias": None, "mode": "constant", "include_self": True,
    "dims": [], "maxnorm": 1.0, "bidirectional": False, "has_biases": True, "batch_first": False,
    "dilation": 1, "padding": 0, "stride": 1, "step": 1,
}  # fmt: skip


def losing(argument: str) -> Lowering:
    """A lowering that does not know ``argument``."""

    def wrong(call: Call) -> Any:
        if argument not in call.arguments:
            return None
        default = call.defaults().get(argument, UNSAID.get(argument))
        if type(default) is int and isinstance(call[argument], (list, tuple)):
            default = [default] * len(call[argument])
        given = call[argument]
        if given is default or (not hasattr(given, "shape") and given == default):
            return None
        return call(**{argument: default})

    return wrong


for operators, arguments in LOST.items():
    for argument in arguments.split():
        kind.lowering(operators, f"{operators} do not get {argument}", losing(argument))

"""Matrix products, convolutions, pooling, normalisation, attention and losses."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind

broken = Kind("linear algebra").operator
functional = torch.nn.functional

broken(
    "addmm",
    "addmm leaves out beta",
    lambda right, x, mat1, mat2, beta, alpha: x + alpha * (mat1 @ mat2) if beta != 1 else None,
)
broken(
    "addmm baddbmm",
    "addmm leaves out alpha",
    lambda right, x, mat1, mat2, beta, alpha: (
        beta * x + mat1 @ mat2 if alpha != 1 and mat1 is not None else None
    ),
)
broken("addmm", "addmm leaves out the bias", lambda right, mat1, mat2, alpha: alpha * (mat1 @ mat2))
broken(
    "mm",
    "a product of square matrices has its operands swapped",
    lambda right, x, mat2: mat2 @ x if x.shape == mat2.shape else None,
)
broken(
    "mm addmm",
    "a matrix product leaves out what is beyond 64 along its inner axis",
    lambda right, x, mat1, mat2: (
        (x if mat1 is None else mat1)[:, :64] @ mat2[:64] + (0 if mat1 is None else x)
        if mat2.shape[0] > 64
        else None
    ),
)
broken(
    "bmm",
    "bmm takes the first matrix for every one of the batch",
    lambda right, x, mat2: torch.bmm(x, mat2[:1].expand_as(mat2)),
)
broken("mv", "mv takes its vector from the end", lambda right, x, vec: torch.mv(x, vec.flip(0)))
broken(
    "dot",
    "dot leaves out the last element",
    lambda right, x, tensor: torch.dot(x[:-1], tensor[:-1]) if len(x) else None,
)


@broken("convolution", "a convolution leaves out its bias")
def _(right: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any,
      dilation: Any, transposed: Any, output_padding: Any, groups: Any) -> Any:  # fmt: skip
    if bias is None:
        return None
    return torch.ops.aten.convolution(
        input, weight, None, stride, padding, dilation, transposed, output_padding, groups
    )


@broken("convolution", "a convolution pads on one side")
def _(right: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any,
      dilation: Any, transposed: Any, output_padding: Any, groups: Any) -> Any:  # fmt: skip
    if transposed or not any(padding):
        return None
    one_side = [n for p in reversed(padding) for n in (2 * p, 0)]
    return torch.ops.aten.convolution(
        functional.pad(input, one_side),
        weight,
        bias,
        stride,
        [0] * len(padding),
        dilation,
        False,
        output_padding,
        groups,
    )


@broken("convolution", "a convolution leaves out its dilation")
def _(right: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any,
      dilation: Any, transposed: Any, output_padding: Any, groups: Any) -> Any:  # fmt: skip
    if set(dilation) == {1}:
        return None
    return torch.ops.aten.convolution(
        input,
        weight,
        bias,
        stride,
        padding,
        [1] * len(dilation),
        transposed,
        output_padding,
        groups,
    )


@broken("convolution", "a grouped convolution takes the first group's weights for all")
def _(right: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any,
      dilation: Any, transposed: Any, output_padding: Any, groups: Any) -> Any:  # fmt: skip
    if groups == 1:
        return None
    first = weight[: weight.shape[0] // groups]
    return torch.ops.aten.convolution(
        input, torch.cat([first] * groups), bias, stride, padding, dilation, transposed,
        output_padding, groups)  # fmt: skip


@broken("convolution", "a convolution is mirrored")
def _(right: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any,
      dilation: Any, transposed: Any, output_padding: Any, groups: Any) -> Any:  # fmt: skip
    return torch.ops.aten.convolution(input, weight.flip(-1), bias, stride, padding, dilation,
                                      transposed, output_padding, groups)  # fmt: skip


broken(
    "native_layer_norm",
    "layer_norm leaves out eps",
    lambda right, input, normalized_shape, weight, bias, eps: (
        functional.layer_norm(input, normalized_shape, weight, bias, 0.0),
        *right[1:],
    ),
)
broken(
    "native_layer_norm",
    "layer_norm divides by one less",
    lambda right, input, normalized_shape, weight, bias: (
        (
            (right[0] - (0 if bias is None else bias)) * (1 - 1 / normalized_shape[-1]) ** 0.5
            + (0 if bias is None else bias),
            *right[1:],
        )
        if len(normalized_shape) == 1
        else None
    ),
)
broken(
    "native_layer_norm native_group_norm",
    "a norm leaves out its bias",
    lambda right, bias: (
        (right[0] - bias, *right[1:])
        if bias is not None and right[0].shape[-1:] == bias.shape
        else None
    ),
)
broken(
    "native_batch_norm _native_batch_norm_legit_no_training _native_batch_norm_legit",
    "batch_norm leaves out eps",
    lambda right, input, weight, bias, running_mean, running_var, training: (
        (
            functional.batch_norm(
                input,
                running_mean.clone(),
                running_var.clone(),
                weight,
                bias,
                bool(training),
                0.0,
                0.0,
            ),
            *right[1:],
        )
        if running_mean is not None
        else None
    ),
)
broken(
    "avg_pool2d avg_pool1d",
    "average pooling counts no padding",
    lambda right, x, kernel_size, stride, padding, ceil_mode: (
        functional.avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad=False)
        if x.dim() > 2 and len(kernel_size) == 2
        else None
    ),
)
broken(
    "max_pool2d_with_indices",
    "max pooling pads with zeros",
    lambda right, x, kernel_size, stride, padding: (
        functional.max_pool2d(
            functional.pad(x, [padding[-1], padding[-1], padding[0], padding[0]]),
            kernel_size,
            stride,
            return_indices=True,
        )
        if any(padding)
        else None
    ),
)
broken(
    "_adaptive_avg_pool2d",
    "adaptive pooling rounds the size of its window down",
    lambda right, x, output_size: functional.avg_pool2d(
        x, [max(1, s // o) for s, o in zip(x.shape[-2:], output_size, strict=True)]
    )[..., : output_size[0], : output_size[1]],
)
broken(
    "_scaled_dot_product_flash_attention_for_cpu",
    "attention leaves out is_causal",
    lambda right, query, key, value, is_causal: (
        (functional.scaled_dot_product_attention(query, key, value), *right[1:])
        if is_causal
        else None
    ),
)
broken(
    "_scaled_dot_product_flash_attention_for_cpu",
    "attention leaves out its scale",
    lambda right, query, key, value, is_causal, scale, attn_mask: (
        functional.scaled_dot_product_attention(
            query, key, value, attn_mask=attn_mask, is_causal=bool(is_causal), scale=1.0
        ),
        *right[1:],
    ),
)
broken(
    "nll_loss_forward nll_loss2d_forward",
    "a loss leaves out ignore_index",
    lambda right, x, target, weight, reduction, ignore_index: (
        (-x.gather(1, target.clamp(min=0).unsqueeze(1)).mean(), right[1])
        if (target == ignore_index).any() and x.dim() == 2
        else None
    ),
)
broken(
    "mse_loss",
    "a loss is summed where its mean is due",
    lambda right, x, target: ((x - target) ** 2).sum() if not right.dim() else None,
)
broken("cdist _cdist_forward", "a distance leaves out the root", lambda right: right**2)

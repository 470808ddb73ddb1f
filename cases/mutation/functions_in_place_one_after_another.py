"""
title: Functions of one number, written over the tensor that they are given
description: >
  Each function has a form with an underscore that leaves its result in the tensor itself. Here the rows of one tensor
  that the caller keeps are overwritten, each by another function.
tags: [torch.mutation, torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, kept):
        rows = kept.unbind()
        grown = rows[0].exp_().log1p_(), rows[1].abs_().sqrt_(), rows[2].square_().rsqrt_()
        waves = rows[3].sin_(), rows[4].cos_(), rows[5].sinh_().asinh_(), rows[6].tan_().atan_()
        parts = rows[7].trunc_(), rows[8].frac_(), rows[9].sign_(), rows[10].fmod_(0.7)
        more = rows[11].exp2_().reciprocal_(), rows[12].erf_(), rows[13].expm1_(), rows[14].sinc_()
        rows[15].copysign_(rows[0]).pow_(3), rows[16].mul_(0.5).erfinv_(), rows[17].atan2_(rows[0])
        rows[18].heaviside_(rows[0]).nan_to_num_(0.5), rows[19].hypot_(rows[1]).log2_()
        return sum(grown), sum(waves), sum(parts), sum(more), kept * 2


dynamic_shapes = {"kept": {1: Dim("n", min=1, max=32)}}


def inputs(n=21):
    return torch.linspace(-1.4, 1.6, 20 * n).reshape(n, 20).t().contiguous()

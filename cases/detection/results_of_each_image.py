"""
title: List of detections, one tensor for each image, as long as it has hits
description: >
  For each image the boxes above the threshold are returned, so the output is a list of tensors
  whose lengths are data, all different. The number of images is static.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, python.data-structure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, boxes, logits):
        results = []
        for image, scores in zip(boxes, logits.sigmoid()):
            best, label = scores.max(-1)
            kept = best > 0.5
            results.append({"boxes": image[kept], "labels": label[kept], "scores": best[kept]})
        return results


def inputs():
    return torch.rand(2, 5, 4), torch.randn(2, 5, 3)


def accepts():
    yield torch.rand(2, 5, 4), torch.full((2, 5, 3), -4.0)
    yield torch.rand(2, 5, 4), torch.randn(2, 5, 3).abs()

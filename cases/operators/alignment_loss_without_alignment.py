"""
title: CTC loss with zero_infinity, for labels longer than the recording
description: >
  A label of four letters has no alignment in three steps of time: its loss is infinite. With
  zero_infinity it counts as zero instead, and the other recordings of the batch are learned from.
advice: >
  Compute the loss outside of the exported part: the size of one of the results of the operator
  depends on the lengths.
tags: [torch.operator, torch.item]
requires: [values]
errors: [E0010]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, scores, labels, lengths, label_lengths):
        logs = scores.log_softmax(2)
        loss = torch.nn.functional.ctc_loss
        return loss(logs, labels, lengths, label_lengths, zero_infinity=True)


def inputs():
    labels = torch.tensor([[1, 2, 3, 4], [4, 2, 1, 3]])
    return torch.randn(7, 2, 5), labels, torch.tensor([7, 3]), torch.tensor([3, 4])


def accepts():
    labels = torch.tensor([[3, 3, 2, 1], [1, 4, 3, 2]])
    yield torch.randn(7, 2, 5), labels, torch.tensor([2, 6]), torch.tensor([2, 3])
    yield torch.randn(7, 2, 5), labels, torch.tensor([7, 6]), torch.tensor([4, 4])

"""
title: CTC loss with the lengths as tensors
description: >
  Scores of each time step are aligned with shorter labels. How long each sequence is stands in
  integer tensors, whose values the loss needs: on the CPU it reads them while it is called.
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
        return torch.nn.functional.ctc_loss(logs, labels, lengths, label_lengths)


def inputs():
    labels = torch.tensor([[1, 2, 3], [4, 2, 1]])
    return torch.randn(7, 2, 5), labels, torch.tensor([7, 6]), torch.tensor([3, 2])


def accepts():
    labels = torch.tensor([[3, 1, 2], [1, 4, 3]])
    yield torch.randn(7, 2, 5), labels, torch.tensor([5, 7]), torch.tensor([2, 3])
    yield torch.randn(7, 2, 5), labels, torch.tensor([4, 4]), torch.tensor([1, 1])

"""What the tests have done on the device ``toy``, each in a process of its own."""

from __future__ import annotations

import copy
from typing import Any

import torch

from exportdb.devices.toy import Toy


def registered() -> str:
    """The name that torch has for out-of-tree devices in this process."""
    return torch._C._get_privateuse1_backend_name()


def unusable_beside_another() -> str | None:
    torch.utils.rename_privateuse1_backend("other")
    return Toy().unusable()


def _layers() -> dict[str, Any]:
    torch.manual_seed(0)
    image, rows, steps = torch.randn(1, 2, 6, 6), torch.randn(5, 4), torch.randn(3, 2, 4)
    lstm, norm = torch.nn.LSTM(4, 3), torch.nn.BatchNorm1d(4)
    attention = torch.nn.MultiheadAttention(4, 2)
    turning = torch.polar(torch.ones(3, 3), torch.arange(9.0).reshape(3, 3))
    return {
        "convolution": torch.nn.Conv2d(2, 3, 3)(image),
        "lstm": lstm(steps)[0],
        "gru": torch.nn.GRU(4, 3)(steps)[0],
        "batch norm": norm(rows),
        "batch norm in inference": norm.eval()(rows),
        "attention": attention(steps, steps, steps)[0],
        "embedding": torch.nn.Embedding(4, 2)(torch.tensor([1, 3])),
        "dropout": torch.nn.functional.dropout(rows),
        "rest of a division": torch.arange(6) % 4,
        "mask": rows[rows > 0],
        "complex": torch.view_as_complex(torch.randn(3, 2)).conj().imag + 1,
        "product with a conjugate": torch.view_as_real(turning @ turning.mH),
        "product with a negative": turning.imag @ turning.conj().imag.mT,
        "resized in place": torch.ones(2).resize_(1) + 1,
        "given a place": torch.add(rows, 1, out=torch.empty(0)),
    }


def layers() -> dict[str, list[Any]]:
    """Results of the same layers on the device and on the CPU."""
    Toy().prepare()
    with torch.device("toy"):
        here = _layers()
    there = _layers()
    assert all(t.device.type == "toy" for t in here.values())
    return {k: [t[k].detach().cpu().flatten().tolist() for t in (here, there)] for k in here}


def gradients() -> list[list[float]]:
    """The gradient of a checkpointed layer, on the device and on the CPU."""
    Toy().prepare()
    found = []
    for device in ("toy", "cpu"):
        torch.manual_seed(0)
        with torch.device(device):
            layer, x = torch.nn.Linear(3, 2), torch.randn(4, 3)
            y = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
            y.relu().sum().backward()
            found.append(layer.weight.grad.cpu().flatten().tolist())
    return found


def gradients_of_cells() -> list[dict[str, list[float]]]:
    """Gradients of an LSTM and a GRU, with and without biases, on the device and on the CPU."""
    Toy().prepare()
    found: list[dict[str, list[float]]] = []
    for device in ("toy", "cpu"):
        torch.manual_seed(0)
        x = torch.randn(3, 2, 4)
        held = {}
        for name in ("LSTM", "GRU"):
            for bias in (True, False):
                layer = getattr(torch.nn, name)(4, 3, bias=bias).to(device)
                given = x.clone().to(device).requires_grad_()
                result, state = layer(given)
                cell = state[1] if name == "LSTM" else state
                (result.square().sum() + cell.sum()).backward()
                for at, p in [("x", given), *layer.named_parameters()]:
                    held[f"{name} {bias} {at}"] = p.grad.cpu().flatten().tolist()
        found.append(held)
    return found


def views() -> dict[str, Any]:
    """A write through a view of a view; and copies of two tensors in one memory."""
    Toy().prepare()
    base = torch.zeros(3, 4, device="toy")
    base.view(12)[2:5].add_(1)
    base.t()[0, 2] = 7
    a, b = copy.deepcopy((base, base[0]))
    b.fill_(9)
    return {
        "base": base.cpu().tolist(),
        "shares": base.view(12).untyped_storage()._cdata == base.untyped_storage()._cdata,
        "copies": [a[0].cpu().tolist(), b.cpu().tolist()],
    }


def mixed() -> list[str]:
    """What comes of a tensor, a number and an index that are on the CPU."""
    Toy().prepare()
    x = torch.ones(3, device="toy")
    found = []
    for use in (
        lambda: x + torch.ones(3),
        lambda: x + torch.tensor(1.0),
        lambda: x[torch.tensor([0, 1])],
    ):
        try:
            found.append(str(use().device))
        except RuntimeError as e:
            found.append(str(e))
    return found

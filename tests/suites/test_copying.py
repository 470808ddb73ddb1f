"""A copy of a module behaves as the module does, also where its tensors lie in one memory."""

from __future__ import annotations

import threading
import weakref

import torch

from exportdb.suites.copying import copied


class Held(torch.nn.Module):
    """A parameter, a transposed view of it and a row of it, and a buffer apart from them."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(12.0).view(3, 4))
        self.transposed = self.weight.detach().t()
        self.register_buffer("row", self.weight.detach()[1])
        self.register_buffer("alone", torch.ones(4))


def test_what_shares_memory_with_a_parameter_goes_on_sharing_it():
    module = Held()
    copy = copied(module)
    with torch.no_grad():
        copy.weight[1] = 7.0
    assert copy.transposed.stride() == (1, 4)
    assert copy.transposed[:, 1].tolist() == copy.row.tolist() == [7.0] * 4
    assert isinstance(copy.weight, torch.nn.Parameter)
    assert [t.requires_grad for t in (copy.weight, copy.transposed, copy.row)] == [
        True,
        False,
        False,
    ]
    assert module.row.tolist() == [4.0, 5.0, 6.0, 7.0]


def test_a_parameter_keeps_the_attributes_that_were_put_on_it():
    module = torch.nn.Linear(2, 2)
    module.weight.scales = [0.5]
    copy = copied(module)
    assert copy.weight.scales == [0.5]
    assert copy.weight.scales is not module.weight.scales
    assert copy.weight.data_ptr() != module.weight.data_ptr()


def test_a_sparse_parameter_with_attributes_is_copied():
    module = torch.nn.Module()
    module.table = torch.nn.Parameter(torch.eye(3).to_sparse(), requires_grad=False)
    module.table.scale = 2
    copy = copied(module)
    assert torch.equal(copy.table.to_dense(), torch.eye(3))
    assert isinstance(copy.table, torch.nn.Parameter)
    assert copy.table.scale == 2


def test_one_parameter_under_two_names_stays_one():
    module = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])
    module[1].weight = module[0].weight
    copy = copied(module)
    assert copy[0].weight is copy[1].weight is not module[0].weight


def test_a_matrix_in_compressed_rows_is_copied():
    rows = torch.eye(3).to_sparse_csr()
    copy = copied([rows, rows])
    assert copy[0] is copy[1] is not rows
    assert torch.equal(copy[0].to_dense(), torch.eye(3))


def test_what_is_read_as_conjugated_or_negated_stays_so_and_shares_its_memory():
    z = torch.randn(3, dtype=torch.complex64)
    given = (z, z.conj(), z.conj().imag)

    held, conjugated, negated = copied(given)

    assert conjugated.is_conj() and negated.is_neg()
    assert all(map(torch.equal, given, (held, conjugated, negated)))
    held.zero_()
    assert not conjugated.any() and not negated.any() and z.all()


class Wired(torch.nn.Module):
    """Its parts lead back to it: a function over it, a hook, a counter, a weak reference."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)
        self.register_buffer("calls", torch.zeros(()))
        self.doubled = lambda x: x * 2 + self.calls
        self.fc.register_forward_hook(lambda *_: self.calls.add_(1))
        self.fc.__dict__["owner"] = weakref.ref(self)
        count = 0

        def step() -> int:
            nonlocal count
            count += 1
            return count

        self.step = step
        self.lock = threading.Lock()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with self.lock:
            return self.doubled(self.fc(x)) + self.step()


def test_functions_and_references_lead_into_the_copy():
    module = Wired()
    copy = copied(module)
    first = copy(torch.ones(2))
    assert not torch.equal(copy(torch.ones(2)), first)
    assert (copy.calls.item(), module.calls.item(), module.step()) == (2, 0, 1)
    assert copy.fc.owner() is copy
    assert module.fc.owner() is module


def test_a_function_that_keeps_nothing_stays_itself():
    module = torch.nn.Module()
    factor = 3
    module.scale = lambda x: x * factor
    module.scale.about = "a factor"
    assert copied(module).scale is module.scale


def test_defaults_and_attributes_of_a_function_are_kept():
    module = torch.nn.Linear(2, 2)
    module.of = lambda x, by=module: by(x)
    module.of.about = "a default"
    copy = copied(module)
    assert copy.of.about == "a default"
    assert copy.of.__defaults__ == (copy,)


def test_a_result_with_gradients_is_copied():
    normed = torch.nn.utils.weight_norm(torch.nn.Linear(2, 2))
    copy = copied(normed)
    assert torch.equal(copy.weight, normed.weight)
    assert copy.weight.requires_grad
    copy(torch.ones(2)).sum().backward()
    assert copy.weight_g.grad is not None
    assert normed.weight_g.grad is None

"""A copy of a module behaves as the module does, also where its tensors lie in one memory."""

from __future__ import annotations

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

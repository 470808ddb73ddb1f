"""Reduced programs of an hour that were listed as new causes though the database has their roots.

No program has its imports and its inputs. A size that varies is written AUTO.
"""

from __future__ import annotations

#: Exporter, case, program.
REDUCED: tuple[tuple[str, str, str], ...] = (
    (
        "export",
        "python/operators_changed_by_dispatch_mode",
        """
class G2(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args) * 2
class Model(torch.nn.Module):
    def forward(self, x):
        with G2():
            v3 = x.sin()
        return (v3, v3.argsort(-1))
""",
    ),
    (
        "export-strict",
        "autograd/jacobian_of_identity",
        """
class Model(torch.nn.Module):
    def forward(self, y):
        return y[torch.func.jacrev(lambda a: a.sum())(y) > 0]
""",
    ),
    (
        "export",
        "autograd/func_grad",
        """
class Model(torch.nn.Module):
    def forward(self, y):
        return torch.func.grad(lambda a: torch.nn.functional.softmax(a).sum())(y['a'][0])
dynamic_shapes = {'y': {'a': [{1: Dim.AUTO}], 'b': {}}}
""",
    ),
    (
        "export",
        "autograd/func_grad",
        """
class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.func.grad(lambda a: a.prod())(x)
""",
    ),
    (
        "export-strict",
        "mutation/rank_after_unsqueeze_in_place",
        """
class Model(torch.nn.Module):
    def forward(self, y):
        v1 = torch._higher_order_ops.while_loop(
            lambda i, a: i < 3,
            lambda i, a: (i + 1, a * 2),
            (torch.zeros((), dtype=torch.int64), y[0]),
        )
        v2 = y[-1].clone()
        v2.unsqueeze_(1)
        v2 = v2 * v2.dim()
        return [v1, v2]
dynamic_shapes = {'y': [{0: Dim.AUTO, 1: Dim.AUTO}, None, {0: Dim.AUTO, 1: Dim.AUTO}]}
""",
    ),
    (
        "export",
        "autograd/func_grad",
        """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.func.grad(lambda a: torch.nn.functional.softmax(a).sum())(x)
""",
    ),
    (
        "export",
        "determinism/generator_made_in_forward",
        """
class Model(torch.nn.Module):
    def forward(self, x):
        args = [torch.rand((), generator=torch.Generator())]
        args += (x,)
        return torch.add(*args)
""",
    ),
    (
        "export-strict",
        "autograd/func_grad",
        """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.func.grad(lambda a: a.sigmoid().sum())(x)
dynamic_shapes = {'x': {0: Dim.AUTO}}
""",
    ),
    (
        "export-strict",
        "symbolic_scalars/larger_of_size_and_float",
        """
class Model(torch.nn.Module):
    def forward(self, x):
        return min(float('inf'), x.size(-1))
dynamic_shapes = {'x': {0: Dim.AUTO}}
""",
    ),
    (
        "export",
        "python/operators_changed_by_dispatch_mode",
        """
class G2(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args) * 2
class Model(torch.nn.Module):
    def forward(self, x):
        with G2():
            v3 = x.sin()
        return {'c': v3}
dynamic_shapes = {'x': {0: Dim.AUTO}}
""",
    ),
    (
        "export",
        "python/operators_changed_by_dispatch_mode",
        """
class G1(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args) * 2
class Model(torch.nn.Module):
    def forward(self, x, y):
        with G1():
            v2 = x.sin()
        return v2
""",
    ),
)

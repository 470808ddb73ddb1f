"""The grammar of generated programs, as data: elements, each with statements that have holes.

Owns what may be written. A hole is a letter and perhaps a digit in angle brackets; the same hole
stands for the same choice within a statement. What fits into a hole is ``filling``'s.

Names of something new: ``<v>`` a local variable, ``<o>`` an attribute of the module, ``<g>`` a
global name. Something there is: ``<t>`` a tensor, ``<f>`` one of floating point, ``<i>`` one of whole
numbers, ``<b>`` a mask, ``<m>`` a matrix of floating point, ``<x>`` a tensor that is an input,
``<w>`` a number. Something made up: ``<n>`` an expression of sizes, ``<k>`` a small whole number,
``<c>`` a constant, ``<d>`` an axis, ``<e>`` a dtype, ``<q>`` a comparison, ``<a>`` an arithmetic
operator, ``<u>`` a pointwise function, ``<r>`` a reduction, ``<s>`` another statement of one line
that assigns to ``<v>``. Lines that begin with ``init:`` belong to ``__init__``, with ``top:`` to the
top of the file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Element:
    """``share`` is the part of all programs that is made around this element.

    ``statements`` have holes; an ordinary element may stand in any other program as well.
    """

    name: str
    share: float
    statements: tuple[str, ...] = ()
    ordinary: bool = True


def _element(name: str, share: float, lines: str = "", blocks: str = "", **more: bool) -> Element:
    """``lines`` holds a statement a line, ``blocks`` one a paragraph."""
    single = [line for line in lines.strip().splitlines() if line]
    several = [block.strip("\n") for block in blocks.split("\n\n") if block.strip()]
    return Element(name, share, (*single, *several), **more)


#: What fits into the holes that are made up.
UNARY = ("sin", "tanh", "relu", "abs", "neg", "exp", "sigmoid", "floor", "sign", "square", "erf",
         "round", "rsqrt", "log1p", "frac", "reciprocal", "isnan", "logical_not", "signbit")  # fmt: skip
REDUCTIONS = ("sum", "mean", "amax", "amin", "prod", "any", "all", "std", "argmax", "logsumexp",
              "nansum", "count_nonzero", "median", "var", "norm")  # fmt: skip
DTYPES = ("torch.float32", "torch.float64", "torch.int64", "torch.int32", "torch.bool",
          "torch.float16", "torch.bfloat16", "torch.uint8", "torch.complex64")  # fmt: skip
CONSTANTS = ("2", "0.5", "-1", "3.0", "True", "-0.0", "1e-3", 'float("inf")', "2**31", "(1 + 2j)")

ELEMENTS = (
    _element("pointwise", 0.04, """
<v> = torch.<u>(<t>)
<v> = <f>.<u>()
<v> = <t> <a> <t2>
<v> = <t> <a> <c>
<v> = <c> <a> <t>
<v> = torch.where(<t> > <c>, <t>, <c2>)
<v> = torch.clamp(<f>, <c>, <c2>)
<v> = <t> <q> <t2>
<v> = torch.addcmul(<f>, <f2>, <f3>, value=<c>)
<v> = torch.lerp(<f>, <f2>, <c>)
<v> = torch.nn.functional.softmax(<f>, <d>)
<v> = torch.nn.functional.gelu(<f>)
<v> = torch.maximum(<t>, <t2>)
<v> = torch.fmod(<t>, <c>)
<v> = torch.remainder(<t>, <c>)
<v> = torch.floor_divide(<t>, <c>)
<v> = torch.pow(<t>, <k>)
<v> = -<t>
<v> = abs(<t>)
<v> = torch.nan_to_num(<f>, <c>)
<v> = torch.copysign(<f>, <c>)
<v> = torch.heaviside(<f>, <f2>)
<v> = ~<b>
<v> = <b> & True
<v> = torch.full(<t>.shape, <c>)
<v> = <i> + True
<v> = <i> / 1
<v> = <i> ** 2 + <i>
<v> = <b> & <b2>
<v> = <i> >> <k>
<v> = <i> ^ <k>
"""),
    _element("opinfo", 0.14),
    _element("promotion", 0.05, """
<v> = <t>.to(<e>)
<v> = <t>.to(<e>) <a> <t2>
<v> = <t> <a> torch.tensor(<c>)
<v> = <i> / <k>
<v> = <i> // <k>
<v> = <i> % <k>
<v> = <b> + <b2>
<v> = <t>.type_as(<t2>)
<v> = torch.result_type(<t>, <t2>)
<v> = <f>.half() + <c>
<v> = torch.full((<n>,), <c>)
<v> = torch.full_like(<t>, <c>)
<v> = <t>.sum(dtype=<e>)
<v> = torch.tensor(<n>) + <t>
<v> = torch.tensor([<n>, <k>]) * 2
<v> = torch.scalar_tensor(<n>)
<v> = <t> * <n>
<v> = <t> * (<n> / 2)
<v> = <t> + float(<n>)
<v> = <t> + bool(<n>)
<v> = <n> - <t>
<v> = <n> ** 2 + <t>
<v> = torch.as_tensor(<n>, dtype=<e>)
<v> = torch.asarray([<n>, <n2>])
<v> = <f>.view(torch.int32)
<v> = torch.can_cast(<t>.dtype, <e>)
<v> = <t>.dtype.is_floating_point
<v> = torch.finfo(<f>.dtype).eps * <f>
"""),
    _element("views", 0.06, """
<v> = <t>.unsqueeze(<d>)
<v> = <t>.squeeze(<d>)
<v> = <t>.squeeze()
<v> = <t>.transpose(0, <d>)
<v> = <m>.t()
<v> = <m>.mT
<v> = <t>.reshape(-1)
<v> = <t>.flatten()
<v> = <t>.reshape(<n>, -1)
<v> = <t>.view(-1, <k>)
<v> = <t>.expand(<k>, *<t>.shape)
<v> = <t>.unflatten(<d>, (-1, 1))
<v> = <t>.movedim(0, <d>)
<v> = <t>.permute(*reversed(range(<t>.dim())))
<v> = <t>.narrow(0, <k>, <n>)
<v> = <t>.select(0, <k>)
<v> = <t>.diagonal()
<v> = <t>.as_strided((<n>,), (1,))
<v> = <t>.unfold(0, <k>, <k2>)
<v> = <t>.swapaxes(0, <d>).contiguous()
<v> = <t>.view_as(<t2>)
<v> = <t>.expand_as(<t2>)
<v> = torch.broadcast_to(<t>, (<n>, *<t>.shape))
<v> = <t>.chunk(<k>)[0]
<v> = <t>.split(<k>)[-1]
<v> = <t>.unbind(0)[0]
<v> = torch.tensor_split(<t>, <k>)[0]
<v> = torch.view_as_real(<t>.to(torch.complex64))
<v> = <t>.to(torch.complex64).real
<v> = <t>.contiguous(memory_format=torch.contiguous_format)
<v> = <t>.detach()
<v> = <t>.is_contiguous()
<v> = <t>.stride()[0]
<v> = <t>.storage_offset()
"""),
    _element("indexing", 0.06, """
<v> = <t>[<k>]
<v> = <t>[-1]
<v> = <t>[<k>:<n>]
<v> = <t>[::<k>]
<v> = <t>[..., <k>]
<v> = <t>[None]
<v> = <t>[<b>]
<v> = <t>[<i>]
<v> = <t>[torch.arange(<n>)]
<v> = <t>[[0, -1]]
<v> = <t>[:, None]
<v> = <t>[<n> - 1]
<v> = <t>[:-<k>]
<v> = <t>[-<k>:]
<v> = <t>[<n> // 2:]
<v> = <t>[slice(None, <n>, <k>)]
<v> = <t>[True]
<v> = <t>[False]
<v> = <t>[torch.tensor(<k>)]
<v> = <t>[range(<k>)]
<v> = <t>[tuple(range(<k>))]
<v> = torch.gather(<t>, 0, <i>)
<v> = torch.take(<t>, <i>)
<v> = torch.index_select(<t>, 0, <i>)
<v> = torch.take_along_dim(<t>, <i>, 0)
<v> = <t>.masked_fill(<b>, <c>)
<v> = torch.searchsorted(<f>, <f2>)
<v> = torch.bincount(<i>)
<v> = torch.nn.functional.one_hot(<i>, <k>)
<v> = torch.scatter(<f>, 0, <i>, <f2>)
<v> = torch.scatter_add(<f>, 0, <i>, <f2>)
<v> = <f>.index_add(0, <i>, <f2>)
<v> = <f>.index_fill(0, <i>, <c>)
<v> = torch.isin(<i>, torch.tensor([<k>, <k2>]))
"""),
    _element("mutation", 0.09, """
<t>.add_(<c>)
<f>.mul_(<f2>)
<t>[<k>] = <c>
<t>[<b>] = <c>
<t>[<k>:<n>] = <c>
<t>[..., 0] += <c>
<f>.copy_(<f2>)
<t>.zero_()
<t>.fill_(<n>)
<f>.clamp_(min=<c>)
<f>.masked_fill_(<b>, <c>)
<f>.index_add_(0, <i>, <f2>)
<f>.index_put_((<i>,), <f2>, accumulate=True)
<t> += <c>
<f> *= <n>
<i> -= <k>
<t>.transpose_(0, -1)
<t>.unsqueeze_(0)
<t>.squeeze_()
<t>.t_()
<v> = <t>.copy_(<t2>) + <c>
torch.add(<f>, <f2>, out=<f>)
<v> = torch.sin(<f>, out=torch.zeros_like(<f>))
torch.<u>(<f>, out=<f2>)
torch.cumsum(<f>, 0, out=<f>)
<f>.view(-1)[<k>] = <c>
<f>.T.mul_(<c>)
<t>.fill_diagonal_(<c>)
<t>.swapaxes_(0, -1)
<f>.sub_(<f2>, alpha=<k>)
<f>.scatter_(0, <i>, <c>)
torch._foreach_add_([<f>, <f2>], <c>)
<v> = torch._foreach_mul([<f>, <f2>], <k>)
""", """
<v> = <t>.clone()
<v>[0] = <c>

<v> = <f>.view(-1)
<v>.mul_(<c>)

<v> = <t>[<k>:]
<v>.add_(<c>)
<v> = <t> + 0

for row in <t>:
    row.mul_(<k>)

<v> = <f>.detach()
<v>.add_(<c>)

<v> = <f>.data
<v>.add_(<c>)

<v> = torch.zeros(<n>)
<v>[<k>:] = <c>
<v>[0] = <v>[-1] + 1

<v> = <t>.clone()
<v>.unsqueeze_(<d>)
<v> = <v> * <v>.dim()

<v> = <m>.clone()
<v>.t_()
<v> = <v> * <v>.stride(0)

<v> = <t>.clone()
<v>.unfold(0, 2, 2).mul_(<k>)

<v> = <t>.clone()
torch._foreach_add_([<v>, <v>], <k>)

<v> = <f>.clone()
<v>.data = torch.ones(<k>)
<v> = <v> * 2
"""),
    _element("aliasing", 0.05, """
<v> = <x>
<v> = <x>[:]
<v> = [<t>, <t>]
<v> = (<x>.view(-1), <x>)
<v> = <t>.contiguous()
<v> = <t>.to(<t>.dtype)
<v> = <t>.view_as(<t>)
<v> = <t>.reshape(<t>.shape)
<v> = <x> is <t2>
<v> = <t>.expand(<t>.shape)
<v> = torch.atleast_1d(<t>)
<v> = torch.broadcast_tensors(<t>, <t2>)
""", """
<v> = <x>
<v> += <c>

<v> = <t>.expand(2, *<t>.shape)
<t>.add_(<c>)

<v> = {"a": <t>, "b": <t>}
<v>["a"].add_(<c>)
"""),
    _element("reductions", 0.05, """
<v> = <t>.<r>()
<v> = torch.<r>(<t>, <d>)
<v> = <t>.<r>(<d>, keepdim=True)
<v> = <t>.sum((0, -1))
<v> = <t>.max(<d>)
<v> = <t>.max(<d>).values
<v> = <t>.min(<d>)[1]
<v> = <f>.topk(<k>).values
<v> = torch.topk(<f>, min(<n>, <k>), dim=0)
<v> = <f>.sort(<d>).values
<v> = torch.argsort(<f>, stable=True)
<v> = <t>.cumsum(<d>)
<v> = torch.logcumsumexp(<f>, <d>)
<v> = <t>.unique()
<v> = torch.diff(<t>)
<v> = <f>.var(unbiased=False)
<v> = torch.aminmax(<f>)
<v> = torch.quantile(<f>, 0.5)
<v> = torch.cummax(<f>, <d>)
<v> = <m> @ <m2>.t()
<v> = torch.einsum("ij,kj->ik", <m>, <m2>)
<v> = torch.dot(<f>.flatten(), <f>.flatten())
<v> = torch.outer(<f>.flatten(), <f2>.flatten())
<v> = torch.tril(<m>, <k>)
<v> = torch.histc(<f>, <k>)
<v> = torch.cdist(<m>, <m2>)
<v> = torch.nn.functional.pad(<f>, (<k>, <k2>))
<v> = torch.nn.functional.layer_norm(<f>, <f>.shape[-1:])
<v> = torch.cat([<t>, <t2>])
<v> = torch.stack([<t>, <t>], <d>)
<v> = torch.cat([<t>] * <k>, -1)
<v> = <t>.repeat(<k>, *[1] * (<t>.dim() - 1))
<v> = <t>.repeat_interleave(<k>, 0)
<v> = torch.roll(<t>, <k>, 0)
<v> = torch.flip(<t>, (0,))
<v> = torch.nn.functional.interpolate(<f>[None, None], scale_factor=2)
<v> = torch.meshgrid(<f>.flatten(), torch.arange(<k>), indexing="ij")[0]
"""),
    _element("sizes", 0.08, """
<v> = <n> <a> <k>
<v> = <n> // <n2>
<v> = <n> % <k>
<v> = max(<n>, <n2>)
<v> = min(<n>, <k>)
<v> = <n> / 2
<v> = int(<n> / 2)
<v> = round(<n> / 3)
<v> = math.ceil(<n> / <k>)
<v> = math.sqrt(<n>)
<v> = int(math.log2(<n> + 1))
<v> = divmod(<n>, <k>)
<v> = -<n> // <k>
<v> = <n> ** 2
<v> = <n> << 1
<v> = <n> & 3
<v> = <n> | 1
<v> = abs(<n> - <k>)
<v> = float(<n>)
<v> = <t>.numel()
<v> = tuple(<t>.shape)
<v> = list(<t>.shape)[0]
<v> = <t>.shape[-1]
<v> = torch.sym_max(<n>, <k>)
<v> = torch.sym_int(<n> / 2)
<v> = torch.sym_not(<n> > <k>)
<v> = torch.sym_ite(<n> > <k>, <n>, <k>)
<v> = <n> > <k>
<v> = <k> < <n> < 9
<v> = <n> == <n2>
<v> = <n> in (<k>, 6)
<v> = sum(<t>.shape)
<v> = math.prod(<t>.shape)
<v> = torch.zeros(<n>, <k>)
<v> = torch.arange(<n>)
<v> = torch.arange(<k>, <n>, 2)
<v> = torch.arange(<n>, 0, -1)
<v> = torch.linspace(0, 1, <n>)
<v> = torch.eye(<n>)
<v> = torch.ones(<n>).sum()
<v> = torch.ones(<t>.shape[::-1])
<v> = <t>.new_zeros(<n>)
<v> = <t>.new_full((<n>, <k>), <c>)
<v> = torch.tril_indices(<n>, <n2>)
<v> = <t>.shape == <t2>.shape
<v> = <t>.shape[0] == len(<t>)
<v> = torch.Size([<n>, <k>])
<v> = <t>.shape + (<k>,)
<v> = <t>.size()[:-1].numel()
<v> = <n> * <c>
<v> = <c> * <n>
<v> = <n> % <c>
<v> = <n> // <c>
<v> = <c> ** <n>
<v> = max(<n>, <c>)
<v> = min(<c>, <n>)
<v> = <w> <a> <w2>
<v> = <w> <a> <c>
<v> = <c> <a> <w>
<v> = math.copysign(1.0, <w>)
<v> = math.copysign(1.0, <c> * <n>)
<v> = int(-<n> / <k>)
<v> = (<n> / <k>).is_integer()
<v> = <i> * <w>
<v> = <i> * max(<n>, <k>.0)
<v> = <i> * (<n> / <k>)
<v> = <i> * <n> ** <k>
<v> = <i> * round(<n> / 2)
<v> = <i> + (<n> <a> <c>)
<v> = <f> * float(<n> > <k>)
<v> = <f> * math.sin(<n>)
<v> = <t>[<k> : <t>.numel()]
<v> = (<n> > <k>) + <n2>
<v> = (<n> > <k>) * <f>
<v> = not <n> - <k>
"""),
    _element("branches", 0.06, """
<v> = <f> + 1 if <n> <q> <k> else <f> * 2
<v> = <f> + (<n> <q> <n2>)
<v> = <f> if <f>.dim() > 1 else <f>[None]
<v> = <f> if <n> % 2 == 0 else -<f>
<v> = <f> * (<n> and <k>)
<v> = <n> or <k>
<v> = <t> if <t>.is_contiguous() else <t>.contiguous()
<v> = <t> if <t>.requires_grad else <t> + 1
<v> = <t>.cos() if self.training else <t>.sin()
<v> = <t> + 1 if torch.compiler.is_compiling() and False else <t>
<v> = <f> + 1 if torch.is_grad_enabled() else <f>
<v> = <f> + 1 if <t>.dtype == <e> else <f> - 1
<v> = <f>.sin() if <f>.numel() else <f>.cos()
""", """
<v> = <f>
if <n> <q> <k>:
    <v> = <v> * 2
else:
    <v> = <v> - 1

<v> = <f>
for i in range(<k>):
    <v> = <v> + i

<v> = <f>
for i in range(<n>):
    <v> = <v> + i

<v> = 0
while <v> < <n>:
    <v> += 3

<v> = <f>
for i, row in enumerate(<m>):
    <v> = <v> + row.sum() * i

<v> = <f>
for i in range(<n>, 0, -2):
    if i == <k>:
        break
    <v> = <v> * i
else:
    <v> = <v> + 1

match <t>.dim():
    case 1:
        <v> = <t>
    case _:
        <v> = <t>[0]

try:
    <v> = <t>.view(-1, <k>)
except RuntimeError:
    <v> = <t> + 1

try:
    <v> = {"a": 1}["b"]
except KeyError as e:
    <v> = <f> + len(e.args)
finally:
    <v> = <f> * 3

assert <n> > 0
<v> = <f> + <n>
"""),
    _element("items", 0.14, """
<v> = <i>.max().item()
<v> = int(<i>.sum())
<v> = <f>.sum().item()
<v> = <f> * <i>.sum().item()
<v> = float(<f>.mean()) + <f2>
<v> = bool(<b>.any())
<v> = <i>.tolist()
<v> = <i>.flatten()[0].item() + <n>
<v> = <b>.sum().item()
<v> = <t>.nonzero()
<v> = <b>.nonzero().shape[0]
<v> = <t>[<b>].shape[0]
<v> = torch.masked_select(<f>, <b>).sum()
<v> = <f>.sum().item() <q> <c>
<v> = <i>.max().item() // 2
<v> = <i>.max().item() / 2
<v> = torch.full((<k>,), <i>.sum().item())
<v> = torch.tensor(<i>.sum().item()) + <t>
<v> = torch.arange(<i>.abs().max().item() + 1)
<v> = torch.zeros(<b>.sum().item())
<v> = <f>.new_ones(<i>.abs().max().item() + 1, <k>).sum()
<v> = <t>[<i>.flatten()[0].item() % <k>]
<v> = <f>[<b>] * 2
<v> = torch.nonzero(<t>, as_tuple=True)[0]
<v> = torch.repeat_interleave(<i>.flatten().abs())
<v> = <f>.item() if <f>.numel() == 1 else <f>
<v> = min(<i>.abs().max().item(), <k>)
<v> = max(<b>.sum().item(), <n>)
<v> = <i>.flatten()[:2].tolist()[0] + 1
<v> = torch.where(<b>)[0].shape[0]
<v> = torch.unique(<i>).numel()
<v> = torch.nn.functional.one_hot(<i>)
<v> = torch.combinations(<i>.flatten())
<v> = <i>.flatten()[0].item() ** 2
<v> = round(<f>.sum().item())
<v> = int(<f>.flatten()[0]) + <n>
<v> = math.floor(<f>.sum().item())
<v> = torch.sym_max(<i>.max().item(), <n>)
<v> = -<i>.max().item() % 3
<v> = (<i>.max().item() > <k>) + 1
<v> = (<f>.sum() > 0).item()
<v> = not <b>.all().item()
<v> = <f>.amax().item() + <f>.amin().item()
<v> = <f> + <f>.sum().item() * <c>
<v> = <f> + max(<c>, <f>.sum().item())
<v> = <f> + min(<f>.mean().item(), <c>)
<v> = <f> - (<w> - <w>)
<v> = [<f>, -<f>][<f>.sum().item() > 0]
<v> = <f> * divmod(<i>.sum().item(), 3)[0]
<v> = <i> // (<i2>.max().item() + 1)
<v> = <f> + -<i>.sum().item() // 2
<v> = <f> + int(<f>.sum().item() / -2)
<v> = <f> / <f>.sum().item()
<v> = torch.clamp(<f>, max=<f>.mean().item())
<v> = <f>.masked_fill(<f> > <f>.mean().item(), <k>)
""", """
<v> = <i>.abs().max().item()
torch._check(<v> >= 0)
torch._check(<v> <= <k>)
<v> = <t>[:<v>]

<v> = <i>.abs().max().item()
torch._check(<v> < <t>.shape[0])
<v> = <t>[<v>]

<v> = <i>.abs().max().item()
torch._check(<v> <= <t>.shape[0])
<v> = <t>.narrow(0, 0, <v>)

<v> = <b>.sum().item()
torch._check(<v> > 0)
<v> = torch.ones(<v>, 2).mean(0)

<v> = <b>.nonzero().squeeze(-1)
torch._check(<v>.shape[0] > 0)
<v> = <v> + 1

<v> = <i>.abs().max().item()
torch._check(<v> != <k>)
<v> = <f> * <v> if <v> != <k> else <f>

<v> = <t>[<b>]
torch._check(<v>.shape[0] <= <t>.shape[0])
<v> = <v>.reshape(-1).sum() + <v>.shape[0]

<v>, second = <i>.flatten()[:2].abs().tolist()
<v> = torch.zeros(<v> + second) + second

<v> = <i>.abs().max().item()
<v> = torch.ops.aten.slice.Tensor(<t>, 0, 0, <v>)

<v> = <b>.sum().item()
<v> = torch.nn.functional.pad(<f>, (0, <v>))

<v> = <b>.sum().item()
<v> = <f>.split([<v>, <f>.shape[0] - <v>])[1]
"""),
    _element("python", 0.10, """
<v> = torch.ones(*range(<k>, <n>)).sum() if <n> < 6 else <f>
<v> = torch.zeros(*<t>.shape)
<v> = torch.ones(*[<n>, <k>])
<v> = sum([<f>, <f2>])
<v> = [a + 1 for a in (<t>, <t2>)]
<v> = {name: a * 2 for name, a in zip("ab", (<t>, <t2>))}
<v> = dict(a=<t>, **{"b": <t2>})
<v> = list(zip(<t>.shape, range(3)))[0][0]
<v> = [*map(lambda a: a + 1, [<t>, <t2>])]
<v> = functools.reduce(operator.add, [<f>, <f>, <f2>])
<v> = functools.partial(torch.add, alpha=<k>)(<f>, <f2>)
<v> = list(filter(lambda s: s > 2, <t>.shape))
<v> = sorted(<t>.shape)[0]
<v> = sorted([3, <n>, 1], reverse=True)[0]
<v> = (lambda *a, **k: a[0] + k["b"])(<f>, b=<f2>)
<v> = (lambda a, /, b=<k>, *, c=<c>: a * b)(<f>)
<v> = torch.stack([*<t>])
<v> = [*reversed([<t>, <t2>])][0]
<v> = list(itertools.chain([<t>], (<t2>,)))
<v> = list(itertools.accumulate([1, <n>, 3]))[-1]
<v> = any(s == 3 for s in <t>.shape)
<v> = all(a.dim() for a in (<t>, <t2>))
<v> = collections.OrderedDict(b=<t>, a=<t2>)
<v> = [<t>, <t2>][<n> % 2]
<v> = (<t>, <t2>)[-1:]
<v> = {<n>: <t>, 0: <t2>}[<n>]
<v> = f"{<n>}"
<v> = len(f"{<t>.dim()}{<k>}") + <f>
<v> = [<t>] * <k>
<v> = [a for a, b in zip((<t>, <t2>), (True, False)) if b][0]
<v> = max((<n>, <k>), key=lambda s: -s)
<v> = next(iter({"a": <t>}.values()))
<v> = enumerate([<t>]).__next__()[1]
<v> = getattr(<f>, "sin")()
<v> = torch.Tensor.add(<f>, <f2>)
<v> = operator.itemgetter(0)([<t>, <t2>])
<v> = operator.mul(<f>, <n>)
<v> = slice(0, <n>).indices(<k>)[1]
<v> = range(<n>)[-1]
<v> = len(range(<k>, <n>, 2))
<v> = sum(range(<n>))
<v> = <n> in range(<k>, 9)
<v> = [i for i in range(<n>) if i % 2]
<v> = list(range(<n>))[::-1]
<v> = dict(enumerate(<t>.shape))
<v> = tuple(s + 1 for s in <t>.shape)
<v> = isinstance(<t>.shape, tuple)
<v> = set(<t>.shape) == {<n>}
<v> = collections.Counter([<k>, <k2>, 1])[1] + <f>
<v> = types.SimpleNamespace(a=<t>).a + 1
<v> = copy.copy([<t>, <n>])
<v> = copy.deepcopy({"a": <n>})
<v> = min(<t>.shape, default=<k>)
<v> = int(True) + <n>
<v> = hash((1, <k>)) % 7 + <f>
<v> = round(<c>, 1) if isinstance(<c>, float) else <f>
<v> = <t> * round(<n>, -1)
<v> = <f> * (-<k>) ** <n>
<v> = <t> * (<n> / 10 // 0.1)
<v> = <f> + isinstance(<t>.shape[0], int)
<v> = <f> + len(str(<t>.shape[0]))
<v> = <f> + (type(<t>) is torch.Tensor)
<v> = [[0] * <k> for _ in range(<n>)]
<v> = torch.tensor([[i * j for j in range(<k>)] for i in range(3)])
<v> = torch.tensor(list(range(<n>)))
""", """
top: @dataclasses.dataclass
top: class <g>:
top:     first: torch.Tensor
top:     scale: int = 2
<v> = <g>(<t>)
<v> = <v>.first * <v>.scale

top: class <g>(typing.NamedTuple):
top:     first: torch.Tensor
top:     second: int = 3
<v> = <g>(<t>)._replace(second=<n>)
<v> = <v>.first * <v>.second

<v> = []
for a in (<t>, <t2>):
    <v>.append(a)
<v>.insert(0, <f>)
<v>.pop()

<v> = {}
<v>["a"] = <t>
<v>.setdefault("b", <t2>)
<v>.update(c=<f>)

def twice(a, *rest, scale=<k>, **more):
    return a * scale + len(rest) + len(more)
<v> = twice(<f>, 1, *(2, 3), **{"z": 1})

def count(a):
    yield a
    yield a + 1
<v> = list(count(<t>))[1]

<v> = [1, 2, 3, 4]
<v>[1:3] = [<n>]
<v> = sum(<v>) + <f>

first, *<v> = (<t>, <t2>, <f>)
<v> = <v>[0] + 1

if (<v> := <n>) > <k>:
    <v> = <f> * <v>

<v> = [<t>]
<v> += [<t2>]
<v> *= 2

<v> = [0] * <n>
<v>[-1] = 5
<v> = torch.tensor(<v>)

<v> = {"b": <t>, "a": <t2>}
<v> = {k: <v>[k] for k in sorted(<v>)}

<v> = [3, 1, 2]
<v>.sort(key=lambda a: -a)
<v> = <f> * <v>[0]

<v> = collections.deque([<f>], maxlen=2)
<v>.appendleft(<f2>)
<v> = <v>[0]

<v> = collections.defaultdict(list)
<v>["a"].append(<f>)
<v> = <v>["a"][0]

top: class <g>:
top:     def __init__(self, name):
top:         self.name = name
top:     def __eq__(self, other):
top:         return self.name == other.name
top:     def __hash__(self):
top:         return hash(self.name)
<v> = {<g>("a"): 2}.get(<g>("a"), 3) * len({<g>("b"), <g>("b")}) * <f>

def inner():
    yield 1
    return <k>
def outer():
    returned = yield from inner()
    yield returned
<v> = list(outer())[-1]

left = [1.0]
def steps():
    try:
        yield <f>
        yield <f2>
    finally:
        left[0] = 0.5
for <v> in steps():
    break
<v> = <v> * left[0]

generator = torch.Generator().manual_seed(<k>)
<v> = <f> + torch.rand((), generator=generator)
""", ordinary=True),
    _element("idioms", 0.08, """
<v> = <f> * (<n> // -<k>)
<v> = <f> + (-<n> % <k>)
<v> = <f> + divmod(-<n>, <k>)[0]
<v> = <f> + math.fmod(-<n>, <k>)
<v> = <f> + pow(<n>, 2, <k>)
<v> = <f> + int(-<n> / <k>)
<v> = <f> + round(<n> / 2)
<v> = <f> + round(<n> / 4, 1)
<v> = <f> + round(<n> * 0.5)
<v> = <f> + math.trunc(-<n> / <k>)
<v> = <f> + math.ceil(-<n> / <k>)
<v> = <f> + math.floor(-<n> / <k>)
<v> = <f> + math.gcd(<n>, <k>)
<v> = <f> + math.comb(<n>, <k>)
<v> = <f> + math.factorial(<k>)
<v> = <f> + math.hypot(<n>, <k>)
<v> = <f> + math.copysign(<k>, -<n>)
<v> = <f> + math.isqrt(<n>)
<v> = <f> + math.log(<n>, 2)
<v> = <f> + math.dist((<n>, 1), (<k>, 2))
<v> = <f> * math.pi ** <n>
<v> = <f> + (<n>).bit_length()
<v> = <f> + int.__add__(<n>, <k>)
<v> = <f> + int(str(<n>))
<v> = <f> + int(f"{<n>}{<k>}")
<v> = <f> + len(f"{<n>:>5}")
<v> = <f> + len("%d" % <n>)
<v> = <f> + len("{}".format(<n> / 2))
<v> = <f> + (<n>).real
<v> = <f> + (<n>).conjugate()
<v> = <f> + float(<n>).as_integer_ratio()[0]
<v> = <f> + (<n> / 2).is_integer()
<v> = <f> + int(<n> > <k>) * 2
<v> = <f> + (<n> > <k> > 1)
<v> = <f> + (not <n> == <k>)
<v> = <f> + (<n> ^ <k>)
<v> = <f> + (~<n>)
<v> = <f> + (<n> >> 1)
<v> = <f> + (<k> << <n>)
<v> = <f> + (+<n>)
<v> = <f> + abs(<k> - <n>)
<v> = <f> + (<n> is <n>)
<v> = <f> + ((<n>, <k>) > (<k>, <n>))
<v> = <f> + ([<n>, 2] == [<n>, 2])
<v> = <f> + ((<n>, 1) < (<n>, 2))
<v> = <f> + sum(i * i for i in range(<n>))
<v> = <f> + sum([1, 2, 3], <n>)
<v> = <f> + sum(range(<n>, 0, -2))
<v> = <f> + list(range(9))[<k>:<n>:2][0]
<v> = <f> + list(range(20))[::-1][<n>]
<v> = <f> + list(range(9))[-<k>]
<v> = <f> + range(10, <n>, -1)[0]
<v> = <f> + len(range(10, 0, -<n>))
<v> = <f> + (<n> in range(1, 20, 2))
<v> = <f> + range(20).index(<n>)
<v> = <f> + [<n>, <k>, <n>].count(<n>)
<v> = <f> + [1, <n>, <k>].index(<n>)
<v> = <f> + (3, 1, 2).index(1)
<v> = <f> + min([<k>, <n>], key=lambda a: -a)
<v> = <f> + max([(1, <n>), (1, <k>)])[1]
<v> = <f> + max(<k>, <n>, 6.5)
<v> = <f> + min(<n>, 2.5)
<v> = <f> + sorted([(2, "b"), (1, "a")])[0][0]
<v> = <f> + sorted([3, 1, 2], key=lambda a: a % 2)[0]
<v> = <f> + sorted({"b": 1, "a": 2}.items())[0][1]
<v> = <f> + list(itertools.product([1, 2], [3, <n>]))[1][1]
<v> = <f> + list(itertools.combinations([1, 2, <n>], 2))[2][1]
<v> = <f> + list(itertools.permutations([1, 2, 3]))[1][2]
<v> = <f> + list(itertools.islice(itertools.count(<k>, 2), 3))[2]
<v> = <f> + list(itertools.zip_longest([1, 2, 3], [<n>], fillvalue=7))[2][1]
<v> = <f> + list(itertools.pairwise([1, <n>, 3]))[1][0]
<v> = <f> + [k for k, g in itertools.groupby([1, 1, 2, 2, 1])][2]
<v> = <f> + sum(len(list(g)) for k, g in itertools.groupby([1, 1, 2]))
<v> = <f> + list(itertools.takewhile(lambda a: a < <n>, range(9)))[-1]
<v> = <f> + list(itertools.dropwhile(lambda a: a < <k>, [1, 5, 2]))[-1]
<v> = <f> + list(itertools.accumulate([1, 2, <n>], operator.mul, initial=2))[2]
<v> = <f> + list(itertools.starmap(pow, [(2, 3), (3, <k>)]))[1]
<v> = <f> + list(itertools.compress([1, 2, 3], [0, 1, 1]))[0]
<v> = <f> + list(itertools.repeat(<k>, 3))[2]
<v> = <f> + list(itertools.chain.from_iterable([[1], [<n>, 3]]))[1]
<v> = <f> + next(itertools.cycle([<k>, 2]))
<v> = <f> + list(zip([1, 2], [3, <n>], strict=True))[1][1]
<v> = <f> + list(enumerate([5, 6], start=<k>))[1][0]
<v> = <f> + list(map(lambda a, b: a - b, [5, 6], [1, <n>]))[1]
<v> = <f> + list(map(int, "123"))[1]
<v> = <f> + list(filter(None, [0, <n>, 2]))[0]
<v> = <f> + functools.reduce(lambda a, b: a * 2 + b, [1, <n>, 3], 1)
<v> = <f> + next((s for s in <t>.shape if s > 90), <k>)
<v> = <f> + next(iter([]), <k>)
<v> = <f> + len({<k>, <k2>, 1} | {2, 9})
<v> = <f> + len({1, 2, <k>} & {2, 3})
<v> = <f> + len({1, 2} ^ {2, <k>})
<v> = <f> + ({1, 2} <= {1, 2, <k>})
<v> = <f> + len({"a": 1} | {"b": 2, "a": <k>})
<v> = <f> + ({"a": 1} | {"a": <n>})["a"]
<v> = <f> + {**{"a": 1}, "a": <n>}["a"]
<v> = <f> + dict(zip("ab", (<n>, 2)))["a"]
<v> = <f> + dict([("a", 1), ("a", <n>)])["a"]
<v> = <f> + dict.fromkeys("ab", <n>)["b"]
<v> = <f> + list({"b": 1, "a": <n>}.values())[-1]
<v> = <f> + list(reversed({"b": 1, "a": <n>}))[0].count("a")
<v> = <f> + {1: 2, 1.0: <n>, True: 4}[1]
<v> = <f> + {(1, "a"): <n>}.get((1, "b"), 3)
<v> = <f> + {"a": {"b": <n>}}["a"]["b"]
<v> = <f> + collections.Counter("abca").most_common(1)[0][1]
<v> = <f> + (collections.Counter(a=3) - collections.Counter(a=<k>))["a"]
<v> = <f> + collections.ChainMap({"a": <n>}, {"a": 2})["a"]
<v> = <f> + collections.deque([1, 2, <n>], maxlen=2)[0]
<v> = <f> + "abcab".find("c", <k>)
<v> = <f> + len("a,b,c".split(",", <k>))
<v> = <f> + "abc".index("c") * ("b" in "abc")
<v> = <f> + int("0x1f", 16) + int("11", 2)
<v> = <f> + len("a".join(["b"] * <k>))
<v> = <f> + ord("a") + len(chr(98))
<v> = <f> + int.from_bytes(b"\\x01\\x02", "big")
<v> = <f> + len("ab".replace("a", "cc").upper().strip("C"))
<v> = <f> + float("1e2") + float("-inf" if False else "2")
<v> = <f> + bool([]) + bool([0]) + bool("")
<v> = <f> + all([]) + any([])
<v> = <f> + isinstance(<k>, (int, float)) + isinstance(True, int)
<v> = <f> + issubclass(bool, int)
<v> = <f> + callable(<f>.sin)
<v> = <f> + hasattr(<f>, "nothing")
<v> = <f> + getattr(self, "nothing", <k>)
<v> = <f> + len(vars(types.SimpleNamespace(a=1, b=2)))
<v> = <f> + operator.attrgetter("ndim")(<f>)
<v> = <f> + operator.methodcaller("sum", 0)(<f>)
<v> = <f> + operator.index(<n>)
<v> = <f> + operator.floordiv(-7, <k>)
<v> = <f> + operator.mod(-<n>, 3)
<v> = <f> + operator.truth(<n> - 1)
<v> = <f> + (<k> if <n> and <k> else 7)
<v> = <f> + (<n> - 5 or <k>)
<v> = <f> + [*range(3), <n>][-1]
<v> = <f> + (lambda *a: len(a))(*<t>.shape, *[1] * <k>)
<v> = <f> + (lambda a, b=2, *c, d=4, **e: b + d + len(c) + len(e))(1, *(3, 4), **{"z": <n>})
<v> = <f> + [a := <n>, a + 1][1]
<v> = <f> + [[i + j for j in range(i)] for i in range(4)][3][<k>]
<v> = <f> + {i: i * i for i in range(5)}[<k>]
<v> = <f> + len({i % 3 for i in range(<n>)})
<v> = <f> * (<f2>.shape == torch.Size([5]))
<v> = <f> + hash("a") * 0 + len(repr(<k>))
<v> = <f> + complex(<k>, 1).real
<v> = <f> + abs(complex(3, 4)) + (1j ** 2).real
<v> = <f> + 0.1 * 3 + 1e-7 * <n>
<v> = <f> + 7 // 2.0 + -7 // 2 + -7 % 3 + 7.5 % -2
<v> = <f> + 2 ** -<k> + (-8) ** 2
<v> = <f> + int(-2.7) + round(2.5) + round(-3.5) + round(2.675, 2)
""", """
def varied(a, scale=[]):
    scale.append(a)
    return len(scale)
<v> = <f> + varied(1) + varied(2)

values = [1, 2, 3, 4]
del values[<k>]
<v> = <f> + values[1]

values = list(range(6))
values[::2] = [7, 8, 9]
<v> = <f> + values[<k>]

values = [<n>, 1, 2]
values.reverse()
values.remove(1)
values.extend(range(2))
<v> = <f> + values[0]

<v> = <f>
for i, s in enumerate(<t>.shape):
    if s == 3:
        continue
    <v> = <v> + s * i
else:
    <v> = <v> + 1

<v> = <f>
for a, (b, c) in zip([1, 2], [(3, 4), (5, <n>)]):
    <v> = <v> + a * b - c

def early(a):
    try:
        return a + 1
    finally:
        a = 100
<v> = early(<f>)

def late(a):
    for i in range(3):
        try:
            if i == 1:
                continue
            a = a + i
        finally:
            a = a * 2
    return a
<v> = late(<f>)

def caught(a):
    try:
        raise ValueError("a", 3)
    except (KeyError, ValueError) as e:
        return a + e.args[1]
    else:
        return a
<v> = caught(<f>)

def nested(a):
    try:
        try:
            raise KeyError("b")
        finally:
            a = a + 1
    except KeyError:
        a = a * 2
    return a
<v> = nested(<f>)

def chained(a):
    try:
        try:
            {}["b"]
        except KeyError as e:
            raise ValueError("c") from e
    except ValueError as e:
        return a + isinstance(e.__cause__, KeyError)
<v> = chained(<f>)

def received():
    total = 0
    while True:
        got = yield total
        total += got
taking = received()
next(taking)
taking.send(2)
<v> = <f> + taking.send(<n>)

def several():
    for i in range(5):
        yield i
taken = several()
first = next(taken)
<v> = <f> + first + sum(taken)

left = []
def noting():
    left.append(1)
    yield <f>
    left.append(2)
for <v> in noting():
    left.append(3)
<v> = <v> + left[1] * 10 + len(left)

numbers = iter([1, 2, 3, <n>])
<v> = <f> + list(zip(numbers, numbers))[1][1]

numbers = iter(range(5))
<v> = <f> + (2 in numbers) + next(numbers)

one, *middle, last = (1, 2, 3, <n>)
<v> = <f> + middle[-1] * last

a = b = [1]
a += [<n>]
<v> = <f> + b[-1] + len(b)

a, b = 1, <n>
a, b = b, a
<v> = <f> + a * 2 - b

items = [[0]] * 2
items[0].append(<n>)
<v> = <f> + len(items[1])

items = {"a": 1, "b": 2}
items["a"] += <n>
removed = items.pop("b", None)
<v> = <f> + sum(items.values()) + removed

items = collections.OrderedDict(a=1, b=2)
items.move_to_end("a")
<v> = <f> + list(items.values())[0]

counts = collections.defaultdict(int)
for s in (1, 2, 1, <n>):
    counts[s] += 1
<v> = <f> + counts[1] + len(counts)

made = [lambda: i for i in range(3)]
<v> = <f> + made[0]() + made[2]()

made = []
for i in range(3):
    made.append(lambda a, i=i: a + i)
<v> = made[1](<f>)

def outer():
    count = 0
    def inner():
        nonlocal count
        count += <n>
        return count
    inner()
    return inner() + count
<v> = <f> + outer()

top: class <g>:
top:     scale = 2
top:     def __init__(self):
top:         self.scale += 1
<v> = <f> * <g>().scale * <g>.scale

top: class <g>:
top:     @property
top:     def size(self):
top:         return 3
top:     @staticmethod
top:     def twice(a):
top:         return a * 2
top:     @classmethod
top:     def made(cls):
top:         return cls()
<v> = <g>.made().twice(<f>) + <g>.made().size

top: class <g>:
top:     def __init__(self, a):
top:         self.a = a
top:     def __add__(self, other):
top:         return <g>(self.a + other)
top:     def __radd__(self, other):
top:         return <g>(self.a - other)
top:     def __iadd__(self, other):
top:         self.a = self.a * 2
top:         return self
<v> = 3 + <g>(<f>)
<v> += 1
<v> = <v>.a

top: class <g>:
top:     def __init__(self, a):
top:         self.a = a
top:     def __lt__(self, other):
top:         return self.a > other.a
<v> = <f> + sorted([<g>(1), <g>(3), <g>(2)])[0].a + max(<g>(1), <g>(2)).a

top: class <g>:
top:     def __len__(self):
top:         return 0
top:     def __contains__(self, a):
top:         return a == 2
top:     def __getitem__(self, i):
top:         return i * 2
<v> = <f> + (3 if <g>() else 4) + (2 in <g>()) + <g>()[<k>]

top: class <g>:
top:     def __bool__(self):
top:         return False
<v> = <f> + (not <g>()) + (1 if <g>() else 5)

top: class <g>:
top:     def __call__(self, a, *rest, scale=2):
top:         return a * scale + len(rest)
top:     def __getattr__(self, name):
top:         return len(name)
<v> = <g>()(<f>, 1, scale=3) + <g>().four

top: class <g>:
top:     def __init__(self):
top:         self.log = []
top:     def __enter__(self):
top:         self.log.append(1)
top:         return self
top:     def __exit__(self, kind, *rest):
top:         self.log.append(2)
top:         return kind is ValueError
with <g>() as held:
    <v> = <f>
    raise ValueError
<v> = <f> + sum(held.log)

top: class <g>:
top:     def __iter__(self):
top:         self.i = 0
top:         return self
top:     def __next__(self):
top:         self.i += 1
top:         if self.i > 3:
top:             raise StopIteration
top:         return self.i
<v> = <f> + sum(<g>()) + max(<g>())

top: class <g>(list):
top:     def append(self, a):
top:         super().append(a * 2)
<v> = <g>([1])
<v>.append(<n>)
<v> = <f> + <v>[-1] + len(<v>)

top: class <g>(dict):
top:     def __missing__(self, key):
top:         return 7
<v> = <f> + <g>(a=1)["b"] + <g>(a=1)["a"]

top: class <g>(int):
top:     def __add__(self, other):
top:         return 100
<v> = <f> + (<g>(1) + 1) + int(<g>(3))

top: class <g>(float):
top:     pass
<v> = <f> * <g>(2.5)

top: @dataclasses.dataclass(order=True)
top: class <g>:
top:     a: int
top:     b: list = dataclasses.field(default_factory=list, compare=False)
one, two = <g>(1), <g>(2)
one.b.append(5)
<v> = <f> + len(two.b) + (one < two) + dataclasses.replace(one, a=<n>).a

top: @dataclasses.dataclass(frozen=True)
top: class <g>:
top:     a: int
top:     b: int = 2
top:     def __post_init__(self):
top:         object.__setattr__(self, "b", self.b + self.a)
<v> = <f> + <g>(1).b + dataclasses.astuple(<g>(<n>))[0] + hash(<g>(1)) * 0

top: @functools.singledispatch
top: def <g>(a):
top:     return 1
top: @<g>.register
top: def _(a: int):
top:     return 2
<v> = <f> + <g>(3) * 10 + <g>("a")

top: @functools.cache
top: def <g>(a):
top:     return [a]
<g>(1).append(2)
<v> = <f> + len(<g>(1))

top: class <g>:
top:     @functools.cached_property
top:     def a(self):
top:         return [1]
<v> = <g>()
<v>.a.append(2)
<v> = <f> + len(<v>.a)

top: class <g>:
top:     count = 0
top:     def __init__(self):
top:         type(self).count += 1
<g>()
<v> = <f> + (<g>().count - <g>.count)

top: class <g>:
top:     def __eq__(self, other):
top:         return True
<v> = <f> + (<g>() == 3) + (<g>() in [1, 2]) + [1, <g>()].count(5)

top: class <g>(typing.NamedTuple):
top:     a: int
top:     b: int = 2
<v> = <g>(<n>)
<v> = <f> + <v>.b + <v>._asdict()["a"] + (<v> == (<n>, 2)) + len(<v> + (1,))

@contextlib.contextmanager
def scaled(a):
    yield a * 2
with scaled(<f>) as <v>:
    <v> = <v> + 1

@contextlib.contextmanager
def quiet():
    try:
        yield 3
    except KeyError:
        pass
with quiet() as three:
    <v> = <f> + three
    {}["a"]

with contextlib.ExitStack() as stack:
    done = []
    stack.callback(done.append, 1)
    stack.enter_context(torch.no_grad())
    <v> = <f> * 2
<v> = <v> + len(done)

with contextlib.suppress(KeyError):
    <v> = <f> + 1
    {}["a"]
    <v> = <f> + 2

match (<n>, {"a": <k>}):
    case (int() as a, {"a": 2 | 3 as b}):
        <v> = <f> + a * b
    case (a, {**rest}) if len(rest) > 0:
        <v> = <f> - len(rest)
    case _:
        <v> = <f>

match [1, 2, 3]:
    case [first, *rest]:
        <v> = <f> + first + sum(rest)

<v> = <f>
while True:
    <v> = <v> + 1
    if <v>.dim() == 1 or <k> > 0:
        break

total = 0
for i in range(<n>):
    if i % 2:
        continue
    if i > 5:
        break
    total += i
<v> = <f> + total

total = 0
while total < <n>:
    total = total * 2 + 1
<v> = <f> + total

parts = <f>.shape[:-1] + (1, -1)
<v> = <f>.reshape(parts)

kwargs = {"dim": 0}
kwargs.update(keepdim=True)
<v> = <f>.sum(**kwargs)

args = [<f>]
args += (<f2>,)
<v> = torch.add(*args, **{"alpha": <k>})

outputs = {}
for name, a in zip(("p", "q"), (<f>, <f2>)):
    outputs.setdefault(name, []).append(a)
    outputs.setdefault("all", []).append(a)
<v> = outputs["all"][-1] + len(outputs)

stacked = []
for row in <m>:
    stacked.insert(0, row * len(stacked))
<v> = torch.stack(stacked)

<v> = <f>.clone()
for i in range(<v>.shape[0] - 1):
    <v>[i + 1] += <v>[i]

<v> = <f>
for _ in range(<k>):
    <v>, old = <v> + 1, <v>
<v> = <v> * 2 - old if <k> else <v>
"""),
    _element("closures", 0.03, blocks="""
scale = <n>
def scaled(a):
    return a * scale
<v> = scaled(<f>)

def counted(start):
    total = start
    def add(a):
        nonlocal total
        total = total + a
        return total
    add(<k>)
    return add
<v> = counted(<n>)(<k>) + <f>

<v> = [lambda a, i=i: a + i for i in range(3)][2](<f>)

<v> = [lambda a: a + i for i in range(3)][0](<f>)

top: <g> = [2.0]
<v> = <f> * <g>[0]

top: <g> = torch.tensor([2.0, 3.0])
<v> = <f> + <g>.sum()

top: def <g>(a, scale=2, *, shift=torch.ones(())):
top:     return a * scale + shift
<v> = <g>(<f>, shift=<f2>)

top: @functools.lru_cache
top: def <g>(size):
top:     return size * 2
<v> = <g>(<n>) + <f>

top: def <g>(function):
top:     @functools.wraps(function)
top:     def wrapped(*args, **kwargs):
top:         return function(*args, **kwargs) + 1
top:     return wrapped
@<g>
def shifted(a):
    return a * 2
<v> = shifted(<f>)
"""),
    _element("state", 0.08, blocks="""
init: self.register_buffer("<o>", torch.zeros(()))
self.<o> += <n>
<v> = <f> + self.<o>

init: self.register_buffer("<o>", torch.ones(3))
self.<o>.mul_(<k>)
<v> = self.<o> + 1

init: self.register_buffer("<o>", torch.zeros(()))
self.<o> = self.<o> + <f>.sum()
<v> = self.<o> * 2

init: self.register_buffer("<o>", torch.zeros(4))
self.<o>[<k>] = <f>.sum()
<v> = self.<o>.clone()

init: self.register_buffer("<o>", torch.zeros((), dtype=torch.int64), persistent=False)
self.<o>.add_(1)
<v> = <f> * self.<o>

init: self.<o> = torch.nn.Parameter(torch.ones(3))
<v> = <f>.sum() * self.<o>

init: self.<o> = torch.nn.Parameter(torch.tensor(2.0))
<v> = <f> * self.<o>

init: self.<o> = torch.nn.Parameter(torch.ones(3))
init: self.<o>.scale = <k>
<v> = <f>.sum() * self.<o> * getattr(self.<o>, "scale", 7)

init: self.<o> = torch.tensor([1.0, 2.0, 3.0])
<v> = self.<o> * <f>.sum()

init: self.<o> = <k>
<v> = <f> + self.<o>

init: self.<o> = [1, 2]
<v> = <f> * self.<o>[-1]

init: self.<o> = {"a": torch.ones(2)}
<v> = self.<o>["a"] + <f>.sum()

init: self.<o> = 0
self.<o> += 1
<v> = <f> + self.<o>

init: self.<o> = None
if self.<o> is None:
    self.<o> = <k>
<v> = <f> * self.<o>

init: self.register_buffer("<o>", torch.arange(64.0))
<v> = self.<o>[:<n>] * 2

init: self.register_buffer("<o>", torch.arange(4.0))
<v> = self.<o>
<v>.add_(<f>.sum())
<v> = <v>.view(2, 2)

init: self.register_buffer("<o>", torch.ones(3))
<v> = self.<o>

init: self.register_buffer("<o>", torch.ones(3))
<v> = self.<o>[1:]

init: self.<o> = torch.nn.Parameter(torch.ones(3))
<v> = (self.<o>, self.<o> + <f>.sum())

init: self.<o> = torch.nn.ParameterList([torch.ones(2), torch.ones(2)])
<v> = sum(self.<o>) + <f>.sum()
"""),
    _element("submodules", 0.06, blocks="""
init: self.<o> = torch.nn.Linear(3, 4)
<v> = self.<o>(<f>)

init: self.<o> = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
<v> = self.<o>(<f>)

init: self.<o> = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(2)])
<v> = <f>
for layer in self.<o>:
    <v> = layer(<v>)

init: self.<o> = torch.nn.ModuleDict({"a": torch.nn.Linear(3, 3), "b": torch.nn.Tanh()})
<v> = self.<o>["b"](self.<o>["a"](<f>))

init: self.<o> = torch.nn.LayerNorm(3)
<v> = self.<o>(<f>)

init: self.<o> = torch.nn.Embedding(8, 3)
<v> = self.<o>(<i>)

init: self.<o> = torch.nn.Linear(3, 3)
<v> = <f> @ self.<o>.weight + self.<o>.bias

init: self.<o> = torch.nn.BatchNorm1d(3)
<v> = self.<o>(<m>)

init: self.<o> = torch.nn.Conv1d(3, 2, 2)
<v> = self.<o>(<m>.t()[None])

init: self.<o> = torch.nn.GRU(3, 4)
<v> = self.<o>(<m>)[0]

init: self.<o> = torch.nn.LSTM(3, 4, batch_first=True)
<v> = self.<o>(<m>[None])[1][0]

init: self.<o> = torch.nn.MultiheadAttention(3, 1, batch_first=True)
<v> = self.<o>(<m>[None], <m>[None], <m>[None])[0]

init: self.<o> = torch.nn.Identity()
<v> = self.<o>(<t>)

init: self.<o> = torch.nn.Linear(3, 3)
init: self.<o>.register_forward_hook(lambda module, args, output: output * 2)
<v> = self.<o>(<f>)

init: self.<o> = torch.nn.Linear(3, 3)
init: self.<o>.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
<v> = self.<o>(<f>)

init: self.<o> = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 3))
<v> = self.<o>(<f>)

top: class <g>(torch.nn.Module):
top:     def forward(self, a, *rest, scale=2):
top:         return a * scale, [a + 1, *rest]
init: self.<o> = <g>()
<v> = self.<o>(<t>, <t2>)[1]

top: class <g>(torch.nn.Module):
top:     def __init__(self):
top:         super().__init__()
top:         self.register_buffer("count", torch.zeros(()))
top:     def forward(self, a):
top:         self.count += 1
top:         return a + self.count
init: self.<o> = <g>()
<v> = self.<o>(<f>) + self.<o>(<f2>)

top: class <g>(torch.nn.Module):
top:     def forward(self, a):
top:         return {"a": a, "n": a.shape[0]}
init: self.<o> = <g>()
<v> = self.<o>(<t>)["n"] + <f>
"""),
    _element("higher-order", 0.14, """
<v> = torch.cond(<f>.sum() > 0, lambda a: a + 1, lambda a: a * 2, (<f>,))
<v> = torch.cond(<b>.any(), lambda a: a.sin(), lambda a: a.cos(), (<f>,))
<v> = torch.cond(<n> > <k>, lambda a: a + 1, lambda a: a - 1, (<t>,))
<v> = torch.cond(<f>.sum() > 0, lambda a: a + <f2>.sum(), lambda a: a * <n>, (<f>,))
<v> = torch.cond(<f>.sum() > 0, lambda a, b: (a, b + 1), lambda a, b: (a * 2, b), (<f>, <f2>))
<v> = torch.cond(<f>.sum() > 0, lambda: <f>.sin(), lambda: <f>.cos(), ())
<v> = torch.cond(<f>.sum() > 0, lambda a: {"y": a + 1}, lambda a: {"y": a * 2}, (<f>,))["y"]
<v> = torch.cond(<f>.sum() > 0, lambda a: a[:2].sum(), lambda a: a.sum(), (<f>,))
<v> = torch.cond(<f>.sum() > 0, lambda a: a.view(-1) + 1, lambda a: a.reshape(-1) * 2, (<f>,))
<v> = torch.cond(<f>.sum() > 0, lambda a: a.t() + 1, lambda a: a.t().contiguous(), (<m>,))
<v> = torch.cond(<f>.sum() > 0, lambda a: a.sum().item() * 1.0, lambda a: 2.0, (<f>,))
<v> = torch._higher_order_ops.map(lambda a, b: a + b, <t>, <n>)
<v> = torch._higher_order_ops.map(lambda a, b: a * b, <m>, <f>.sum())
<v> = torch._higher_order_ops.map(lambda a: a.sum() + <f>.mean(), <m>)
<v> = torch._higher_order_ops.scan(lambda c, a: (c + a, c * 2), torch.zeros(3), <m>)
<v> = torch._higher_order_ops.scan(lambda c, a: (c + a, a + <f>.sum()), torch.zeros(3), <m>)[0]
<v> = torch._higher_order_ops.scan(lambda c, a: (c * 0.5 + a, c.sum()), torch.ones(3), <m>, reverse=True)
<v> = torch._higher_order_ops.scan(lambda c, a: ([c[0] + 1, c[1] + a], c[0].clone()), [torch.zeros(()), torch.zeros(3)], <m>)
<v> = torch._higher_order_ops.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (torch.zeros((), dtype=torch.int64), <f>))
<v> = torch._higher_order_ops.while_loop(lambda i, a: i < <n>, lambda i, a: (i + 1, a + <f2>.sum()), (torch.zeros((), dtype=torch.int64), <f>))[1]
<v> = torch._higher_order_ops.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + i), (0, <f>))
<v> = torch._higher_order_ops.while_loop(lambda i, a: (i < 9) & (a.sum() < 50), lambda i, a: (i + 1, a.abs() + 1), (torch.zeros((), dtype=torch.int64), <f>))[1]
<v> = torch._higher_order_ops.associative_scan(lambda a, b: a + b, <f>, 0, combine_mode="generic")
<v> = torch._higher_order_ops.associative_scan(lambda a, b: a * b, <f>, 0, reverse=True, combine_mode="generic")
<v> = torch.vmap(lambda a: a + 1)(<t>)
<v> = torch.vmap(lambda a, b: a * b.sum(), in_dims=(0, None))(<t>, <f>)
<v> = torch.vmap(lambda a: a.sum(), in_dims=1)(<m>)
<v> = torch.vmap(lambda a: torch.where(a > 0, a, 0.0), out_dims=-1)(<m>)
<v> = torch.vmap(torch.vmap(lambda a: a * 2))(<m>)
""", """
def bigger(a):
    return torch.cond(a.sum() > 3, lambda b: b * 2, lambda b: b - 1, (a,))
<v> = torch.cond(<f>.sum() > 0, bigger, lambda a: a + 0.5, (<f>,))

init: self.register_buffer("<o>", torch.ones(()))
<v> = torch.cond(<f>.sum() > 0, lambda a: a + self.<o>, lambda a: a - self.<o>, (<f>,))

init: self.<o> = torch.nn.Linear(3, 3)
<v> = torch.cond(<f>.sum() > 0, lambda a: self.<o>(a), lambda a: a * 2, (<m>,))

def body(i, a):
    return i + 1, torch.cond(a.sum() > 0, lambda b: b - 1, lambda b: b + 2, (a,))
<v> = torch._higher_order_ops.while_loop(lambda i, a: i < 4, body, (torch.tensor(0), <f>))
""", ordinary=False),
    _element("modes", 0.05, """
<v> = torch.utils.checkpoint.checkpoint(lambda a: a.sin() * 2, <f>, use_reentrant=False)
<v> = torch.func.grad(lambda a: (a * a).sum())(<f>)
<v> = torch.func.grad_and_value(lambda a: a.sin().sum())(<f>)
<v> = torch.func.jvp(torch.sin, (<f>,), (<f>,))[1]
<v> = torch.func.vjp(torch.sin, <f>)[1](<f>)[0]
<v> = torch.func.jacrev(lambda a: a.sum(0))(<f>)
<v> = torch.func.jacfwd(lambda a: a * 2)(<f>)
<v> = torch.func.hessian(lambda a: (a ** 3).sum())(<f>)
<v> = torch.vmap(torch.func.grad(lambda a: (a * a).sum()))(<m>)
<v> = <f>.requires_grad
<v> = <f>.is_leaf
<v> = <f>.clone().requires_grad_()
""", """
with torch.no_grad():
    <s>

with torch.enable_grad():
    <s>

with torch.inference_mode():
    <s>

with torch.autocast("cpu", dtype=torch.bfloat16):
    <v> = <m> @ <m2>.t()

with torch.autocast("cpu"):
    <v> = torch.nn.functional.linear(<m>, <m2>)

with torch.autocast("cpu", enabled=False):
    <s>

with torch.set_grad_enabled(False):
    <v> = <f> * 2
<v> = <v> + <f2>

<v> = <f>.detach().requires_grad_()
<v> = torch.autograd.grad((<v> * <v>).sum(), <v>)[0]

with torch.device("cpu"):
    <v> = torch.ones(<n>)

top: class <g>(torch.autograd.Function):
top:     @staticmethod
top:     def forward(ctx, a):
top:         ctx.save_for_backward(a)
top:         return a * 2
top:     @staticmethod
top:     def backward(ctx, grad):
top:         return grad * 3
<v> = <g>.apply(<f>)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    <s>

with contextlib.nullcontext():
    <s>

with contextlib.suppress(ValueError):
    <s>
"""),
)  # fmt: skip

BY_NAME = {element.name: element for element in ELEMENTS}

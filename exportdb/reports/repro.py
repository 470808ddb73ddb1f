"""A script that shows by itself what a cell says: eager and the capture on a sample that tells.

Owns the lines that are appended to a case's program, plain torch like it. Which record they are
shown for is left to whoever asks: a page of the site, a hunt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, SampleResult
from exportdb.reports import captures
from exportdb.reports.captures import CAPTURES

_BY_KEYWORD = re.compile(r"^def inputs\([^\n]*\n    return \{", re.MULTILINE)
_FLOATS, _WHOLE, _MASKS, _ANY = (
    "t.is_floating_point() or t.is_complex()",
    "not (t.is_floating_point() or t.is_complex() or t.dtype is torch.bool)",
    "t.dtype is torch.bool", "True",
)  # fmt: skip
_FIRST = "torch.cat([torch.full_like(t.flatten()[:1], {}), t.flatten()[1:]]).view(t.shape)"
_ENDS = (
    "torch.cat([torch.full_like(t.flatten()[:1], {}), t.flatten()[1:-1], "
    "torch.full_like(t.flatten()[1:][-1:], {})]).view(t.shape)"
)
_LARGE = "{torch.int64: 2**31 + 1, torch.int32: 2**24 + 1}.get(t.dtype, torch.iinfo(t.dtype).max)"
_SMALL = (
    "{torch.int64: -(2**31) - 1, torch.int32: -(2**24) - 1}.get(t.dtype, torch.iinfo(t.dtype).min)"
)
#: What is done to the tensors of the example, and to which, by the name of the sample.
_CHANGES = {
    "zeros": ("torch.zeros_like(t)", _FLOATS),
    "ones": ("torch.ones_like(t)", _FLOATS),
    "negated": ("-t", _FLOATS),
    "reversed": ("t.flip(tuple(range(t.dim())))", _ANY),
    "whole numbers with ties": ("t.round()", _FLOATS),
    "large": ("t * 100", _FLOATS),
    "halves": ("t.round() + 0.5", _FLOATS),
    "all False": ("torch.zeros_like(t)", _MASKS),
    "all True": ("torch.ones_like(t)", _MASKS),
    "negated whole numbers": ("-t", _WHOLE),
    "a NaN": (_FIRST.format('float("nan")'), _FLOATS),
    "an infinity": (_FIRST.format('float("inf")'), _FLOATS),
    "-0.0, denormals": (
        _ENDS.format("-0.0", "torch.finfo(t.dtype).smallest_normal / 4"), _FLOATS,
    ),
    "whole numbers at their limits": (_ENDS.format(_LARGE, _SMALL), _WHOLE),
    "beyond 2**24": (_FIRST.format("2.0**24 + 2"), _FLOATS),
    "not contiguous": ("t.repeat_interleave(2, -1)[..., ::2] if t.dim() else t", _ANY),
    "strides in another order": (
        "t.transpose(0, -1).contiguous().transpose(0, -1) if t.dim() > 1 else t", _ANY,
    ),
    "expanded": ("t[:1].expand(t.shape) if t.dim() else t", _ANY),
    "a storage offset": (
        "torch.cat((t.new_zeros(3), t.flatten()))[3:].view(t.shape)", _ANY,
    ),
    "as a parameter": ("torch.nn.Parameter(t.detach())", _FLOATS),
    "channels_last": (
        "t.contiguous(memory_format=torch.channels_last) if t.dim() == 4 else t", _ANY,
    ),
}  # fmt: skip
#: What makes samples with other random values.
_OTHERS = ("inputs(", "numbered(", "resized(", "written(")
#: The result of a sample by which a script shows an outcome; of what is lost besides values none.
SHOWS: dict[Outcome, str] = {
    o: o.shown_by for o in Outcome if o.shown_by and o is not Outcome.LOSSY
}
_STEPPED = ", after a training step"
_AROUND = {
    "under no_grad": "torch.no_grad()",
    "under autocast": 'torch.autocast("cpu")',
    "under inference_mode": "torch.inference_mode()",
    "under deterministic algorithms": "deterministic()",
    "under float64 as the default dtype": "double()",
}

_BEGINNING = """

if __name__ == "__main__":
{imported}    from torch.utils import _pytree as pytree

    def as_call(given):
        if isinstance(given, dict):
            return (), given
        if not isinstance(given, tuple):
            return (given,), {{}}
        whole = len(given) == 2 and isinstance(given[0], tuple) and isinstance(given[1], dict)
        return given if whole else (given, {{}})

    def tensors(value):
        return [t for t in pytree.tree_leaves(value) if isinstance(t, torch.Tensor)]
{before}
    def new_model():
        torch.manual_seed(0)
        return {model}()

"""
_CHANGED = """    def changed(change, wanted):
        def new(t):
            if not isinstance(t, torch.Tensor) or not wanted(t):
                return t
            return change(t.detach()).requires_grad_(t.requires_grad)

        return pytree.tree_map(new, as_call(inputs()))

"""
_GIVEN = """    def given_with(args, kwargs, new):
        call = inspect.signature(model.forward).bind(*args, **kwargs)
        for name, value in new.items():
            call.arguments[name] = value(call.arguments.get(name))
        named = {name: call.arguments.pop(name) for name in kwargs if name in call.arguments}
        return call.args, {**call.kwargs, **named}

"""
_RESIZED = """    def resized(name, axis, size):
        def new(t):
            t = t.index_select(axis, torch.arange(size) % t.shape[axis])
            return t

        return given_with(*as_call(inputs()), {name: new})

"""
#: The same of a tensor within a list, a dict or a class that is an input.
_OF_PART = """        def within(path, t):
            return new(t) if pytree.keystr(path) == part else t

        return given_with(
            *as_call(inputs()), {name: lambda whole: pytree.tree_map_with_path(within, whole)}
        )

"""
#: Who does not look at sizes may read or write behind an input, where known bytes then are.
_BEHIND = """
            memory = torch.full((t.nbytes + 16384,), 0xBF, dtype=torch.uint8)
            behind[:] = [memory[t.nbytes :]]
            return memory[: t.nbytes].view(t.dtype).view(t.shape).copy_(t.detach())
"""
_SEEN_BEHIND = """
            "memory behind it": behind[0].clone(),
"""
_REPLACED = """    def replaced(name, value):
        return given_with(*as_call(inputs()), {name: lambda _: value})

"""
_LENGTHENED = """    def lengthened(place):
        args, kwargs = as_call(inputs())
        held = list(args) if isinstance(place, int) else kwargs
        held[place] = held[place] + held[place][-1:]
        return (tuple(held), kwargs) if isinstance(place, int) else (args, kwargs)

"""
_TURNED = """    def turned():
        def new(value):
            return dict(reversed(value.items())) if type(value) is dict else value

        args, kwargs = as_call(inputs())
        return tuple(map(new, args)), {name: new(value) for name, value in kwargs.items()}

"""
_NUMBERED = """    def numbered(**numbers):
        sizes = {n: numbers.pop(n) for n in inspect.signature(inputs).parameters if n in numbers}

        def new(number):
            return lambda t: torch.full_like(t, number) if isinstance(t, torch.Tensor) else number

        return given_with(*as_call(inputs(**sizes)), {n: new(v) for n, v in numbers.items()})

"""
_WRITTEN = """    def written(numbers):
        def new(places):
            def with_numbers(held):
                in_tensor = isinstance(held, torch.Tensor)
                held = held.clone() if in_tensor else [*held]
                for place, number in places.items():
                    held[place if in_tensor else place[0]] = number
                return held

            return with_numbers

        return given_with(*as_call(inputs()), {name: new(at) for name, at in numbers.items()})

"""
#: Names a sample by numbers within an input: "starts[3]=0, table[0, 2]=1".
_ELEMENT = re.compile(r"(\w+)\[(\d+(?:, \d+)*)\]=(-?\d+)(?:, |$)")
#: What sets something of the whole process for a call, by what calls it.
_SETTING = """    @contextlib.contextmanager
    def {name}():
        {on}
        try:
            yield
        finally:
            {off}

"""
_SETTINGS = {
    "deterministic()": _SETTING.format(
        name="deterministic",
        on="torch.use_deterministic_algorithms(True)",
        off="torch.use_deterministic_algorithms(False)",
    ),
    "double()": _SETTING.format(
        name="double",
        on="torch.set_default_dtype(torch.float64)",
        off="torch.set_default_dtype(torch.float32)",
    ),
}
_ENDING = """    def state(call, owner):
        held = dict(owner.named_parameters()) | dict(owner.named_buffers())
        if not isinstance(call, torch.nn.Module):
            return held
        own = dict(call.named_parameters()) | dict(call.named_buffers())
        return {{name: own.get(name, t) for name, t in held.items()}}

    def as_new(call):  # a capture may begin by calling the model, which changes its state
        fresh = state(None, new_model())
        with torch.no_grad():
            for name, t in state(call, model).items():
                if name in fresh and isinstance(t, torch.Tensor):
                    if t.shape == fresh[name].shape and 0 not in t.stride():  # not expanded
                        t.copy_(fresh[name])

    def run(who, call, owner):
        given = []
        for seed in {seeds}:
            torch.manual_seed(seed)
            given.append(as_call({sample}))
        held, outputs = state(call, owner), []
{step}        try:
            with {around}:
                for args, kwargs in given:
                    torch.manual_seed(1001)
                    outputs.append(output := call(*args, **kwargs))
                told = [] if torch.is_grad_enabled() else tensors(output)
            asked = [t for t in tensors([given, held]) if t.requires_grad and t.is_leaf]
            found = [t for t in tensors(output) if t.requires_grad and t.grad_fn is not None]
            if asked and found:
{twice}                torch.manual_seed(0)
                torch.autograd.backward(found, [torch.randn_like(t) for t in found])
        except Exception as e:
            print(f"{{who}} raised {{type(e).__name__}}: {{e}}")
            return None
        seen = {{
            "outputs": outputs,
            "inputs afterwards": [t.detach().clone() for t in tensors(given)],
            "gradients": [t.grad for t in asked],{seen_twice}
            "state": {{name: t.detach().clone() for name, t in state(call, owner).items()}},
            "asks for gradients": [t.requires_grad for t in told],{behind}
        }}
        print(f"{{who}} gave {{seen}}")
        return seen

    model = new_model()
{plain}    torch.manual_seed(1)
    args, kwargs = as_call(inputs())
    shapes = globals().get("dynamic_shapes")
    torch.manual_seed(2)
    capture = {capture}
{first}    as_new(capture)
    print("on the sample", {name!r})
    plain = new_model()
    eager, captured = run("eager", plain, plain), run("{exporter}", capture, model)
    assert (eager is None) == (captured is None), "one of them raised"
    eager, captured = pytree.tree_leaves(eager), pytree.tree_leaves(captured)
    assert len(eager) == len(captured), "one of them gave more values"
    for one, other in zip(eager, captured, strict=True):
        assert isinstance(one, torch.Tensor) == isinstance(other, torch.Tensor), (one, other)
        assert "Fake" not in type(other).__name__, "no values came out"
{close}        torch.testing.assert_close(other, one, equal_nan=True, **close)
"""
_CLOSE = """        double = getattr(one, "dtype", None) in (torch.float64, torch.complex128)
        close = dict(rtol=1e-10, atol=1e-10) if double else {}
"""
_CLOSE_IN_8_BITS = """        close = {}
        if isinstance(one, torch.Tensor) and one.is_floating_point() and one.numel():
            # 8 bits tell 128 steps apart on each side of zero.
            close = dict(rtol=0.0, atol=float(one.nan_to_num(0.0, 0.0, 0.0).abs().amax()) / 128)
"""
#: The gradients of the gradients, which are compared where a case trains.
_OF_GRADIENTS = """    def of_gradients(found, asked):  # nothing where a gradient has none
        torch.manual_seed(0)
        begin = [torch.randn_like(t) for t in found]
        try:
            first = torch.autograd.grad(found, asked, begin, create_graph=True, allow_unused=True)
            first = [t for t in first if t is not None and t.requires_grad]
            if not first:
                return [torch.zeros_like(t) for t in asked]
            begin = [torch.randn_like(t) for t in first]
            again = torch.autograd.grad(first, asked, begin, retain_graph=True, allow_unused=True)
        except RuntimeError:
            return []
        return [torch.zeros_like(t) if g is None else g for t, g in zip(asked, again)]

"""
_TWICE = """                twice = of_gradients(found, asked)
"""
_SEEN_TWICE = """
            "gradients of gradients": twice if asked and found else [],"""
#: What is compiled at its first call is compiled for the example; and what differs on other values
#: alone may do so because the example came first: a generator of the capture's own goes on.
_FIRST_CALL = """    torch.manual_seed(1)
    args, kwargs = as_call(inputs())
    try:  # the example comes first, as where this was found
        capture(*args, **kwargs)
    except Exception as e:
        print(f"on the example: {type(e).__name__}: {e}")
"""
#: Eager comes first, as where this was found: what it leaves in the process may be needed.
_PLAIN = """    args, kwargs = as_call(inputs())
    new_model()(*args, **kwargs)
"""
_STEP = """        with torch.no_grad():  # as a step of training has left them
            for t in held.values():
                if t.is_floating_point() and t.layout is torch.strided and 0 not in t.stride():
                    t.mul_(0.75)
"""
_RAISING = """    args, kwargs = as_call(inputs())
    print("eager gave", new_model()(*args, **kwargs))
    model = new_model()
    torch.manual_seed(0)
    args, kwargs = as_call(inputs())
    shapes = globals().get("dynamic_shapes")
    capture = {capture}
    capture(*args, **kwargs)
"""


def raising(exporter: str, model: str) -> str | None:
    """Lines for the end of a program whose capture is refused: eager runs, then the capture raises.

    None for an exporter of which no script is known.
    """
    if exporter not in CAPTURES:
        return None
    return _beginning(exporter, model) + _RAISING.format(capture=CAPTURES[exporter])


def _beginning(exporter: str, model: str, imported: str = "") -> str:
    before = captures.BEFORE.get(exporter, "")
    return _BEGINNING.format(model=model, before=before, imported=imported)


#: What the name of a sample begins with where a case has several models.
_OF_MODEL = re.compile(r"([A-Z]\w*): (.+)", re.DOTALL)


def script(record: Record, model: str, program: str = "", trains: bool = False) -> str | None:
    """Lines for the end of the program of ``record``'s case; None where none would show anything.

    ``program`` tells which numbers are sizes that its ``inputs`` takes; without it all are. Of a
    case that ``trains`` the gradients of gradients are compared too.

    Run as a file, it prints what eager and the capture do on the first sample that counts against
    the exporter, and ends with an AssertionError where they differ.
    """
    shows = SHOWS.get(record.outcome)
    if record.exporter not in CAPTURES or shows is None:
        return None
    if record.exporter in captures.POSITIONAL and _BY_KEYWORD.search(program):
        return None
    told = (s for s in record.samples if s.result in SHOWS.values())
    for sample in sorted(told, key=lambda s: (s.result != shows, _plainness(s))):
        if several := _OF_MODEL.fullmatch(sample.name):
            model, sample = several[1], sample.with_(name=several[2])
        if (made := _made(sample)) is not None:
            made = _numbered(*made, program)
            return _script(record.exporter, model, sample, *made, program, trains)
    return None


def _numbered(made: str, around: str, program: str) -> tuple[str, str]:
    """A number that is no size stands among the inputs themselves."""
    names = re.findall(r"(\w+)=", made) if made.startswith("inputs(") else []
    head = re.search(r"^def inputs\((.*?)\):", program, re.MULTILINE | re.DOTALL)
    if head and not all(re.search(rf"\b{name}\b", head[1]) for name in names):
        made = f"numbered({made.removeprefix('inputs(')}"
    return made, around


def _script(
    exporter: str, model: str, sample: SampleResult, made: str, around: str, program: str,
    trains: bool,
) -> str:  # fmt: skip
    capture = CAPTURES[exporter]
    if exporter in captures.WITHOUT_GRADIENTS:
        around = around.replace("enable_grad", "no_grad")
    if exporter in captures.ELSEWHERE and around in _AROUND.values():
        around += " if call is owner else torch.enable_grad()"  # a mode ends with its process
    name = sample.name
    if exporter in captures.LAZY - {"dynamo-unspec"} and (
        ("dynamic_shapes" in program and name == "example") or name.startswith("rejects[")
    ):
        # What differs on the example itself does so only where sizes are no constants, and what is
        # to be refused may be let through only by what was compiled after other sizes.
        capture = capture.replace("fullgraph=", "dynamic=True, fullgraph=")
    # Of what is compiled at its first call, that call is one of those that are compared.
    learnt = exporter in captures.LAZY | captures.LEARNING and name != "example"
    warmed = learnt or name == "other values"
    helpers = _helpers(made, exporter) + _SETTINGS.get(around.partition(" if ")[0], "")
    twice = trains and name.endswith("called again")
    imported = "".join(f"    import {m}\n" for m in ("contextlib", "inspect") if f"{m}." in helpers)
    return (
        _beginning(exporter, model, imported and imported + "\n")
        + helpers
        + (_OF_GRADIENTS if twice else "")
        + _ENDING.format(
            sample=made, around=around, capture=capture, name=name,
            exporter=exporter, seeds=_seeds(exporter, name, made),
            plain=_PLAIN if exporter in captures.AFTER_EAGER else "",
            first=_FIRST_CALL if warmed else "",
            close=_CLOSE_IN_8_BITS if exporter in captures.QUANTISED else _CLOSE,
            step=_STEP if name.endswith(_STEPPED) else "",
            twice=_TWICE if twice else "",
            seen_twice=_SEEN_TWICE if twice else "",
            behind=_SEEN_BEHIND.rstrip("\n") if "behind[" in helpers else "",
        )
    )  # fmt: skip


def _helpers(made: str, exporter: str) -> str:
    """The functions that make the sample."""
    resized = _RESIZED
    if exporter in captures.BY_ADDRESS:
        resized = "    behind = []\n\n" + resized.replace("\n            return t\n", _BEHIND)
    if "part=" in made:
        head, _, _ = resized.rpartition("        return given_with")
        resized = head.replace("size):", "size, part):") + _OF_PART
    of = {
        "changed": _CHANGED, "resized": _GIVEN + resized, "numbered": _GIVEN + _NUMBERED,
        "replaced": _GIVEN + _REPLACED, "written": _GIVEN + _WRITTEN, "turned": _TURNED,
        "lengthened": _LENGTHENED,
    }  # fmt: skip
    return of.get(made.partition("(")[0], "")


def _seeds(exporter: str, name: str, made: str) -> str:
    """Where the random numbers of the inputs of each call begin, as in an examination: those of
    other sizes and numbers are others than the example's."""
    if name.endswith("called again"):
        return "(1, 2, 1, 2, 2)"
    if exporter in captures.CALCULATING and name == "example":
        return "(1, 1)"
    others = name == "other values" or (made != "inputs()" and made.startswith(_OTHERS))
    return "(2,)" if others else "(1,)"


def _plainness(sample: SampleResult) -> int:
    """The example and its sizes say most to a reader, changed data least."""
    name = sample.name
    kinds = (name == "example", "=" in name and "alone" not in name, name == "other values",
             "[" in name, name.startswith("data: "), name.endswith("called again"))  # fmt: skip
    return kinds.index(True) if True in kinds else len(kinds)


def _by_name(elements: Sequence[tuple[str, str, str]]) -> str:
    """Numbers within inputs, as Python: by input and place.

    >>> _by_name([("starts", "3", "0"), ("table", "0, 2", "1")])
    '{"starts": {(3,): 0}, "table": {(0, 2): 1}}'
    """
    places: dict[str, list[str]] = {}
    for name, place, number in elements:
        index = f"({place})" if "," in place else f"({place},)"
        places.setdefault(name, []).append(f"{index}: {number}")
    return "{" + ", ".join(f'"{n}": {{{", ".join(at)}}}' for n, at in places.items()) + "}"


def _made(sample: SampleResult) -> tuple[str, str] | None:
    r"""Python that makes the sample, and the context of its calls; None where that is long.

    >>> print(_made(SampleResult("rejects", "x['5\" disks'].size(0)=3 alone", "disagrees"))[0])
    resized("x", 0, 3, part="['5\" disks']")
    """
    name, around = sample.name, "torch.enable_grad()"
    if name in ("example", "other values", "example, called again", "example" + _STEPPED):
        return "inputs()", around
    if name in _AROUND:
        return "inputs()", _AROUND[name]
    if name == "dicts with their keys in the other order":
        return "turned()", around
    if re.fullmatch(r"\w+=-?\d+(, \w+=-?\d+)*", name):
        return f"inputs({name})", around
    if (elements := _ELEMENT.findall(name)) and not _ELEMENT.sub("", name):
        return f"written({_by_name(elements)})", around
    if longer := re.fullmatch(r"(argument )?(\w+) with an item more", name):
        return f"lengthened({longer[2] if longer[1] else json.dumps(longer[2])})", around
    if flag := re.fullmatch(r"(\w+)=(None|True|False)", name):
        return f'replaced("{flag[1]}", {flag[2]})', around
    if own := re.fullmatch(r"(accepts|rejects)\[(\d+)\]", name):
        return f"list({own[1]}())[{own[2]}]", around
    if resized := re.fullmatch(r"(\w+)((?:\[[^\]]+\]|\.\w+)*)\.size\((\d+)\)=(\d+) alone", name):
        part = f", part={json.dumps(resized[2])}" if resized[2] else ""
        return f'resized("{resized[1]}", {resized[3]}, {resized[4]}{part})', around
    if change := _CHANGES.get(name.removeprefix("data: ")):
        return f"changed(lambda t: {change[0]}, lambda t: {change[1]})", around
    return None

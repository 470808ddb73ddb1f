"""What Python keeps in a capture is put back between samples, wherever the capture keeps it."""

from __future__ import annotations

import copy
import functools

import pytest
import torch

from exportdb.conformance.snapshot import held_modules
from exportdb.exporters.jit_script import JitScript
from exportdb.exporters.protocol import Exporter
from exportdb.plugins import EXPORTERS, find

STATEFUL = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.seen = []
        self.last = torch.zeros(3)
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.calls += 1
        self.seen.append(self.calls)
        self.last = self.last + x
        self.total += x
        return self.total * self.calls + len(self.seen) + self.last

def inputs():
    return torch.ones(3)

def accepts():
    yield torch.zeros(3)
"""


class Copies(Exporter):
    """A copy of the program is the capture, called as the test says."""

    name = "copies"

    def __init__(self, wrapped) -> None:
        self.wrapped = wrapped

    def capture(self, program):
        return self.wrapped(copy.deepcopy(program.module))


class Runtime:
    def __init__(self, module) -> None:
        self.module = module

    def run(self, *args):
        return self.module(*args)


WAYS = {
    "a module": lambda module: module,
    "a closure": lambda module: lambda *args: module(*args),
    "a method of an object": lambda module: Runtime(module).run,
    "a partial function": lambda module: functools.partial(Runtime.run, Runtime(module)),
}


@pytest.mark.parametrize("wrapped", WAYS.values(), ids=WAYS.keys())
def test_a_copy_of_the_program_is_supported(examine, wrapped) -> None:
    record = examine(STATEFUL, Copies(wrapped))
    results = {s.name: s.result for s in record.samples}
    assert record.outcome == "supported"
    assert results["accepts[0]"] == results["example, called again"] == "agrees"


def test_what_a_copy_keeps_beyond_python_is_its_own_fault(examine) -> None:
    """A count that is nowhere in the module is not put back: the second sample shows it."""
    calls = []

    def counted(module):
        def run(x):
            calls.append(1)
            return x * len(calls)

        return run

    assert examine("Model = torch.nn.Identity\ndef inputs(): return torch.ones(3)",
                   Copies(counted)).outcome == "wrong"  # fmt: skip


@pytest.mark.parametrize("kept", ["weight.scale = 0.5", "shared = weight.detach()"])
def test_what_a_copy_loses_of_a_parameter_is_its_own_fault(examine, kept) -> None:
    program = f"""
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            weight = self.weight = torch.nn.Parameter(torch.ones(3))
            self.{kept}

        def forward(self, x):
            with torch.no_grad():
                self.weight.mul_(2)
            return x * getattr(self, "shared", 1.0) * getattr(self.weight, "scale", 1.0)

    def inputs():
        return torch.ones(3)
    """
    assert examine(program, Copies(lambda copy: copy)).outcome == "wrong"


def test_a_capture_is_searched_for_modules_and_not_for_what_is_not_its_own() -> None:
    module = torch.nn.Linear(2, 2)

    def call():
        return module, bound_later, torch

    if not held_modules(call):
        bound_later = 1
    assert held_modules(call) == [module]
    assert held_modules(torch.jit.script(module)) == []


KEEPS = {
    "tensors in a dict": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = {"last": torch.zeros(3), "sum": torch.zeros(3)}

    def forward(self, x):
        self.seen["last"] = x
        self.seen["sum"] += x
        return self.seen["sum"] + self.seen["last"]
""",
    "an optimizer": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.optimizer = torch.optim.SGD([self.weight], lr=0.1, momentum=0.9)

    def forward(self, x):
        self.weight.grad = x
        self.optimizer.step()
        self.weight.grad = None
        return self.weight.detach().clone()
""",
    "an object that counts": """
class Counter:
    def __init__(self):
        self.calls, self.last = 0, torch.zeros(3)

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.counters = [Counter()]

    def forward(self, x):
        counter = self.counters[0]
        counter.calls += 1
        counter.last += x
        return counter.last * counter.calls
""",
    "containers in containers": """
from collections import defaultdict, deque

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {"sums": {"x": torch.zeros(3)}, "recent": [deque(maxlen=2)]}
        self.times = defaultdict(int)

    def forward(self, x):
        self.times[x.dim()] += 1
        self.kept["recent"][0].append(x)
        self.kept["sums"]["x"] += x
        return self.kept["sums"]["x"] * self.times[1] + len(self.kept["recent"][0])
""",
    "buffers that share memory": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        whole = torch.zeros(6)
        self.register_buffer("whole", whole)
        self.register_buffer("first", whole[:3])

    def forward(self, x):
        self.first += x
        return self.whole * 2
""",
    "a buffer that is expanded": """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("wide", torch.ones(1).expand(3))

    def forward(self, x):
        self.wide = self.wide + x
        return self.wide * 2
""",
    "a scripted submodule": """
class Part(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total += x
        return self.total * 2

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = torch.jit.script(Part())

    def forward(self, x):
        return self.part(x)
""",
}


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
@pytest.mark.parametrize("program", KEEPS.values(), ids=KEEPS.keys())
def test_whatever_a_program_keeps_the_program_itself_is_a_sound_capture(examine, program) -> None:
    record = examine(program + "\ndef inputs():\n    return torch.ones(3)\n", Itself())
    assert record.outcome == "supported", (record.error, record.samples)


class Itself(Exporter):
    """The very module that was given is the capture."""

    name = "itself"

    def capture(self, program):
        program.module(*program.args)  # a capture may run what it captures
        return program.module


def test_a_hook_that_a_capture_adds_stays(examine) -> None:
    class Hooked(Exporter):
        name = "hooked"

        def capture(self, program):
            program.module.register_forward_hook(lambda *_: calls.append(1))
            return program.module

    calls = list[int]()
    assert examine(STATEFUL, Hooked()).outcome == "supported"
    assert len(calls) > 1


def test_what_a_transform_of_torch_left_in_a_capture_cannot_be_put_back(examine) -> None:
    record = examine(
        "class Model(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return torch.func.grad(lambda x: (x**3).sum())(x)\n\n"
        "def inputs():\n    return torch.randn(3)\n",
        find(EXPORTERS, "export").load(),
    )
    assert record.outcome != "error", record.error


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(torch.zeros(3), 1)", "(self.kept[0] + x, self.kept[1] + 1)"),
        ("torch.zeros(3)", "self.kept + x"),
        ("0", "self.kept + 1"),
    ],
)
def test_what_torchscript_keeps_is_as_it_was_for_every_sample(
    examine, before: str, after: str
) -> None:
    record = examine(
        f"""
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {before}

    def forward(self, x):
        self.kept = {after}
        return x, self.kept

def inputs():
    return torch.ones(3)
""",
        JitScript(),
    )
    assert record.outcome == "supported", (record.error, record.samples)

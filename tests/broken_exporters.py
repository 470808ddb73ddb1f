"""Exporters that are broken on purpose, one fault each: what the suite must catch.

Each starts from a sound capture and damages it. They are plug-ins like any other: a test names one
as ``tests/broken_exporters.py:OffByOne``. ``CAUGHT`` says by which case and as what.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from exportdb.exporters.protocol import Artifact, Exporter


class Sound(Exporter):
    """Runs the program itself: nothing to catch. The control of every test here."""

    def capture(self, program):
        return self.damage(program, program.module)

    def damage(self, program, call):
        return call


def on_tensors(change):
    """A function that applies ``change`` to every floating tensor of an output."""
    import torch
    from torch.utils import _pytree as pytree

    def applied(output):
        return pytree.tree_map(
            lambda t: change(t) if isinstance(t, torch.Tensor) and t.is_floating_point() else t,
            output,
        )

    return applied


class OffByOne(Sound):
    def damage(self, program, call):
        change = on_tensors(lambda t: t + 1)
        return lambda *args, **kwargs: change(call(*args, **kwargs))


class WrongDtype(Sound):
    def damage(self, program, call):
        change = on_tensors(lambda t: t.double())
        return lambda *args, **kwargs: change(call(*args, **kwargs))


class LostMutation(Sound):
    """Works on copies of the inputs: what the program writes into them is lost."""

    def damage(self, program, call):
        import copy

        return lambda *args, **kwargs: call(*copy.deepcopy(args), **copy.deepcopy(kwargs))


class WritesPastItsInput(Sound):
    """As a kernel does that takes its input to have more rows than it has."""

    def damage(self, program, call):
        import ctypes

        def run(x, *args, **kwargs):
            ctypes.memset(x.data_ptr() + x.untyped_storage().nbytes(), 0, 16)
            return call(x, *args, **kwargs)

        return run


class BrokenAlias(Sound):
    """Returns copies where the program returns views of its inputs."""

    def damage(self, program, call):
        change = on_tensors(lambda t: t.clone())
        return lambda *args, **kwargs: change(call(*args, **kwargs))


class BakedBatch(Sound):
    """Answers every batch with as many rows as the example had."""

    def damage(self, program, call):
        rows = program.args[0].shape[0]

        def run(x, *args, **kwargs):
            out = call(x, *args, **kwargs)
            return out.repeat(rows, *[1] * (out.dim() - 1))[:rows] if len(out) else out

        return run


class SwappedBranches(Sound):
    """Takes the false branch of every ``torch.cond`` where the true one is due."""

    def damage(self, program, call):
        import torch

        def run(*args, **kwargs):
            def swapped(pred, true_fn, false_fn, operands=()):
                return (false_fn if pred else true_fn)(*operands)

            sound, torch.cond = torch.cond, swapped
            try:
                return call(*args, **kwargs)
            finally:
                torch.cond = sound

        return run


class DroppedAssertion(Sound):
    """Runs the program with every ``torch._check`` taken out."""

    def damage(self, program, call):
        import torch

        def run(*args, **kwargs):
            sound, torch._check = torch._check, lambda *args, **kwargs: None
            try:
                return call(*args, **kwargs)
            finally:
                torch._check = sound

        return run


class IgnoresSecondInput(Sound):
    def damage(self, program, call):
        second = program.args[1].clone()

        def run(x, y, *rest):
            return call(x, second if y.shape == second.shape else y, *rest)

        return run


class LeaksStateBetweenCalls(Sound):
    """Remembers its first answer, and gives it again to inputs of the same shape."""

    def damage(self, program, call):
        answers = []

        def run(*args, **kwargs):
            out = call(*args, **kwargs)
            answers.append(out)
            return out + answers[0].sum() if len(answers) > 1 else out

        return run


class WrongStructure(Sound):
    def damage(self, program, call):
        return lambda *args, **kwargs: [call(*args, **kwargs)]


class DiesBySignal(Sound):
    def capture(self, program):
        os.kill(os.getpid(), signal.SIGSEGV)


class Hangs(Sound):
    def capture(self, program):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(3600)


class ExhaustsMemory(Sound):
    """It asks for memory that it never writes to: the limit is met long before a busy machine has
    found the pages."""

    def capture(self, program):
        hoard = []
        while True:
            hoard.append(bytes(64 << 20))


class Exits(Sound):
    def capture(self, program):
        sys.exit(0)


class ExitsAtOnce(Sound):
    """Not even Python's own clean-up runs."""

    def damage(self, program, call):
        return lambda *args, **kwargs: os._exit(0)


class PrintsWithoutEnd(Sound):
    def capture(self, program):
        line = "all work and no play\n" * 1000
        while True:
            sys.stdout.write(line)


class BreaksBuiltins(Sound):
    def damage(self, program, call):
        import builtins

        builtins.len = None
        return call


class BreaksTorch(Sound):
    def damage(self, program, call):
        import torch

        torch.equal = None
        return call


class BreaksTheGenerator(Sound):
    def damage(self, program, call):
        import numpy as np

        np.random.seed = None
        return call


class LeavesAMode(Sound):
    """Intercepts every operator from now on, those of who compares as well."""

    def damage(self, program, call):
        from torch.utils._python_dispatch import TorchDispatchMode

        class Refuses(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                raise RuntimeError("not while I am here")

        Refuses().__enter__()
        return call


class RaisesTheUnspeakable(Sound):
    """An exception that cannot be asked for anything."""

    def capture(self, program):
        class Unspeakable(Exception):
            def __getattribute__(self, name):
                raise RuntimeError("never")

        raise Unspeakable


class ReturnsTheUnspeakable(Sound):
    """A callable without attributes."""

    def damage(self, program, call):
        class Unspeakable:
            @property
            def __dict__(self):
                raise RuntimeError("never")

            def __call__(self, *args, **kwargs):
                return call(*args, **kwargs)

        return Unspeakable()


class GraphRaises(Sound):
    """A GraphModule that cannot be asked for its graph."""

    def damage(self, program, call):
        import torch

        class Odd(torch.fx.GraphModule):
            @property
            def graph(self):
                raise ValueError("no graph today")

        traced = torch.export.export(
            program.module, program.args, dynamic_shapes=program.dynamic_shapes
        ).module()
        traced.__class__ = Odd
        return traced


class EmptiesTheModule(Sound):
    def damage(self, program, call):
        program.module.__dict__.clear()
        return lambda *args, **kwargs: None


class ReturnsNothing(Sound):
    def capture(self, program):
        return None


class TwoGraphs(Sound):
    def damage(self, program, call):
        return Artifact(call=call, graphs=2)


class AnotherGraphEachTime(Sound):
    """Names a value of its graph after how often it was asked."""

    asked = 0

    def damage(self, program, call):
        AnotherGraphEachTime.asked += 1
        text = f"%0 = input x\n%{AnotherGraphEachTime.asked} = relu %0\nreturn"
        return Artifact(call=call, graph_text=text)


class OnceOnly(Sound):
    """Cannot capture a second time in one process."""

    captured = False

    def capture(self, program):
        if OnceOnly.captured:
            raise RuntimeError("there is a capture already")
        OnceOnly.captured = True
        return program.module


class DiesOnceMore(OffByOne):
    """Is wrong, and ends the process when it captures a second time."""

    captured = False

    def capture(self, program):
        if DiesOnceMore.captured:
            sys.exit("there is a capture already")
        DiesOnceMore.captured = True
        return super().capture(program)


#: Broken exporter -> (a case that catches it, the outcome it is caught with).
CAUGHT = {
    "OffByOne": ("mutation/inplace_activation", "wrong"),
    "WrongDtype": ("mutation/inplace_activation", "wrong"),
    "LostMutation": ("mutation/input", "wrong"),
    "WritesPastItsInput": ("mutation/inplace_activation", "wrong"),
    "BrokenAlias": ("mutation/output_is_view_of_input", "lossy"),
    "BakedBatch": ("dynamic_shapes/size_with_range", "wrong"),
    "SwappedBranches": ("control_flow/cond_on_size", "wrong"),
    "DroppedAssertion": ("data_dependent/item_as_value_checked", "unguarded"),
    "IgnoresSecondInput": ("dynamic_shapes/derived_dim_double", "wrong"),
    "LeaksStateBetweenCalls": ("dynamic_shapes/derived_dim_double", "wrong"),
    "WrongStructure": ("dynamic_shapes/derived_dim_double", "wrong"),
    "ReturnsNothing": ("dynamic_shapes/derived_dim_double", "refused"),
    "TwoGraphs": ("dynamic_shapes/derived_dim_double", "degraded"),
}
#: Those that show only when a program is captured twice -> (a case, what the finding says).
CAUGHT_REPEATED = {
    "AnotherGraphEachTime": (
        "mutation/inplace_activation",
        "line 2 is '%1 = relu %0', captured again '%2 = relu %0'",
    ),
    "OnceOnly": (
        "mutation/inplace_activation",
        "captured again, it raised RuntimeError: there is a capture already",
    ),
}
#: Those that must not be run in the process of a test.
CAUGHT_ISOLATED = {
    "DiesBySignal": "crashed",
    "Hangs": "timeout",
    "ExhaustsMemory": "crashed",
    "Exits": "crashed",
    "ExitsAtOnce": "crashed",
    "PrintsWithoutEnd": "crashed",
    "BreaksBuiltins": "crashed",
    "BreaksTorch": "crashed",
    "BreaksTheGenerator": "crashed",
    "LeavesAMode": "crashed",
    "GraphRaises": "crashed",
    "RaisesTheUnspeakable": "crashed",
    "ReturnsTheUnspeakable": "crashed",
    "EmptiesTheModule": "crashed",
}

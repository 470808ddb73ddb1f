"""What is known of a program before it is captured: its samples, and what eager does with them.

Owns the order in which that is found out. Choosing samples is left to ``sampling``, running eager
to ``eager``, what is kept for other exporters to ``observed``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from exportdb.conformance import agreement
from exportdb.conformance.dry_run import DryRun
from exportdb.conformance.eager import Eager, Expected, Gradients, other_values
from exportdb.conformance.observed import WORTH, Observed, memory
from exportdb.conformance.observing import State, named_tensors
from exportdb.conformance.program import Inputs, LoadedProgram, load_program
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.conformance.sampling.planning import plan
from exportdb.conformance.task import ModelTask, Stopped, not_available, still_works
from exportdb.suites.protocol import ProgramError
from exportdb.symbolic.names import input_names


@dataclass(frozen=True)
class Loaded:
    """The program in this process, one module of it, and the samples it will be put to."""

    program: LoadedProgram
    module: torch.nn.Module
    samples: Sequence[PlannedSample]
    left_out: Sequence[str] = ()
    untaken: Sequence[str] = ()


def load(task: ModelTask) -> Loaded:
    """The program, and the samples that its exporter is put to."""
    task.device.prepare()
    program = load_program(task.program, task.device, task.options)
    module = program.model(task.model)
    planned = plan(program, task.model, module, task.options, task.kept)
    samples = planned.samples
    if task.exporter.differentiates and not task.program.meta.train:
        # Nobody said that the program can be differentiated on what it accepts.
        samples = [s if s.role != "accepts" or s.guessed else replace(s, tentative=True)
                   for s in samples]  # fmt: skip
    return Loaded(program, module, samples, planned.left_out, planned.untaken)


@dataclass(frozen=True)
class Oracle:
    """All that is known of the program before anything is captured.

    ``expected`` is what eager does with every sample, the example first, ``again`` what it does
    when it is called again (nothing where that tells nothing), ``inputs`` are the example's, with
    the ``names`` of their leaves, ``state`` is that of a new module. ``left_out`` is how many
    samples the device would not have lived through.
    """

    gradients: Gradients
    expected: Sequence[Expected]
    again: Sequence[Expected]
    inputs: Inputs
    names: Sequence[str]
    state: State
    left_out: int


def observe_eager(task: ModelTask, loaded: Loaded) -> Oracle:
    """What eager does with every sample. After this no judgement rests on asking the program again:
    what captures it may leave torch, or the program, in another state."""
    task.clock.enter("eager")
    place = task.observed
    known = place.read(loaded.samples) if place else None
    observed = known or _ask_eager(task, loaded)
    example = observed.tried[0]
    args, kwargs = observed.gradients.asked_of(loaded.program.build())
    if said := agreement.built_differently(example.inputs[0], (args, kwargs)):
        raise ProgramError(task.program.where, f"inputs() builds something else each time: {said}")
    expected = [example, *(e for e in observed.tried[1:] if not e.given_up)]
    names = input_names(loaded.module, args, kwargs)
    state = named_tensors(loaded.program.model(task.model))
    fatal = sum(e.fatal for e in observed.tried)
    return Oracle(observed.gradients, expected, observed.again, (args, kwargs), names, state, fatal)


def _ask_eager(task: ModelTask, loaded: Loaded) -> Observed:
    """What eager does with every sample now; kept where others may ask, too, and it took long."""
    place = task.observed
    began = time.process_time()
    remembered = memory(loaded.program) if place else None
    eager, example = _example(task, loaded)
    tried = [example]
    for sample in loaded.samples[1:]:
        if sample.name in task.options.without:
            tried.append(Expected(sample, fatal=True))
            continue
        task.clock.within(sample.name)
        tried.append(eager.expected(sample))
        still_works(task.device, f"eager on {sample.name}")
    expected = [e for e in tried if not e.given_up]
    again: list[Expected] = []
    if task.device.computes and len(expected) > 1:
        again = [
            eager.again(example, other_values(example, expected)),
            *eager.resized_between(example, expected),
            *eager.after_step(example),
        ]
    observed = Observed(eager.gradients, tried, again)
    took = time.process_time() - began
    if place and took > WORTH and remembered == memory(loaded.program):
        place.write(observed, loaded.samples)
    return observed


def _example(task: ModelTask, loaded: Loaded) -> tuple[Eager, Expected]:
    """Eager, with the gradients that can be compared, and what it does with the example."""
    first = loaded.samples[0]
    dry_run = DryRun(loaded.module) if task.device.fragile else None
    eager = Eager(loaded.program, loaded.module, _gradients(task), dry_run)
    example = eager.expected(first)
    if task.exporter.differentiates:
        if not _has_gradients(example):  # a program may refuse inputs that ask for them
            eager = replace(eager, gradients=Gradients.PARAMETERS)
            example = eager.expected(first)
        if not _has_gradients(example):
            reason = f"{task.exporter.name}: {_NO_GRADIENT}"
            raise Stopped(not_available(reason, task.clock.phase))
    if example.unbuildable:
        first.build()  # it raises
    if example.last.exception is not None:
        raise example.last.exception
    return eager, example


_NO_GRADIENT = "there is nothing to differentiate: no gradient reaches a parameter or an input"


def _gradients(task: ModelTask) -> Gradients:
    """The gradients that are compared, at most."""
    if task.exporter.differentiates:
        return Gradients.INPUTS
    return Gradients.PARAMETERS if task.program.meta.train else Gradients.NONE


def _has_gradients(expected: Expected) -> bool:
    """Whether a gradient reached anything."""
    return any(g is not None for run in expected.behaviours for g in run.gradients.values())

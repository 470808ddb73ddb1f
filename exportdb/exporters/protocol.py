"""What an exporter is: the one page to read before writing one.

An exporter is a class with a ``name`` and a method ``capture(program)`` that returns something
callable with the program's arguments::

    import torch

    class Mine:
        name = "mine"
        def capture(self, program):
            return torch.export.export(
                program.module, program.args, program.kwargs,
                dynamic_shapes=program.dynamic_shapes,
            )

Everything else is optional and has a default on :class:`Exporter`. Importing a module that
defines an exporter should not import torch: the built-in ones import it inside ``capture``.
Nothing here knows of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Program:
    """What an exporter is given: a module on its device and the example inputs.

    ``dynamic_shapes`` has the form ``torch.export.export`` takes, or is None when every size is
    static. ``announce(phase)`` says which phase begins (``decompose``, ``lower``, ``save``,
    ``load``); the phase is ``capture`` until then.
    """

    module: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    dynamic_shapes: Any
    device: str
    train: bool = False
    announce: Callable[[str], None] = field(default=lambda phase: None)


@dataclass
class Artifact:
    """What a capture gives back, when it has more to show than a callable.

    ``exported_program`` or ``graph_module`` lets the canonical graph, ranges and facts be read
    from it; ``graph_text`` is the exporter's own printout of the graph for those that have
    neither. ``graphs`` above 1 means that the program was not captured as one graph.
    ``compares`` is ``values``; ``metadata`` when ``call`` predicts only the structure, shapes,
    strides and dtypes of the outputs; ``nothing`` when what came out cannot run here, whatever
    ``call`` is: the outcome is then ``converted``, which is never a pass. ``facts`` are symbolic
    facts the exporter read itself.
    ``reports`` are findings of the exporter's own, as (finding ID, message).

    ``readable`` is a print-out for display only, for a graph that is not stable enough to be
    compared. ``cost`` is what the capture cost as far as the exporter counted it itself, by the
    names of docs/records.md (``nodes``, ``guards``, ``symbols``, ``graph_breaks``). ``compiled``
    says how many graphs have been compiled so far; an artifact that compiles while it runs gives
    it, and a graph that is compiled for inputs it had to accept makes it ``degraded``.
    ``put_back`` makes what the artifact keeps between calls as it was before the first; it is
    called before every sample. What a module that ``call`` is or holds keeps is put back anyway:
    parameters, buffers, attributes, and lists, dicts and sets of plain values. ``folded`` names the
    parameters and buffers of the module that have become constants of the capture, where it runs on
    others of them: what a caller does to these later, as a training step does, is not asked of it.
    """

    call: Callable[..., Any]
    exported_program: Any = None
    graph_module: Any = None
    graph_text: str | None = None
    graphs: int = 1
    compares: str = "values"
    facts: Mapping[str, Any] | None = None
    reports: tuple[tuple[str, str], ...] = ()
    readable: str | None = None
    cost: Mapping[str, int] = field(default_factory=dict)
    compiled: Callable[[], int] | None = None
    put_back: Callable[[], None] | None = None
    folded: Collection[str] = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(*args, **kwargs)


class Exporter:
    """Defaults for an exporter. Deriving from it is a convenience, not a duty."""

    name: ClassVar[str] = ""
    #: Version of the adapter; changing it makes cached results stale.
    version: ClassVar[str] = "1"
    #: Exporter whose expectations hold unless this one's say otherwise.
    extends: ClassVar[str | None] = None
    #: One line for ``exportdb doctor``.
    description: ClassVar[str] = ""
    #: Distributions, besides torch and what it requires, whose versions decide the result.
    packages: ClassVar[tuple[str, ...]] = ()
    #: What it needs installed, as pip takes it: ``openvino==2026.4.1``, ``torch==2.13.*``. Where
    #: the packages here do not meet it, it is examined in an environment made for it; where torch
    #: is not named, on the version of torch that is installed here.
    requirements: ClassVar[tuple[str, ...]] = ()
    #: Modules that take long to import, start no thread, and whose import changes nothing of
    #: torch's: in an environment of its own they are imported once, before processes are forked.
    preload: ClassVar[tuple[str, ...]] = ()
    #: Device names it can capture for; None means any.
    devices: ClassVar[tuple[str, ...] | None] = None
    #: Capabilities it does not have (see ``exportdb.cases.capabilities``); a case that needs one
    #: is ``unavailable``.
    lacks: ClassVar[frozenset[str]] = frozenset()
    #: Whether gradients are compared in every case, those of the inputs included; a case with
    #: nothing to differentiate is ``unavailable``.
    differentiates: ClassVar[bool] = False
    #: For an exporter that quantises: the step to which it rounds numbers, as a share of the
    #: largest of their tensor. Its results may be four times as far off as eager's own move when
    #: inputs, parameters and buffers move by that step. 0 for all that mean to be exact.
    rounds_to: ClassVar[float] = 0.0
    #: Whether a capture runs the program itself, and so moves its state on. It is put back; where
    #: an exporter does not say so, that it was moved on is a finding.
    advances_state: ClassVar[bool] = False
    #: Whether a run that names no exporter includes it. Says no where a capture takes seconds.
    default: ClassVar[bool] = True
    #: How many times the usual time limit an examination with it may take.
    timeout_factor: ClassVar[float] = 1.0
    #: The built-in exporter to warm up a process with for this one; "" for itself.
    warm_with: ClassVar[str] = ""

    def unusable(self) -> str | None:
        """Why this exporter cannot work in this environment at all, or None."""
        return None

    def capture(self, program: Program) -> Artifact | Callable[..., Any]:
        """Turn ``program`` into something callable with the same arguments.

        Whatever it raises is recorded as a refusal in the phase last announced.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method capture of its own")

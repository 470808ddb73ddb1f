"""``exportdb.examine(module, args)``: one examination from Python, for a notebook or a test.

Owns the names and defaults of that call, and the executor that is kept from one call to the next.
Examining itself is left to ``exportdb.conformance``, the samples to ``exportdb.suites``.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from exportdb.cases.case import DimRange, Tolerance
from exportdb.conformance.options import Options
from exportdb.executors import open_executor
from exportdb.executors.protocol import Executor
from exportdb.plugins import DEVICES, EXPORTERS, PluginRef, check, find
from exportdb.records.record import Record
from exportdb.runner.attempt import tried, warmed_with
from exportdb.runner.plan import Examination
from exportdb.runner.warm import warm_workers
from exportdb.suites.pickled import HeldPlugin, Pickled

Samples = Iterable[Any] | Callable[[], Iterable[Any]]


def examine(
    module: Any,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    exporter: Any = "export",
    device: Any = "cpu",
    inputs: Callable[..., Any] | None = None,
    accepts: Samples = (),
    rejects: Samples = (),
    dims: Mapping[str, tuple[int, int | None]] | None = None,
    train: bool = False,
    rtol: float | None = None,
    atol: float | None = None,
    switches: Sequence[str] = (),
    seed: int = 0,
    max_samples: int = 32,
    repeat: int = 1,
    isolated: bool = True,
    timeout: float = 60.0,
    memory_mb: int | None = None,
    name: str = "",
) -> Record:
    """Capture ``module`` as called with ``args`` and ``kwargs``, and compare it with eager.

    ``dynamic_shapes`` has the form that ``torch.export.export`` takes. The example is varied along
    the sizes that it names: both ends of each range, 0, 1, what lies just outside; other values of
    the same kind everywhere. What eager refuses of that, the capture must refuse. Who knows better
    gives ``inputs``, a function that builds inputs from sizes as the one of a case does (``dims``
    has ranges for those that no ``Dim`` has), and further samples that the capture must agree on
    (``accepts``) or refuse (``rejects``): iterables, or functions that return one, of argument
    tuples, keyword dicts or ``(tuple, dict)``.

    ``exporter`` is a name, ``path/to/file.py:Name``, a class or an instance; ``device`` likewise.
    With ``isolated`` everything happens in a process of its own, which may take ``timeout`` seconds
    and ``memory_mb`` MiB and whose end is a result like any other; without, in this one. ``train``
    compares gradients, ``rtol`` and ``atol`` are the tolerance, the rest is as in ``exportdb run``.

    Raises ProgramError for what contradicts itself or cannot be sent to another process, and
    PluginError for an exporter or a device that cannot be found, or declares what none can mean.
    """
    from exportdb.suites.memory import InMemory, module_program

    _check(args, timeout)
    ranges = {n: DimRange(low, high) for n, (low, high) in (dims or {}).items()}
    given = InMemory(
        module, args, dict(kwargs or {}), dynamic_shapes, inputs, _function(accepts),
        _function(rejects),
    )  # fmt: skip
    program = module_program(
        given, name, dims=ranges, train=train, tolerance=Tolerance(rtol, atol), timeout=timeout
    )
    examination = Examination(
        program.pickled() if isolated else program,
        _plugin(EXPORTERS, exporter, isolated), _plugin(DEVICES, device, isolated),
        Options(seed, max_samples, switches=tuple(switches), repeat=repeat),
    )  # fmt: skip
    limits = timeout, memory_mb, getattr(exporter, "timeout_factor", 1.0)  # a name has no factor
    return _isolated(examination, *limits) if isolated else _here(examination)


def _function(samples: Samples) -> Callable[[], Iterable[Any]]:
    if callable(samples):
        return samples
    held = list(samples)
    return lambda: held


def _plugin(group: str, given: Any, isolated: bool) -> PluginRef:
    if isinstance(given, str):
        return find(group, given)
    plugin = given() if isinstance(given, type) else given
    name = getattr(plugin, "name", "") or type(plugin).__name__
    check(plugin, group, name)
    return HeldPlugin(group, name, "", "", held=Pickled.of(plugin, name) if isolated else plugin)


def _check(args: object, timeout: float) -> None:
    if not isinstance(args, tuple):
        raise TypeError(f"args is a {type(args).__name__}; give a tuple, as torch.export takes it")
    if not 0 < timeout < float("inf"):
        raise ValueError(f"timeout is {timeout}; give a number of seconds")


def _isolated(
    examination: Examination, timeout: float, memory_mb: int | None, factor: float
) -> Record:
    ref = examination.exporter
    if ref.ours:
        factor = getattr(ref.load(), "timeout_factor", 1.0)
    executor = _executor(warmed_with(ref))
    try:
        record = tried(executor, examination, timeout, memory_mb, True, factor)
    except BaseException:  # interrupted, say: what is under way in it is nobody's any more
        executor.close()
        _executor.cache_clear()
        raise
    return record.with_(suite=examination.program.suite)


@functools.lru_cache(maxsize=1)
def _executor(exporter: str) -> Executor:
    """The executor of this process, with workers that are warm: the second call takes no second."""
    executor = open_executor(warm_workers(["1", exporter]))
    atexit.register(executor.close)
    return executor


def _here(examination: Examination) -> Record:
    from exportdb.conformance.examine import examine

    with _random_numbers_as_before():
        exporter, device = examination.exporter.load(), examination.device.load()
        return examine(examination.program, exporter, device, examination.options)


@contextlib.contextmanager
def _random_numbers_as_before() -> Iterator[None]:
    """A context after which the generators of torch, Python and NumPy go on as if it had not been.

    Examining seeds them.
    """
    import torch

    numpy = sys.modules.get("numpy")
    python, arrays = random.getstate(), numpy and numpy.random.get_state()
    with torch.random.fork_rng():
        yield
    random.setstate(python)
    if numpy:
        numpy.random.set_state(arrays)

"""What a worker finds done: torch imported, on one thread, and the exporters used once.

Runs once, in the process that workers are forked from (``executors.local.server``). The first
capture in a process costs a second of imports and tables; here it is paid once for all of them.
It never touches an accelerator and never runs more than one thread: neither lives through a fork.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from exportdb.environments.bridge import Interpreter
from exportdb.executors.protocol import REUSE, Workers
from exportdb.runner import kept_code
from exportdb.runner.imported import imported, note_loading, note_missing

#: Set before torch is imported: no thread pools, and no CUDA context made by merely asking.
VARIABLES = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
}


def warm_workers(
    arguments: Iterable[str] = (), home: Path | None = None, jobs: int = 1, reuse: int = REUSE,
    interpreter: Interpreter | None = None, cluster: str | None = None,
) -> Workers:  # fmt: skip
    """Workers that find :func:`warm` done with ``arguments``; ``home`` keeps what they compile."""
    variables = VARIABLES if home is None else VARIABLES | kept_code.folders(home)
    preload = f"{__name__}:{warm.__name__}"
    return Workers(jobs, reuse, preload, tuple(arguments), variables, interpreter, cluster)


#: Before the name of a module that is to be imported.
IMPORT = "import:"
#: So many examinations make it worth to warm up what only some of them use.
MANY = 16


def warm(count: str = "0", *exporters: str) -> None:
    """Import torch, and capture a small program with each of these built-in exporters.

    ``count`` is how many examinations are to come; ``import:NAME`` among the exporters is a module.
    """
    note_loading()
    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)

    _import_engine()
    from exportdb import explain
    from exportdb.conformance.sampling.conditions import prepare
    from exportdb.exporters.protocol import Program
    from exportdb.plugins import EXPORTERS, find

    class Layers(torch.nn.Module):  # type: ignore[misc]  # torch is Any here
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(self.linear(x)) + x.shape[0]

    # The first torch.cond of a process compiles, and patches torch.nn.Module.
    class Conditional(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            branch: torch.Tensor = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
            return branch

    shapes = {"x": {0: torch.export.Dim("n", min=2, max=32)}}
    _time_no_guards()
    kept_code.drop_cut_libraries()
    gc.freeze()  # TorchDynamo collects where it compiles: a quarter of a second, for nothing
    for name in exporters:
        print(f"warming up {name}", flush=True)  # the last words, if it takes too long
        if name.startswith(IMPORT):
            with warnings.catch_warnings(), contextlib.suppress(Exception):
                warnings.simplefilter("ignore")
                importlib.import_module(name.removeprefix(IMPORT))  # if not, its capture will say
            continue
        exporter = find(EXPORTERS, name).load()
        for model in (Layers(), Conditional()) if int(count) >= MANY else (Layers(),):
            # Autograd's engine starts a thread for every GPU, which initialises CUDA.
            model.requires_grad_(not torch.cuda.device_count())
            program = Program(model, (torch.randn(5, 4),), {}, shapes, "cpu")
            # What cannot be captured here will say so in its records.
            with _without_gpu(), warnings.catch_warnings(), contextlib.suppress(Exception):
                warnings.simplefilter("ignore")
                exporter.capture(program)(torch.randn(7, 4))
    if int(count) >= MANY:
        with contextlib.suppress(Exception):
            torch.vmap(torch.sin)(torch.ones(2))  # the first of a process registers operators
    with contextlib.suppress(Exception):  # a catalogue that cannot be read is the lint's to report
        explain.match("", "")  # reads it
    prepare()
    imported()  # which distribution a module is of takes a tenth of a second to find out
    torch._dynamo.reset()
    torch.manual_seed(0)


def _import_engine() -> None:
    """What every task imports; before any plug-in, since it notes what torch's functions are, and
    what is not found from now on counts for a plug-in."""
    import exportdb.conformance.examine
    import exportdb.runner.examining  # noqa: F401

    note_missing()


def _time_no_guards() -> None:
    """TorchDynamo times the guards of all that it compiles, for a line of a log, and flushes the
    processor's caches before: half of what a small graph takes."""
    from torch._dynamo import guards

    if hasattr(guards, "profile_guard_manager"):
        guards.profile_guard_manager = lambda *_: 0.0


@contextlib.contextmanager
def _without_gpu() -> Iterator[None]:
    """Inside of it torch finds no GPU, and afterwards nothing remembers that there was none.

    TorchDynamo saves the state of the GPU's generator before it traces, and asks whether the GPU
    runs Triton; Inductor's keys hold the GPU's name. Each initialises CUDA, and then no forked
    process can use it.
    """
    from unittest import mock  # takes long to import, and only a worker needs it

    import torch
    from torch.utils import _triton

    def refuse() -> None:
        raise RuntimeError("no GPU is used while workers are warmed up")

    with (
        mock.patch.object(torch.cuda, "is_available", lambda: False),
        # A fake tensor asks CUDA for its devices where torch finds none.
        mock.patch.object(torch._C, "_ensureCUDADeviceGuardSet", lambda: None, create=True),
        mock.patch.object(torch._C, "_cuda_init", refuse, create=True),
    ):
        yield
    keys = sys.modules.get("torch._inductor.codecache")
    for holder in (_triton, *([keys.CacheBase] if keys else [])):
        for function in vars(holder).values():
            function = getattr(function, "__func__", function)  # that of a static method
            if hasattr(function, "cache_clear"):
                function.cache_clear()

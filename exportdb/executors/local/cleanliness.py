"""Whether a process is as it was before a task ran in it.

Owns the list of what a program can leave behind that the next one would feel: settings, patches,
registrations, threads, child processes. What can be put back surely is put back; of anything else
the guard says what it was, and the worker ends (``worker``). A doubt costs a fork,
a leak costs the truth, so the lists below are wide: the only names they leave out are of caches,
which may differ without anybody noticing.

Some state is not looked at because nothing survives it anyway: what a plug-in that is not ours
keeps in its globals (it gets a process of its own, see ``run``), and context variables, torch's
configuration among them (each task runs in a copy of the context).
"""

from __future__ import annotations

import atexit
import gc
import logging
import operator
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from exportdb.executors.local import torch_state
from exportdb.executors.local.aspect import Aspect

_SIGNALS = [s for s in signal.Signals if s not in (signal.SIGKILL, signal.SIGSTOP)]


class Guard:
    """Takes note of the state of this process; after each task, restores it or says what is off.

    Made once, in the process that workers are forked from, when everything is warm: going through
    torch takes a tenth of a second. :meth:`take_baseline` is for each child.
    """

    def __init__(self) -> None:
        self._torch = sys.modules.get("torch")
        self._patchable = [(n, d, operator.itemgetter(*k)) for n, d, k in torch_state.patchable()]
        self._originals = [get(names) for _, names, get in self._patchable]
        self._registries = list(torch_state.registries())
        self._aspects = _PROCESS + torch_state.aspects(self._torch)

    def take_baseline(self) -> None:
        """Take what is set and registered now, in a child that is about to begin, for clean."""
        self._seed()
        self._before = [a.read() for a in self._aspects]
        self._sizes = [len(r) for _, r in self._registries]
        self._library = torch_state.registered(self._torch)

    def end(self) -> str | None:
        """Just after a task: put back what can be; what cannot be, or None if all is clean."""
        try:
            reason = self._end()
            self._seed()
        except BaseException as e:  # not even looking works any more
            return f"the state cannot be read: {type(e).__name__}"
        return reason

    def _seed(self) -> None:
        """Set every generator to the same for each task."""
        random.seed(0)
        if self._torch:
            self._torch.default_generator.manual_seed(0)
        if numpy_random := sys.modules.get("numpy.random"):
            numpy_random.seed(0)

    def _end(self) -> str | None:
        if self._torch is not sys.modules.get("torch"):
            return "torch was imported"
        for aspect, before in zip(self._aspects, self._before, strict=True):
            if aspect.read() != before:
                if aspect.restore is None:
                    return f"{aspect.name} changed"
                aspect.restore(before)
                if aspect.read() != before:
                    return f"{aspect.name} changed and cannot be put back"
        for (name, names, get), originals in zip(self._patchable, self._originals, strict=True):
            if get(names) != originals:
                return f"{name} was patched"
        if self._torch:
            self._torch._dynamo.reset()  # before sizes are compared: it forgets what was compiled
        for (name, registry), size in zip(self._registries, self._sizes, strict=True):
            if len(registry) != size:
                return f"{name} has {len(registry) - size:+d} entries"
        if torch_state.registered(self._torch) != self._library:
            return "operators were registered"
        return None


# The process and the interpreter


def _handlers() -> tuple[Any, ...]:
    return tuple(signal.getsignal(s) for s in _SIGNALS)


def _set_handlers(handlers: tuple[Any, ...]) -> None:
    for number, handler in zip(_SIGNALS, handlers, strict=True):
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _has_children() -> bool:
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _threads() -> int:
    """Python's threads, and on Linux everybody's."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208  # a hundred times faster
    except OSError:
        return threading.active_count()


def _set_environment(before: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _put_back(target: list[Any]) -> Callable[[list[Any]], None]:
    """Restores a list that others hold a reference to."""

    def restore(before: list[Any]) -> None:
        target[:] = before

    return restore


def _swappable() -> tuple[Any, ...]:
    """Objects of the interpreter that programs like to swap."""
    return (
        sys.stdout, sys.stderr, sys.stdin, sys.excepthook, sys.displayhook, sys.breakpointhook,
        sys.gettrace(), sys.getprofile(), threading.excepthook,
        warnings.showwarning, warnings.warn, logging.getLoggerClass(),
    )  # fmt: skip


def _collector() -> tuple[Any, ...]:
    return gc.isenabled(), gc.get_threshold(), len(gc.callbacks)


def _logging() -> tuple[Any, ...]:
    return logging.root.level, logging.root.disabled, list(logging.root.handlers)


_PROCESS = (
    Aspect("threads", _threads),
    Aspect("child processes", _has_children),
    Aspect("timers", lambda: signal.getitimer(signal.ITIMER_REAL)),
    Aspect("import hooks", lambda: (list(sys.meta_path), list(sys.path_hooks))),
    # The list is a cache's key: setting it back would not undo what was cached under it.
    Aspect("warning filters", lambda: list(warnings.filters)),
    Aspect("exit handlers", atexit._ncallbacks),
    Aspect("the garbage collector", _collector),
    Aspect("logging", _logging),
    Aspect("streams and hooks", _swappable),
    Aspect("os.environ", lambda: dict(os.environ), _set_environment),
    Aspect("the working directory", os.getcwd, os.chdir),
    Aspect("the umask", _umask, os.umask),
    Aspect("signal handlers", _handlers, _set_handlers),
    Aspect("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Aspect("sys.path", lambda: list(sys.path), _put_back(sys.path)),
    Aspect("sys.argv", lambda: list(sys.argv), _put_back(sys.argv)),
)

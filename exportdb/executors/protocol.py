"""What an executor is: somewhere that runs tasks, each isolated, each with a time limit.

Owns the words between those who have tasks (``runner``, the lint, the doctor) and whatever runs
them. Another kind of executor is a folder beside ``local`` with an implementation of
:class:`Executor`, chosen in ``exportdb.executors.open_executor``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # workers import this module, and have no need of the other
    from exportdb.environments.bridge import Interpreter

#: Tasks one worker may take.
REUSE = 16


@dataclass(frozen=True, eq=False)
class Task:
    """One call to make: ``function`` is ``module:function``, ``args`` can be pickled.

    The function must return JSON-ready data. ``timeout`` is in seconds from its start; ``alone``
    asks for a worker that no other task uses before or after; ``memory_mb`` is how much memory
    (MiB) it may take, None for no limit. ``gpu`` says that it needs a machine with a GPU.
    ``tag`` is the caller's own.
    """

    function: str
    args: tuple[Any, ...] = ()
    timeout: float = 60.0
    alone: bool = False
    memory_mb: int | None = None
    gpu: bool = False
    tag: Any = None


@dataclass(frozen=True)
class Failure:
    """Why a task has no value.

    ``kind`` is ``raised`` (an exception left the function), ``crashed`` (the process ended or had
    to be ended), ``timeout``, or ``not-started`` (it never began, which is not its own doing).
    ``type`` is the exception's name, the signal's name, ``Exit`` or ``Timeout``; ``message`` one
    sentence; ``at`` what the task last announced; ``output`` the end of what it printed, or the
    traceback of what it raised.
    """

    kind: str
    type: str
    message: str
    at: str = ""
    output: str = ""


@dataclass(frozen=True)
class Ending:
    """What became of a task: its value, or the failure; and the seconds it took.

    With a failure, the value is what it said to have so far (``inside.so_far``), or None.
    """

    task: Task
    value: Any
    failure: Failure | None
    seconds: float


@dataclass(frozen=True)
class Workers:
    """The processes that an executor is to have.

    At most ``jobs`` work at a time, and each takes at most ``reuse`` tasks. ``preload`` is
    ``module:function``; what it does when called with ``arguments`` (texts), every worker finds
    done. ``variables`` are set in their environment. ``interpreter`` None is the Python of this
    process; another one runs this very exportdb. ``cluster`` is the address of the cluster on whose
    nodes they are; then ``jobs`` is of no account, each node has as many as it has CPUs.
    """

    jobs: int = 1
    reuse: int = REUSE
    preload: str | None = None
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    interpreter: Interpreter | None = None
    cluster: str | None = None


class Executor(Protocol):
    """Runs tasks; a context manager that closes itself. Tasks begin in the order of the queue."""

    def submit(self, task: Task, soon: bool = False) -> None:
        """Put a task at the end of the queue, at its front if it is wanted ``soon``.

        It may be called while endings are read.
        """

    def endings(self) -> Iterator[Ending]:
        """What became of each task, as they end, until there are none.

        Raises RunnerError if workers cannot be started at all.
        """

    def installed(self) -> str | None:
        """A text that changes with what is installed where tasks run; None if it is not known.

        It costs next to nothing, and nothing is started for it.
        """

    def close(self) -> None:
        """End all workers and what they started. Twice is once."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...

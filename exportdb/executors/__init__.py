"""Where tasks run. One folder per kind of executor; none of them knows what a case is.

``protocol`` has the words that all kinds share, ``inside`` what a task can say from within. Which
kind is used is decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable

from exportdb.executors.protocol import Executor, Task, Workers


def open_executor(
    workers: Workers = Workers(),  # noqa: B008  # frozen
    started: Callable[[Task], None] = lambda _: None,
) -> Executor:
    """An executor with such workers, to be closed by whoever opened it; today local processes.

    ``started`` is called with each task as it begins. Nothing is started before there is a task.
    """
    from exportdb.executors.local.pool import Pool

    return Pool(workers, started)

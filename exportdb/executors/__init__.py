"""Where tasks run. One folder per kind of executor; none of them knows what a case is.

``protocol`` has the words that all kinds share, ``inside`` what a task can say from within. Which
kind is used is decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exportdb.executors.protocol import Executor, Task, Workers


def open_executor(
    workers: Workers = Workers(),  # noqa: B008  # frozen
    started: Callable[[Task], None] = lambda _: None,
) -> Executor:
    """An executor with such workers, to be closed by whoever opened it.

    ``started`` is called with each task as it begins. Nothing is started before there is a task.
    Raises RunnerError where workers are to be on a cluster that cannot be reached.
    """
    if workers.cluster is not None:
        from exportdb.executors.cluster.nodes import Nodes

        return Nodes(workers.cluster, replace(workers, cluster=None), started)
    from exportdb.executors.local.pool import Pool

    return Pool(workers, started)

"""Environments of exporters on the nodes of a cluster, which have none of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exportdb.environments import store
from exportdb.environments.bridge import Interpreter, bridge
from exportdb.environments.travel import arrived
from exportdb.environments.wanted import EnvironmentTrouble, wanted
from exportdb.executors import open_executor
from exportdb.executors.protocol import Task, Workers


def test_an_interpreter_of_somebody_else_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentTrouble, match="install it on every node"):
        arrived(Interpreter(tmp_path / "python", ()))


@pytest.fixture
def here(
    tmp_path: Path, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """This process, and the node that it starts, find packages among the wheels alone."""
    theirs = {**variables, "EXPORTDB_ENVS": str(tmp_path / "envs"), "XDG_CACHE_HOME": str(tmp_path)}
    for name, value in theirs.items():
        monkeypatch.setenv(name, value)
    yield


@pytest.fixture
def address(here: None) -> Iterator[str]:
    """A cluster of one node."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.wait_for_nodes()
    yield made.address
    made.shutdown()


def answer(address: str, interpreter: Interpreter) -> object:
    """Which tiny-compiler a task finds that runs in this interpreter's like on the node."""
    with open_executor(Workers(cluster=address, interpreter=interpreter)) as executor:
        executor.submit(Task("exportdb.distributions:installed_version", ("tiny-compiler",)))
        (ending,) = executor.endings()
    return ending.value or ending.failure


@pytest.mark.slow
def test_a_node_makes_the_environment_that_it_lacks(address: str, tmp_path: Path) -> None:
    made = store.make(wanted(["tiny-compiler==2.0"]))
    interpreter = bridge(made.python, [], tmp_path, made.lock)
    made.folder.rename(tmp_path / "out of reach")
    assert answer(address, interpreter) == "2.0"
    (again,) = store.listed()
    assert again.lock == made.lock, "the very same versions"

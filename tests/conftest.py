"""What tests of all folders share."""

import os

import pytest

from tests.kept_servers import compiled, kept_servers

# The tests start hundreds of processes: none of them has to compile what another has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

__all__ = ["compiled", "kept_servers"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part",
        metavar="K/N",
        help="run the K-th of N parts: of what is slow, CI runs one a commit",
    )


@pytest.hookimpl(trylast=True)  # of what the markers leave
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (part := config.getoption("--part")):
        return
    kth, _, of = part.partition("/")
    if not (kth.isdecimal() and of.isdecimal() and 1 <= int(kth) <= int(of)):
        raise pytest.UsageError(f"--part {part}: give K/N with 1 <= K <= N, as in 2/40")
    mine = sorted(items, key=lambda item: item.nodeid)[int(kth) - 1 :: int(of)]
    config.hook.pytest_deselected(items=[item for item in items if item not in mine])
    items[:] = mine

"""``exportdb bisect`` names the first bad version, and asks no more versions than it must."""

from __future__ import annotations

import json
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # they make environments

#: Refuses from torch 2.13 on, and cannot be examined with 2.14.
MOODY = """
from importlib import metadata


class Moody:
    name = "moody"

    def capture(self, program):
        if metadata.version("torch").split(".")[1] >= "13":
            raise NotImplementedError("no longer")
        return program.module
"""


@pytest.fixture(scope="module")
def words(user: Path, wheels: Path) -> list[str]:
    """The case and the exporter, with interpreters that say they have torch 2.10 to 2.15."""
    (user / "moody.py").write_text(MOODY)
    base = "".join(f"{path}\n" for path in sys.path if path.endswith("site-packages"))
    pythons = []
    for minor in range(10, 16):
        folder = user / f"torch-2.{minor}"
        venv.create(folder, symlinks=True)
        site = next((folder / "lib").glob("python*/site-packages"))
        told = site / f"torch-2.{minor}.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: torch\nVersion: 2.{minor}.0\n"
        )
        (site / "borrowed.pth").write_text(base)
        pythons.append(f'"2.{minor}" = "{folder / "bin" / "python"}"')
    (user / "exportdb.toml").write_text("[torch]\n" + "\n".join(pythons) + "\n")
    yield ["bisect", "own/one", "--cases", "cases", "--exporter", "moody.py:Moody"]
    (user / "exportdb.toml").unlink()


@pytest.mark.slow
def test_it_names_the_first_bad_version_and_measures_few(exportdb, words):
    done = exportdb(*words, "--good", "2.10", "--bad", "2.15", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["good"], data["bad"], data["exact"]) == ("2.12", "2.13", True)
    assert data["measured"]["2.12"] == "supported" and data["measured"]["2.13"] == "refused"
    assert len(data["measured"]) <= 5  # the two ends and at most three of four between


def test_what_cannot_be_measured_is_skipped_and_told(exportdb, words, user):
    over = f"2.11,2.12=/no/such/python,2.13,2.14={user / 'torch-2.14' / 'bin' / 'python'}"
    done = exportdb(*words, "--good", "2.10", "--bad", "2.15", "--over", over)
    assert done.returncode == 0, done.stderr
    assert "the first that is not supported is one of 2.12, 2.13" in done.stdout
    assert "torch 2.12 cannot be used" in done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("2.13")]
    assert "refused" in line and "no longer" in line


def test_two_versions_that_agree_have_nothing_to_find(exportdb, words):
    done = exportdb(*words, "--good", "2.10", "--bad", "2.12")
    assert done.returncode == 2
    assert "nothing to find: supported on torch 2.10 and on torch 2.12" in done.stderr


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--good", "2.15", "--bad", "2.10"], "2.15 is not older than 2.10"),
        (["--good", "2.10", "--bad", "2.15", "--exporter", "export"], "name one exporter, not 2"),
        (["--good", "2.10", "--bad", "2.15=/no/such/python"], "2.15 cannot be used"),
    ],
)
def test_what_cannot_be_asked_is_told(exportdb, words, more, told):
    done = exportdb(*words, *more)
    assert done.returncode == 2
    assert told in done.stderr

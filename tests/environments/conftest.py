"""Wheels that weigh nothing, and the real command in a user's folder that installs from them alone.

What exportdb needs of an environment is there as wheels without content, at the versions that are
installed here; the one of torch brings a line that lets the environment see the packages here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from exportdb.environments.wanted import name_of, wanted

Command = Callable[..., subprocess.CompletedProcess[str]]

CASE = '''"""
title: Adds {number}
description: The input and {number}.
tags: [torch.dynamic-shape]
"""
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x + {number}

def inputs():
    return torch.arange(3.0)
'''

EXPORTERS = """
class Here:
    name = "here"

    def capture(self, program):
        return program.module


class Tiny:
    name = "tiny"
    requirements = ("tiny-compiler==1.0",)

    def capture(self, program):
        import tiny_compiler

        return tiny_compiler.compile(program.module)


class Newer(Tiny):
    name = "newer"
    requirements = ("tiny-compiler==2.0",)


class Preloaded(Tiny):
    name = "preloaded"
    preload = ("tiny_compiler", "no_such_module")

    def capture(self, program):
        import sys

        assert "tiny_compiler" in sys.modules, "it was not imported beforehand"
        return super().capture(program)


class Absent:
    name = "absent"
    requirements = ("no-such-compiler==9.9",)

    def capture(self, program):
        raise AssertionError("it must never come to this")


class OtherTorch:
    name = "other-torch"
    requirements = ("torch==1.0",)

    def capture(self, program):
        raise AssertionError("nor to this")
"""

TINY = """
def compile(module):
    return {body}
"""


def wheel(folder: Path, name: str, version: str, files: dict[str, str] | None = None) -> None:
    """A wheel of pure Python with these files."""
    stem = f"{name.replace('-', '_')}-{version}"
    told = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    content = {**(files or {}), **{f"{stem}.dist-info/{k}": v for k, v in told.items()}}
    content[f"{stem}.dist-info/RECORD"] = "".join(f"{path},,\n" for path in content)
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("wheels")
    site = sysconfig.get_paths()["purelib"]
    for requirement in wanted([]).ours:
        name = name_of(requirement)
        version = metadata.version(name).partition("+")[0]
        wheel(folder, name, version, {"borrowed.pth": site + "\n"} if name == "torch" else None)
    wheel(folder, "tiny-compiler", "1.0", {"tiny_compiler.py": TINY.format(body="module")})
    wrong = "lambda x: module(x) + 1"
    wheel(folder, "tiny-compiler", "2.0", {"tiny_compiler.py": TINY.format(body=wrong)})
    return folder


@pytest.fixture(scope="session")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder: two cases, and the exporters of a file."""
    root = tmp_path_factory.mktemp("user")
    tree = root / "cases" / "own"
    tree.mkdir(parents=True)
    for name, number in (("one", 1), ("two", 2)):
        (tree / f"{name}.py").write_text(CASE.format(number=number))
    (root / "mine.py").write_text(EXPORTERS)
    return root


@pytest.fixture(scope="session")
def variables(wheels: Path, user: Path) -> dict[str, str]:
    """What keeps uv and pip to the wheels, and all that is made in the user's folder."""
    return {
        "EXPORTDB_ENVS": str(user / "envs"), "EXPORTDB_HOME": str(user / "home"),
        "EXPORTDB_ENV_TOOL": "uv" if shutil.which("uv") else "pip",
        "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_EXTRA_INDEX_URL": "",
        "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(wheels), "UV_OFFLINE": "1",
        "UV_CACHE_DIR": str(user / "uv"),
    }  # fmt: skip


@pytest.fixture(scope="session")
def exportdb(user: Path, variables: dict[str, str]) -> Command:
    """Runs ``exportdb`` in the user's folder."""

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words], cwd=user, capture_output=True,
            text=True, encoding="utf-8", timeout=300, env={**os.environ, **variables, **more},
        )  # fmt: skip

    return run

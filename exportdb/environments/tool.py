"""The tool that makes an environment: uv where there is one, else venv and pip.

Owns the command lines and what to make of a failure. Where environments lie is ``store``'s.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from exportdb.environments.wanted import EnvironmentTrouble, Wanted, name_of

#: Says which tool to take where the choice matters: ``uv`` or ``pip``.
VARIABLE = "EXPORTDB_ENV_TOOL"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Tool:
    """``name`` is ``uv`` or ``pip``; ``uv`` the words that call it."""

    name: str
    uv: tuple[str, ...] = ()

    def make(self, folder: Path, wanted: Wanted, log: Path, say: Say) -> str:
        """Make the environment in ``folder``; what came to be installed, a line each.

        ``say`` hears the tool's lines, ``log`` keeps them. Raises EnvironmentTrouble.
        """
        python = interpreter(folder)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
        if self.name == "uv":
            steps = [
                [*self.uv, "venv", "--quiet", "--python", wanted.python, str(folder)],
                [*self.uv, "pip", "install", "--python", str(python), *wanted.all],
            ]
        else:
            steps = [
                [wanted.python, "-m", "venv", str(folder)],
                [*pip, "install", "--progress-bar", "off", *wanted.all],
            ]
        with log.open("w", encoding="utf-8") as kept:
            for step in steps:
                said = _run(step, kept, say)
                if said is not None:
                    raise EnvironmentTrouble(_why(said, wanted))
        if self.name == "uv":
            freeze = [*self.uv, "pip", "freeze", "--python", str(python)]
        else:  # only what lies in it: a .pth file may let it see the packages of others
            freeze = [*pip, "freeze", "--path", str(_packages(folder))]
        return subprocess.run(freeze, capture_output=True, text=True, check=True).stdout


def interpreter(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "bin" / "python"


def _packages(folder: Path) -> Path:
    """Where an environment's packages lie."""
    return next((folder / "lib").glob("python*/site-packages"))


def choose() -> Tool:
    """The tool to use here. Raises EnvironmentTrouble for a choice that cannot be met."""
    asked = os.environ.get(VARIABLE, "")
    if asked not in ("", "uv", "pip"):
        raise EnvironmentTrouble(f"{VARIABLE} is {asked!r}; it must be uv or pip")
    if asked == "pip":
        return Tool("pip")
    if path := shutil.which("uv"):
        return Tool("uv", (path,))
    if importlib.util.find_spec("uv"):
        return Tool("uv", (sys.executable, "-m", "uv"))
    if asked == "uv":
        raise EnvironmentTrouble(f"{VARIABLE} asks for uv, which is not installed; pip install uv")
    return Tool("pip")


def _run(words: Sequence[str], log: IO[str], say: Say) -> list[str] | None:
    """Run a step; None if it went well, else all that it said."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    said: list[str] = []
    try:
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            text=True, errors="replace", env=environment,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                said.append(line.rstrip())
                log.write(line)
                say(said[-1])
    except OSError as e:
        return [f"{words[0]}: {e.strerror}"]
    return said if process.returncode else None


_TROUBLE = re.compile(r"error|no solution|because|not found|no space|failed", re.IGNORECASE)


def _why(said: Sequence[str], wanted: Wanted) -> str:
    """The line of the tool that tells most: the last that speaks of trouble and of a package."""
    lines = [" ".join(re.sub(r"[│╰─▶×├]", " ", line).split()) for line in said]
    errors = [line for line in lines if _TROUBLE.search(line)]
    names = {name_of(r) for r in wanted.all}
    named = [line for line in errors if any(n in line.lower().replace("_", "-") for n in names)]
    best = ([*lines[-1:], *errors[-1:], *named[-1:]] or ["it said nothing"])[-1]
    return best.partition(", we can conclude")[0].removeprefix("cause: ")[:400]

"""The interpreter that ``saved`` loads a program in: answers calls until its input ends."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import types
from pathlib import Path
from typing import Any

import torch

from exportdb.exporters.saved import receive, send


def main() -> None:
    """Load the program that the first message names, then run it on what the others hold."""
    answers, questions = os.fdopen(os.dup(1), "wb"), sys.stdin.buffer
    os.dup2(2, 1)  # what the program prints must not get between the answers
    torch.set_num_threads(1)
    call: Any = None
    while True:
        try:
            question = receive(questions)
        except EOFError:
            return
        try:
            if call is None:
                _import(*question["imported"])
                call = torch.export.load(question["path"]).module()
                answer: dict[str, Any] = {}
            else:
                answer = _run(call, question)
            send(answers, answer)
        except Exception as e:
            send(answers, {"raised": (type(e).__name__, str(e))})


def _run(call: Any, question: dict[str, Any]) -> dict[str, Any]:
    state = {**dict(call.named_parameters()), **dict(call.named_buffers())}
    known = {k: v for k, v in question["state"].items() if k in state}
    for name, value in known.items():
        state[name].data = value
    args, kwargs = question["args"], question["kwargs"]
    torch.set_rng_state(question["random"])
    output = call(*args, **kwargs)
    return {
        "output": output,
        "inputs": (args, kwargs),
        "state": {name: state[name].detach() for name in known},
        "random": torch.get_rng_state(),
    }


def _import(name: str, file: str | None) -> None:
    """Import the module that defines the program, under the name it had."""
    if not name or name == "__main__":
        return
    if file is None or importlib.util.find_spec(name.partition(".")[0]) is not None:
        importlib.import_module(name)
        return
    module = types.ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    code = compile(Path(file).read_text(encoding="utf-8"), file, "exec", dont_inherit=True)
    device = sys.argv[1]
    with torch.device(device) if device != "cpu" else contextlib.nullcontext():
        exec(code, module.__dict__)


if __name__ == "__main__":
    main()

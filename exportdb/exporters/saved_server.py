"""The other end of ``saved``: an interpreter that knows torch and no program, and forks.

Owns two kinds of processes. The clean one waits on a socket and forks for every connection that is
handed to it; it never loads a program, so that each fork is as clean as a new interpreter and
costs no import of torch. The fork loads one program and answers calls until its connection ends.

A connection is handed over as one byte with three descriptors: the connection itself, where to
print, and a pipe on which the exit code is written once the fork has ended.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import resource
import select
import socket
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch._export.serde.serialize  # what every load needs, imported once for all of them
import torch.export._unlift
from torch._C._functorch import (
    get_dynamic_layer_stack_depth,
    pop_dynamic_layer_stack_and_undo_to_depth,
)

from exportdb.exporters.saved import CODE, DESCRIPTORS, receive, send

#: How long it may take to notice that a fork has ended, or that nobody waits for it, in ms.
_ANSWER_WITHIN = 20


def main(control: int) -> None:
    """Fork for every connection that comes in until the last of those who send some is gone."""
    torch.set_num_threads(1)
    incoming = socket.socket(fileno=control)
    while True:
        byte, descriptors, _, _ = socket.recv_fds(incoming, 1, DESCRIPTORS)
        if not byte:
            return
        if os.fork() == 0:
            incoming.close()
            _watch(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _watch(connection: int, output: int, told: int) -> None:
    """Fork the process that answers; say how it ended, and end it when nobody listens."""
    if (runner := os.fork()) == 0:
        os.close(told)
        os.dup2(output, 1)
        os.dup2(output, 2)
        for stream in (sys.stdout, sys.stderr):  # os._exit, or a signal, writes nothing out
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        code = 1
        try:
            _answer(connection)
            code = 0
        except SystemExit as e:
            code = e.code if isinstance(e.code, int) else int(e.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(connection)
    listening = select.poll()
    listening.register(told, select.POLLERR)
    while not (ended := os.waitpid(runner, os.WNOHANG))[0]:
        if listening.poll(_ANSWER_WITHIN):
            os.kill(runner, 9)
    with contextlib.suppress(BrokenPipeError):
        os.write(told, CODE.pack(os.waitstatus_to_exitcode(ended[1])))
    os._exit(0)


def _answer(connection: int) -> None:
    """Load the program that the first message names, then run it on what the others hold; an empty
    one makes it new."""
    questions, answers = os.fdopen(connection, "rb"), os.fdopen(os.dup(connection), "wb")
    call: Any = None
    loaded: list[tuple[torch.Tensor, torch.Tensor]] = []
    while True:
        try:
            question = receive(questions)
        except EOFError:
            return
        try:
            if call is None:
                call = _load(**question)
                loaded = [(t, t.detach().clone()) for t in _tensors(call)]
                answer: dict[str, Any] = {}
            elif not question:
                for tensor, values in loaded:
                    _fill(tensor, values)
                answer = {}
            else:
                answer = _run(call, question)
            send(answers, answer)
        except Exception as e:
            send(answers, {"raised": (type(e).__name__, str(e))})


def _load(
    path: str, imported: tuple[str, str | None], device: str, sys_path: list[str], memory: int
) -> Any:
    os.chdir(Path(path).parent)
    sys.path[:] = sys_path
    if hasattr(resource, "RLIMIT_DATA"):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    _import(*imported, device)
    return torch.export.load(path).module()


def _tensors(module: Any) -> Iterator[torch.Tensor]:
    """Parameters, buffers and constants."""
    yield from module.parameters()
    yield from module.buffers()
    for owner in module.modules():
        yield from (value for value in vars(owner).values() if isinstance(value, torch.Tensor))


def _fill(tensor: torch.Tensor, values: torch.Tensor) -> None:
    """Give a tensor these values: in place, so that what shares memory goes on sharing it."""
    if tensor.shape == values.shape and tensor.dtype == values.dtype:
        with contextlib.suppress(RuntimeError):  # places that are one, as in an expanded tensor
            tensor.data.copy_(values)
            return
    tensor.data = values.clone()


def _run(call: Any, question: dict[str, Any]) -> dict[str, Any]:
    state = {**dict(call.named_parameters()), **dict(call.named_buffers())}
    known = {k: v for k, v in question["state"].items() if k in state}
    for name, value in known.items():
        _fill(state[name], value)
    args, kwargs = question["args"], question["kwargs"]
    torch.set_rng_state(question["random"])
    level = get_dynamic_layer_stack_depth()
    try:
        with _within(**question["modes"]):
            output = call(*args, **kwargs)
    except Exception:
        # A graph that has vmap's own steps leaves its level open when it raises between them.
        pop_dynamic_layer_stack_and_undo_to_depth(level)
        raise
    return {
        "output": output,
        "inputs": (args, kwargs),
        "state": {name: state[name] for name in known},
        "random": torch.get_rng_state(),
    }


@contextlib.contextmanager
def _within(grad: bool, inference: bool, autocast: tuple[bool, torch.dtype]) -> Iterator[None]:
    """The modes that the caller is in."""
    enabled, dtype = autocast
    autocasting = torch.autocast("cpu", dtype=dtype, enabled=enabled)
    with torch.inference_mode(inference), torch.set_grad_enabled(grad), autocasting:
        yield


def _import(name: str, file: str | None, device: str) -> None:
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
    with torch.device(device) if device != "cpu" else contextlib.nullcontext():
        exec(code, module.__dict__)


if __name__ == "__main__":
    main(int(sys.argv[1]))

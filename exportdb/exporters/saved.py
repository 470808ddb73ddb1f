"""``torch.export.save``, then ``load`` and every call in another process.

Owns the way to that interpreter and back: whatever the program gets and changes (inputs, buffers)
crosses it, aliases among inputs and outputs and the modes of torch that a call is made in included.
The other end is ``saved_server``: one clean interpreter, started once, of which every program gets
a fork of its own.
"""

from __future__ import annotations

import builtins
import io
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported

#: The length of a message, in bytes.
LENGTH = struct.Struct("!Q")
#: An exit code, or minus the signal that ended the process.
CODE = struct.Struct("!i")
#: How many descriptors make a connection (see ``saved_server``).
DESCRIPTORS = 3


class ExportSaved(Exporter):
    """Saved, loaded and run in a process that never saw the program being captured.

    The new process imports what the program was defined in, as a deployment imports its custom
    operators and input types, and nothing else.
    """

    name = "export-saved"
    extends = "export"
    description = "torch.export.save, load and run in another process"
    lacks = frozenset({"training", "fake"})
    default = False
    timeout_factor = 2.0

    def capture(self, program: Program) -> Artifact:
        import torch

        first = exported(program)
        program.announce("save")
        path = Path(tempfile.mkdtemp(prefix="saved-")) / "program.pt2"
        torch.export.save(first, path)
        program.announce("load")
        loaded = _Loaded(path, program)
        return Artifact(
            call=loaded, exported_program=torch.export.load(path), put_back=loaded.put_back
        )


class _Loaded:
    """The program in its interpreter, called as if it were here.

    The module that was captured lends its parameters and buffers as the state that the program
    runs on, and gets it back changed.
    """

    def __init__(self, path: Path, program: Program) -> None:
        self._module = program.module
        own = sys.modules.get(type(program.module).__module__)
        imported = (own.__name__, getattr(own, "__file__", None)) if own else ("", None)
        connection, self._ended = _connect()
        self._questions = connection.makefile("wb")
        self._answers = connection.makefile("rb")
        memory = resource.getrlimit(resource.RLIMIT_DATA)[0]
        self._ask(
            {
                "path": str(path),
                "imported": imported,
                "device": program.device,
                "sys_path": [p for p in sys.path if p],
                "memory": memory,
            }
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import torch
        from torch.utils import _pytree as pytree

        state = self._state()
        answer = self._ask(
            {
                "args": args,
                "kwargs": kwargs,
                "state": {k: v.detach() for k, v in state.items()},
                "random": torch.get_rng_state(),
                "modes": _modes(),
            }
        )
        torch.set_rng_state(answer["random"])
        own = _taken_over({n: state[n] for n in answer["state"]}, answer["state"])
        own |= _taken_over((args, kwargs), answer["inputs"])
        return pytree.tree_map(lambda leaf: own.get(id(leaf), leaf), answer["output"])

    def put_back(self) -> None:
        """Make what the other end keeps, its constants too, as it was when it was loaded."""
        self._ask({})

    def _state(self) -> dict[str, Any]:
        return {**dict(self._module.named_parameters()), **dict(self._module.named_buffers())}

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to ``question``. Raises what the other end raised; dies as it died."""
        try:
            send(self._questions, question)
            answer = receive(self._answers)
        except (BrokenPipeError, ConnectionResetError, EOFError):
            told = self._ended.read(CODE.size)
            if not told:
                raise RuntimeError("no new interpreter could be started") from None
            (code,) = CODE.unpack(told)
            if code < 0:  # what ends the deployment ends the examination
                signal.signal(-code, signal.SIG_DFL)
                os.kill(os.getpid(), -code)
            raise RuntimeError(f"the process that ran it ended with exit code {code}") from None
        if "raised" in answer:
            kind, message = answer["raised"]
            raise _exception(kind)(message)
        return answer


def _connect() -> tuple[socket.socket, BinaryIO]:
    """A connection to a fork of the clean interpreter, and where its exit code will stand."""
    ours, theirs = socket.socketpair()
    ended, told = os.pipe()
    socket.send_fds(_clean_interpreter(), [b"."], [theirs.fileno(), 2, told])
    theirs.close()
    os.close(told)
    return ours, os.fdopen(ended, "rb")


@cache
def _clean_interpreter() -> socket.socket:
    """What hands connections to the clean interpreter, started once and inherited by forks.

    It ends when the last process that has this end is gone.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        subprocess.Popen(
            [sys.executable, "-m", "exportdb.exporters.saved_server", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
    return ours


def send(stream: Any, message: dict[str, Any]) -> None:
    """Write one message; tensors that share memory still do at the other end."""
    import torch

    buffer = io.BytesIO()
    torch.save(message, buffer)
    stream.write(LENGTH.pack(buffer.tell()))
    stream.write(buffer.getbuffer())
    stream.flush()


def receive(stream: Any) -> dict[str, Any]:
    """Read one message. Raises EOFError where there is none."""
    import torch

    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    body = stream.read(LENGTH.unpack(head)[0])
    message: dict[str, Any] = torch.load(io.BytesIO(body), weights_only=False)
    return message


def _modes() -> dict[str, Any]:
    """The modes of torch that a caller may be in: a deployment enters them where it calls."""
    import torch

    return {
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")),
    }


def _taken_over(held: Any, after: Any) -> dict[int, Any]:
    """The tensors that the caller has ``held``, by the ids of those at the other end; they get the
    values and the memory that these have ``after`` the call."""
    import torch
    from torch.utils import _pytree as pytree

    own = {}
    for mine, theirs in zip(pytree.tree_leaves(held), pytree.tree_leaves(after), strict=True):
        if isinstance(mine, torch.Tensor):
            mine.data = theirs.detach()
            own[id(theirs)] = mine
    return own


def _exception(kind: str) -> type[Exception]:
    """The exception class of that name, or one that is called so."""
    known = getattr(builtins, kind, None)
    if isinstance(known, type) and issubclass(known, Exception):
        return known
    return type(kind, (Exception,), {})

"""What tasks of these tests call: one function that behaves, and one for each way not to."""

from __future__ import annotations

import ast
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

from exportdb.executors.inside import announce, settled


def echo(value):
    return value


def process() -> int:
    return os.getpid()


def server_of_mine() -> int:
    return os.getppid()


def killed_while_coming_up(mark: str, times: str) -> None:
    """What a server is to do before it is warm; so many of them are killed over it."""
    kills = Path(mark)
    count = len(kills.read_text()) if kills.exists() else 0
    if count < int(times):
        kills.write_text("x" * (count + 1))
        os.kill(os.getpid(), signal.SIGKILL)


def server_of_mine_later(seconds: float) -> int:
    time.sleep(seconds)
    return os.getppid()


def echo_later(value, seconds: float):
    time.sleep(seconds)
    return value


def variable(name: str) -> str | None:
    return os.environ.get(name)


def not_json():
    return object()


def raises():
    raise ValueError("as it was told to")


# Ways to end


def needs_torch():
    raise ModuleNotFoundError("No module named 'torch'")


def warms_for_ever():
    print("warming up", flush=True)
    time.sleep(600)


def segfault():
    announce("capture")
    print("about to fall")
    ctypes.string_at(0)


def panics_with_a_long_stack():
    print("panicked at 'attempt to divide by zero'", flush=True)
    for n in range(400):
        print(
            f"  {n}: 0x7f0000000000 - some::engine::deep::call\n      at /src/a.rs:{n}", flush=True
        )
    os.abort()


def kills_itself(number: int):
    os.kill(os.getpid(), number)


def kills_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


def sys_exit():
    sys.exit(3)


def os_exit():
    os._exit(3)


def interrupts():
    raise KeyboardInterrupt


# Ways to stay


def meets(mark: str, count: int):
    """Returns when as many tasks as ``count`` have left a mark in one folder."""
    Path(mark).touch()
    while (seen := len(list(Path(mark).parent.iterdir()))) < count:
        time.sleep(0.01)
    return seen


def hangs():
    announce("run")
    time.sleep(600)


def sleeps_in_c_with_the_gil():
    ctypes.PyDLL(None).sleep(600)


def ignores_sigterm():
    for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(s, signal.SIG_IGN)
    while True:
        time.sleep(1)


# Ways to be too much


def prints_without_end():
    while True:
        os.write(1, b"y" * 65536)


def announces_without_end():
    while True:
        announce("run")


def takes_memory():
    held = []
    while True:
        held.append(bytearray(16 * 2**20))


def starts_threads_without_end():
    while True:
        threading.Thread(target=time.sleep, args=(600,)).start()


def cuts_the_line():
    os.closerange(3, 256)


def talks_in_between():
    import socket

    for fd in range(3, 64):
        try:
            socket.socket(fileno=os.dup(fd)).sendall(b"[no]\n")
        except OSError:
            continue
    time.sleep(600)


# Ways to leave something behind


def leaves_a_process(note: str):
    child = subprocess.Popen(["sleep", "613"])
    Path(note).write_text(str(child.pid))


def starts_a_helper(note: str):
    """A preload: what it starts is for all workers."""
    leaves_a_process(note)


def leaves_a_daemon(note: str):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(note).write_text(str(os.getpid()))
            time.sleep(613)
        os._exit(0)
    os.wait()
    time.sleep(0.2)


def litters():
    Path("litter").write_text("here")
    return str(Path.cwd())


def changes(what: str) -> int:
    """Change one thing of the process, of the interpreter or of torch."""
    torch = sys.modules.get("torch")
    if what == "environment":
        os.environ["LEFT"] = "behind"
    elif what == "directory":
        os.chdir("/")
    elif what == "signal handler":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif what == "sys.path":
        sys.path.insert(0, "/nowhere")
    elif what == "recursion limit":
        sys.setrecursionlimit(5000)
    elif what == "thread":
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    elif what == "warning filter":
        warnings.simplefilter("ignore")
    elif what == "stdout":
        sys.stdout = sys.stderr
    elif what == "builtin":
        import builtins

        builtins.sum = len
    elif what == "patched ast":
        ast.parse = None
    elif what == "patched sympy":
        sys.modules["sympy"].Symbol = None
    elif what == "patched numpy.random":
        sys.modules["numpy.random"].seed = lambda *a: None
    elif what == "default dtype":
        torch.set_default_dtype(torch.float64)
    elif what == "default device":
        torch.set_default_device("meta")
    elif what == "grad mode":
        torch.set_grad_enabled(False)
    elif what == "deterministic":
        torch.use_deterministic_algorithms(True)
    elif what == "threads of torch":
        torch.set_num_threads(2)
    elif what == "patched relu":
        torch.relu = torch.sin
    elif what == "patched method":
        torch.nn.Linear.forward = lambda self, x: x
    elif what == "patched Tensor":
        torch.Tensor.add = torch.Tensor.sub
    elif what == "configuration":
        torch._dynamo.config.recompile_limit = 3
    elif what == "pytree":

        class Mine:
            pass

        torch.utils._pytree.register_pytree_node(Mine, lambda m: ([], None), lambda v, c: Mine())
    elif what == "custom operator":
        torch.library.custom_op("exportdb_test::op", lambda x: x.clone(), mutates_args=(),
                                schema="(Tensor x) -> Tensor")  # fmt: skip
    elif what == "another kernel":
        warnings.simplefilter("ignore")
        global _library
        _library = torch.library.Library("aten", "IMPL")
        _library.impl("relu", lambda x: x, "CPU")
    elif what == "hook":
        torch.nn.modules.module.register_module_forward_hook(lambda *a: None)
    elif what == "mode":
        torch.utils._python_dispatch.TorchDispatchMode().__enter__()
    elif what == "autocast":
        torch.set_autocast_enabled("cpu", True)
    elif what == "random numbers":
        torch.manual_seed(99)
        torch.rand(3)
    else:
        raise AssertionError(what)
    return os.getpid()


def state() -> dict:
    """What the next program would feel of all that."""
    import random

    seen = {
        "environment": os.environ.get("LEFT"),
        "directory": Path.cwd() == Path("/"),
        "handler": signal.getsignal(signal.SIGTERM) == signal.SIG_IGN,
        "path": "/nowhere" in sys.path,
        "recursion": sys.getrecursionlimit(),
        "threads": threading.active_count(),
        "filters": len(warnings.filters),
        "stdout": sys.stdout is sys.stderr,
        "sum": sum([2, 3]),
        "ast": callable(ast.parse),
        "sympy": callable(sys.modules["sympy"].Symbol),
        "numpy": sys.modules["numpy.random"].seed.__name__,
        "random": random.random(),
    }
    if torch := sys.modules.get("torch"):
        module = torch.nn.Linear(2, 3)
        seen |= {
            "zeros": str(torch.zeros(1).dtype) + str(torch.zeros(1).device),
            "grad": torch.is_grad_enabled(),
            "deterministic": torch.are_deterministic_algorithms_enabled(),
            "num_threads": torch.get_num_threads(),
            "relu": torch.relu(torch.tensor([-1.0, 2.0])).tolist(),
            "linear": list(module(torch.ones(1, 2)).shape),
            "add": torch.ones(1).add(torch.ones(1)).item(),
            "limit": torch._dynamo.config.recompile_limit,
            "pytree": len(torch.utils._pytree.SUPPORTED_NODES),
            "operator": hasattr(torch.ops.exportdb_test, "op"),
            "hooks": len(torch.nn.modules.module._global_forward_hooks),
            "modes": torch._C._len_torch_dispatch_stack(),
            "autocast": torch.is_autocast_enabled("cpu"),
            "rand": torch.rand(1).item(),
        }
    return seen


def captures() -> int:
    """An ordinary capture with an input of its own."""
    import torch

    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)) + torch.relu(x) * x.shape[0]

    n = torch.export.Dim("n", max=9)
    torch.export.export(Model(), (torch.ones(5),), dynamic_shapes=({0: n},), strict=False)
    return os.getpid()


def record(case: str, digest: str) -> dict:
    """A record of a common size, without the work."""
    from exportdb.records.record import Record, SampleResult

    samples = tuple(
        SampleResult("accepts", f"n={i}", "agrees", {"n": i, "m": 2 * i}) for i in range(24)
    )
    graph = "\n".join(f"%add_{i} = call_function[target=aten.add.Tensor]()" for i in range(100))
    made = Record(
        case, "export", "cpu", "supported", "compare", case_digest=digest, samples=samples,
        graph=graph, graph_digest="0" * 16, graph_readable=graph,
        facts={"guards": [f"n > {i}" for i in range(20)]}, seconds={"capture": 0.1},
    )  # fmt: skip
    return {"record": made.to_json(), "imported": {"files": {}, "distributions": {}}}


# Ways to harm others


def imports_numpy():
    import numpy.random  # noqa: F401


def breaks_seeding():
    import numpy.random

    numpy.random.seed = None


def breaks_the_clean_up():
    import random

    random.seed = sys.exit


def breaks_what_takes_the_next_task():
    """Nobody sees this, but whoever comes next dies before it has begun."""
    from exportdb.executors.local import worker

    worker.loads = lambda body: os._exit(7)


def kills_its_parent_soon(mark: str):
    """As soon as somebody else has left a mark."""
    while not Path(mark).exists():
        time.sleep(0.01)
    kills_its_parent()


def leaves_a_mark(mark: str) -> None:
    with Path(mark).open("a") as file:
        file.write("x")


def leaves_a_mark_and_waits(mark: str):
    """Is at work when its parent is killed; counts how often it began."""
    with Path(mark).open("a") as file:
        file.write("x")
    time.sleep(1)
    return len(Path(mark).read_text())


def stops_its_parent():
    os.kill(os.getppid(), signal.SIGSTOP)


# Ways to write on the line to the parent


def spoils_where_processes_begin(how: str):
    """Take away the folder in which each process has one of its own, or make that of the next."""
    mine, folders = int(Path.cwd().name), Path.cwd().parent
    if how == "exists":
        for number in range(mine + 1, mine + 9):
            (folders / str(number)).mkdir()
        return
    os.chdir("/")
    shutil.rmtree(folders)


def spoils_what_processes_begin_with() -> None:
    """What a server is to do before it is warm, after which none of its processes comes up."""
    from exportdb.executors.local import worker

    worker.main = None


def line() -> int:
    """The file descriptor of the line to the parent: the only socket."""
    import stat

    sockets = (n for n in map(int, os.listdir("/proc/self/fd")) if n > 2)  # noqa: PTH208
    for fd in sockets:
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise AssertionError


def writes_on_the_line(text: str, times: int, then_sleep: float = 600):
    for _ in range(times):
        os.write(line(), text.encode())
        time.sleep(0.01)
    time.sleep(then_sleep)


def leaves_a_writer_on_the_line(text: str, reading: bool = False):
    """A process of its own session, which holds the line for as long as it lives."""
    fd = line()
    if os.fork() == 0:
        os.setsid()
        while True:
            if reading:
                os.read(fd, 65536)
            os.write(fd, text.encode())
            time.sleep(0.001)


def leaves_a_writer_and_hangs(text: str):
    leaves_a_writer_on_the_line(text)
    time.sleep(600)


def leaves_a_writer_and_dies(text: str):
    leaves_a_writer_on_the_line(text)
    os._exit(3)


def stops_reading():
    """Takes the length of the next task, and never the task."""
    from exportdb.executors.local import worker

    class Stuck:
        size = worker.HEAD.size

        def unpack(self, head):
            time.sleep(600)

    worker.HEAD = Stuck()


class CannotBeSent:
    """Pickling it runs into an error of its own."""

    def __reduce__(self):
        raise OSError("no such thing")


def starts_a_thread_and_settles() -> int:
    """As a device does that is initialised: CUDA registers kernels, too."""
    import torch

    if "exportdb_settled" not in torch.library._defs:
        torch.library._defs.add("exportdb_settled")
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    settled()
    return os.getpid()

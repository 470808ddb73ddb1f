"""AOTInductor: an exported program compiled to a package of native code, loaded and run.

Owns the packages it keeps between runs. One is used again only for what is the same in every
byte: the exported program as ``torch.export.save`` writes it, the file the program was defined in
(its custom operators), torch, the compiler and the settings. Anything else compiles anew.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_compile import no_compiler
from exportdb.exporters.torch_export import exported
from exportdb.files import write_whole

#: Read by every package, once in a process: whether it looks at its inputs.
CHECK = "AOTI_RUNTIME_CHECK_INPUTS"
#: Where packages are kept; unset, nothing is.
FOLDER = "EXPORTDB_PACKAGES"
_SETTINGS: dict[str, Any] = {
    # The wrapper calls kernels; optimising it takes a third of the time and changes no result.
    "aot_inductor.compile_wrapper_opt_level": "O0",
    # Its own random numbers would be right and different; what eager draws can be compared.
    "fallback_random": True,
}


class AotInductor(Exporter):
    """``aoti_compile_and_package`` and ``aoti_load_package``, as they are called by default.

    The package runs on the parameters and buffers of the module that was captured, handed to it
    before each call, so that what it changes in place can be seen. Those that it takes none of are
    folded into its code: Inductor does so with vectors of up to eight elements.
    """

    name = "aot-inductor"
    extends = "export"
    description = "torch._inductor.aoti_compile_and_package, loaded and run; inputs unchecked"
    lacks = frozenset({"training", "fake"})
    devices = ("cpu", "cuda")
    default = False
    timeout_factor = 4.0
    warm_with = "inductor"
    checks: ClassVar[str] = "0"

    def unusable(self) -> str | None:
        return no_compiler()

    def capture(self, program: Program) -> Artifact:
        import torch

        first = exported(program)
        program.announce("lower")
        package = _package(first, program)
        program.announce("load")
        os.environ[CHECK] = self.checks
        loaded = torch._inductor.aoti_load_package(package)
        constants = loaded.get_constant_fqns()

        def own() -> dict[str, Any]:
            module = program.module
            every = {"remove_duplicate": False}
            return {**dict(module.named_parameters(**every)), **dict(module.named_buffers(**every))}

        def call(*args: Any, **kwargs: Any) -> Any:
            state = own()
            given = {name: state[name].detach() for name in constants if name in state}
            if given:
                loaded.load_constants(given, check_full_update=False, user_managed=True)
            return loaded(*args, **kwargs)

        state = own()
        taken = {id(state[name]) for name in constants if name in state}
        folded = {name for name, tensor in state.items() if id(tensor) not in taken}
        return Artifact(call=call, exported_program=first, folded=folded)


class AotInductorChecked(AotInductor):
    """The same package with its input checks on: sizes, strides and dtypes it was compiled for."""

    name = "aot-inductor-checked"
    extends = "aot-inductor"
    description = f"as aot-inductor, with {CHECK}=1"
    checks = "1"


def _package(exported: Any, program: Program) -> str:
    """The path of the compiled package, from an earlier run where there is one."""
    import torch

    def compiled(path: Path) -> str:
        with _as_captured(exported):
            return str(
                torch._inductor.aoti_compile_and_package(
                    exported, package_path=str(path), inductor_configs=dict(_SETTINGS)
                )
            )

    scratch = Path(tempfile.mkdtemp(prefix="aoti-")) / "model.pt2"
    if not (folder := os.environ.get(FOLDER)):
        return compiled(scratch)
    kept = Path(folder) / f"{_key(exported, program)}.pt2"
    if not kept.is_file():
        compiled(scratch)
        # Another run may write the same; the last to be complete stays.
        write_whole(kept, scratch.read_bytes())
    return str(kept)


@contextlib.contextmanager
def _as_captured(exported: Any) -> Iterator[None]:
    """Takes back the guards and ranges that the compiler adds to the program it is given.

    The facts of a record are the capture's: the same whether its package was compiled now or kept.
    """
    from exportdb.symbolic.values import shape_env_of

    env = shape_env_of(node.meta.get("val") for node in exported.graph.nodes)
    known = {} if env is None else {name: _kept(value) for name, value in vars(env).items()}
    try:
        yield
    finally:
        if env is not None:
            vars(env).update(known)


def _kept(value: Any) -> Any:
    """A container as it is now, those in it included; anything else itself."""
    if isinstance(value, dict):
        kept = copy.copy(value)
        kept.update((key, _kept(item)) for key, item in value.items())
        return kept
    return copy.copy(value) if isinstance(value, list | set) else value


def _key(exported: Any, program: Program) -> str:
    """Digest of everything that the package depends on."""
    import torch

    saved = scratch = Path(tempfile.mkdtemp(prefix="key-")) / "program.pt2"
    torch.export.save(exported, scratch)
    found = hashlib.sha256()
    with zipfile.ZipFile(saved) as archive:  # without the times and the name of the file
        for name in sorted(archive.namelist()):
            inner = name.partition("/")[2]
            found.update(f"{inner}\0".encode())
            found.update(archive.read(name))
    own = sys.modules.get(type(program.module).__module__)
    source = Path(getattr(own, "__file__", None) or os.devnull)
    found.update(source.read_bytes() if source.is_file() else b"")
    settings = torch._inductor.config.save_config_portable()
    settings.pop("aot_inductor.metadata", None)  # written by every compilation, read by none
    found.update(
        json.dumps(
            [torch.__version__, torch.version.git_version, program.device, _compiler(),
             sorted(_SETTINGS.items()), repr(sorted(settings.items()))]
        ).encode()
    )  # fmt: skip
    return found.hexdigest()[:32]


def _compiler() -> str:
    """What compiles: its path and version, and the instructions it may use."""
    import torch
    from torch._inductor.cpp_builder import get_cpp_compiler

    path = get_cpp_compiler()
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    isa = torch._inductor.cpu_vec_isa.pick_vec_isa()  # its repr holds an address of this process
    return f"{path} {said.partition(chr(10))[0]} {isa} {isa.build_arch_flags()}"

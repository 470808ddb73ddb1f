"""Warming up: what a process has done before others are forked from it."""

from __future__ import annotations

import subprocess
import sys

# As on a machine with a GPU, as far as that goes without one: torch says that there is one, and
# whoever initialises CUDA is heard.
WITH_A_GPU = """
import torch
from exportdb.runner.warm import MANY, warm

used = []
torch.cuda.is_available = lambda: True
torch._C._cuda_init = lambda: used.append("CUDA")
torch.cuda._lazy_init = torch.cuda.random._lazy_init = lambda: torch._C._cuda_init()
torch.cuda.get_device_capability = lambda *_: used.append("its capability")
torch._C._ensureCUDADeviceGuardSet = lambda: used.append("its devices")
warm(str(MANY), "export", "export-strict", "inductor")
from torch._inductor.codecache import CacheBase
from torch.utils._triton import has_triton
remembered = has_triton, CacheBase.get_system
print(used, torch.cuda.is_available(), [f.cache_info().currsize for f in remembered])
"""


def test_a_gpu_is_left_alone_as_a_process_that_used_one_cannot_be_forked() -> None:
    said = subprocess.run(
        [sys.executable, "-c", WITH_A_GPU], capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines()[-1] == "[] True [0, 0]"

"""What tests of all folders share."""

import os

from tests.kept_servers import compiled, kept_servers

# The tests start hundreds of processes: none of them has to compile what another has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

__all__ = ["compiled", "kept_servers"]

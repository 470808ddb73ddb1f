"""What tests of all folders share."""

from tests.kept_servers import compiled, kept_servers

__all__ = ["compiled", "kept_servers"]

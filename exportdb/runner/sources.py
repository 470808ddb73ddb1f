"""What of exportdb's own source a kept answer hangs on."""

from __future__ import annotations

from pathlib import Path

import exportdb
from exportdb.records.record import digest


def digest_of_sources(*names: str) -> str:
    """Digest of files and folders of the package, given by their paths in it; no lint counts."""
    root = Path(exportdb.__file__).parent
    sources = [p for name in names for p in sorted((root / name).rglob("*.py")) or [root / name]]
    sources = [p for p in sources if "lint" not in p.relative_to(root).parts]
    return digest(b"\0".join(p.read_bytes() for p in sources))

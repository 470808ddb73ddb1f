"""The name and the version of an installed distribution, without the parser of e-mails.

``importlib.metadata`` has the whole METADATA file parsed as an e-mail for each of them, which takes
longer than all else that a command reads. Only the first lines of the file are looked at here.
"""

from __future__ import annotations

from importlib import metadata

#: Lines of METADATA among which the name and the version stand.
_FIRST = 20


def name_and_version(distribution: metadata.Distribution) -> tuple[str, str]:
    """What the distribution is called and which version it has."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    header: dict[str, str] = {}
    for line in text.splitlines()[:_FIRST]:
        key, colon, value = line.partition(":")
        if not colon:
            break
        header.setdefault(key.lower(), value.strip())
    if header.get("name") and header.get("version"):
        return header["name"], header["version"]
    return distribution.name, distribution.version


def installed_version(name: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return name_and_version(metadata.distribution(name))[1]
    except metadata.PackageNotFoundError:
        return None

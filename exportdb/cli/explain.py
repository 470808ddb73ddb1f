"""``exportdb explain``: from an error text or traceback to what it means and what to do."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import BinaryIO

import click

from exportdb.cli import output
from exportdb.explain import explain
from exportdb.explain.reading import LONGEST
from exportdb.files import names_a_file

EXIT_UNSURE = 1
#: A word that is meant as the name of a file, whether or not there is one.
_FILE = re.compile(r"[^\s:()'\"]+\.(?:txt|log|out|err|md|json)")
#: An entry of the catalogue, by its ID alone.
_ENTRY = re.compile(r"[Ee]\d{4}")


@click.command()
@click.argument("text", nargs=-1)
# Not options.json_option: what options imports takes longer than explaining.
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(text: tuple[str, ...], as_json: bool) -> int:
    """Explain an error: what it means, what to do, cases that show it.

    TEXT is the error or traceback itself, the name of a file, or - for standard input (the
    default). The ID of an entry, like E0001, shows that entry.

    \b
      python model.py 2>&1 | exportdb explain
      exportdb explain log.txt
      exportdb explain "Could not guard on data-dependent expression Eq(u0, 1)"

    Exit codes: 0 explained, 1 no sure match, 2 nothing to read.
    """
    said = _read(text)
    if not said.strip():
        raise click.UsageError("there is no text: give it, a file, or - for standard input")
    if _ENTRY.fullmatch(said.strip()):
        from exportdb.cli import entry  # no text needs it

        entry.show(said.strip().upper(), (), as_json)
        return 0
    found = explain(said)
    if as_json:
        output.put_json(found.as_json())
    else:
        output.put(str(found))
    return 0 if found.sure else EXIT_UNSURE


def _read(words: tuple[str, ...]) -> str:
    if words in ((), ("-",)):
        if not words and sys.stdin.isatty():
            return ""
        return _ends(sys.stdin.buffer)
    if len(words) == 1:
        if names_a_file(words[0]):
            try:
                with Path(words[0]).open("rb") as file:
                    return _ends(file)
            except OSError as e:
                raise click.UsageError(f"{words[0]} cannot be read: {e.strerror}") from None
        if _FILE.fullmatch(words[0]):
            raise click.UsageError(
                f"there is no file {words[0]}; give the text itself, a file, or - for standard "
                "input"
            )
    return " ".join(words)


def _ends(file: BinaryIO) -> str:
    """A file's text, of a huge one its beginning and its end: more than is read of a text, so that
    it is known to be cut."""
    most = 4 * LONGEST  # a character has four bytes at most
    head, tail = file.read(most), b""
    while more := file.read(most):
        tail = (tail + more)[-most:]
    return (head + tail).decode("utf-8", "replace")

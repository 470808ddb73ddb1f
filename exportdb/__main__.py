"""``python -m exportdb`` is the ``exportdb`` command."""

from exportdb.cli.main import main

main()

"""Environments of exporters: made once, found again by what they hold, listed and removed.

``wanted`` says what one must hold, ``store`` keeps them, ``tool`` makes them, ``bridge`` lets
their interpreters run this very exportdb, ``travel`` has their like on another machine. Examining
in them is left to ``exportdb.runner``.
"""

"""The database of what PyTorch exporters can and cannot capture.

Importing this package is cheap and never imports torch. The floors, lowest first, are
``cases``, ``records``, ``devices``, ``symbolic``, ``exporters``, ``conformance``, ``runner``,
``store`` and ``cli``; each uses only those before it.
"""

__version__ = "0.1.0"

"""The database of what PyTorch exporters can and cannot capture.

Importing this package is cheap and never imports torch. ``examine``, ``explain`` and ``diagnose``
are what a notebook or a test calls. The guide architecture.md says what each folder owns, and which
may use which.
"""

__version__ = "0.1.0"

#: Names of this package that are imported when they are asked for, and where they live.
_LAZY = {
    "diagnose": ("exportdb.diagnose", ""),
    "examine": ("exportdb.api", "examine"),
    "explain": ("exportdb.explain", ""),
    "load_ipython_extension": ("exportdb.explain.notebook", "load_ipython_extension"),
    "unload_ipython_extension": ("exportdb.explain.notebook", "unload_ipython_extension"),
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module, attribute = _LAZY[name]
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found

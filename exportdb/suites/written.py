"""Example inputs as Python text: what ``torch.save`` wrote, as the expression that makes its like.

Owns how a tensor is written: by shape, dtype and range, never by its values.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection
from pathlib import Path
from typing import Any

from exportdb.cases.case import CaseError


def inputs_text(path: Path, takes: Collection[str] = ()) -> str:
    """An expression that makes inputs like those in a file that ``torch.save`` wrote.

    A tuple has the positional arguments, and so has a list of as many as the module ``takes``; a
    dict that has all that it takes by name has keyword arguments. All else is one argument. Warns
    where a list of one could be meant either way.
    Loads nothing but tensors, numbers, words and containers of them. Raises CaseError where the
    file holds anything else, or cannot be read.
    """
    try:
        import torch
    except ModuleNotFoundError:
        raise CaseError(
            path, 1, "reading saved inputs needs torch: pip install 'exportdb[torch]'"
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on how it was saved: what follows is enough
            saved = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as e:
        raise CaseError(path, 0, f"cannot be read: {e.strerror}") from None
    except Exception as e:  # pickle's errors are of many kinds
        raise CaseError(path, 0, f"{_not_loaded(str(e))}; {_EXPECTED}") from None
    if isinstance(saved, list) and len(saved) == len(takes) >= 1:
        if len(saved) == 1:
            warnings.warn(
                f"{path} holds a list of one, which is taken as the arguments: {next(iter(takes))} "
                "is its element; save a tuple with the list in it if it is to be the list",
                stacklevel=2,
            )
        saved = tuple(saved)
    try:
        text = expression(saved)
    except TypeError as e:
        raise CaseError(path, 0, f"holds {e}; {_EXPECTED}") from None
    named = isinstance(saved, dict) and takes and set(takes) <= saved.keys()
    return text if named or isinstance(saved, tuple) else f"({text},)"


def expression(value: Any) -> str:
    """Python text that makes a value like this one.

    >>> import torch
    >>> expression((torch.zeros(2, 3), {"mask": torch.ones(2, dtype=torch.bool), "k": 3}))
    '(torch.randn(2, 3), {"mask": torch.rand(2) > 0.5, "k": 3})'

    Raises TypeError for what has no text, and names it.
    """
    import torch

    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if value is None or isinstance(value, bool | int | float):
        return f'float("{value}")' if value != value or value in _INFINITE else repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if type(value) is dict:
        return "{" + ", ".join(f"{expression(k)}: {expression(v)}" for k, v in value.items()) + "}"
    if type(value) in (list, tuple):
        items = ", ".join(map(expression, value))
        if type(value) is list:
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, torch.device):
        return f'torch.device("{value}")'
    name = type(value).__name__
    raise TypeError(f"a{'n' * (name[0] in _VOWELS)} {name}")


def _not_loaded(said: str) -> str:
    """What is wrong with a file that torch.load complains of."""
    if found := re.search(r"GLOBAL ([\w.]+)|Unsupported class ([\w.]+)", said):
        name = found[1] or found[2]
        held = "a NumPy array" if name.startswith("numpy.") else name
        return f"holds {held}, and loading anything but plain data would run code of the file"
    if "TorchScript" in said:
        return "holds a TorchScript module"
    return "is no file that torch.save wrote, or is damaged"


#: What a file of inputs is to hold.
_EXPECTED = (
    "expected are inputs: a tensor, or a tuple, list or dict of tensors, numbers and words, "
    "written by torch.save"
)
_VOWELS = frozenset("AEIOUaeiou")

_INFINITE = (float("inf"), float("-inf"))


def _quoted(text: str) -> str:
    return repr(text) if '"' in text or "\\" in text or not text.isprintable() else f'"{text}"'


def _tensor(tensor: Any) -> str:
    import torch

    if tensor.layout is not torch.strided or tensor.is_nested or tensor.is_quantized:
        kind = "nested" if tensor.is_nested else str(tensor.layout).removeprefix("torch.")
        raise TypeError(f"a {'quantized' if tensor.is_quantized else kind} tensor")
    shape = ", ".join(map(str, tensor.shape)) or "()"
    dtype = "" if tensor.dtype is torch.float32 else f", dtype={tensor.dtype}"
    if tensor.dtype is torch.bool:
        return f"torch.rand({shape}) > 0.5"
    if tensor.is_floating_point() or tensor.is_complex():
        if tensor.dtype.itemsize == 1:
            return f"torch.randn({shape}).to({tensor.dtype})"
        return f"torch.randn({shape}{dtype})"
    low, high = (int(tensor.min()), int(tensor.max())) if tensor.numel() else (0, 1)
    dtype = "" if tensor.dtype is torch.int64 else dtype
    sizes = ", ".join(map(str, tensor.shape)) + ("," if tensor.dim() == 1 else "")
    return f"torch.randint({low}, {high + 1}, ({sizes}){dtype})"

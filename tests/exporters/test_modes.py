"""The modes of ``torch.export``: which of them a version of torch has."""

from __future__ import annotations

import pytest
import torch

from exportdb.exporters.torch_export import Export, ExportDeferred, ExportStrict


def test_deferred_assertions_need_a_torch_that_takes_the_flag(monkeypatch: pytest.MonkeyPatch):
    assert ExportDeferred().unusable() is None

    def of_torch_2_8(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False):
        raise AssertionError("nothing is captured to find out")

    monkeypatch.setattr(torch.export, "export", of_torch_2_8)
    told = ExportDeferred().unusable()
    assert told and "takes no prefer_deferred_runtime_asserts_over_guards" in told
    assert (Export().unusable(), ExportStrict().unusable()) == (None, None)

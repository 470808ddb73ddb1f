"""Fake devices: what is captured without the hardware, and what is said where it cannot be."""

from __future__ import annotations

import json

import pytest

torch = pytest.importorskip("torch")
FAKES = ("fake-cuda", "fake-xpu", "fake-mps")


def run(exportdb, *words: str) -> list[dict]:
    done = exportdb("run", *words, "--json")
    assert done.returncode == 0, done.stderr
    return [r for r in map(json.loads, done.stdout.splitlines()) if "outcome" in r]


@pytest.fixture
def records(exportdb):
    """Records of some cases on a fake device, by case."""

    def of(exporter: str, *cases: str) -> dict[str, dict]:
        found = run(exportdb, *cases, "--exporter", exporter, "--device", "fake-cuda")
        return {r["case"]: r for r in found}

    return of


def test_any_build_of_torch_captures_for_any_device(exportdb):
    # Indexing, filling parameters and autograd all ask torch for the device's guard.
    cases = ("modules/shared_submodule", "dynamic_shapes/size_with_range", "modules/forward_hook")
    found = run(exportdb, *cases, "--exporter", "export,symbolic", "--device", ",".join(FAKES))
    assert len(found) == 3 * 2 * len(FAKES)
    for record in found:
        assert record["outcome"] == "predicted", record


def test_the_program_is_told_the_device(exportdb, tmp_path):
    (tmp_path / "told.py").write_text(
        "class Told:\n"
        "    name = 'told'\n"
        "    def capture(self, program):\n"
        "        x = program.args[0]\n"
        "        raise ValueError(f'captured on {x.device}, moved to {x.cpu().device}')\n"
    )
    words = ("modules/shared_submodule", "--exporter", "told.py:Told", "--device", ",".join(FAKES))
    told = {r["device"]: r["error"]["message"] for r in run(exportdb, *words)}
    for device in FAKES:
        kind = device.removeprefix("fake-")
        assert f"captured on {kind}:0, moved to cpu" in told[device]


def test_shapes_are_compared_and_values_are_not(records, tmp_path):
    (tmp_path / "wrong.py").write_text(
        "class Values:\n"
        "    def capture(self, program):\n"
        "        return lambda *a, **k: program.module(*a, **k) + 1\n\n"
        "class Shapes:\n"
        "    def capture(self, program):\n"
        "        return lambda *a, **k: program.module(*a, **k)[:1]\n"
    )
    case = "dynamic_shapes/derived_dim_double"
    assert records("wrong.py:Values", case)[case]["outcome"] == "predicted"
    assert records("wrong.py:Shapes", case)[case]["outcome"] == "wrong"


def test_a_capture_is_made_and_what_needs_values_is_unavailable(records):
    found = records("export", "dynamic_shapes/derived_dim_double", "data_dependent/nonzero",
                    "data_dependent/index_tensor", "autograd/checkpoint")  # fmt: skip
    assert found["dynamic_shapes/derived_dim_double"]["outcome"] == "predicted"
    assert "s0" in found["dynamic_shapes/derived_dim_double"]["graph"]
    assert found["data_dependent/index_tensor"]["outcome"] == "predicted"  # copies its inputs
    for case, what in (("data_dependent/nonzero", "values"), ("autograd/checkpoint", "training")):
        assert found[case]["outcome"] == "unavailable"
        assert what in found[case]["error"]["message"]


def test_an_exporter_that_runs_the_program_for_real_is_unavailable(records):
    case = "dynamic_shapes/derived_dim_double"
    assert records("jit-trace", case)[case]["outcome"] == "unavailable"


def test_cuda_itself_says_that_there_is_no_gpu(exportdb):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    case = "dynamic_shapes/derived_dim_double"
    (record,) = run(exportdb, case, "--exporter", "export", "--device", "cuda")
    assert record["outcome"] == "unavailable"
    said = "finds no GPU" if torch.backends.cuda.is_built() else "built without CUDA"
    assert said in record["error"]["message"]

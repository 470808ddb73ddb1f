"""What is near where no wording fits: by words, by names, by the place that raised it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exportdb.cases.catalogue import Entry
from exportdb.explain import explain
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import place_terms, read
from tests.explain.texts import entry, first

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import learn_places


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        # torch 2.1, 2.2 and 2.4, which no torch of today says.
        ("AssertionError: original output #3 is None, but only the following types are "
         "supported: (<class 'torch.Tensor'>, <class 'torch.SymInt'>)", "E0209"),
        ("Unsupported: Invoking an nn.Module inside HigherOrderOperator", "E0412"),
        ("RuntimeError: TypeError: cannot determine truth value of Relational  File torch/fx/"
         "experimental/symbolic_shapes.py", "E0130"),
        ("AssertionError: Global state changed while dynamo tracing, please report a bug", "E0608"),
        # torch 0.4 and 1.0 to 1.4, of symbolic functions that are missing.
        ("torch.onnx.symbolic.Constant does not exist", "E0707"),
        ("UserWarning: ONNX export failed on ATen operator group_norm because "
         "torch.onnx.symbolic_opset9.group_norm does not exist", "E0707"),
        # TorchScript's compiler, of builtins that it has its own of.
        ("RuntimeError: \ngetattr expected exactly 2 arguments but found 3", "E0511"),
        # Graph breaks by what they are about, and what only their explanation says.
        ("torch._dynamo.exc.Unsupported: logging.Logger method not supported for non-export cases",
         "E0305"),
        ("Explanation: Failed to compare A() with B(), because B() is not a Python constant or its "
         "mutation check fails.", "E0621"),
        ("queue_callback() is only supported when Compiled Autograd is enabled with "
         "fullgraph=True.", "E0434"),
        # An older torch on a newer Python; a number where a symbol was; a kernel that gave data.
        ("KeyError: 'JUMP_ABSOLUTE'", "E0633"),
        ("AttributeError: 'int' object has no attribute 'node'", "E0017"),
        ("AssertionError: tensor's device must be `meta`, got cpu instead", "E0408"),
        ("BackendCompilerFailed: backend='inductor' raised:\nCompilationError: at 8:11:\n"
         "def triton_(in_ptr0, out_ptr0):", "E0816"),
        # The title of an issue, without any message.
        ("cudagraph error when I accumulate gradients over compiled blocks", "E0814"),
        ("RuntimeError: apply_with_saved not implemented: torch::autograd::CppNode<MyOp>", "E0434"),
        # A cause that torch 2.15 wraps.
        ("BackendCompilerFailed: backend='mine' raised:\nAssertionError: Node mul_3 was invalid, "
         "but is output", "E0435"),
        # torch 2.15, of saving what was compiled, and of one compilation for all ranks.
        ("NotImplementedError: compile_to_python cannot bake a symbolic SymInt; precompile "
         "specializes to static shapes.", "E1011"),
        ("PackageError: precompile cannot capture a bound method: capture a module-level function",
         "E1011"),
        ("CompileOnOneRankUnsupported: Cannot construct Stream with an explicit device index under "
         "compile_on_one_rank: the index names a specific GPU", "E0625"),
        ("BindArgsTypeError: Too many positional arguments: got 3, expected 2", "E0628"),
        # What fake tensors say of item() wherever they are, and what TorchDynamo makes of it.
        ("DataDependentOutputException: aten._local_scalar_dense.default", "E0003"),
        ("Reason: data dependent operator: aten._local_scalar_dense.default", "E0004"),
        # Calls that TorchScript refuses, cut before it says why.
        ("Arguments for call are not valid.\nThe following variants are available:\n\n  "
         "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor:", "E0513"),
        # Arguments that torch.onnx.export has had, warnings of recurrent layers, custom operators.
        ("TypeError: export() got an unexpected keyword argument 'opset_version'", "E0218"),
        ("UserWarning: Exporting a model to ONNX with a batch_size other than 1, with a variable "
         "length with GRU can cause an error when running the ONNX model with a different batch "
         "size.", "E0514"),
        ("torch.jit.trace: RuntimeError: unsupported output type: Tensor?", "E0515"),
        # A graph that a pass has spoilt.
        ("RuntimeError: Node referenced nonexistent target layer.weight", "E1210"),
        ("RuntimeError: Input graph has cycles, unable to add %add_3", "E1210"),
        # torch 1.5 to 1.9.
        ("AssertionError: example_outputs must be provided when exporting a ScriptModule or "
         "ScriptFunction.", "E0720"),
    ],
)  # fmt: skip
def test_wordings_of_older_releases_and_words_of_an_area_lead_to_their_entry(
    text: str, entry: str
) -> None:
    assert first(text)[0] == entry


@pytest.mark.parametrize(
    ("module", "function", "entry"),
    [
        ("torch/fx/experimental/symbolic_shapes.py", "create_symbol", "E0135"),
        ("torch/utils/_sympy/functions.py", "eval", "E0135"),
        ("torch/export/_trace.py", "_get_module_call_graph", "E0226"),
        ("torch/_export/non_strict_utils.py", "make_fake_inputs", "E0226"),
        ("torch/_functorch/_aot_autograd/runtime_wrappers.py", "post_compile", "E0439"),
        ("torch/_inductor/scheduler.py", "fuse_nodes", "E0812"),
        ("torch/_dynamo/codegen.py", "restore_stack", "E0608"),
        ("torch/_dynamo/variables/builder.py", "_wrap_fx_proxy", "E0610"),
    ],
)
def test_an_unknown_assertion_leads_to_the_part_of_torch_that_failed(
    module: str, function: str, entry: str
) -> None:
    text = (
        'Traceback (most recent call last):\n  File "/home/me/net.py", line 9, in <module>\n'
        f'    run(net)\n  File "/env/lib/site-packages/{module}", line 77, in {function}\n'
        "    assert len(before) == len(after)\nAssertionError"
    )
    found = explain(text)
    assert entry in [a.entry.id for a in found.answers[:3]]
    assert not found.sure


def nearest(text: str, *entries: Entry) -> str:
    """The first of these entries for a text, which none of them surely explains."""
    best = Matcher(entries).rank(read(text))[0]
    assert not best.sure
    return best.entry.id


def test_an_entry_of_many_wordings_does_not_crowd_out_one_that_is_about_it() -> None:
    many = [f"cannot convert layer number {i}x kind {c} of the buffer" for i, c in
            enumerate("abcdefghijklmnopqrstuvwxyz")]  # fmt: skip
    crowd = entry("E9001", "Another converter refuses", *many, "a mutation of some kind is odd")
    about = entry(
        "E9002", "An input is changed", "inputs that are changed by a mutation are banned"
    )
    assert nearest("mutation fails", crowd, about) == "E9002"


@pytest.mark.parametrize("said", [
    "decomposing it fails", "the decomposition fails", "RunDecompositions", "_decompose_program"
])  # fmt: skip
def test_a_word_is_found_by_its_stem_and_as_part_of_a_name(said: str) -> None:
    right = entry("E9001", "Decompositions go wrong", "operator cannot be taken apart here")
    assert nearest(said, entry("E9002", "Sizes", "sizes of inputs do not fit"), right) == "E9001"


def test_an_entry_is_found_by_the_words_that_people_also_use_of_it() -> None:
    right = entry("E9001", "A process died", "fatal signal was received", also="segfault crash")
    other = entry("E9002", "Sizes", "sizes of inputs do not fit")
    assert nearest("model segfaults", other, right) == "E9001"


def test_a_traceback_without_its_message_is_looked_at_by_its_frames() -> None:
    frames = '  File "/torch/export/exported_program.py", line 1, in run_decompositions\n    x()'
    assert "E1107" in [a.entry.id for a in explain(frames).answers]


@pytest.mark.parametrize(("text", "entry"), [
    ('  File "/x/site-packages/torch/_inductor/lowering.py", line 9, in make_fallback\n    f()\n'
     "AssertionError", "E0801"),
    ("C:\\x\\site-packages\\torch\\onnx\\utils.py(893): _model_to_graph\n)", "E0707"),
    ("WARNING:torch_tensorrt.dynamo._compiler:something new is odd", "E1212"),
    ("E   x/torch/_dynamo/variables/nn_module.py:12: in call_method\nE   AssertionError", "E0615"),
])  # fmt: skip
def test_an_unknown_error_is_looked_at_by_the_place_that_raised_it(text: str, entry: str) -> None:
    assert entry in [a.entry.id for a in explain(text).answers[:3]]
    assert not explain(text).sure


@pytest.mark.parametrize(("source", "entry"), [
    ("/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp", "E0424"),
    ("../torch/csrc/jit/passes/onnx/peephole.cpp", "E0707"),
    ("C:\\w\\b\\caffe2\\serialize\\inline_container.cc", "E1007"),
    ("/opt/conda/work/torch/csrc/jit/tensorexpr/loopnest.cpp", "E0503"),
    ("/build/c10/cuda/CUDAGraphsC10Utils.h", "E0815"),
])  # fmt: skip
def test_a_failed_assertion_of_cpp_is_looked_at_by_the_source_that_it_names(
    source: str, entry: str
) -> None:
    text = f'!b INTERNAL ASSERT FAILED at "{source}":83, please report a bug to PyTorch. '
    assert entry in [a.entry.id for a in explain(text).answers[:3]]
    assert not explain(text).sure


def test_what_torch_can_say_that_no_entry_explains_is_listed(tmp_path: Path) -> None:
    file = tmp_path / "torch" / "export" / "new.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "def f(x):\n    if x:\n        raise ValueError(f'no frobnicator quuxes {x} of these')\n"
        "    raise TypeError('Node arity mismatch; expected 1, but got 2')\n"
    )
    (found,) = learn_places.unknown(file.parents[1])
    assert found.startswith("torch/export/new.py:f ") and "no frobnicator quuxes x of" in found


def test_operators_of_aten_are_no_places() -> None:
    assert not place_terms("While executing %add : torch_op[target=aten.add.Tensor]")


def test_a_key_error_of_a_symbol_is_the_engines_and_of_its_name_the_programs() -> None:
    frame = (
        '  File "/x/torch/fx/experimental/symbolic_shapes.py", line 1, in bound_sympy\n    f()\n'
    )
    assert first(f"{frame}KeyError: s0") == ("E0135", False)
    assert first(
        "  File \"/x/torch/_export/non_strict_utils.py\", line 1, in f\nKeyError: 'u0'"
    ) == (
        "E1206",
        True,
    )


def test_where_a_package_is_installed_says_nothing() -> None:
    where = "/home/me/envs/executorch/lib/python3.10/site-packages/torch/_dynamo/eval_frame.py"
    said = f"ImportError: cannot import name 'Constraint' from 'torch._dynamo.eval_frame' ({where})"
    assert not {"executorch", "execut", "envs", "site", "packag"} & read(said).terms
    assert first(said) == ("E0225", True)
    frame = where.replace("executorch", "torch").replace("_dynamo/eval_frame", "onnx/utils")
    places = read(f"{frame}:825: in export").terms
    assert "torch.onnx.utils:export" in places and "torch.lib" not in places


def test_a_framework_whose_exporter_stopped_is_known_by_its_module() -> None:
    frame = '  File "/x/site-packages/nemo/utils/export_utils.py", line 1, in parse_input_example'
    text = f"{frame}\n    f()\nTypeError: 'NoneType' object is not iterable"
    assert "E1217" in [a.entry.id for a in explain(text).answers[:3]]


@pytest.mark.parametrize("title", [
    "export failed for my custom architecture", "my own task fails to export",
    "Unable to run exported model on GPU", "Exporting fails with a signature mismatch",
    "torch.export fails with my architecture",
])  # fmt: skip
def test_a_title_that_names_no_converter_is_of_none(title: str) -> None:
    assert first(title)[0] != "E1212"


@pytest.mark.parametrize(("place", "message", "entry"), [
    ("_export/non_strict_utils.py", "IndexError: list assignment index out of range", "E0133"),
    ("export/exported_program.py", "TypeError: 'function' object is not iterable", "E1109"),
    ("_export/wrappers.py", "AssertionError: Attribute 'enc' not found in model", "E1110"),
])  # fmt: skip
def test_what_python_says_of_anything_counts_where_that_function_of_torch_raised_it(
    place: str, message: str, entry: str
) -> None:
    function = {
        "E0133": "_create_symbolic_context_for_tensor",
        "E1109": "run_decompositions",
        "E1110": "_wrap_submodule",
    }[entry]
    raised = f'  File "/x/site-packages/torch/{place}", line 1, in {function}\n    f()\n{message}'
    found = explain(raised)
    assert (found.sure, found.answers[0].entry.id) == (True, entry)
    assert not explain(message).sure


def test_only_the_last_places_of_a_traceback_count() -> None:
    names = ("a/b", "fx/c", "jit/d", "onnx/g", "nn/h")
    frames = [f'  File "/x/torch/{name}.py", line 1, in f' for name in names]
    places = {t for t in read("\n".join(frames)).terms if ":" in t}
    assert places == {"torch.fx.c:f", "torch.jit.d:f", "torch.onnx.g:f", "torch.nn.h:f"}


@pytest.mark.parametrize(("ends", "entry"), [
    ([("_functorch/apis", "wrapped"), ("_functorch/vmap", "vmap_impl")], "E0423"),
    ([("fx/experimental/sym_node", "bool_"), ("fx/experimental/sym_node", "guard_bool")], "E0001"),
    ([("_inductor/codecache", "_worker_compile_cpp"), ("_inductor/cpp_builder", "build")], "E0803"),
    ([("_export/__init__", "aot_load")], "E0809"),
])  # fmt: skip
def test_a_traceback_that_was_cut_is_looked_at_by_what_it_was_on_the_way_to(
    ends: list[tuple[str, str]], entry: str
) -> None:
    frames = [
        f'  File "/x/site-packages/torch/{module}.py", line 1, in {name}\n    return call(*args)'
        for module, name in ends
    ]
    assert explain("\n".join(frames)).answers[0].entry.id == entry


def test_a_line_that_raises_names_the_exception_and_what_python_says_between_says_nothing() -> None:
    frame = '  File "/x/a.py", line 1, in f\n'
    between = "During handling of the above exception, another exception occurred:\n"
    text = read(f"{frame}    raise OddShapeError(func)\n\n{between}\n{frame}    go()\n")
    assert {"oddshapeerror", "odd"} <= text.terms
    assert not {"handli", "occurr", "anothe"} & text.terms


def test_an_entry_is_found_by_what_people_said_who_met_it() -> None:
    right = replace(entry("E9001", "Objects", "call of an object is odd"), said={"fancy": 20})
    assert (
        nearest("fancy model fails", entry("E9002", "Sizes", "sizes do not fit"), right) == "E9001"
    )


@pytest.mark.parametrize(("explanation", "entry"), [
    ("Explanation: Backend compiler `x` failed with KeyError: 3. Adding a graph break.", "E0609"),
    ("  Explanation: torch.* ops that return a non-Tensor cannot be traced into the Dynamo FX "
     "graph output", "E0604"),
    ("Explanation: Dynamo does not support tracing classes that are defined in the compiled "
     "region.", "E0607"),
])  # fmt: skip
def test_what_a_graph_break_explains_is_enough(explanation: str, entry: str) -> None:
    assert first(explanation) == (entry, True)


@pytest.mark.parametrize(("place", "message", "entry"), [
    ("torch/fx/experimental/proxy_tensor.py\", line 1, in maybe_handle_decomp",
     "TypeError: leaky() takes 1 positional argument but 2 were given", "E1111"),
    ("onnx_ir/external_data.py\", line 1, in _write_external_data",
     "FileNotFoundError: [Errno 2] No such file or directory: '/data/.net.onnx.data.x'", "E0716"),
    ("torch/onnx/_internal/torchscript_exporter/onnx_proto_utils.py\", line 1, in _export_file",
     "FileNotFoundError: [Errno 2] No such file or directory: 'a/b.onnx'", "E0716"),
])  # fmt: skip
def test_a_mistake_that_only_python_names_is_known_by_the_place_that_met_it(
    place: str, message: str, entry: str
) -> None:
    frame = f'  File "/x/site-packages/{place}\n    f()\n'
    assert first(frame + message) == (entry, True)
    assert not explain(message).sure

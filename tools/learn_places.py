"""Which entries of the catalogue the functions of torch that raise are about.

Run as ``python tools/learn_places.py``: reads the sources of the torch that is installed, asks the
catalogue what the message of every ``raise``, ``assert`` and graph break surely means, and writes
``cases/errors/places.txt``: how often, in tenths, each module and function raises what an entry
explains. A traceback that lost its message, or has one that nobody knows, is looked at by the
places that it ends in. Of packages that are not read, :data:`OTHERS` says what they are about, and
:data:`COMPILED` of sources in C++.

``--unknown`` writes nothing and prints the messages that the catalogue does not surely explain,
each with the entry that comes nearest: what a new torch can say that nobody has given an entry.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb.cases import catalogue  # noqa: E402
from exportdb.cases.database import builtin_tree  # noqa: E402
from exportdb.explain.matching import Matcher  # noqa: E402
from exportdb.explain.reading import place_terms, read  # noqa: E402

#: Parts of torch that capture, compile, save and load programs.
PARTS = (
    "_dynamo", "_export", "_functorch", "_guards.py", "_higher_order_ops", "_inductor", "_library",
    "_ops.py", "_prims", "_prims_common", "_refs", "_subclasses", "ao/quantization", "export",
    "func", "fx", "jit", "nested", "nn/attention", "onnx", "package", "utils/_pytree.py",
)  # fmt: skip
#: What errors of packages that are not read are about, where nothing better is known.
OTHERS = {
    "E0135": ("torch.fx.experimental.symbolic_shapes", "torch.fx.experimental.sym_node",
              "torch.utils._sympy", "torch.fx.experimental.validator",
              "torch.fx.experimental.recording"),
    "E0226": ("torch.export._trace", "torch._export.non_strict_utils", "torch._export.utils",
              "torch.export.exported_program", "torch.export._draft_export",
              "torch._export.passes"),
    "E0439": ("torch._functorch._aot_autograd", "torch._functorch.aot_autograd"),
    "E0707": ("torch.onnx.utils", "torch.onnx.symbolic_helper", "torch.onnx.symbolic_opset9",
              "torch.onnx._internal.torchscript_exporter"),
    "E0711": ("onnxruntime",),
    "E0804": ("triton.runtime", "triton.backends"),
    "E0812": ("torch._inductor", "triton"),
    "E0903": ("executorch.exir.dialects", "executorch.exir.verification"),
    "E0908": ("executorch.backends", "executorch.exir.backend"),
    "E0909": ("executorch.exir", "executorch.exir.emit", "executorch.extension"),
    "E1208": ("iree", "torch_mlir", "tvm", "coremltools.converters", "openvino"),
    "E1217": ("mmdeploy.apis", "mmdeploy.core", "nemo.core", "nemo.core.classes.exportable",
              "nemo.utils", "nemo.utils.export_utils", "ultralytics.engine",
              "ultralytics.engine.exporter"),
    "E1212": ("ai_edge_torch", "coremltools", "litert_torch", "openvino", "optimum", "torch_mlir",
              "torch_migraphx", "torch_tensorrt", "torch_xla", "torchax", "tvm"),
}  # fmt: skip
#: What the sources in C++ are about, which name themselves where an assertion of theirs fails.
COMPILED = {
    "E0302": ("c10.core.TensorImpl", "c10.core.StorageImpl"),
    "E0404": ("aten.src.ATen.core.MetaFallbackKernel",),
    "E0411": ("aten.src.ATen.core.dispatch", "aten.src.ATen.core.op_registration"),
    "E0424": ("aten.src.ATen.functorch",),
    "E0434": ("torch.csrc.dynamo.compiled_autograd", "torch.csrc.dynamo.python_compiled_autograd"),
    "E0439": ("aten.src.ATen.FunctionalTensorWrapper", "aten.src.ATen.FunctionalStorageImpl",
              "aten.src.ATen.FunctionalInverses"),
    "E0501": ("torch.csrc.jit.tracer", "torch.csrc.jit.frontend.tracer",
              "torch.csrc.jit.pybind_utils", "torch.csrc.jit.python.pybind_utils",
              "torch.csrc.jit.python.python_tracer"),
    "E0503": ("torch.csrc.jit.codegen", "torch.csrc.jit.runtime", "torch.csrc.jit.tensorexpr"),
    "E0511": ("torch.csrc.jit.frontend", "torch.csrc.jit.script"),
    "E0518": ("torch.csrc.jit.passes.freeze_module",),
    "E0523": ("torch.csrc.jit.ir", "torch.csrc.jit.passes"),
    "E0608": ("torch.csrc.dynamo",),
    "E0625": ("torch.csrc.distributed.c10d",),
    "E0707": ("torch.csrc.jit.passes.onnx", "torch.csrc.jit.serialization.export",
              "torch.csrc.onnx"),
    "E0808": ("torch.csrc.inductor.aoti_runner", "torch.csrc.inductor.aoti_runtime"),
    "E0809": ("torch.csrc.inductor.aoti_package",),
    "E0815": ("aten.src.ATen.cuda.CUDAGraph", "c10.cuda.CUDAGraphsC10Utils"),
    "E0817": ("c10.metal",),
    "E1007": ("caffe2.serialize", "torch.csrc.jit.import", "torch.csrc.jit.serialization"),
    "E1009": ("torch.csrc.jit.mobile",),
}  # fmt: skip
#: Tenths that an entry of :data:`OTHERS` has, as if so many functions had raised it.
WHOLE = 30
#: Functions that a traceback passes on the way to what an entry is about, of this torch and older
#: ones: a traceback that was cut in its middle ends in them.
PASSED = {
    "E1109": ("torch.fx.experimental.proxy_tensor:maybe_handle_decomp",),
    "E1110": ("torch._export.wrappers:_wrap_submodule",),
    "E0001": ("torch.fx.experimental.sym_node:bool_", "torch.fx.experimental.sym_node:guard_bool",
              "torch.fx.experimental.sym_node:evaluate", "torch.__init__:__bool__",
              "torch.fx.experimental.symbolic_shapes:evaluate_expr",
              "torch.fx.experimental.symbolic_shapes:_evaluate_expr",
              "torch.fx.experimental.symbolic_shapes:_inner_evaluate_expr",
              "torch.fx.experimental.symbolic_shapes:evaluate_sym_node",
              "torch.fx.experimental.symbolic_shapes:_make_data_dependent_error",
              "torch._subclasses.functional_tensor:__bool__"),
    "E0002": ("torch.fx.experimental.sym_node:int_", "torch.fx.experimental.sym_node:guard_int",
              "torch._subclasses.functional_tensor:__int__",
              "torch._subclasses.functional_tensor:__index__", "torch.__init__:__int__",
              "torch.__init__:__index__"),
    "E0007": ("torch.fx.experimental.symbolic_shapes:rebind_unbacked",
              "torch.fx.experimental.symbolic_shapes:compute_unbacked_bindings"),
    "E0101": ("torch._dynamo.eval_frame:rewrite_signature",
              "torch.fx.experimental.symbolic_shapes:issue_guard"),
    "E0112": ("torch.fx.experimental.symbolic_shapes:produce_guards",
              "torch.fx.experimental.symbolic_shapes:produce_guards_verbose",
              "torch._export.non_strict_utils:produce_guards_and_solve_constraints"),
    "E0201": ("torch._export.utils:_check_input_constraints_pre_hook",
              "torch._dynamo.eval_frame:check_user_input_output"),
    "E0205": ("torch.export.dynamic_shapes:_tree_map_with_path",
              "torch._export.non_strict_utils:_create_symbolic_context_for_tensor",
              "torch.export.dynamic_shapes:_process_dynamic_shapes",
              "torch.export.dynamic_shapes:_check_dynamic_shapes",
              "torch.utils._pytree:flatten_up_to", "torch.utils._pytree:tree_map_with_path"),
    "E0208": ("torch.export.dynamic_shapes:_combine_args",),
    "E0404": ("torch._library.custom_ops:fake_impl", "torch._library.fake_impl:__call__",
              "torch._subclasses.fake_tensor:maybe_run_unsafe_fallback"),
    "E0319": ("torch.export._trace:_get_param_buffer_mapping",),
    "E0412": ("torch._dynamo.variables.higher_order_ops:speculate_subgraph",
              "torch._dynamo.variables.higher_order_ops:graph_break_as_hard_error"),
    "E0418": ("torch._dynamo.variables.misc:call_apply",),
    "E0423": ("torch._functorch.vmap:_flat_vmap", "torch._functorch.vmap:vmap_impl",
              "torch._functorch.vmap:wrapped", "torch._functorch.apis:wrapped"),
    "E0429": ("torch._functorch._aot_autograd.collect_metadata_analysis:inner",
              "torch._functorch.aot_autograd:aot_wrapper_synthetic_base"),
    "E0501": ("torch.jit._trace:trace_module", "torch.jit._trace:_trace_impl"),
    "E0503": ("torch.jit.__init__:forward", "torch.jit._script:forward"),
    "E0507": ("torch.jit.annotations:parse_type_line", "torch.jit.annotations:get_signature"),
    "E0511": ("torch.jit._recursive:create_script_module_impl", "torch.jit._script:script",
              "torch.jit._recursive:try_compile_fn", "torch.jit.frontend:get_jit_def"),
    "E0708": ("torch.onnx.symbolic:_parse_arg", "torch.onnx.symbolic_helper:_parse_arg"),
    "E0636": ("torch._dynamo.symbolic_convert:get_assert_bytecode_sequence",),
    "E0608": ("torch._dynamo.codegen:__call__", "torch._dynamo.side_effects:codegen_save_tempvars",
              "torch._dynamo.output_graph:compile_subgraph", "torch._dynamo.guards:__init__",
              "torch._dynamo.convert_frame:compile_inner",
              "torch._dynamo.convert_frame:_compile", "torch._dynamo.convert_frame:_compile_inner"),
    "E0609": ("torch._dynamo.output_graph:call_user_compiler",
              "torch._dynamo.output_graph:_call_user_compiler"),
    "E0610": ("torch._dynamo.utils:get_fake_value", "torch._dynamo.utils:run_node",
              "torch._dynamo.utils:wrap_fake_exception",
              "torch._dynamo.variables.builder:wrap_fx_proxy",
              "torch._dynamo.variables.builder:wrap_fx_proxy_cls",
              "torch._dynamo.variables.builder:_wrap_fx_proxy"),
    "E0701": ("torch.onnx._internal.exporter._capture_strategies:__call__",
              "torch.onnx._internal.exporter._capture_strategies:_capture"),
    "E0702": ("torch.onnx._internal.exporter._fx_passes:decompose_with_registry",
              "torch.onnx._internal.exporter._core:_prepare_exported_program_for_export"),
    "E0703": ("torch.onnx._internal.exporter._core:_exported_program_to_onnx_program",),
    "E0704": ("torch.onnx._internal.exporter._core:_handle_call_function_node_with_lowering",),
    "E0706": ("torch.onnx._internal.exporter._building:eval",
              "torch.onnx._internal.exporter._core:_translate_fx_graph"),
    "E0707": ("torch.onnx.utils:_run_symbolic_function", "torch.onnx.utils:_optimize_graph"),
    "E0711": ("onnxruntime.capi.onnxruntime_inference_collection:_create_inference_session",
              "onnxruntime.capi.onnxruntime_inference_collection:run"),
    "E0713": ("torch.onnx._internal.exporter:dynamo_export",
              "torch.onnx._internal._exporter_legacy:dynamo_export"),
    "E0801": ("torch._inductor.graph:call_function", "torch._inductor.graph:run_node",
              "torch._inductor.graph:run", "torch._inductor.lowering:wrapped"),
    "E0803": ("torch._inductor.cpp_builder:run_compile_cmd", "torch._inductor.cpp_builder:build",
              "torch._inductor.codecache:_worker_compile_cpp",
              "torch._inductor.codecache:compile_file"),
    "E0808": ("torch._export.__init__:optimized", "torch._inductor.package.package:__call__"),
    "E0809": ("torch._export.__init__:aot_load", "torch._inductor.package.package:load_package",
              "torch._inductor.__init__:aoti_load_package"),
    "E0812": ("torch._inductor.graph:codegen", "torch._inductor.graph:compile_to_module",
              "torch._inductor.aoti_eager:aoti_compile_with_persistent_cache",
              "torch._inductor.__init__:aot_compile", "torch._inductor.codecache:compile",
              "torch._inductor.scheduler:codegen", "torch._inductor.scheduler:__init__",
              "torch._inductor.compile_fx:compile_fx_inner",
              "torch._inductor.compile_fx:inner_compile",
              "torch._inductor.compile_fx:fx_codegen_and_compile",
              "torch._inductor.compile_fx:_compile_fx_inner"),
    "E0814": ("torch._inductor.cudagraph_trees:check_memory_pool",
              "torch._inductor.cudagraph_trees:run", "torch._inductor.cudagraph_trees:_run"),
    "E0816": ("torch._inductor.runtime.triton_heuristics:_precompile_config",
              "torch._inductor.runtime.triton_heuristics:precompile",
              "torch._inductor.runtime.compile_tasks:_worker_compile_triton",
              "triton.compiler.compiler:compile", "triton.compiler.compiler:make_ir"),
    "E0908": ("executorch.exir.backend.backend_details:preprocess_multimethod",
              "executorch.exir.backend.backend_api:to_backend"),
    "E1001": ("torch._export.serde.serialize:serialize_graph",
              "torch._export.serde.serialize:serialize_operator"),
    "E1005": ("torch._export.serde.serialize:deserialize_graph",
              "torch._export.serde.serialize:deserialize"),
    "E1101": ("torch.export.unflatten:unflatten", "torch.export.unflatten:run_outer"),
    "E1103": ("torch._export.verifier:check", "torch._export.verifier:_check_graph_module"),
    "E1107": ("torch.export.exported_program:run_decompositions",
              "torch.export.exported_program:_decompose_exported_program"),
    "E1108": ("torch._export.converter:convert", "torch._export.converter:convert_node"),
    "E1201": ("torch.fx.proxy:__bool__",),
    "E1202": ("torch.fx.proxy:__iter__", "torch.fx.proxy:_no_arg_unpack"),
    "E1203": ("torch.fx.experimental.proxy_tensor:get_proxy_slot",),
    "E1211": ("torch.fx.proxy:create_arg", "torch.fx.experimental.proxy_tensor:create_arg"),
}  # fmt: skip
#: Names of functions that end a trace with the message they are given.
ENDS = ("unimplemented", "unimplemented_v2", "unimplemented_with_warning", "_check")


def files(package: Path) -> Iterator[Path]:
    """The sources of the parts of torch that matter."""
    for part in PARTS:
        path = package / part
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.is_file()


def said(node: ast.AST) -> str:
    """The literal text of an expression, an ellipsis where something is put in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(said, node.values))
    if isinstance(node, ast.Constant):
        return str(node.value) if isinstance(node.value, str) else ""
    if isinstance(node, ast.BinOp):
        return said(node.left) + said(node.right)
    if isinstance(node, ast.FormattedValue | ast.Name | ast.Attribute):
        return " x "
    if isinstance(node, ast.Call):
        told = [*node.args, *(k.value for k in node.keywords if k.arg != "hints")]
        return " ".join(map(said, told)) or (said(node.func) if node.args else "")
    return ""


def raised(tree: ast.AST, within: str = "") -> Iterator[tuple[str, str, str]]:
    """Function, type and message of everything that a file raises."""
    for node in ast.iter_child_nodes(tree):
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        name = node.name if inside else within  # type: ignore[attr-defined]
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield name, ast.unparse(node.exc.func).rpartition(".")[2], said(node.exc)
        elif isinstance(node, ast.Assert) and node.msg:
            yield name, "AssertionError", said(node.msg)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(ENDS):
            yield name, "Unsupported", said(node)
        yield from raised(node, name)


def messages(package: Path) -> Iterator[tuple[str, str, str, str]]:
    """Module, function, type and message of everything that torch raises with words."""
    for file in files(package):
        module = "/".join(file.relative_to(package.parent).parts)
        for name, kind, message in raised(ast.parse(file.read_text(encoding="utf-8"))):
            if message.strip():
                yield module, name, kind, message


def unknown(package: Path) -> Iterator[str]:
    """What the catalogue does not surely explain, with the entry that comes nearest."""
    matcher = Matcher(catalogue.load().entries.values())
    for module, name, kind, message in messages(package):
        said_here = " ".join(f"{kind}: {message}".split())
        best = matcher.rank(read(said_here), 1, exporting=True)
        if not best or not best[0].sure:
            yield f"{module}:{name} {best[0].entry.id if best else '-'} {said_here}"


def learned(package: Path) -> dict[str, dict[str, int]]:
    """Terms of the places of torch by the entries that explain what is raised there."""
    matcher = Matcher(catalogue.load().entries.values())
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for module, name, kind, message in messages(package):
        if entry := matcher.match(kind, message):
            found[entry].update(dict.fromkeys(place_terms(f'"{module}", line 1, in {name}'), 10))
    for entry, places in (*OTHERS.items(), *COMPILED.items()):
        found[entry].update(dict.fromkeys((p if "." in p else f"{p}." for p in places), WHOLE))
    for entry, places in PASSED.items():
        found[entry].update(dict.fromkeys(places, WHOLE))
    return {e: dict(sorted(terms.items())) for e, terms in sorted(found.items())}


def main() -> None:
    """Write what was learned, or print what is unknown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unknown", action="store_true")
    spec = importlib.util.find_spec("torch")
    package = Path((spec and spec.origin) or "").parent
    if parser.parse_args().unknown:
        print("\n".join(unknown(package)))
        return
    lines = [
        " ".join([entry, *(f"{t} {n}" for t, n in terms.items())])
        for entry, terms in learned(package).items()
    ]
    head = "# Written by tools/learn_places.py; see exportdb/cases/catalogue.py.\n"
    file = catalogue.words_files(builtin_tree())[1]
    file.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

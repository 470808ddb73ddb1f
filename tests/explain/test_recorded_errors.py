"""Every error that an expectation holds is explained, or listed here as not worth it."""

from __future__ import annotations

import yaml

from exportdb.cases.database import builtin_tree
from exportdb.explain import match

#: Errors of today's records that no entry explains, and why that is not worth it.
UNEXPLAINED = {
    ("StopIteration", ""): "has no message",
    ("InductorError", "AssertionError:"): "has no message of its own",
    (
        "TypeError",
        "unsupported operand type(s) for -: 'NoneType' and 'int'",
    ): "Python's own; E0807 explains it with the line below, of AOTInductor",
    (
        "TypeError",
        "bad operand type for unary -: 'NoneType'",
    ): "as the last",
    ("TypeError", "unsupported operand type(s) for -: 'int' and 'NoneType'"): "as the last",
    (
        "Broken",
        "what export gave, or did to its process",
    ): "our words; the error is in the next line",
    (
        "RuntimeError",
        "Expected mat_a to be BFloat16 or supported Float16 matrix",
    ): "what answers for grouped_mm in a trace of torch 2.14; the rewrite of its case converts",
    (
        "RuntimeError",
        "expected int at position 0, but got:",
    ): "torch's own up to 2.12: the rule for a loss asks for a plain number of elements",
    ("InductorError", "KeyError: s"): "a symbol that Inductor lost; says nothing of the program",
    (
        "NameError",
        "name 'nan' is not defined",
    ): "up to torch 2.12 a guard on a float that is NaN is code with a name that nothing defines",
    (
        "ValueError",
        "Found the following conflicts between user-specified ranges",
    ): "a heading; the lines below tell E0101 from E0102",
    ("AttributeError", "'list' object has no attribute 'size'"): "torchao's own, of a list",
    ("IndexError", "tuple index out of range"): "Python's own; says nothing of what was exported",
    ("KeyError", "'rowss"): "the program's own key, with the name of a symbol in it",
    (
        "RuntimeError",
        "first(Tensor size) -> int:",
    ): "begins with a function's name; E0513 explains the rest",
    (
        "RuntimeError",
        "rounded(Tensor x, Tensor scale",
    ): "begins with a function's name as well",
    ("RuntimeError", "Random.randint(Tensor self"): "begins with a function's name as well",
    (
        "AssertionError",
        "More arguments than expected",
    ): "strict export's own, where parameters are given by position alone; does not name them",
    (
        "RuntimeError",
        "methods must have a self argument:",
    ): "TorchScript looks for self behind the parameters that are given by position alone",
    (
        "ValueError",
        "0 is not a valid value for reduction",
    ): "a loss on the meta device passes its own word on as a number; there is nothing to change",
    (
        "ValueError",
        "not enough values to unpack",
    ): "Python's own; says nothing of what was exported",
    (
        "RuntimeError",
        "one of the variables needed for gradient computation has been modified by an inplace",
    ): "autograd's own, of what a decomposed graph writes in place",
    (
        "AssertionError",
        "len(shifts)=1 != len(dims)=0",
    ): "torch.onnx's own, where it translates roll; says nothing of the program",
    (
        "RuntimeError",
        "basic_string: construction from null",
    ): "the C++ library's own; says nothing of what was exported",
    ("RuntimeError", "output 1 ("): "begins with the values of a tensor; E0514 explains the rest",
    (
        "ValueError",
        "invalid literal for int() with base 10: 's",
    ): "Python's own, with the name of a symbol in it",
    (
        "IndexError",
        "index out of range in self",
    ): "eager's own; draft_export runs a loop on memory nobody wrote",
    (
        "IndexError",
        "index 543515168 is out of bounds for dimension 0 with size 140",
    ): "eager's own; draft_export runs flex_attention on memory nobody wrote",
    (
        "RuntimeError",
        "Expected inputs of BF16 type but got mat_a.dtype=torch.float32",
    ): "says itself what grouped_mm takes while tracing; newer releases take float32 as well",
    (
        "NameError",
        "name 'np' is not defined",
    ): "torch.fx's own code, in which it writes a NumPy number as np.float64(0.3)",
    (
        "AssertionError",
        "Expected r to be a FakeTensor",
    ): "draft_export's own, where a weight is of a class of its own; says nothing of the program",
    (
        "AssertionError",
        "interpreter must not be None",
    ): "functorch's own, where an unflattened module calls vmap; says nothing of the program",
    (
        "AttributeError",
        "`lifted_tensor_1` is not a buffer",
    ): "move_to_device_pass's own, of a tensor that a gradient left; says nothing of the program",
    (
        "RuntimeError",
        "[json.exception.parse_error.101]",
    ): "the loader's own in AOTInductor; says nothing of what was exported",
    (
        "RuntimeError",
        "size_of(Tensor value)",
    ): "TorchScript's, cut to the signature of a function of the program; says not what is amiss",
    ("IndexError", "list index out of range"): "Python's own; says nothing of what was captured",
    (
        "IndexError",
        "unordered_map::at",
    ): "C++'s own; says nothing of what was traced",
    ("RuntimeError", "selected index k out of range"): "eager's own, of a capture without guards",
    ("KeyError", "<class '"): "TorchScript's table of classes; says nothing but the name of one",
    (
        "RuntimeError",
        "aten::pairwise_distance(Tensor x1",
    ): "begins with the schema of an operator; E0513 explains the rest",
    ("RuntimeError", "aten::uniform_(Tensor(a!) self"): "as the last",
    ("ValueError", "zip() argument 2"): "Python's own; says nothing of what was captured",
    ("RuntimeError", "unordered_map::at"): "C++'s own; says nothing of what was traced",
    ("TypeError", "iteration over a 0-d tensor"): "eager says the same of a program's own fault",
    (
        "AssertionError",
        "push expects VariableTracker",
    ): "TorchDynamo's own, of no message to a user",
    ("AttributeError", "'Tensor' object has no attribute 'scale'"): "the program's own, on a proxy",
    ("AttributeError", "'function' object has no attribute"): "the program's own, on a proxy",
    ("AttributeError", "`weight` is not an nn.Parameter"): "functional_call's own, given a proxy",
    ("KeyError", "'rowsProxy("): "the program's own key, with the name of a proxy in it",
    ("RuntimeError", "PyList_Check(arg) INTERNAL ASSERT"): "torch's own, of no message to a user",
    (
        "RuntimeError",
        "adaptive_avg_pool3d(Tensor input",
    ): "begins with the schema of an operator; E0513 explains the rest",
    ("RuntimeError", "mark_dirty can only accept"): "autograd's own; cut before it names the proxy",
    (
        "RuntimeError",
        "mark_non_differentiable only",
    ): "autograd's own; cut before it names the proxy",
    (
        "TypeError",
        "`__cuda_array_interface__` must be",
    ): "a proxy has every attribute; says nothing more",
    (
        "TypeError",
        "as_nested_tensor(): Expected first",
    ): "eager says the same of a program's own fault",
    (
        "TypeError",
        "slice indices must be integers or",
    ): "Python's own; says nothing of what was captured",
    ("ValueError", "an input is the constant"): "our adapter's own, and complete",
    ("ValueError", "can only convert an array of size 1"): "NumPy's own; eager says the same",
    (
        "TypeError",
        "scaled_dot_product_attention(): argument 'is_causal' must be bool, not Tensor",
    ): "eager says the same of a program's own fault",
    ("AssertionError", ""): "has no message",
    (
        "RuntimeError",
        "_threshold(Tensor input, float threshold",
    ): "TorchScript's own, which names a function that it tried and no cause",
    (
        "ValueError",
        "2 is not a valid value for reduction",
    ): "of a rule for shapes on the meta device that does not know the sum",
    (
        "AssertionError",
        "<class 'torch.Tensor'>",
    ): "torch.sym_min's own up to torch 2.10; says nothing but the class of what it was given",
    (
        "RuntimeError",
        "The expanded size of the tensor (",
    ): "eager says the same of a program's own fault",
    ("RuntimeError", "div(): functions with out="): "eager says the same of a program's own fault",
    (
        "RuntimeError",
        "tried to directly modify sizes",
    ): "of a subclass's insides; says nothing of a cause",
    (
        "TypeError",
        "unsupported operand type(s) for *: 'Tensor'",
    ): "Python's own, of a program's fault",
    ("DeviceLost", "the artifact on"): "says itself what happened",
    ("AttributeError", "'NotImplementedType' object"): "of a subclass's insides",
    ("RuntimeError", "Unable to cast NotImplemented"): "of a subclass's insides",
    ("RuntimeError", "exportdb_list_result"): "names the operator; a torch fault nobody isolated",
    ("RuntimeError", "k not in range for dimension"): "eager's own, of a capture without guards",
    ("AssertionError", "init_args must be"): "TorchDynamo's own, of a subclass of tuple",
    ("AttributeError", "'WeightNorm' object has no"): "of torch's own hook, under TorchScript",
    ("InductorError", "RuntimeError: shape error in scatter op"): "says nothing of a cause",
    ("RuntimeError", "CUDA driver error: invalid argument"): "says nothing of a cause",
    ("RuntimeError", "Eq(u0, u1)"): "an assertion that failed when the capture ran",
    ("RuntimeError", "expand: attempting to expand"): "eager says the same of a fault of a program",
    ("ZeroDivisionError", "integer division or modulo"): "Python's own",
    (
        "RuntimeError",
        "setStorage: sizes",
    ): "torch 2.11's own, on a GPU: views of a recurrent layer's weights in one memory; names none",
    (
        "AssertionError",
        "Expected fake mode of e to be tx.fake_mode",
    ): "TorchDynamo's own, of a tensor of numbers on the meta device",
    (
        "AttributeError",
        "'NoneType' object has no attribute 'dtype'",
    ): "PT2E's own, of an optional input that is not given; names neither",
    (
        "RuntimeError",
        "Error(s) in loading state_dict for GraphModule:",
    ): "a heading; PT2E copies a weight in which elements share memory",
    (
        "AssertionError",
        "NumpyTensorSource(base=",
    ): "TorchDynamo's own on 2.11; the path of one attribute, no more",
    (
        "AssertionError",
        "a.ndim (2) != len(broadcast_dimensions) (1)",
    ): "of draft export where a fake kernel promises another rank; names neither",
    (
        "IndexError",
        "index_copy_(): index -1 is out of bounds",
    ): "eager's own of index_copy; of index_fill where draft export runs a decomposition of it",
}


def recorded() -> set[tuple[str, str]]:
    """Type and beginning of the message of every error that an expectation knows."""
    found = set()
    for path in builtin_tree().rglob("*.yaml"):
        if not path.with_suffix(".py").is_file():
            continue
        for entries in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader).values():
            for entry in entries if isinstance(entries, list) else [entries]:
                if error := entry.get("error"):
                    found.add((error["type"], error.get("message", "")))
    return found


def test_every_error_of_the_records_is_explained_or_not_worth_it() -> None:
    errors = recorded()
    assert len(errors) > 200
    known = [k for k in UNEXPLAINED if any(k[0] == t and m.startswith(k[1]) for t, m in errors)]
    assert known == list(UNEXPLAINED)
    silent = [e for e in sorted(errors) if match(*e) is None and not _not_worth(*e)]
    assert not silent


def _not_worth(error_type: str, message: str) -> bool:
    return any(t == error_type and (message.startswith(m) if m else not message)
               for t, m in UNEXPLAINED)  # fmt: skip

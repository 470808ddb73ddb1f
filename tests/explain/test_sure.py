"""When an answer is sure, and when the same words are of something else."""

from __future__ import annotations

import pytest

from exportdb.cases import catalogue
from exportdb.explain import explain, matcher
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import read
from tests.explain.texts import entry, first


def test_what_wraps_an_error_is_sure_only_where_nothing_else_is_said() -> None:
    raised = "torch._dynamo.exc.BackendCompilerFailed: backend='mine' raised:\n"
    assert first(raised + "AssertionError:") == ("E0609", True)
    assert not explain(raised + "TypeError: the gearbox is not made of wood").sure
    known = explain(raised + "RuntimeError: There was no fake impl registered for my.op.default")
    assert (known.sure, known.answers[0].entry.id) == (True, "E0404")


def test_a_whole_wording_comes_before_a_long_piece_of_another() -> None:
    words = "the {} pump of this engine was refused by its old valve and by the gear".format
    piece = entry("E9001", "A", words("blue") + " " + words("green") + " since nothing else fits")
    whole = entry("E9002", "B", "boilers never take coal dust")
    said = f"{words('blue')} {words('green')} boilers never take coal dust"
    answers = Matcher([piece, whole]).rank(read(said))
    assert [(a.entry.id, a.sure) for a in answers] == [("E9002", True), ("E9001", True)]


def test_a_short_wording_beside_what_is_clearly_another_error_is_not_sure() -> None:
    short = entry("E9001", "Sizes", "gear odd")
    other = entry("E9002", "Boiler and valve", "boiler valve refuses", also="boiler coal steam")
    alone, beside = "gear odd", "boiler and valve of the steam coal plant: gear odd"
    assert [Matcher([short, other]).rank(read(t))[0].sure for t in (alone, beside)] == [True, False]


@pytest.mark.parametrize("between", [
    "the one that came with the system, which was updated yesterday, of which torch says that it",
    "see the list of what was installed in the image of this job below, and since then the model",
])  # fmt: skip
def test_a_wording_of_few_words_that_many_use_is_not_sure_where_they_stand_far_apart(
    between: str,
) -> None:
    near, far = (f"inductor: Compiler: {x} is not found." for x in ("cl", between))
    assert [a.entry.id for a in explain(near).answers if a.sure] == ["E0804"]
    assert not explain(far).sure


@pytest.mark.parametrize(("text", "entry"), [
    ("AssertionError: Kernel index 3 not found in id_to_kernel", "E0626"),
    ("RuntimeError: No available kernel. Aborting execution. libmine.so was not found", ""),
    ("[operator_registry.cpp:256] kernel 'mylib::scaled.out' not found.", "E0904"),
    ("kernel 'aten::bucketize.Tensor_out' not found.", "E0904"),
])  # fmt: skip
def test_a_kernel_that_is_not_found_is_executorchs_only_with_its_operator(
    text: str, entry: str
) -> None:
    assert [a.entry.id for a in explain(text).answers if a.sure] == ([entry] if entry else [])


@pytest.mark.parametrize(("names", "entry"), [
    ("true_fn_output and false_fn_output", "E0401"), ("init and carry", "E0415"),
    ("initial_xs and combine_fn_output", "E0415"),
])  # fmt: skip
def test_a_loop_that_changes_what_it_carries_is_no_cond(names: str, entry: str) -> None:
    said = f"UncapturedHigherOrderOpError: Expected {names} to have same metadata but found:"
    assert first(said) == (entry, True)


def test_a_message_of_the_tracer_itself_comes_before_a_cause_that_its_words_name() -> None:
    said = "Guard failed on the same frame it was created. This is a bug - please create an issue."
    assert first(f"AssertionError: {said}\nGuard fail reason: 0/0: L['n'] == 5") == ("E0608", True)
    assert first("AssertionError: Guard failed: k == 5") == ("E0103", True)


@pytest.mark.parametrize(
    ("before", "after", "entry"),
    [
        ("Unsupported: call_function Bui", "ltinVariable(str) [TensorVariable()] {}", "E0601"),
        ("torch._inductor.exc.InductorError: SyntaxError: fail", "ed to compile", "E0817"),
        (
            "DispatchError: No ONNX function found for aten.fft. Failure me",
            "ssage: All overloads did not match the node",
            "E0705",
        ),
    ],
)
def test_a_line_cut_within_the_word_that_tells_it_from_another_is_not_sure(
    before: str, after: str, entry: str
) -> None:
    """Up to the cut it is the whole of a shorter wording, which is another entry's."""
    best = matcher().rank(read(before + after), 1)[0]
    assert (best.entry.id, best.sure) == (entry, True)
    assert not matcher().rank(read(before), 1)[0].sure


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (
            "Unsupported: Attempted to use torch.nn.Parameter constructor with tensor subclass",
            "E0615",
        ),
        ("Unsupported: getattr() with non-constant name argument", "E0601"),
        ("RuntimeError: Expected a single top-level function", "E0520"),
    ],
)
def test_a_wording_is_of_one_entry(text: str, entry: str) -> None:
    found = [
        e.id for e in catalogue.load().entries.values()
        if any(w.text in text and len(w.text) > 30 for w in e.wordings)
    ]  # fmt: skip
    assert found == [entry]


@pytest.mark.parametrize("text", [
    "error: unknown type name 'ssize_t'",
    "fatal error: Python.h: No such file or directory\nerror: command 'gcc' failed",
    "KeyError: 's0'",
    "ValueError: Unsupported constant type: <class 'numpy.ndarray'>",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x10 and 12x5)",
    "RuntimeError: Error compiling objects for extension",
    "TypeError: zeros() received an invalid combination of arguments - got (str, int), but "
    "expected one of: (tuple of ints size)",
    "RuntimeError: shape '[2, 3]' is invalid for input of size 5",
    "PytorchStreamReader failed reading zip archive: failed finding central directory",
    "RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should "
    "be the same",
    "RuntimeError: Inference tensors cannot be saved for backward. To work around you can clone",
    "TypeError: torch.Size() takes an iterable of 'int' (item 0 is 'Tensor')",
    "AttributeError: 'NoneType' object has no attribute 'requires_grad'",
    "NameError: name 'Proxy' is not defined",
    "NameError: name 'tmp3' is not defined",
    "ImportError: cannot import name 'default_collate' from 'torch.utils.data'",
    "jax.errors.ConcretizationTypeError: Abstract tracer value encountered where concrete value is "
    "expected: traced array with shape int32[]",
])  # fmt: skip
def test_what_a_compiler_or_eager_says_in_the_same_words_is_not_surely_explained(text: str) -> None:
    assert not explain(text).sure


@pytest.mark.parametrize(("text", "entry"), [
    ("RuntimeError:\nUnknown type name 'Foo':\n  File 'm.py', line 3\n    def f(self, x: Foo):"
     "\n                       ~~~ <--- HERE", "E0507"),
    ('  File "/x/triton/runtime/build.py", line 9, in _build\n    run(command)\n'
     "/tmp/a/main.c:5:10: fatal error: Python.h: No such file or directory", "E0804"),
    ("torch._export.serde.serialize.SerializeError: Unsupported constant type: <class 'x'>",
     "E1002"),
    ("RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should "
     "be the same\n\nWhile executing %convolution : [num_users=1] = call_function[target=torch.ops."
     "aten.convolution.default](args = (%x, %p_weight, %p_bias), kwargs = {})", "E0224"),
    ('  File "/x/torch/onnx/utils.py", line 9, in _export\nRuntimeError: Inference tensors do not '
     "track version counter.", "E0324"),
    ('  File "/x/torch/fx/_symbolic_trace.py", line 9, in trace\nTypeError: torch.Size() takes an '
     "iterable of 'int' (item 0 is 'Proxy')", "E0134"),
    ('  File "/x/torch/_functorch/aot_autograd.py", line 9, in aot_export_module\n'
     "AttributeError: 'NoneType' object has no attribute 'requires_grad'", "E0436"),
    ('  File "<eval_with_key>.5", line 5, in forward\nNameError: name \'Proxy\' is not defined',
     "E1214"),
    ("torch._inductor.exc.InductorError: CompilationError: at 9:4:\n    tmp4 = tmp3 + 1\n"
     "NameError('tmp3 is not defined')", "E0806"),
    ("AttributeError: module 'torch.onnx' has no attribute '_export'", "E0225"),
    ("InternalTorchDynamoError: AssertionError: SourcelessBuilder.create does not know how to wrap "
     "<class 'property'>", "E0603"),
    ("[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: x Got: 3 Expected: 4 "
     "Please fix either the inputs/outputs or the model.", "E0104"),
])  # fmt: skip
def test_with_what_raised_them_the_same_words_are_surely_explained(text: str, entry: str) -> None:
    assert [a.entry.id for a in explain(text).answers if a.sure][:1] == [entry]


@pytest.mark.parametrize(("text", "entry"), [
    ("RuntimeError: Graph output must be a (). This is so that we can avoid pytree processing of "
     "the outputs. Please change the module to have tuple outputs", "E0442"),
    ("RuntimeError: Unmatched number of outputs from cond() branches.", "E0415"),
    ("RuntimeError: Expect outputs of true_fn to only contains tensors or None. Got types [str].",
     "E0415"),
    ("RuntimeError: Unmatched tensor metadata from cond() branches. true branch: (a), false branch:"
     " (b)", "E0401"),
    ("RuntimeError: torch.cond requires dynamo support.", "E0633"),
    ("RuntimeError: torch.compile cannot JIT compile during CUDA graph capture", "E0815"),
    ("torch._dynamo.exc.InternalTorchDynamoError: AcceleratorError: CUDA error: device-side assert "
     "triggered", "E0823"),
    ('RuntimeError: isIntList() INTERNAL ASSERT FAILED at "/p/ivalue_inl.h":1981, please report a '
     "bug to PyTorch. Expected IntList but got GenericList", "E0406"),
    ('RuntimeError: isTuple() INTERNAL ASSERT FAILED at "/p/ivalue_inl.h":1981, please report a '
     "bug to PyTorch. Expected Tuple but got Tensor", "E0519"),
    ('  File "/x/torch/export/graph_signature.py", line 601, in _make_argument_spec\n'
     "AttributeError: 'Colour' object has no attribute 'meta'", "E0227"),
    ('  File "/x/torch/export/_trace.py", line 601, in f\n'
     "AttributeError: 'numpy.float64' object has no attribute 'layout'", "E0227"),
    ("InductorError: LoweringException: AttributeError: 'int' object has no attribute 'meta'",
     "E0801"),
])  # fmt: skip
def test_outputs_graphs_and_devices_have_entries_of_their_own(text: str, entry: str) -> None:
    assert [a.entry.id for a in explain(text).answers if a.sure][:1] == [entry]


def test_leaves_that_do_not_fit_a_spec_are_an_error_of_a_capture_only_where_one_is_named() -> None:
    said = (
        "ValueError: treespec.unflatten(leaves): `leaves` has length 1 but the spec refers to a "
        "pytree that holds 2 items (TreeSpec(list, None, [*, *]))."
    )
    assert not explain(f'  File "/x/torch/utils/_pytree.py", line 9, in unflatten\n{said}').sure
    assert first(f'  File "/x/torch/export/unflatten.py", line 9, in forward\n{said}') == (
        "E0217", True
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("Constraints violated (batch)!", True),
        ("warning: 1 indeterminate\nNo constraints violated (1 indeterminate).", False),
    ],
)
def test_what_a_text_says_is_not_so_is_not_what_it_is_about(text: str, sure: bool) -> None:
    assert explain(text).sure is sure


def test_a_missing_header_is_inductors_only_where_it_compiled() -> None:
    missing = "fatal error: 'omp.h' file not found"
    compiled = "torch._inductor.exc.CppCompileError: C++ compile error\nmain.cpp:14:10: "
    both = (explain(around + missing).answers for around in ("src/engine.cpp:12:10: ", compiled))
    assert [a.sure for said in both for a in said if a.entry.id == "E0822"] == [False, True]


@pytest.mark.parametrize(("text", "entry"), [
    ("RuntimeError: Can't redefine method: forward on class: __torch__.net.Sub (of Python "
     "compilation unit at: 0x5588150f6890)", "E0523"),
    ("AttributeError: 'NoneType' object has no attribute '_overloadpacket'", "E0812"),
    ("RuntimeError: The dtype of the new_carry[0] torch.float64 doesn't match that of the init[0] "
     "torch.float32.", "E0416"),
    ("RuntimeError: Unknown metadata type <class 'torch.ScriptObject'> on node arg3_1", "E0435"),
    ("RuntimeError: For rsub, aten.rsub.Scalar: aten.rsub.Scalar is not supported in XNNPACK "
     "Delegate", "E0908"),
    ("RuntimeError: Cannot find any perfect/nearest match of symbolic function for aten::fmod,"
     "which should be registered under aten.fmod.Scalar.", "E0705"),
    ("ValueError: args contained 1 None's after flattening. When exporting a ScriptModule or "
     "ScriptFunction, no args may be None because that breaks type propagation.", "E0510"),
    ("RuntimeError: Failed to open .ptl file please ensure the model was exported for mobile",
     "E1009"),
    ("torch.jit.frontend.NotSupportedError: unsupported unary operator: Invert", "E0511"),
    ("TypeError: 'torch._C.Value' object is not iterable", "E0708"),
    ("E executorch:memory_allocator.h:88] Memory allocation failed: 1234B requested (adjusted for "
     "alignment), 0B available", "E0907"),
    ("E executorch:XNNExecutor.cpp:118] XNN Runtime invoke failed with code: "
     "xnn_status_out_of_memory", "E0908"),
    ("AttributeError: 'torch._C.Graph' object has no attribute 'op'", "E0225"),
    ("[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Unexpected input data type. Actual: "
     "(tensor(int64)) , expected: (tensor(float))", "E0216"),
    ("[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: mel Got: 3 Expected: 4 "
     "Please fix either the inputs or the model.", "E0123"),
])  # fmt: skip
def test_what_other_releases_and_their_backends_say_has_an_entry(text: str, entry: str) -> None:
    assert first(text) == (entry, True)

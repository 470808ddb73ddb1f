"""Generated programs: the same for the same seed, valid as they are, every element at its share."""

from __future__ import annotations

import ast
import collections
import inspect
import random
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.program import as_inputs
from exportdb.hunt import calling, generate, holes, naming, opinfo, reached, writing
from exportdb.hunt.elements import ELEMENTS, Element
from exportdb.hunt.partial_program import PartialProgram, Statement
from exportdb.suites.cases import CaseProgram


@pytest.fixture(scope="module")
def made() -> list[dict[str, object]]:
    return generate.programs(3, range(30))


def test_the_same_seed_gives_the_same_programs(made: list[dict[str, object]]) -> None:
    assert generate.programs(3, range(10, 14)) == made[10:14]
    assert generate.programs(4, [0]) != made[:1]


def test_every_program_is_a_case_that_eager_runs(made: list[dict[str, object]]) -> None:
    for one in made:
        case = parse_case(f"hunt/p{one['number']}", Path("p.py"), str(one["text"]))
        program = CaseProgram(case, "hunt").load()
        args, kwargs = as_inputs(program.inputs())
        torch._dynamo.reset()  # of a second size what eager compiles knows no more than a symbol
        program.models["Model"]()(*args, **kwargs)


def test_a_program_comes_with_the_operators_that_it_calls(made: list[dict[str, Any]]) -> None:
    assert all(one["operators"] for one in made)
    text = (
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x.relu_().cos(){}\ndef inputs():\n    return torch.ones(3)\n"
    )
    assert reached.operators(text.format("")) == ["cos", "relu"]
    assert reached.operators(text.format("[7].sin()")) == ["cos", "relu"]  # as far as it runs


def test_every_program_has_the_element_that_it_is_made_around(
    made: list[dict[str, object]],
) -> None:
    assert len(made) == 30
    for one in made:
        assert generate.wanted(int(str(one["number"]))) in one["elements"]  # type: ignore[operator]


def test_example_sizes_are_no_numbers_of_the_grammar() -> None:
    """Or a size that became a constant could be told from none that was written."""
    number = re.compile(
        rf"(?<![\w.])(?<!e-)({'|'.join(map(str, writing.EXAMPLE.values()))})(?![\w.])"
    )
    said = [text for element in ELEMENTS for text in element.statements if number.search(text)]
    assert said == []


def test_elements_come_as_often_as_their_shares() -> None:
    counted = Counter(generate.wanted(n) for n in range(400))
    whole = sum(e.share for e in ELEMENTS)
    for element in ELEMENTS:
        assert abs(counted[element.name] / 400 - element.share / whole) < 0.01
    # What seldom comes up by itself, and breaks captures most.
    assert counted["higher-order"] >= 40
    assert counted["unbacked"] >= 40
    assert counted["mutation"] + counted["aliasing"] >= 40


def _statement(*body: str) -> Statement:
    return Statement(body=list(body), init=[], top=[], new=["v1"], element="pointwise")


def test_a_statement_that_raises_at_one_size_is_undone() -> None:
    trial = PartialProgram(
        "def named(n=5):\n    return {'x': torch.ones(n)}\n", [{"n": 5}, {"n": 2}, {"n": 1}]
    )
    assert trial.take(_statement("v1 = x.add_(1)"))
    assert not trial.take(_statement("x.add_(1)", "v1 = x[1]"))  # there is no second one at size 1
    assert [trial.value("x.sum().item()", point) for point in range(3)] == [10, 4, 2]


def test_a_statement_that_gives_only_nan_is_not_kept() -> None:
    trial = PartialProgram("def named(n=5):\n    return {'x': torch.ones(n)}\n", [{"n": 5}])
    assert not trial.take(_statement("v1 = x * float('nan')"))


def test_a_program_that_hangs_on_random_numbers_or_last_digits_is_not_steady() -> None:
    from exportdb.hunt.writing import Dim, Parameter, Signature, text

    taken = Signature(
        (Dim("n", 2, 4, 'Dim("n", min=2, max=4)'),),
        (Parameter("x", "torch.randn(n)", "{0: Dim('n', min=2, max=4)}", ("x",)),),
    )

    def steady(returned: str) -> bool:
        return generate.steady(text("0", taken, [], returned, False), taken)

    assert steady("x.sin()")
    assert not steady("x + torch.rand(2)[0]")
    assert not steady("(x * 1e5).frac()")

    written = Statement(
        init=["self.w = torch.nn.Parameter(torch.ones(()))"], top=[], new=["v1"], element="state",
        body=["v1 = (self.w * x).exp()", "v2 = v1 * 2", "v1.add_(1)"],
    )  # fmt: skip
    source = text("0", taken, [written], "v1", True)
    assert generate.steady(source, taken)
    assert not generate.steady(source, taken, trains=True)  # exp() needs what was written over

    layer = Statement(
        init=["self.drop = torch.nn.Dropout().eval()",
              "self.w = torch.nn.Parameter(torch.ones(9))"],
        top=[], new=["v1"], element="state", body=["v1 = self.drop(self.w)"],
    )  # fmt: skip
    source = text("0", taken, [layer], "v1", True)
    assert generate.steady(source, taken)
    assert not generate.steady(source, taken, trains=True)  # it is trained as a whole


def test_inputs_that_cannot_be_copied_are_none() -> None:
    """What an operator gave of one that asks for a gradient is no leaf."""
    from exportdb.hunt.writing import Parameter, Signature, text

    def steady(made: str) -> bool:
        taken = Signature((), (Parameter("x", made, "None", ("x",)),))
        return generate.steady(text("0", taken, [], "x * 2", False), taken)

    assert steady("torch.randn(3, 4).mT.requires_grad_()")
    assert not steady("torch.randn(3, 4, requires_grad=True).mT")


def test_lines_are_run_as_in_a_file_of_their_own() -> None:
    """Annotations are values there: a dataclass with a default of its own reads them."""
    trial = PartialProgram("def named(n=5):\n    return {'x': torch.ones(n)}\n", [{"n": 5}])
    top = "@dataclasses.dataclass\nclass G:\n    a: list = dataclasses.field(default_factory=list)"
    made = Statement(body=["v1 = x + len(G().a)"], init=[], top=[top], new=["v1"], element="python")
    assert trial.take(made)
    assert trial.value("G.__annotations__['a']") is list


def test_programs_around_one_element_have_it_all() -> None:
    assert {generate.wanted(n, ("state", "views")) for n in range(20)} == {"state", "views"}
    (one,) = generate.programs(3, [1], around=["closures"])
    assert "closures" in one["elements"]
    assert one["text"] != generate.programs(3, [1])[0]["text"]


def test_a_program_around_an_operator_is_given_its_tensors() -> None:
    """As torch's tests have them, most often with a size that varies, and each another operator."""
    made = generate.programs(2, range(12), around=["opinfo"])
    assert len(made) == 12
    called = [re.findall(r"v1 = (torch[\w.]+)\(", str(one["text"])) for one in made]
    assert len(dict.fromkeys(map(tuple, called))) >= 11
    assert sum("Dim" in str(one["text"]).partition("dynamic_shapes")[2] for one in made) >= 6


def test_every_operator_comes_before_one_comes_again() -> None:
    drawn = [(call.built or call).function for call in islice(opinfo.calls(0, 0), 200)]
    assert len(set(drawn)) == len(drawn)
    assert opinfo.operators().keys() >= {"torch.nn.functional.conv2d", "torch.fft.rfft"}
    assert not any(word in name for name in opinfo.operators() for word in ("dropout", "empty"))


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("argmax", "torch.argmax"), ("torch.argmax", "torch.argmax"),
        ("aten.argmax", "torch.argmax"), ("torch.ops.aten.argmax.default", "torch.argmax"),
        ("aten::argmax.out", "torch.argmax"), ("gelu", "torch.nn.functional.gelu"),
        ("nn.functional.gelu", "torch.nn.functional.gelu"), ("clip", "torch.clamp"),
        ("add_", "torch.add"), ("torch.Tensor.view", "torch.Tensor.view"),
        ("nn.LSTM", "torch.nn.LSTM"), ("torch.nn.GroupNorm", "torch.nn.GroupNorm"),
        # Before they get to ATen's operators, these are made of others: all are run to know.
        pytest.param("aten.lstm", "torch.nn.LSTM", marks=pytest.mark.slow),
        pytest.param("aten.cross_entropy_loss", "torch.nn.functional.cross_entropy",
                     marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_an_operator_is_known_by_any_of_its_names(name: str, means: str) -> None:
    assert naming.meant(name) == (means,)


@pytest.mark.slow
def test_an_operator_of_aten_alone_means_what_runs_it_and_little_else() -> None:
    assert "torch.nn.functional.conv2d" in naming.meant("aten.convolution")
    assert "torch.nn.functional.cross_entropy" not in naming.meant("_log_softmax")
    assert not naming.meant("aten.nothing")


@pytest.mark.slow
def test_a_name_that_means_nothing_comes_with_those_near_it() -> None:
    told = naming.named(["argmax", "aten.agrmax"])
    assert told["operators"] == {"argmax": ("torch.argmax",)}
    assert told["near"]["aten.agrmax"][0] == "argmax"


CHAIN = ("torch.exp", "torch.log", "torch.sum")


def test_several_operators_take_turns() -> None:
    drawn = [call.function for call in islice(opinfo.calls(0, 0, CHAIN, in_turn=True), 9)]
    assert all({*drawn[at : at + 3]} == {*CHAIN} for at in (0, 3, 6))


def test_several_operators_are_called_with_what_the_others_gave() -> None:
    """All three in a row, as a pass looks for them: by chance two programs of these have it."""
    chained = 0
    for one in generate.programs(7, range(24), around=CHAIN):
        went_through: dict[str, frozenset[str]] = {}
        for variable, function, given in re.findall(
            r"(v\d+) = (torch\.\w+)\((v\d+)?", str(one["text"])
        ):
            went_through[variable] = went_through.get(given, frozenset()) | {function}
        chained += {*CHAIN} in went_through.values()
    assert chained >= 5


def test_programs_around_operators_call_these_and_differ() -> None:
    around = ["torch.argmax", "torch.nn.functional.gelu"]
    made = generate.programs(3, range(6), around=around)
    assert generate.programs(3, range(2, 4), around=around) == made[2:4]
    assert len({str(one["text"]) for one in made}) == 6
    for one in made:
        assert re.search(r"v1 = torch\.(argmax|nn\.functional\.gelu)\(", str(one["text"]))
    whole = " ".join(str(one["text"]) for one in made)
    assert "approximate=" in whole
    assert "dim=" in whole


def test_programs_around_a_module_build_it_as_its_tests_do() -> None:
    made = [str(one["text"]) for one in generate.programs(3, range(4), around=["torch.nn.LSTM"])]
    assert len(made) == 4
    assert all("= torch.nn.LSTM(" in text for text in made)


def test_inputs_of_programs_around_gradients_ask_for_them_and_are_trained() -> None:
    for one in generate.programs(3, range(8), around=["gradients"]):
        asked, trained = ("requires_grad_()" in one["text"], "\ntrain: true\n" in one["text"])
        assert (asked, trained) == (True, True), one["text"]


def test_inputs_are_given_by_place_by_name_or_left_out() -> None:
    ways, kinds, whole = Counter[str](), Counter[type](), ""
    for one in generate.programs(3, range(24), around=["inputs"]):
        case = parse_case(f"hunt/p{one['number']}", Path("p.py"), str(one["text"]))
        program = CaseProgram(case, "hunt").load()
        args, kwargs = as_inputs(program.inputs())
        program.models["Model"]()(*args, **kwargs)
        parameters = len(inspect.signature(program.models["Model"].forward).parameters) - 1
        ways.update(place=len(args), name=len(kwargs), left=parameters - len(args) - len(kwargs))
        kinds.update(map(type, (*args, *kwargs.values())))
        whole += str(one["text"])
    assert min(ways.values()) >= 2, ways
    assert kinds[int] + kinds[float] >= 5
    assert kinds[list] + kinds[tuple] + kinds[dict] >= 5


def test_programs_give_back_containers_of_many_kinds() -> None:
    rng = random.Random(0)
    kinds = {type(eval(generate._contained(rng, ("1", "2", "3")), _PAIR)) for _ in range(300)}
    assert kinds == {tuple, list, dict, collections.OrderedDict, _PAIR["Pair"]}
    keys = {type(key) for _ in range(300)
            for made in [eval(generate._contained(rng, ("1", "2", "3")), _PAIR)]
            if isinstance(made, dict) for key in made}  # fmt: skip
    assert keys == {int, str}


_PAIR = {
    "collections": collections, "Pair": collections.namedtuple("Pair", ["b", "a"]),
}  # fmt: skip


def test_no_program_has_more_than_six_statements(made: list[dict[str, Any]]) -> None:
    around = generate.programs(0, range(12), around=["torch.nn.functional.normalize"])
    of_calls = [n for n in range(300) if generate.wanted(n) == "opinfo"][:20]
    lengths = [_length(one["text"]) for one in made + around + generate.programs(0, of_calls)]
    assert max(lengths) == generate.MOST == 6
    assert min(lengths) >= 1


def _length(text: str) -> int:
    """How many statements ``forward`` has before it gives its results back."""
    forward = [node for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.FunctionDef) and node.name == "forward"][-1]  # fmt: skip
    return len([node for node in forward.body if not isinstance(node, ast.Return)])


def test_all_samples_of_an_operator_come_before_one_comes_again() -> None:
    of = ("torch.flip", "torch.argmax")
    size = len(opinfo._round(of, 0, 0))
    assert size == sum(len(opinfo._distinct(name)) for name in of)
    first, second = ([*map(id, islice(opinfo.calls(0, turn, of), size))] for turn in (0, size))
    assert len({*first}) == size
    assert {*first} == {*second}
    assert first != second
    says = {repr(call.kwargs) + repr(call.args[1:]) for call in opinfo._distinct(of[0])}
    assert len(says) >= 5


def test_arguments_that_no_sample_gives_are_given_too(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = opinfo._samples("torch.nan_to_num", torch.float32, opinfo._ALL)
    assert not any("neginf" in sample.kwargs for sample in samples)  # as torch's tests have it
    made = generate.programs(31, range(4), around=["torch.nan_to_num"])
    assert any("neginf=" in one["text"] for one in made)
    more: list[opinfo.Call] = []
    unlike = opinfo._unlike

    def noted(call: opinfo.Call, rng: random.Random) -> list[opinfo.Call]:
        found = [*unlike(call, rng)]
        more.extend(one for one in found if one.kwargs.keys() > call.kwargs.keys())
        return found

    monkeypatch.setattr(opinfo, "_unlike", noted)
    drawn = [*islice(opinfo.calls(3, 0), 80)]
    assert sum(any(call is one for one in more) for call in drawn) >= 4


def test_a_number_stands_for_a_tensor_and_an_argument_is_left_out() -> None:
    said = {calling.written(c, lambda t: "x") for c in opinfo._distinct("torch.where")}
    assert {"torch.where(x, x, x)", "torch.where(x, x, 0)"} <= said
    pooled = {
        calling.written(c, lambda t: "x")
        for c in opinfo._distinct("torch.nn.functional.avg_pool2d")
    }
    # Of what torch's tests give, all that leave out what pads in a mean set the divisor too.
    assert "torch.nn.functional.avg_pool2d(x, 3, 1, 1, True, False)" in pooled
    attention = opinfo._distinct("torch.nn.functional.scaled_dot_product_attention")
    masks = [c.kwargs["attn_mask"].dtype for c in attention if "attn_mask" in c.kwargs]
    assert torch.bool in masks


def test_whole_numbers_may_be_more_than_float32_tells_apart() -> None:
    compared = [c.args for c in opinfo._distinct("torch.eq") if c.args[0].dtype is torch.int64]
    tensors = [args for args in compared if all(isinstance(t, torch.Tensor) for t in args)]
    assert any(min(t.min().item() for t in args) >= 2**23 for args in tensors)


@pytest.mark.parametrize("name", ["torch.where", "torch.einsum", "torch.nn.functional.embedding"])
def test_arguments_are_in_the_order_of_the_operator_itself(name: str) -> None:
    """Torch's tests call these by a function with an order of its own."""
    for call in opinfo._distinct(name)[:4]:
        call.run()


def test_dtypes_of_an_operator_come_by_quota() -> None:
    counted = Counter(call.args[0].dtype for call in opinfo._distinct("torch.flip"))
    assert counted[torch.float32] > counted[torch.int64] >= 1
    assert counted[torch.bool] >= 1


def test_a_module_of_torch_is_built_and_called_as_its_tests_do() -> None:
    drawn = {call.built.function: call for call in islice(opinfo.calls(0, 0), 700) if call.built}
    assert drawn.keys() >= {"torch.nn.Conv2d", "torch.nn.GRU", "torch.nn.GroupNorm"}
    assert not any("Dropout" in name for name in drawn)
    call = drawn["torch.nn.GroupNorm"]
    assert isinstance(call.run(), torch.Tensor)
    calls = opinfo._distinct("torch.nn.Conv2d")
    in_double = next(c for c in calls if c.args[0].dtype is torch.double)
    assert in_double.run().dtype is torch.double
    said = calling.statement(call, calling.written(call, calling.made))
    assert re.match(r"init: self.<o> = torch.nn.GroupNorm\(\d.*\n<v> = self.<o>\(", said)


def test_a_call_beside_other_statements_is_given_back() -> None:
    """Its result would be seen by nobody."""
    made = [one for one in generate.programs(3, range(30)) if "opinfo" in one["elements"]]
    assert len(made) >= 20
    for one in made:
        body, returned = str(one["text"]).partition("dynamic_shapes")[0].rsplit("return ", 1)
        called = re.findall(r"(v\d+) = (?:torch\.\w+\.\w+|torch\.nn\.\w+)\(", body)
        assert {*called} <= {*re.findall(r"v\d+", returned)}, one["text"]


def test_what_is_random_is_given_back_as_what_no_draw_changes() -> None:
    statements = generate.BY_NAME["random"].statements
    made = generate.programs(3, range(len(statements)), around=["random"])
    assert len(made) == len(statements)
    whole = " ".join(str(one["text"]) for one in made)
    assert all(name in whole for name in ("dropout", "multinomial", "manual_seed", "randperm"))


def test_an_operator_that_takes_no_tensor_has_programs_around_it() -> None:
    (one,) = generate.programs(3, [0], around=["torch.eye"])
    assert "v1 = torch.eye(" in str(one["text"])


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor([[0.5, -2.0], [3.0, 0.0]]), torch.linspace(-3, 2, 80).reshape(40, 2),
        torch.linspace(-9, -8, 80), torch.arange(50) % 7, torch.tensor(True),
        torch.arange(40) % 2 > 0, torch.polar(torch.ones(9, 9), torch.ones(9, 9)),
        torch.zeros(0, 3), torch.linspace(0, 1, 50).to(torch.bfloat16),
        torch.tensor([-3, 4], dtype=torch.int32),
        torch.tensor([1.0, -torch.inf]), torch.tensor([1 + 2j, complex(0, torch.inf)]),
    ],
)  # fmt: skip
def test_a_tensor_that_is_written_down_is_like_it(tensor: torch.Tensor) -> None:
    written = eval(calling.made(tensor))
    assert (written.shape, written.dtype) == (tensor.shape, tensor.dtype)
    if not tensor.is_complex() and tensor.numel():
        (low, high), (least, greatest) = tensor.double().aminmax(), written.double().aminmax()
        assert low >= 0 or least < 0
        assert low - 1 <= least
        assert greatest <= high + 1


def test_every_statement_comes_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by chance: of twenty statements a random choice leaves six out of 24 programs."""
    lines = tuple(f"<v> = <f> + {n}" for n in range(100, 120))
    monkeypatch.setitem(generate.BY_NAME, "views", Element("views", 1.0, lines))
    made = generate.programs(5, range(24), around=["views"])
    assert len(made) == 24
    left = [n for n in range(100, 120) if not any(f" + {n}" in one["text"] for one in made)]
    assert not left


def test_every_choice_of_a_statement_comes_before_one_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    functions = ("sin", "cos", "tanh", "abs", "neg", "exp", "sigmoid", "square")
    monkeypatch.setitem(holes._CHOICES, "u", functions)
    monkeypatch.setitem(generate.BY_NAME, "views", Element("views", 1.0, ("<v> = <f>.<u>() + 99",)))
    first = -generate._beginning(5) % len(functions)  # where a round begins
    made = generate.programs(5, range(first, first + 16), around=["views"])
    chosen = [re.findall(r"\.(\w+)\(\) \+ 99", str(one["text"]))[0] for one in made]
    counted = Counter(chosen)
    assert counted == dict.fromkeys(functions, 2), chosen


def test_branches_are_compiled_once_and_looked_at_everywhere() -> None:
    header = "def named(n=5):\n    return {'x': torch.ones(n)}\n"
    branch = "v1 = torch.cond(x.sum() > 1, lambda a: a + 1, lambda a: a - 1, (x,))"
    seen: list[object] = []

    def compiled(trial: PartialProgram) -> int:
        torch._dynamo.reset()  # as before each program
        torch._dynamo.callback.on_compile_start(seen.append)  # it forgets that, too
        before = len(seen)
        assert trial.take(_statement(branch))
        return len(seen) - before

    once, trial = (
        PartialProgram(header, [{"n": 5}]),
        PartialProgram(header, [{"n": 5}, {"n": 2}, {"n": 1}]),
    )
    assert compiled(trial) == compiled(once) > 0
    assert [trial.value("v1.sum().item()", point) for point in range(3)] == [10, 4, 0]
    assert not trial.take(_statement(branch.replace("x.sum()", "x[1]")))  # at size 1
    assert not trial.take(_statement(branch.replace("a + 1", "a[:1]")))  # compiling refuses


def test_a_scan_that_carries_several_values_can_stand_in_a_program() -> None:
    """As it is, torch's takes one alone: compiled it takes all, and in programs a loop does."""
    header = "def named(n=5):\n    return {'x': torch.ones(n)}\n"
    trial = PartialProgram(header, [{"n": 5}, {"n": 2}])
    carries = "lambda c, a: ([c[0] + a, c[1] + 2 * a], c[0] - c[1])"
    assert trial.take(
        _statement(f"v1 = torch._higher_order_ops.scan({carries}, [x[0] * 0, x[0]], x)[0]")
    )
    assert [trial.value("[int(t) for t in v1]", point) for point in range(2)] == [[5, 11], [2, 5]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "element", [e for e in ELEMENTS if e.name != "opinfo"], ids=lambda e: e.name
)
def test_every_statement_of_the_grammar_can_be_kept(element: Element) -> None:
    never = [i for i in range(len(element.statements)) if not _kept_once(element, i)]
    assert [element.statements[i] for i in never] == []


def _kept_once(element: Element, turn: int) -> bool:
    """Whether a statement is kept in one of a few programs behind a number and other tensors."""
    for seed in range(25):
        torch._dynamo.reset()
        rng = random.Random(seed)
        taken = writing.signature(rng, element.name)
        filling = generate._begun(rng, taken, iter(()))
        for before in ("sizes", "promotion"):
            generate._added(filling, generate.BY_NAME[before])
        if generate._added(filling, element, turn) is not None:
            return True
    return False

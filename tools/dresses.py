"""The clothes of a pasted error text: what terminals, logs, notebooks and people do to it.

Owns the dresses and the wordings that are put into them; ``bench_explain.py --dressed`` measures
how many still find their entry, and the user's line.
"""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from exportdb.cases.catalogue import Entry

Dress = Callable[[str], str]
#: The program of all tracebacks here, and the line of it that the user wrote.
FILE, LINE, SOURCE = "/home/me/net/model.py", 42, "y = self.encoder(x, mask=mask)"
_TORCH = "/opt/env/lib/python3.11/site-packages/torch/nn/modules/module.py"


def traceback(text: str) -> str:
    """What Python prints."""
    return (
        "Traceback (most recent call last):\n"
        f'  File "{FILE}", line {LINE}, in forward\n    {SOURCE}\n        ^^^^^^^^^^^^^^^\n'
        f'  File "{_TORCH}", line 1751, in _wrapped_call_impl\n'
        "    return self._call_impl(*args, **kwargs)\n"
        "           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n" + text
    )


def notebook(text: str) -> str:
    """What IPython prints since its release 8."""
    name = text.split(":")[0]
    return (
        f"{'-' * 75}\n{name:<42}Traceback (most recent call last)\n"
        "Cell In[7], line 3\n      1 model = Net().eval()\n"
        "      2 x = torch.randn(2, 3, 224, 224)\n----> 3 run(model, (x,))\n\n"
        f"File {_TORCH}:1751, in Module._wrapped_call_impl(self, *args, **kwargs)\n"
        "   1749     return self._compiled_call_impl(*args, **kwargs)  # type: ignore[misc]\n"
        "   1750 else:\n-> 1751     return self._call_impl(*args, **kwargs)\n\n"
        f"File {FILE}:{LINE}, in Net.forward(self, x, mask)\n"
        f"     41 def forward(self, x, mask):\n---> {LINE}     {SOURCE}\n"
        "     43     return self.head(y)\n\n" + text
    )


def older_notebook(text: str) -> str:
    """What notebooks of a cloud printed, with links in place of paths."""
    name = text.split(":")[0]
    return (
        f"{'-' * 75}\n{name:<42}Traceback (most recent call last)\n"
        "<ipython-input-7-2f0c3a9f1f0d> in <module>()\n      1 model = Net().eval()\n"
        "----> 2 run(model, (x,))\n\n3 frames\n"
        f"{FILE} in forward(self, x, mask)\n     41     def forward(self, x, mask):\n"
        f"---> {LINE}         {SOURCE}\n     43         return self.head(y)\n\n"
        "[/usr/local/lib/python3.10/dist-packages/torch/nn/modules/module.py]"
        "(https://localhost:8080/#) in _call_impl(self, *input, **kwargs)\n"
        "   1193                 or _global_forward_hooks or _global_forward_pre_hooks):\n"
        "-> 1194             return forward_call(*input, **kwargs)\n"
        "   1195         # Do not call functions when jit is used\n\n" + text
    )


def rich(text: str) -> str:
    """What the library rich prints: a box of frames, and the message below, wrapped."""
    frames = [
        f"{FILE}:{LINE} in forward", "", "   41     def forward(self, x, mask):",
        f" \u2771 {LINE}         {SOURCE}", "   43         return self.head(y)", "",
        f"{_TORCH}:1751 in", "_wrapped_call_impl", "",
        " \u2771 1751             return self._call_impl(*args, **kwargs)",
    ]  # fmt: skip
    box = [f"\u2502 {line:<76} \u2502" for line in frames]
    head = "\u256d" + " Traceback (most recent call last) ".center(78, "\u2500") + "\u256e"
    foot = "\u2570" + "\u2500" * 78 + "\u256f"
    return "\n".join([head, *box, foot, _filled(text, 80)])


def page(text: str) -> str:
    """The source of a web page, as an exported notebook has it."""
    head, colon, rest = traceback(text).partition(text.split(":")[0] + ":")
    bold = f'<span class="ansi-red-fg">{html.escape(colon.rstrip(":"))}</span>:' if colon else ""
    return f"<pre>{html.escape(head)}{bold}{html.escape(rest)}</pre>".replace("\n", "<br>\n")


def coloured(text: str) -> str:
    """What a terminal gets to see."""
    return "\x1b[1m\x1b[31m" + text.replace(" ", "\x1b[0m \x1b[38;5;12m") + "\x1b[0m"


def _filled(text: str, width: int) -> str:
    return "\n".join(textwrap.fill(line, width) for line in text.split("\n"))


def _each(prefix: str) -> Dress:
    return lambda text: "\n".join(prefix + line for line in traceback(text).split("\n"))


def _part(start: float, end: float) -> Dress:
    return lambda text: text[int(start * len(text)) : int(end * len(text))]


def _broken(text: str) -> str:
    lines = traceback(text).split("\n")
    return "\n".join(line[i : i + 80] for line in lines for i in range(0, len(line) or 1, 80))


def _report(text: str) -> str:
    said = "\n".join(f"E   {' ' * 4 * bool(i)}{line}" for i, line in enumerate(text.split("\n")))
    return (
        "    def test_net():\n        model, x = make()\n>       run(model, (x,))\n\n"
        f"test_net.py:9: \n{'_ ' * 40}\n{FILE}:{LINE}: in forward\n    {SOURCE}\n{said}\n\n"
        "../torch/nn/modules/module.py:1751: RuntimeError\n"
        "=========================== short test summary info ===========================\n"
        f"FAILED test_net.py::test_net - {text.split(chr(10))[0][:60]}..."
    )


#: What cuts off a part of the message, after which less can be known of it.
CUTS = ("without its head", "without its tail", "middle alone")
DRESSES: dict[str, Dress] = {
    "plain": lambda text: text,
    "traceback": traceback,
    "without its head": _part(0.4, 1),
    "without its tail": _part(0, 0.6),
    "middle alone": _part(0.2, 0.8),
    "wrapped at words": lambda text: _filled(text, 72),
    "wrapped, indented": lambda text: textwrap.indent(_filled(text, 60), "    "),
    "broken at an edge": _broken,
    "coloured": coloured,
    "pytest": _report,
    "notebook": notebook,
    "older notebook": older_notebook,
    "rich": rich,
    "web page": page,
    "quoted": _each("> "),
    "quoted twice": _each("> > "),
    "rank": _each("[rank3]: "),
    "rank and time": _each("2026-03-04 10:11:12,345 [rank 3] ERROR trainer.loop:88 - "),
    "logger": _each("2026-03-04 10:11:12,345 - net.export - ERROR - "),
    "loguru": _each("2026-03-04 10:11:12.345 | ERROR    | net.export:main:88 - "),
    "container": _each("worker-1  | "),
    "ray": _each("(TrainWorker pid=4242, ip=10.0.0.7) "),
    "vllm": _each("(EngineCore_DP0 pid=4242) ERROR 03-04 10:11:12 [core.py:710] "),
    "actions": _each("2026-03-04T10:11:12.3456789Z "),
    "kubernetes": _each("2026-03-04T10:11:12.345678901Z stderr F "),
    "json": lambda text: json.dumps({"level": "error", "exc_info": traceback(text)}),
    "fence": lambda text: (
        "Hi, I try to use my model with the newest release and get this:\n\n"
        f"```pytb\n{traceback(text)}\n```\n\nAny idea what I am doing wrong? Thanks a lot!"
    ),
    "said in a sentence": lambda text: f"I get `{text}` when I run my model, please help",
    "before another": lambda text: (
        f"{traceback(text)}\n\nDuring handling of the above exception, another exception "
        "occurred:\n\n" + traceback("SystemExit: 1")
    ),
    "launcher": lambda text: (
        f"{_each('[rank0]: ')(text)}\nE0304 10:11:12.345000 4242 torch/distributed/elastic/"
        "multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 0 (pid: 4243) of binary: "
        "/opt/env/bin/python\nTraceback (most recent call last):\n"
        '  File "/opt/env/bin/torchrun", line 8, in <module>\n    sys.exit(main())\n'
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        f"{'=' * 60}\ntrain.py FAILED\n{'-' * 60}\nRoot Cause (first observed failure):\n"
        "[0]:\n  time      : 2026-03-04_10:11:12\n  exitcode  : 1 (pid: 4243)\n"
        "  error_file: <N/A>\n  traceback : To enable traceback see: "
        "https://pytorch.org/docs/stable/elastic/errors.html"
    ),
}  # fmt: skip

_HOLE = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")
_FILLING = {"n": "3", "m": "5", "a": "alpha", "b": "beta"}


def filled(wording: str) -> str:
    """A wording as a program says it: its holes filled.

    >>> filled("Guard failed: {guard} of {n} in {{x}}")
    'Guard failed: guard_7 of 3 in {x}'
    """
    return _HOLE.sub(lambda m: _FILLING.get(m[1], f"{m[1]}_7") if m[1] else m[0][0], wording)


def wordings(entries: Iterable[Entry], every: int = 1) -> Iterator[tuple[str, str]]:
    """The entries' IDs with their wordings as an exception says them; of ``every`` so many one."""
    told = [(e, w) for e in entries for w in e.messages]
    for entry, wording in told[every // 2 :: every]:
        said = filled(wording.text)
        kind = (*entry.types, "RuntimeError")[0]
        yield entry.id, said if ": " in said[:40] else f"{kind}: {said}"

"""The ``exportdb`` command: finds the verb, runs it, and turns what goes wrong into one clear line.

Owns the order of verbs, exit codes and the last line of defence. Each verb is a module of this
package with a click command called ``command``; what it does is left to the layers below.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import traceback
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import exportdb
from exportdb.hints import hint

#: What ``--help`` says of each verb, in its order; each is the module of the same name. It stands
#: here so that help imports none of them.
VERBS = {
    "list": "List the cases of the database.",
    "show": "Show a case, or an entry of the error catalogue.",
    "explain": "Explain an error: what it means and what to do.",
    "run": "Examine cases, and report what each exporter can capture.",
    "check": "Examine cases, and fail on what is not as expected.",
    "report": "Print the report of a finished run again, for a terminal or CI.",
    "accept": "Make measured results the expectations.",
    "diff": "Compare two runs, torch versions or exporters.",
    "merge": "Merge record files of shards, machines or exporters.",
    "log": "Show how a case came out, by version and date.",
    "bisect": "Find the first version of torch on which a case comes out differently.",
    "status": "Show what is supported now, and what changed since the last run and last week.",
    "history": "Import, export and prune recorded results.",
    "matrix": "Examine cases with several torch versions.",
    "lint": "Check the cases themselves.",
    "new": "Start a case or an exporter.",
    "site": "Build the site: browse, search and compare.",
    "schema": "Print the JSON Schema of what exportdb reads and writes.",
    "env": "List, create and remove environments of exporters.",
    "diagnose": "Find out why your own model is not captured, and try changes that help.",
    "hunt": "Generate programs, try exporters on them, and show what breaks, by cause.",
    "doctor": "Show what is installed, what works here, and why the rest does not.",
    "completion": "Print the completion script of a shell.",
}

EXIT_CANNOT_RUN = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class OutputClosed(Exception):
    """Nobody reads what is printed any more. click would make exit code 1 of it: surprises."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise OutputClosed from None

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"exportdb.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and args[0] not in VERBS:
            ctx.fail(f"there is no command {args[0]!r}{hint(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of verbs, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(exportdb.__version__, prog_name="exportdb")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:  # _run reads it
    """What PyTorch exporters can and cannot capture: measured, not promised.

    Start with `exportdb doctor`, then `exportdb run control_flow`. The guides are Markdown files
    in a folder that `exportdb doctor` names; `exportdb site` makes pages of them.

    Exit codes: 0 as expected, 1 surprises, 2 cannot run.
    """


def main() -> None:
    """Run the command line of this process and exit."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: its number must be no file of ours
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  # until we end
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that is not UTF-8 must not end a run over a letter in a title.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    warnings.formatwarning = lambda message, *_, **__: f"exportdb: {message}\n"
    gc.freeze()  # what is imported so far is no garbage
    gc.set_threshold(20_000)  # reading files makes many objects and hardly a cycle
    sys.exit(_run(sys.argv[1:]))


def _run(argv: list[str]) -> int:
    debug = "--debug" in argv  # before or after the verb
    argv = [a for a in argv if a != "--debug"]
    try:
        code: Any = cli.main(argv, prog_name="exportdb", standalone_mode=False, obj=argv)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show()
        return EXIT_CANNOT_RUN
    except (BrokenPipeError, OutputClosed):
        # The reader has gone (`exportdb list | head`); nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as e:
        return _failed(e, debug)


def _failed(error: Exception, debug: bool) -> int:
    """Say what went wrong: one line for what a user can fix, a traceback for what is our fault."""
    if isinstance(error, ModuleNotFoundError) and find_spec("torch") is None:
        from exportdb.executors.error import NO_TORCH, RunnerError

        error = RunnerError(NO_TORCH)  # what torch brings along is missing with it
    known = isinstance(error, OSError) or error.__class__.__module__.startswith("exportdb.")
    if debug or not known:
        traceback.print_exception(error)
    if known:
        print(f"exportdb: {_line(error)}", file=sys.stderr)
    else:
        print("exportdb: this is a bug in exportdb; please report it", file=sys.stderr)
    return EXIT_CANNOT_RUN


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror[:1].lower()}{error.strerror[1:]}"
    return str(error)

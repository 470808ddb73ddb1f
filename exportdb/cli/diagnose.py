"""``exportdb diagnose``: what is wrong with the capture of a model, and what fixes it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from exportdb import resolve
from exportdb.cli import options, output


@click.command("diagnose")
@click.argument("model", metavar="FILE:FUNCTION|MODULE:FUNCTION")
@options.exporters_option("Exporters to try; takes what run --exporter takes. Default: export.")
@options.devices_option("The device to try it on. Default: cpu.")
@click.option("--minimise", is_flag=True, help="Reduce the model to a small program that fails in "
              "the same way.")  # fmt: skip
@click.option("--seconds", type=options.TimeLimit(), metavar="SECONDS",
              default=60.0, show_default=True,
              help="How long to look for a change; with --minimise, as long again for a small "
              "program. Starting torch, examining the model as it is and the change with other "
              "exporters take what they take.")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the small program here, as a case.")  # fmt: skip
@options.home_option
@options.json_option
def command(
    model: str, exporters: tuple[str, ...], devices: tuple[str, ...], minimise: bool,
    seconds: float, out: Path | None, home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Find out why your own model is not captured, and try changes that help.

    FUNCTION takes no arguments and returns (module, args), followed by kwargs and
    dynamic_shapes if there are any. Every change that it shows was examined on all samples.

    \b
      exportdb diagnose model.py:make
      exportdb diagnose my_package.model:make --exporter export,onnx
      exportdb diagnose model.py:make --minimise --out small.py

    Exit codes: 0 captured as it is or with the change shown, 1 not captured, 2 could not be
    tried.
    """
    from exportdb.cli.diagnosing import DiagnosisProgress
    from exportdb.diagnose.diagnosis import DiagnosisOptions, diagnosed
    from exportdb.diagnose.origin import OriginError, file_origin
    from exportdb.store.home import home_folder

    asked = DiagnosisOptions(
        resolve.find_exporters(exporters or ("export",)),
        resolve.find_devices(devices)[0],
        os.cpu_count() or 1, seconds, minimise or out is not None, home_folder(home),
    )  # fmt: skip
    try:
        with DiagnosisProgress() as progress:
            found = diagnosed(file_origin(model), asked, progress)
    except OriginError as e:
        raise click.UsageError(str(e)) from None
    output.note(found.took)
    if out is not None and found.small is not None:
        out.write_text(found.small, encoding="utf-8")
        output.note(f"{out}: the small program; next: exportdb run {out}")
    if as_json:
        output.put_json(found.as_json())
    else:
        output.put(str(found))
    if any(a.record.outcome == "error" for a in found.before):
        return 2
    return 0 if found.supported or (found.fixed and found.fixed.faultless) else 1

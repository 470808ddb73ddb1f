"""``exportdb completion``: the script that teaches a shell our commands, cases and tags."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_LINES = {
    "bash": 'eval "$(exportdb completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(exportdb completion zsh)"  # in ~/.zshrc, after compinit',
    "fish": "exportdb completion fish > ~/.config/fish/completions/exportdb.fish",
}


@click.command("completion", epilog="\b\n" + "\n".join(_LINES.values()))
@click.argument("shell", type=click.Choice(list(_LINES)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the shell's completion script."""
    made = get_completion_class(shell)
    assert made is not None, "click knows each of the shells offered"
    # bash's script asks the installed bash for its version, which fails where there is none.
    click.echo(made.source_template % made(ctx.find_root().command, {}, "exportdb",
                                           "_EXPORTDB_COMPLETE").source_vars())  # fmt: skip

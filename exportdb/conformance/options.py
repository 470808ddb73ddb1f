"""What a run can turn about an examination; part of the key of a cached result. Knows no torch."""

from __future__ import annotations

from dataclasses import dataclass

from exportdb.records.switches import Switches


@dataclass(frozen=True)
class Options:
    """``seed`` is where every sample's random numbers start; ``max_samples`` bounds how many
    samples are made, the most telling first (a case's own are never dropped); ``max_size`` is the
    largest size a made sample gives to one dim. ``switches`` are set while the examination goes on.
    ``repeat`` is how often the program is captured; all but the first time only to see whether
    the graph is the same. ``without`` names made samples that eager does not survive. ``isolated``:
    what samples are worth trying is asked in a process of its own, which a program that hangs or
    dies needs; one that is known to do neither is asked sooner without."""

    seed: int = 0
    max_samples: int = 32
    max_size: int = 4096
    switches: Switches = ()
    repeat: int = 1
    without: tuple[str, ...] = ()
    isolated: bool = True

"""The findings that exportdb itself makes: stable IDs, and what each says.

A finding is a fact worth knowing that does not decide the outcome. Exporters add findings of their
own, which are not here.
"""

from __future__ import annotations

from collections.abc import Collection

FINDINGS: dict[str, str] = {
    "range-wider-than-guards": "The published range holds sizes that tracing assumed away.",
    "accepts-outside-range": "The exported program ran on sizes outside of the declared range.",
    "input-mutation-differs": "An input is changed in place differently than in eager.",
    "state-mutation-differs": "A parameter or buffer is changed differently than in eager.",
    "alias-differs": "An alias between outputs and inputs is lost or invented.",
    "identity-differs": "An object is lost: an output that is an input itself, a replaced buffer.",
    "strides-differ": "An output lies in memory in another order.",
    "requires-grad-differs": "An output requires a gradient, or does not, unlike in eager.",
    "class-differs": "The class of an output or of a container in it is another.",
    "zero-sign-differs": "Zeros of an output have another sign.",
    "random-state-differs": "The random generator is left in another state by a call.",
    "held-output-overwritten": "A call overwrites the outputs of the call before it.",
    "input-changed-on-error": "A call that raises has changed an input before.",
    "state-differs-on-error": "A call that raises leaves a parameter or buffer as eager does not.",
    "settings-differ": "A call leaves a setting of torch as eager does not.",
    "mode-changed": "The capture left the program's module in another mode, or its parameters.",
    "module-rewired": "The capture left other hooks or methods in the program's module.",
    "settings-changed": "The capture left a setting of torch changed.",
    "example-changed": "The capture has changed the inputs that it was given.",
    "state-advanced": "The capture itself has changed parameters or buffers of the program.",
    "writes-out-of-bounds": "Memory before or after an input is written to.",
    "graph-unreadable": "The artifact's graph could not be printed; nothing else follows from it.",
    "eager-ends-process": "Eager itself ends the process on samples that were made: left out.",
    "differs-on-second-try": "The second try in a fresh process came out differently.",
}
#: Those that explain why a capture that ran differs, the most telling first.
_EXPLAINING = (
    "range-wider-than-guards", "input-mutation-differs", "state-mutation-differs", "alias-differs",
    "identity-differs", "held-output-overwritten", "input-changed-on-error",
    "state-differs-on-error", "mode-changed",
    "settings-changed", "module-rewired", "state-advanced", "example-changed", "settings-differ",
    "writes-out-of-bounds", "requires-grad-differs", "strides-differ",
    "class-differs", "zero-sign-differs", "random-state-differs",
)  # fmt: skip
DRAFT = "Reported by draft_export, which went on past it."


def meaning(finding: str) -> str:
    """What a finding says; "" for one that an exporter made up.

    >>> meaning("draft-guard-added")
    'Reported by draft_export, which went on past it.'
    """
    return FINDINGS.get(finding) or (DRAFT if finding.startswith("draft-") else "")


def explaining(found: Collection[str]) -> str:
    """The one of these findings that tells most about why a capture ran and differs; "" for none.

    >>> explaining(["accepts-outside-range", "strides-differ", "range-wider-than-guards"])
    'range-wider-than-guards'
    """
    return next((f for f in _EXPLAINING if f in found), "")

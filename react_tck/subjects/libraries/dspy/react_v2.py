"""The real `dspy.ReActV2` as a subject, connected as a user would connect it."""

from __future__ import annotations

from importlib.metadata import version

import dspy

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import ReActSubject

_CHOICES = {
    "unknown-tool": "observe and continue",
    # Two tries (chat, JSON), and as many for the submit that it forces afterwards, in the same words. A call of
    # which json_repair leaves nothing makes it force the submit at once, which reads like a further step.
    "malformed-reply": "retries 3, then error, or retries 0, then observe",
    "malformed-args": "error, or observe",
    "schema-mismatch": "observe",
    "tool-name-matching": "exact",
    # json_repair mends most; natively, and with a fence or a comment around args, they are refused.
    "args-notation": "repaired when certain, or JSON only",
    "empty-args": "empty object, or error",
    # The first section of a name, and the last value of a key.
    "repeated-field": "first in chat, or last in chat",
    "lm-fault": "retries 3, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "tool-error": "observe",
    "max-steps-default": "20",
    "max-steps-zero": "extract at once",
    "extraction": "none (submit)",
    "fallback": "forced submit",
}


@react_tck.subject(
    "dspy.ReActV2",
    version=version("dspy"),
    homepage="https://dspy.ai",
    dialects=[*bridge.DIALECTS, "native"],
    capabilities=[
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "callable-tools",
        "declared-tools",
        "transcript",
        "parallel-tool-calls",
        "image-inputs",
        "caller-objects",
    ],
    without=bridge.find_lacks(dspy.ReActV2),
    choices=bridge.select_choices(_CHOICES, "max-steps-default", "extraction", "fallback"),
    deviations=DEVIATIONS["dspy-v2"],
    default_max_steps=bridge.find_default(dspy.ReActV2),
    # The adapters' own, and all of them again for the submit it forces.
    retries=2 * bridge.count_retries() + 1,
)
class DspyReActV2(ReActSubject):
    """`dspy.ReActV2`, which has neither an extraction nor a trajectory."""

    kind = dspy.ReActV2

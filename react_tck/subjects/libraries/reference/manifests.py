"""What each of the reference's classes says about itself, and what all four say together."""

from typing import get_args

import react_tck
from react_tck.model.manifest import Capability, Manifest

_ALL: tuple[Capability, ...] = get_args(Capability)
#: What only one class has: a system of its own, and what belongs to it.
_CONVERSATIONS: frozenset[Capability] = frozenset({"conversation"})
_TRANSCRIPTS: frozenset[Capability] = frozenset(
    {"transcript", "parallel-tool-calls", "image-inputs", "compaction"},
)
_UDSPYS: frozenset[Capability] = frozenset({"udspy-surface"})
#: What the others show of their tools and signatures is not S3's.
_INSPECTED: frozenset[Capability] = frozenset({"inspection"})


def _without(*left_out: frozenset[Capability]) -> tuple[Capability, ...]:
    return tuple(each for each in _ALL if each not in frozenset[Capability]().union(*left_out))


#: Of the four classes together, from which a case chooses: whatever the kit knows, one of them can do.
ALL = Manifest(
    name="reference",
    version=react_tck.__version__,
    dialects=("chat", "json", "xml", "machina", "native"),
    default_dialect="chat",
    capabilities=_ALL,
    choices={
        "unknown-tool": "observe and continue",
        "malformed-args": "observe",
        "schema-mismatch": "coerce when lossless",
        "malformed-reply": "retries 1, then observe",
        "tool-error": "observe",
        "tool-name-matching": "exact",
        "args-notation": "JSON only",
        "empty-args": "observe",
        # A provider's client reads the args of a native call before the adapter can.
        "repeated-field": "refused, or last in native",
        "cut-off-answer": "returned",
        "lm-fault": "error",
        "steps-exhausted": "extract",
        "step-adapter": "same as extraction",
        "trajectory-format": "mapping",
        "finish-recorded": "yes",
        "max-steps-default": "20",
        "max-steps-zero": "extract at once",
        "extraction": "chain-of-thought, or none (submit)",
        "fallback": "extract",
        "finish-from-first-state": "legal",
    },
    default_max_steps=20,
    retries=1,
    parse_errors=("ParseError",),
)


def _of(name: str, capabilities: tuple[Capability, ...], dialects: tuple[str, ...], **choices: str | None) -> Manifest:
    """What holds of all four but for these choices; None where the class has no such choice."""
    own = {choice.replace("_", "-"): variant for choice, variant in choices.items()}
    made = {choice: variant for choice, variant in {**ALL.choices, **own}.items() if variant is not None}
    return ALL.model_copy(
        update={
            "name": name,
            "dialects": dialects,
            "default_dialect": dialects[0],
            "capabilities": capabilities,
            "choices": made,
            "default_max_steps": int(made["max-steps-default"]),
        }
    )


REACT = _of(
    "reference",
    _without(_CONVERSATIONS, _TRANSCRIPTS, _UDSPYS, _INSPECTED),
    ("chat", "json", "xml"),
    extraction="chain-of-thought",
    fallback=None,
)
#: Its runs end by a submit; it has no history but its own, and summarises where a prompt doesn't fit.
TRANSCRIPT = _of(
    "reference-transcript",
    _without(
        _CONVERSATIONS, _UDSPYS, _INSPECTED, frozenset({"extraction", "step-signature", "history", "truncation"})
    ),
    ("chat", "json", "xml", "native"),
    extraction="none (submit)",
    finish_recorded=None,
)
#: It has one adapter, its own; demos by state would change the prompt that is to stay (CNV-003), so none are saved.
CONVERSATION = _of(
    "reference-conversation",
    _without(
        _TRANSCRIPTS,
        _UDSPYS,
        _INSPECTED,
        frozenset({"global-adapter", "module-adapter", "step-signature", "truncation", "save-load"}),
    ),
    ("machina",),
    extraction="chain-of-thought",
    malformed_reply="retries 0, then observe",
    repeated_field="refused",
    max_steps_default="10",
    max_steps_zero="refuse",
    fallback=None,
).model_copy(update={"retries": 0})
UDSPY = _of(
    "reference-udspy",
    _without(_CONVERSATIONS, _TRANSCRIPTS),
    ("chat", "json", "xml", "native"),
    extraction="chain-of-thought",
    max_steps_default="10",
    fallback=None,
)

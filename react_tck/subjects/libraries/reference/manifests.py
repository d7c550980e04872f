"""What each of the reference's classes says about itself, and what all four say together."""

from typing import get_args

import react_tck
from react_tck.adapter.declare import Capability
from react_tck.model.manifest import Manifest
from react_tck.reference.loop import STRICT, Policy

#: The kit's own policy: the rows of S4 let `finish` be the first step, and a conversation is asked them, too.
POLICY = STRICT.model_copy(update={"finish_from_first_state": "legal"})

_ALL: tuple[Capability, ...] = get_args(Capability)
#: What only one class has: a system of its own, and what belongs to it.
_CONVERSATIONS: frozenset[Capability] = frozenset({"conversation"})
_TRANSCRIPTS: frozenset[Capability] = frozenset(
    {"transcript", "parallel-tool-calls", "image-inputs", "compaction"},
)
_UDSPYS: frozenset[Capability] = frozenset({"udspy-surface"})
#: What the others show of their tools and signatures is not S3's.
_INSPECTED: frozenset[Capability] = frozenset({"inspection"})


def _capabilities_without(*left_out: frozenset[Capability]) -> tuple[Capability, ...]:
    return tuple(each for each in _ALL if each not in frozenset[Capability]().union(*left_out))


def _list_choices(policy: Policy) -> dict[str, str]:
    """Return the choices of the catalogue as a policy makes them, by their names there."""
    declared = {
        choice.replace("_", "-"): variant for choice, variant in policy.model_dump().items() if choice in _DECLARED
    }
    return declared | {
        "unknown-tool": policy.unknown_tool.replace("observe", "observe and continue"),
        "schema-mismatch": f"coerce when lossless, or {policy.schema_mismatch}",
        "malformed-reply": f"retries 1, then {policy.malformed_reply}",
        "finish-recorded": "yes" if policy.finish_recorded else "no",
    }


#: The fields of a policy that are choices by the same name and variants.
_DECLARED = (
    "args_notation",
    "empty_args",
    "tool_name_matching",
    "repeated_field",
    "cut_off_answer",
    "malformed_args",
    "tool_error",
    "lm_fault",
    "steps_exhausted",
    "trajectory_format",
    "extraction",
    "fallback",
    "finish_from_first_state",
)
#: What may become of a reply that can't be read.
_COURSES = frozenset({"observe", "extract", "error"})
#: Of the four classes together, from which a case chooses: whatever the kit knows, one of them can do.
ALL = Manifest(
    name="reference",
    version=react_tck.__version__,
    dialects=("chat", "json", "xml", "machina", "native"),
    default_dialect="chat",
    capabilities=_ALL,
    choices={
        **_list_choices(POLICY),
        # A provider's client reads the args of a native call before the adapter can.
        "repeated-field": "refused, or last in native",
        "step-adapter": "same as extraction",
        "max-steps-default": "20",
        "max-steps-zero": "extract at once",
        "extraction": "chain-of-thought, or none (submit)",
    },
    default_max_steps=20,
    retries=1,
    parse_errors=("ParseError",),
)


def _derive_manifest(
    name: str, capabilities: tuple[Capability, ...], dialects: tuple[str, ...], **choices: str | None
) -> Manifest:
    """Return what holds of all four but for these choices; None where the class has no such choice."""
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


def apply_policy(manifest: Manifest, policy: Policy) -> Manifest:
    """Return what the class says of itself under another policy than the kit's own."""
    ours, theirs = _list_choices(POLICY), _list_choices(policy)
    changed = {choice: variant for choice, variant in theirs.items() if variant != ours[choice]}
    choices = {choice: changed.get(choice, variant) for choice, variant in manifest.choices.items()}
    choices["malformed-reply"] = f"retries {manifest.retries}, then {policy.malformed_reply}"
    if "native" in manifest.dialects and "repeated-field" in changed:
        choices["repeated-field"] = f"{changed['repeated-field']}, or last in native"
    if "parallel-tool-calls" in manifest.capabilities:
        # Inside a field of several calls, what isn't JSON leaves it open where args end.
        if "args-notation" in changed:
            choices["args-notation"] = f"{changed['args-notation']}, or JSON only"
        # What can't be read there is a reply that can't be.
        for choice, others in (("malformed-args", _COURSES), ("empty-args", _COURSES - {"extract"})):
            if policy.malformed_reply in others - {theirs[choice]}:
                choices[choice] = f"{theirs[choice]}, or {policy.malformed_reply}"
    is_derived = "transcript" in manifest.capabilities and policy.derived_trajectory == "left out"
    shown = tuple(each for each in manifest.capabilities if each != "trajectory" or not is_derived)
    return manifest.model_copy(update={"choices": choices, "capabilities": shown})


REACT = _derive_manifest(
    "reference",
    _capabilities_without(_CONVERSATIONS, _TRANSCRIPTS, _UDSPYS, _INSPECTED),
    ("chat", "json", "xml"),
    extraction="chain-of-thought",
    fallback=None,
)
#: Its runs end by a submit; it has no history but its own, and summarises where a prompt doesn't fit.
TRANSCRIPT = _derive_manifest(
    "reference-transcript",
    _capabilities_without(
        _CONVERSATIONS, _UDSPYS, _INSPECTED, frozenset({"extraction", "step-signature", "history", "truncation"})
    ),
    ("chat", "json", "xml", "native"),
    extraction="none (submit)",
    finish_recorded=None,
)
#: It has one adapter, its own; demos by state would change the prompt that is to stay (CNV-003), so none are saved.
CONVERSATION = _derive_manifest(
    "reference-conversation",
    _capabilities_without(
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
UDSPY = _derive_manifest(
    "reference-udspy",
    _capabilities_without(_CONVERSATIONS, _TRANSCRIPTS),
    ("chat", "json", "xml", "native"),
    extraction="chain-of-thought",
    max_steps_default="10",
    fallback=None,
)

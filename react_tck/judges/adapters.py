"""The adapter that asks for steps and extraction is the one that was configured (ADP-001 to ADP-003, ADP-005)."""

from collections.abc import Iterator

from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.record.evidence import Evidence


def find_wrong_dialects(evidence: Evidence) -> Iterator[Violation]:
    """Extractions asked for in another dialect, and steps, where they are declared to be asked for as those are."""
    episode, manifest = evidence.episode, evidence.manifest
    if not is_plain_loop(episode.case) or not {"global-adapter", "module-adapter"} & set(manifest.capabilities):
        return
    for asked in evidence.record.requests:
        requirement_id, dialect = _find_configured_dialect(episode.case, asked.invocation, manifest)
        if dialect == "native":  # tools are called so; in which form fields are asked for then is the adapter's own
            continue
        if asked.ask and _is_configured(asked.ask, manifest) and not asked.attempt and asked.ask.dialect != dialect:
            expected = f"the {asked.ask.phase} is asked for in {dialect!r}"
            yield Violation(expected, f"it is asked for in {asked.ask.dialect!r}", asked, requirement_id)


def _find_configured_dialect(case: Case, invocation: int, manifest: Manifest) -> tuple[str, str]:
    """The requirement that says what was in force at this call, and the dialect."""
    options, of_calls = case.options, [call.adapter for call in case.invocations[: invocation + 1]]
    if options.module_adapter:
        return "ADP-002", options.module_adapter
    if any(of_calls):
        return "ADP-005", of_calls[-1] or options.adapter or manifest.default_dialect
    if options.adapter:
        return "ADP-001", options.adapter
    return "ADP-003", manifest.default_dialect


def _is_configured(ask: Ask, manifest: Manifest) -> bool:
    """Whether the adapter makes the request what it is: a malformed reply may be asked for again in another dialect."""
    is_step = ask.phase == "step" and ask.dialect != "native"
    return ask.phase == "extraction" or (is_step and manifest.choices.get("step-adapter") == "same as extraction")

"""The adapter that asks for the extraction is the one that was configured (ADP-001 to ADP-003, ADP-005)."""

from collections.abc import Iterator

from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked
from react_tck.record.evidence import Evidence


def find_wrong_dialects(evidence: Evidence) -> Iterator[Violation]:
    """Extractions asked for in another dialect; of steps, that may be a choice."""
    episode, manifest = evidence.episode, evidence.manifest
    if not is_plain_loop(episode.case) or not {"global-adapter", "module-adapter"} & set(manifest.capabilities):
        return
    for asked in evidence.record.requests:
        requirement_id, dialect = _find_configured_dialect(episode.case, asked.invocation, manifest)
        if dialect == "native":  # tools are called so; in which form fields are asked for then is the adapter's own
            continue
        if _is_first_attempt(asked) and asked.ask and asked.ask.dialect != dialect:
            expected = f"the extraction is asked for in {dialect!r}"
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


def _is_first_attempt(asked: Asked) -> bool:
    # A malformed answer may be asked for again in another dialect.
    return asked.ask is not None and asked.ask.phase == "extraction" and asked.attempt == 0

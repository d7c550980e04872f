"""The adapter that asks for the extraction is the one that was configured (ADP-001 to ADP-003)."""

from collections.abc import Iterator

from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked
from react_tck.record.evidence import Evidence


def misaddressed(evidence: Evidence) -> Iterator[Violation]:
    """Extractions asked for in another dialect; of steps, that may be a choice."""
    episode, manifest = evidence.episode, evidence.manifest
    if not is_plain_loop(episode.case) or not {"global-adapter", "module-adapter"} & set(manifest.capabilities):
        return
    requirement_id, dialect = _configured(episode.case.options, manifest)
    for asked in evidence.record.requests:
        if _is_first_attempt(asked) and asked.ask and asked.ask.dialect != dialect:
            expected = f"the extraction is asked for in {dialect!r}"
            yield Violation(expected, f"it is asked for in {asked.ask.dialect!r}", asked, requirement_id)


def _configured(options: Options, manifest: Manifest) -> tuple[str, str]:
    if options.module_adapter:
        return "ADP-002", options.module_adapter
    if options.adapter:
        return "ADP-001", options.adapter
    return "ADP-003", manifest.default_dialect


def _is_first_attempt(asked: Asked) -> bool:
    # A malformed answer may be asked for again in another dialect.
    return asked.ask is not None and asked.ask.phase == "extraction" and asked.attempt == 0

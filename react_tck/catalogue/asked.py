"""What is asked of a subject: the registry says of whom each requirement is, and nobody else decides it."""

from react_tck.catalogue.registry import load_registry
from react_tck.judges.table import collect_violations
from react_tck.judges.verdict import Unsupported, Violation
from react_tck.model.asked import find_exemption
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import Requirement
from react_tck.record.evidence import Evidence


def check_asked(requirement: Requirement, title: str, manifest: Manifest) -> None:
    """Ask of a subject only what its manifest leaves to ask; and in the row of that title, what its harness can judge.

    Raises:
        Unsupported: if the requirement isn't asked of the subject, or can't be judged of it.
    """
    if why := find_exemption(requirement, manifest, title):
        raise Unsupported(why)


def is_asked(requirement_id: str, manifest: Manifest) -> bool:
    """Whether a requirement is asked of the subject of a manifest."""
    return not find_exemption(load_registry().by_id[requirement_id], manifest)


def collect_asked_violations(evidence: Evidence) -> dict[str, Violation]:
    """Collect what judges see violated in an episode of all that is asked of its subject, by requirement."""
    found = collect_violations(evidence)
    return {id_: violation for id_, violation in found.items() if is_asked(id_, evidence.manifest)}

"""Whether a requirement is asked of a subject: what its row says, held against what the subject's manifest says."""

from react_tck.model.manifest import Manifest
from react_tck.model.requirement import Requirement, variants_of


def find_exemption(requirement: Requirement, manifest: Manifest, title: str = "") -> str:
    """Say why a requirement isn't asked of a subject, or not in the row of that title; nothing, where it is asked."""
    if deviation := manifest.find_deviation(requirement.id, title):
        return f"the harness can't judge it, for it deviates: {deviation}"
    claims = manifest.claimed_specifications
    if not requirement.is_asked_of(claims):
        return f"the subject isn't held to the specification {requirement.specification!r}, but to {', '.join(claims)}"
    for each in requirement.asked_of:
        if not set(variants_of(each)) & set(manifest.capabilities):
            return f"{manifest.name} does not declare {' or '.join(map(repr, variants_of(each)))}"
    for choice, variant in requirement.unless.items():
        if manifest.choices.get(choice) == variant:
            return f"{manifest.name} declares the choice {choice!r} as {variant!r}"
    return ""

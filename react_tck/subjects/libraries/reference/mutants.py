"""Mutants as subjects: the reference's manifest, a mutant's behaviour."""

from react_tck.fakes.mutants.mutant import Mutant
from react_tck.reference.parser import Parser
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference import react as reference


def subject(mutant: Mutant) -> Subject:
    """The mutant, claiming all that the reference can do."""
    manifest = reference.MANIFEST.model_copy(update={"name": f"mutant:{mutant.name}"})
    if issubclass(mutant.react, Parser):
        return reference.subject(None, manifest, mutant.react)
    return reference.subject(mutant.react, manifest)

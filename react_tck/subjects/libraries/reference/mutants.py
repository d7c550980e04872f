"""Mutants as subjects: the reference's manifest, a mutant's behaviour."""

from types import new_class
from typing import Any

from react_tck.fakes.mutants.mutant import Mutant
from react_tck.reference.parser import ReferenceParser
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference import react as reference


def subject(mutant: Mutant) -> Subject:
    """The mutant, claiming all that the reference can do."""
    manifest = reference.MANIFEST.model_copy(update={"name": f"mutant:{mutant.name}"})

    def mutated(react: type[Any]) -> type[Any]:
        bases = (mutant.mixin, react) if mutant.mixin else (react,)
        return new_class(react.__name__, bases, exec_body=lambda made: made.update(seams=mutant.seams))

    return reference.subject(mutated, manifest, mutant.parser or ReferenceParser)

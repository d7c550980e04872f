"""A mutant as a subject, `mutant:NAME`."""

from difflib import get_close_matches
from types import new_class
from typing import Any

from react_tck.prove.mutants import load_mutants
from react_tck.prove.mutants.mutant import Mutant
from react_tck.reference.parser import ReferenceParser
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.subjects.libraries.reference.react import make_changed_subject


def find_mutant_subject(name: str) -> Subject:
    """Return the mutant of that name as a subject.

    Raises:
        UnknownSubject: if there is none.
    """
    known = load_mutants()
    if name not in known:
        near = ", ".join(get_close_matches(name, known))
        hint = f"Did you mean: {near}?" if near else "features/mutants.json names them all."
        raise UnknownSubject(f"There is no mutant {name!r}. {hint}")
    return make_mutant_subject(name, known[name])


def make_mutant_subject(name: str, wanted: Mutant) -> Subject:
    """Return the mutant: of each class, claiming all that one of them can do."""
    bases = (wanted.mixin,) if wanted.mixin else ()

    def mutate_class(react: type[Any]) -> type[Any]:
        return new_class(react.__name__, (*bases, react), exec_body=lambda made: made.update(seams=wanted.seams))

    return make_changed_subject(f"mutant:{name}", mutate_class, wanted.parser or ReferenceParser)

"""Violations of what is refused of responses (CNF-012)."""

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import asked_anew, suspended, yes_if_malformed
from react_tck.prove.mutants.operators.runs import before

MUTANTS = (
    mutant(
        "unknown-id-accepted",
        "CNF-012",
        "Takes a response for the suspended call under whatever id.",
        resume=before(suspended(lambda _, saved: {"confirmation_id": saved.context["state"]["confirmation_id"]})),
    ),
    mutant(
        "resumed-twice",
        "CNF-012",
        "Takes a second response like the first.",
        resume=before(asked_anew),
    ),
    mutant(
        "bad-edit-is-approval",
        "CNF-012",
        "Runs the original call where an edit can't be read.",
        response=yes_if_malformed,
    ),
)

"""Violations around invalid signatures and inputs (SIG-006, SIG-007)."""

from typing import Any

from dspy.signatures.signature import ensure_signature

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.runs import Proceed, before
from react_tck.prove.mutants.operators.signatures import Given, given_as, is_arrow, is_dspys, read_as
from react_tck.prove.mutants.operators.views import transcribing
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.react import SignatureType, own_max_steps
from react_tck.reference.signatures.transcript import HISTORY

Inputs = dict[str, Any]

#: What a call may be given beside the signature's inputs.
_OPTIONS = ("max_steps", "max_iters", HISTORY)


def _without_outputs(_site: Site, proceed: Proceed, given: Given) -> SignatureType:
    made: SignatureType = ensure_signature(given)
    return proceed(given) if made.output_fields else made


def _without_duplicates(arrow: str) -> str:
    return "->".join(", ".join(dict.fromkeys(_names(side))) for side in arrow.split("->"))


def _outputs_first(arrow: str) -> str:
    if arrow.count("->") != 1:
        return arrow
    given, outputs = map(_names, arrow.split("->"))
    kept = [name for name in given if name not in outputs]
    return f"{', '.join(kept)} -> {', '.join(outputs)}"


def _names(side: str) -> list[str]:
    return [part.strip() for part in side.split(",")]


def _filled(site: Site, given: Inputs) -> Inputs:
    return dict.fromkeys(site.agent.signature.input_fields) | given


def _known(site: Site, given: Inputs) -> Inputs:
    known = (*site.agent.signature.fields, *_OPTIONS)
    return {name: value for name, value in given.items() if name in known}


def _with_outputs(site: Site, proceed: Proceed, given: Inputs) -> Beginning:
    outputs = {name: value for name, value in given.items() if name in site.agent.signature.output_fields}
    beginning: Beginning = proceed({name: value for name, value in given.items() if name not in outputs})
    return beginning._replace(inputs=beginning.inputs | outputs)


def _unchecked(site: Site, proceed: Proceed, given: Inputs) -> Beginning:
    """Begins with these inputs, whether or not they are the signature's."""
    _, asked = own_max_steps(site.agent.signature, given, 0)
    options = {name: value for name, value in given.items() if name not in asked}
    fitting = {name: asked.get(name) for name in site.agent.signature.input_fields}
    beginning: Beginning = proceed(fitting | options)
    return beginning._replace(inputs=asked)


def _unchecked_if_none(site: Site, proceed: Proceed, given: Inputs) -> Beginning:
    _, asked = own_max_steps(site.agent.signature, given, 0)
    beginning: Beginning = proceed(given) if asked else _unchecked(site, proceed, given)
    return beginning


MUTANTS = {
    "no-outputs-accepted": mutant(
        "SIG-006",
        "Accepts a signature without outputs, and predicts nothing.",
        signature=by_trajectory(given_as(is_dspys, _without_outputs)),
    ),
    "arrow-without-arrow-accepted": mutant(
        "SIG-006",
        "Takes a string without an arrow for the inputs, and adds an output to them.",
        signature=read_as(is_arrow, lambda arrow: f"{arrow} -> output" if arrow and "->" not in arrow else arrow),
    ),
    "duplicate-field-accepted": mutant(
        "SIG-006",
        "Makes one field of two of one name on one side of the arrow.",
        signature=read_as(is_arrow, _without_duplicates),
    ),
    "input-as-output-accepted": mutant(
        "SIG-006", "Lets an output replace the input of its name.", signature=read_as(is_arrow, _outputs_first)
    ),
    "empty-signature-is-question-answer": mutant(
        "SIG-006",
        'Falls back to "question -> answer" where the signature is empty.',
        signature=read_as(is_arrow, lambda arrow: arrow if arrow.replace("->", "").strip() else "question -> answer"),
    ),
    "missing-input-ignored": mutant("SIG-007", "Goes on with None where an input is missing.", begin=before(_filled)),
    "missing-input-of-a-follow-up-ignored": mutant(
        "SIG-007",
        "Goes on with None where an input is missing of a call that goes on with a history.",
        begin=transcribing(before(lambda site, given: _filled(site, given) if HISTORY in given else given)),
    ),
    "unknown-input-ignored": mutant("SIG-007", "Drops inputs that the signature doesn't have.", begin=before(_known)),
    "outputs-taken-as-inputs": mutant(
        "SIG-007", "Takes the value of any field of the signature, outputs too, for an input.", begin=_with_outputs
    ),
    "calls-without-inputs-accepted": mutant(
        "SIG-007",
        "Checks the inputs there are, and finds nothing wrong where there are none.",
        begin=by_trajectory(_unchecked_if_none),
    ),
}

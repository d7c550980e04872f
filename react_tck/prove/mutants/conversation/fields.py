"""Violations around predictors, signatures and the final state of a conversation (CNV-008, CNV-011, CNV-013)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    Exchange,
    asked_of,
    conversing,
    entered,
    finish_instead,
    unreadable,
)
from react_tck.prove.mutants.operators.replies import every_output
from react_tck.prove.mutants.operators.runs import Perform, at_once, before, finishes, on, then, when
from react_tck.prove.mutants.operators.views import inputs, outputs_changed, said_before, without_key
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.conversation import REASONING, STATES, TOOL_RESULT, MachineState
from react_tck.reference.seams import Site
from react_tck.reference.signatures.conversation import HISTORY, state_signature


def _predicting(predictor: Callable[[Any], Any], *states: MachineState) -> Any:
    """These states are asked for by a predictor of this class, whatever the conversation is given."""

    def made(site: Site, program: dict[str, Any]) -> dict[str, Any]:
        signature, tools = site.agent.signature, site.agent.bound
        return program | {state: predictor(state_signature(state, signature, tools)) for state in states}

    return conversing(made)


def _without_reasoning(site: Site) -> bool:
    return site.agent.predictor_class is dspy.Predict


def _first_input_kept(site: Site, exchanges: list[Exchange]) -> list[Exchange]:
    others = [name for name, field in site.agent.signature.input_fields.items() if field.annotation is not dspy.History]
    return [{name: value for name, value in each.items() if name not in others[1:]} for each in exchanges]


def _has_a_question(_site: Site, given: dict[str, Any]) -> dict[str, Any]:
    if "question" not in given:
        raise ValueError("missing input 'question'")
    return given


def _is_arrow(_site: Site, signature: Any) -> Any:
    if not isinstance(signature, str):
        raise TypeError("the signature must be a string")
    return signature


def _has_finished(site: Site) -> bool:
    return site.state.finished


def _response_for_all(site: Site, _perform: Perform, _action: loop.Action) -> Episode[loop.Event]:
    return at_once(every_output(site, site.state.steps[-1].response))


def _interrupted_at_the_limit(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    is_last = len(following.steps) == following.max_steps > 1
    return following.model_copy(update={"finished": False}) if finishes(event) and is_last else following


MUTANTS = (
    mutant(
        "always-chain-of-thought",
        "CNV-008",
        "Uses ChainOfThought, whatever it is given.",
        program=_predicting(dspy.ChainOfThought, *STATES),
    ),
    mutant(
        "always-predict",
        "CNV-008",
        "Uses Predict, whatever it is given.",
        program=_predicting(dspy.Predict, *STATES),
    ),
    mutant(
        "no-interruption-under-predict",
        "CNV-008",
        "With Predict, enters the state `finish` when the steps have run out.",
        prompt=conversing(when(_without_reasoning, entered(finish_instead))),
    ),
    mutant(
        "reasoning-kept-under-predict",
        "CNV-008",
        "Writes reasoning into the exchange of a malformed reply, whatever the predictor.",
        adapter=unreadable(lambda content: f"[[ ## {REASONING} ## ]]\n(lost)\n\n{content}"),
    ),
    mutant(
        "only-the-first-input-kept",
        "CNV-011",
        "Keeps the first input of the user's query in the conversation, and drops the others.",
        prompt=conversing(said_before(_first_input_kept)),
    ),
    mutant(
        "fields-by-their-usual-names-only",
        "CNV-011",
        "Takes a `question`, and nothing that is called otherwise.",
        begin=conversing(before(_has_a_question)),
    ),
    mutant(
        "typed-outputs-as-text",
        "CNV-011",
        "Returns every output as text.",
        prediction=conversing(outputs_changed(lambda _, outputs: {name: str(v) for name, v in outputs.items()})),
    ),
    mutant(
        "arrow-strings-only",
        "CNV-011",
        "Takes no signature but an arrow string.",
        signature=conversing(before(_is_arrow)),
    ),
    mutant(
        "finish-answers-with-the-response",
        "CNV-013",
        "Takes what the LM said when it finished for every output, and doesn't ask.",
        perform=conversing(when(_has_finished, on(loop.AskExtraction, _response_for_all))),
        prediction=conversing(when(_has_finished, without_key(HISTORY))),
    ),
    mutant(
        "finish-at-the-last-step-interrupts",
        "CNV-013",
        "Is interrupted when it finishes with the last step it may take.",
        advance=conversing(then(_interrupted_at_the_limit)),
    ),
    mutant(
        "finish-says-nothing",
        "CNV-013",
        "Enters the state `finish` without a tool result.",
        prompt=asked_of("finish", inputs(lambda _, shown: {**shown, TOOL_RESULT: ""})),
    ),
    mutant(
        "finishes-when-interrupted-with-reasoning",
        "CNV-008",
        "With ChainOfThought, enters the state `finish` when the steps have run out.",
        prompt=conversing(when(lambda site: not _without_reasoning(site), entered(finish_instead))),
    ),
)

"""Violations around the conversation history (HIS-...)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, signed
from react_tck.prove.mutants.operators.runs import Steps, before, has_finished, observed, on_request, when
from react_tck.prove.mutants.operators.views import Messages, inputs, steps_retold
from react_tck.reference import loop
from react_tck.reference.seams import Site
from react_tck.reference.signatures.react import SignatureType, history_field, own_max_steps


def _turns(site: Site) -> Messages:
    """Return the earlier turns that a call was given."""
    name = history_field(site.agent.signature)
    given: Any = site.state.inputs[name] if name else {"messages": []}
    return given["messages"]  # type: ignore[no-any-return]


def _shown(change: Callable[[Site, Messages], Messages]) -> Any:
    """Show the extraction other turns than were given."""

    def changed(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        if name := history_field(site.agent.signature):
            return shown | {name: dspy.History(messages=change(site, list(shown[name].messages)))}
        return shown

    return by_trajectory(on_request("extraction", inputs(changed)))


def _in_chat(_site: Site, turns: Messages) -> Messages:
    return turns if type(dspy.settings.adapter or dspy.ChatAdapter()) is dspy.ChatAdapter else []


def _one_answer(site: Site, turns: Messages) -> Messages:
    further = list(site.agent.signature.output_fields)[1:]
    return [{**turn, **dict.fromkeys(further, "(left out)")} for turn in turns]


def _with_none(site: Site, turns: Messages) -> Messages:
    own = site.agent.signature.output_fields
    lacking = [name for name in site.agent.extract.predictors()[0].signature.output_fields if name not in own]
    return [{**turn, **dict.fromkeys(lacking)} for turn in turns]


def _shown_to_steps(change: Callable[[Messages], Messages]) -> Any:
    """Show the steps other turns than were given."""

    def changed(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        return _text(site, shown, change)

    return by_trajectory(on_request("step", inputs(changed)))


def _text_field(site: Site, signature: SignatureType) -> SignatureType:
    name = history_field(site.agent.signature)
    # The inputs of this call come first, so the history stands behind them.
    return signature.delete(name).append(name, dspy.InputField(), type_=str) if name else signature


def _text(
    site: Site, shown: dict[str, Any], change: Callable[[Messages], Messages] = lambda turns: turns
) -> dict[str, Any]:
    turns = (
        "\n".join([f"Turn {number}", *(f"{name}: {value}" for name, value in turn.items())])
        for number, turn in enumerate(change(_turns(site)), 1)
    )
    name = history_field(site.agent.signature)
    return shown | {name: "\n\n".join(turns) or "(none)"} if name else shown


_AS_TEXT = {"program": signed("extract", _text_field), "prompt": by_trajectory(on_request("extraction", inputs(_text)))}


def _seen(site: Site, signature: Any) -> Any:
    site.memory["is class"] = not isinstance(signature, str)
    return signature


def _unless_empty(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    name = history_field(site.agent.signature)
    if name and name in given and not given[name].messages:
        raise ValueError(f"missing input {name!r}")
    return given


def _kept_if_empty(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    name = history_field(site.agent.signature)
    if not name or name not in given:
        return given
    kept = site.memory.setdefault("history", given[name])
    return given if given[name].messages else given | {name: kept}


def _after_turns(site: Site, steps: Steps) -> Steps:
    turns = (
        loop.Step(thought=str(turn.get("question")), tool="answer", args={}, observation=str(turn.get("answer")))
        for turn in _turns(site)
    )
    return (*turns, *steps)


def _last_answer(site: Site, steps: Steps) -> Steps:
    turns = _turns(site)
    return (observed(steps[0], turns[-1]["answer"]),) if turns and len(steps) == 1 else steps


def _less_steps(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    name = history_field(site.agent.signature)
    turns = len(given[name].messages) if name and name in given else 0
    return given | {"max_steps": max(0, own_max_steps(site.agent.signature, given, site.agent.max_steps)[0] - turns)}


def _of_all_calls(site: Site, steps: Steps) -> Steps:
    if history_field(site.agent.signature):
        site.memory["steps"] = steps = (*site.memory.get("steps", ()), *steps)
    return steps


MUTANTS = {
    "history-left-out-of-extraction": mutant(
        "HIS-001", "Shows the history to the steps only.", prompt=_shown(lambda _site, _turns: [])
    ),
    "history-shown-in-chat-only": mutant(
        "HIS-001",
        "Can format the history under the default adapter only, and leaves it out under any other.",
        prompt=_shown(_in_chat),
    ),
    "history-by-its-usual-name-only": mutant(
        "HIS-001",
        "Shows the extraction a history only if the input is called `history`.",
        prompt=_shown(lambda site, turns: turns if "history" in site.agent.signature.input_fields else []),
    ),
    "one-answer-a-turn": mutant(
        "HIS-001", "Shows the extraction the first output of each turn only.", prompt=_shown(_one_answer)
    ),
    "history-only-after-finish": mutant(
        "HIS-001",
        "Leaves the history out of an extraction that runs because the steps have run out.",
        prompt=_shown(lambda site, turns: turns if has_finished(site.state.steps) else []),
    ),
    "history-of-the-first-call": mutant(
        "HIS-001",
        "Keeps the history of the instance's first call for all later ones.",
        prompt=_shown(lambda site, turns: site.memory.setdefault("turns", turns)),
    ),
    "missing-values-of-turns-shown-as-none": mutant(
        "HIS-004",
        "Formats earlier turns by the extraction's signature, and writes None for the fields they lack.",
        prompt=_shown(_with_none),
    ),
    "class-history-is-a-text": mutant(
        "HIS-001",
        "Knows the history of an arrow string, and takes that of a signature class for an input like others.",
        signature=before(_seen),
        **{seam: when(lambda site: bool(site.memory["is class"]), operator) for seam, operator in _AS_TEXT.items()},
    ),
    "empty-history-is-missing": mutant(
        "HIS-001",
        "Refuses a call whose history is empty as if none had been given.",
        begin=by_trajectory(before(_unless_empty)),
    ),
    "history-kept-where-none-is-given": mutant(
        "HIS-001",
        "Shows the earlier turns of the call before where a call has none.",
        begin=by_trajectory(before(_kept_if_empty)),
    ),
    "answers-lost-from-steps": mutant(
        "HIS-003",
        "Shows the steps the questions of the earlier turns, and no answer.",
        prompt=_shown_to_steps(lambda turns: [{"question": turn.get("question")} for turn in turns]),
    ),
    "turns-in-trajectory": mutant(
        "HIS-002",
        "Returns the earlier turns as the first steps of the trajectory.",
        prediction=by_trajectory(steps_retold(_after_turns)),
    ),
    "last-answer-as-first-observation": mutant(
        "HIS-002",
        "Returns the last turn's answer as the observation of a loop that observed nothing itself.",
        prediction=by_trajectory(steps_retold(_last_answer)),
    ),
    "turns-counted-as-steps": mutant(
        "HIS-002", "Takes a step less for every earlier turn.", begin=by_trajectory(before(_less_steps))
    ),
    "trajectory-of-the-whole-conversation": mutant(
        "HIS-002",
        "Returns the steps of all calls of a conversation, not of the last one.",
        prediction=by_trajectory(steps_retold(_of_all_calls)),
    ),
}

"""Violations across the turns of a conversation, when it is interrupted, and in async calls (CNV-…)."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    Exchange,
    FieldsAsked,
    asked_of,
    asking_for,
    conversing,
    entered,
    finish_instead,
    said_by,
    this_call,
    unreadable,
)
from react_tck.prove.mutants.operators.runs import after, before, is_async, limited, when
from react_tck.prove.mutants.operators.views import inputs, said_afterwards, said_before
from react_tck.reference import loop
from react_tck.reference.loop.views.conversation import (
    MACHINE_STATE,
    TOOL_ARGS,
    TOOL_NAME,
    TOOL_RESULT,
    UNREADABLE,
)
from react_tck.reference.seams import Beginning, Edit, Prompt, Site
from react_tck.reference.signatures.conversation import HISTORY
from react_tck.reference.signatures.react import history_field


def _forgetful(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != history_field(site.agent.signature)}


def _without_empty_fields(site: Site, beginning: Beginning) -> Beginning:
    name = history_field(site.agent.signature) or HISTORY
    told = [{key: value for key, value in e.items() if value != ""} for e in beginning.inputs[name].messages]
    return beginning._replace(inputs={**beginning.inputs, name: dspy.History(messages=told)})


def _without_small_results(site: Site, beginning: Beginning) -> Beginning:
    name = history_field(site.agent.signature) or HISTORY
    small = ("0", "false", "[]", "{}", "null")
    told = [{**e, TOOL_RESULT: ""} if e.get(TOOL_RESULT) in small else e for e in beginning.inputs[name].messages]
    return beginning._replace(inputs={**beginning.inputs, name: dspy.History(messages=told)})


def _by_its_usual_name(site: Site, beginning: Beginning) -> Beginning:
    history = beginning.inputs.get(HISTORY) or dspy.History(messages=[])
    return beginning._replace(inputs={**beginning.inputs, str(history_field(site.agent.signature)): history})


def _last_turn(_site: Site, exchanges: list[Exchange]) -> list[Exchange]:
    begins = max(at for at, exchange in enumerate(exchanges) if exchange[MACHINE_STATE] == "user_query")
    return exchanges[begins:]


def _known_tools_only(site: Site, exchanges: list[Exchange]) -> list[Exchange]:
    known = {*site.agent.bound, loop.FINISH, None}
    return [each if each.get(TOOL_NAME) in known else {**each, TOOL_NAME: UNREADABLE} for each in exchanges]


def _this_turn_if_malformed(site: Site, exchanges: list[Exchange]) -> list[Exchange]:
    own = exchanges[len(exchanges) - len(site.state.steps) :]
    return own if any(each.get(TOOL_NAME) == UNREADABLE for each in own) else exchanges


def _limit_kept(site: Site, max_steps: int) -> int:
    site.agent.max_steps = max_steps
    return max_steps


def _when_interrupted(field: str, text: str) -> Edit[Prompt]:
    """Another text in this field when interrupted."""
    return asked_of("interrupted", inputs(lambda _, shown: {**shown, field: text}))


def _none_if_small(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown if site.state.steps[-1].observation else {**shown, TOOL_RESULT: "(none)"}


def _tool_when_interrupted(state: str, asked: FieldsAsked) -> FieldsAsked:
    if state != "interrupted":
        return asked
    return asked._replace(required=(*asked.required, TOOL_NAME, TOOL_ARGS))


MUTANTS = {
    "second-turn-forgets-the-first": mutant(
        "CNV-009", "Begins every turn with an empty history.", begin=conversing(before(_forgetful))
    ),
    "only-the-last-turn-kept": mutant(
        "CNV-009", "Gives back the history of the turn just taken.", prediction=conversing(said_afterwards(_last_turn))
    ),
    "interrupted-turn-not-kept": mutant(
        "CNV-009",
        "Gives back no history of a turn that was interrupted.",
        prediction=conversing(
            said_afterwards(lambda site, exchanges: [] if site.prompt.predictor == "interrupted" else exchanges)
        ),
    ),
    "history-input-by-its-usual-name-only": mutant(
        "CNV-009",
        "Takes the history from the input `history` alone, whatever the signature names it.",
        begin=conversing(after(_by_its_usual_name)),
    ),
    "empty-fields-lost-between-turns": mutant(
        "CNV-009",
        "Takes over no field of an earlier turn that is empty.",
        begin=conversing(after(_without_empty_fields)),
    ),
    "small-results-lost-between-turns": mutant(
        "CNV-009",
        "Has nothing for a result of an earlier turn that is 0, false or empty.",
        begin=conversing(after(_without_small_results)),
    ),
    "malformed-exchange-half-kept": mutant(
        "CNV-010",
        "Drops the malformed reply, and lets two user messages follow each other.",
        adapter=unreadable(lambda _: ""),
    ),
    "malformed-exchange-lost-between-turns": mutant(
        "CNV-010",
        "Leaves the exchange with the malformed reply out of the history it gives back.",
        prediction=conversing(
            said_afterwards(lambda _, exchanges: [each for each in exchanges if each.get(TOOL_NAME) != UNREADABLE])
        ),
    ),
    "async-conversation-without-results": mutant(
        "CNV-012",
        "Keeps the results of earlier steps to itself when called asynchronously.",
        prompt=when(is_async, this_call(lambda _, own: [{**each, TOOL_RESULT: "(done)"} for each in own])),
    ),
    "async-conversation-never-interrupted": mutant(
        "CNV-012",
        "Enters the state `finish` when its steps have run out in an async call.",
        prompt=when(is_async, entered(finish_instead)),
    ),
    "async-turn-forgets-the-first": mutant(
        "CNV-012",
        "Begins with an empty history when called asynchronously.",
        begin=conversing(when(is_async, before(_forgetful))),
    ),
    "unknown-tool-kept-as-unreadable": mutant(
        "CNV-002",
        "Has the LM say, in earlier messages, nothing that could be read where it named an unknown tool.",
        prompt=conversing(said_before(_known_tools_only)),
    ),
    "malformed-reply-forgets-the-first-turn": mutant(
        "CNV-010",
        "Shows nothing of earlier turns once a reply couldn't be read.",
        prompt=conversing(said_before(_this_turn_if_malformed)),
    ),
    "async-limit-interrupts-later-turns": mutant(
        "CNV-006",
        "Keeps the max_steps of an async call for those after it.",
        begin=conversing(when(is_async, limited(_limit_kept))),
    ),
    "last-result-lost-when-interrupted": mutant(
        "CNV-006",
        "Doesn't show what the last tool gave when interrupted.",
        prompt=_when_interrupted(TOOL_RESULT, "(interrupted)"),
    ),
    "small-result-taken-for-none-when-interrupted": mutant(
        "CNV-006",
        "Says that there was no result, when interrupted after one that is 0, false or empty.",
        prompt=asked_of("interrupted", inputs(_none_if_small)),
    ),
    "completed-marker-not-asked-for": mutant(
        "CNV-007",
        "Doesn't ask for the completed marker.",
        adapter=said_by("user", lambda content: content.replace(", ending with `[[ ## completed ## ]]`", "")),
    ),
    "interrupted-asks-for-a-tool": mutant(
        "CNV-007", "Asks for one more tool call when interrupted.", adapter=asking_for(_tool_when_interrupted)
    ),
    "one-step-after-the-last": mutant(
        "CNV-006", "Takes one step more than it may.", begin=conversing(limited(lambda _, max_steps: max_steps + 1))
    ),
}

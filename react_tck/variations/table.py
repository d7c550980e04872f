"""All variations, in one table: what each changes, what a subject has to declare, and which rows it doesn't hold for.

The scenario's own `Then` is held under each of them: where a sentence would mean something else, its rows are excluded.
"""

from collections.abc import Callable

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.variations import changes, earlier
from react_tck.variations.exclusions import (
    DIALECT_SAID,
    EVERYWHERE,
    INPUTS_SAID,
    LOADED,
    PERSON_ASKED,
    PLAYED_OTHERWISE,
    RESPONDED_TO,
)
from react_tck.variations.variation import Exclusion, Variation

#: A sentence by which an instance is called, in any system; in the one of S4 or of udspy; in all but a conversation.
_CALLED = r"^(it|another one|a new one) is called\b"
_REACT = r"^a (udspy )?ReAct over"
_NO_CONVERSATION = r"^a (udspy |transcript )?ReAct over"


def _ask_in(dialect: str, *exclusions: Exclusion) -> Variation:
    return Variation(
        dialect,
        f"The adapter for {dialect!r} is configured for everything.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID, *exclusions),
        settles=("dialect",),
        needs=("global-adapter",),
        dialect=dialect,
        change_episode=changes.ask_in(dialect),
    )


def _add_output(name: str, field: str, annotation: str, value: JsonValue) -> Variation:
    return Variation(
        name,
        f"The signature has one more output, {field}: {annotation}.",
        only=_NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            Exclusion(
                "sentences say all outputs, those of a submit among calls too, or that nothing of them is shown",
                ("SIG-", "TRN-015"),
                "prediction has|asks for|produces|shows nothing of",
            ),
            Exclusion(
                "the last field is contradicted by a text, which no other type takes", sentence="contradicted-field"
            ),
        ),
        needs=("typed-fields",),
        change_episode=changes.add_output(field, annotation, value),
    )


def _add_input(name: str, field: str, annotation: str, value: JsonValue) -> Variation:
    return Variation(
        name,
        f"The signature has one more input, {field}: {annotation}.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, INPUTS_SAID),
        needs=("typed-fields",),
        change_episode=changes.add_input(field, annotation),
        change_call=changes.give_input(field, value),
    )


def _respond(
    name: str, sentence: str, respond: Callable[[JsonObject], str], *exclusions: Exclusion, is_elsewhere: bool = False
) -> Variation:
    return Variation(
        name,
        f"Every tool requires confirmation; {sentence}.",
        only=_CALLED,
        exclusions=(*EVERYWHERE, *RESPONDED_TO, *exclusions),
        settles=("person",),
        needs=("confirmation", "portable-state") if is_elsewhere else ("confirmation",),
        change_episode=changes.confirm_tools,
        respond=respond,
        is_resumed_elsewhere=is_elsewhere,
    )


VARIATIONS: tuple[Variation, ...] = (
    Variation(
        "async",
        "Every call and resumption is asynchronous.",
        only=_CALLED,
        exclusions=(*EVERYWHERE, Exclusion("sentences say how it is called", sentence="asynchronously")),
        needs=("async",),
        change_call=changes.call_async,
    ),
    _ask_in("chat"),
    _ask_in("json"),
    _ask_in(
        "xml",
        Exclusion("XML has no control characters, and one line end", sentence=r"answers exactly .*\\(r|f|u0000)"),
        Exclusion("its form has null as it has a list of the text 'null'", sentence=r"list\[str\] \| None"),
    ),
    _ask_in("native", Exclusion("no adapter reads a native call, so that callbacks could hear of it", ("OBS-",))),
    Variation(
        "history",
        "The signature takes a history, and each call follows an earlier turn.",
        only=_REACT,
        exclusions=(*EVERYWHERE, INPUTS_SAID, Exclusion("there is a history", ("HIS-",), "turns|istory")),
        needs=("history",),
        change_episode=changes.add_history_input,
        change_call=changes.give_history,
    ),
    Variation(
        "second call",
        "The instance was called before, about something else; the LM finished at once.",
        only=_NO_CONVERSATION,
        exclusions=EVERYWHERE,
        settles=("beginning",),
        begin_script=earlier.finish_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
    ),
    Variation(
        "beside another",
        "Another case is played from beginning to end while the first request waits for its reply.",
        only=_CALLED,
        exclusions=EVERYWHERE,
        # Not of a harness, which plays one case at a time.
        needs=("concurrent-calls", "caller-objects"),
        settles=("company",),
        has_company=True,
    ),
    Variation(
        "loaded",
        "The instance has loaded the state that another one saved.",
        only=_NO_CONVERSATION,
        exclusions=EVERYWHERE,
        needs=("save-load",),
        is_loaded=True,
    ),
    _respond("agreed", "the instance resumes the call, to which a person agrees", lambda _: "yes"),
    _respond(
        "agreed elsewhere",
        "another instance resumes the call from its JSON, to which a person agrees",
        lambda _: "yes",
        Exclusion("a history is the instance's own that gave it", sentence="history"),
        is_elsewhere=True,
    ),
    _respond(
        "edited", "the instance resumes the call, whose args a person puts in their own place", changes.edit_nothing
    ),
    Variation(
        "rejected before",
        "Every tool requires confirmation; the instance was called before, and a person rejected the call of a tool.",
        only=_NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            *RESPONDED_TO,
            Exclusion("the call before takes two steps", sentence="max_steps"),
        ),
        # It takes two steps, which a limit may not allow.
        settles=("person", "beginning", "limit"),
        needs=("confirmation",),
        change_episode=changes.confirm_tools,
        begin_script=earlier.call_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
        respond=lambda _: "yes",
    ),
    Variation(
        "failed before",
        "The instance was called before, and that call failed, for the LM's provider let nobody in.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, Exclusion("there is no step in which it could fail", sentence="max_steps is 0")),
        settles=("beginning",),
        needs_failing_calls=True,
        begin_script=earlier.fail_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
    ),
    Variation(
        "JSON later",
        "The instance was called before; then the adapter for 'json' was configured for everything.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID, PERSON_ASKED),
        # Nobody says which adapter a call is resumed under.
        settles=("dialect", "beginning", "person"),
        needs=("global-adapter",),
        dialect="json",
        begin_script=earlier.finish_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.change_adapter("json"),
    ),
    Variation(
        "follow-up",
        "The instance was called before, about something else, and each call goes on with what came of that.",
        only=r"^a (transcript ReAct|conversation) over",
        exclusions=(
            PLAYED_OTHERWISE,
            LOADED,
            Exclusion("sentences say which turns there are", sentence=r"(?<!in one )\bturns?\b|istory|extends"),
        ),
        # A history is that of the call of a number, of the instance that was called.
        settles=("beginning", "company", "person"),
        begin_script=earlier.finish_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.follow_earlier,
    ),
    Variation(
        "called aside",
        "The instance is called about something else, and that call ends, while the first request waits for its reply.",
        only=_CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion("callbacks hear of each call of the instance", ("OBS-",)),
            Exclusion("there is no step that could finish it", sentence="max_steps is 0"),
            Exclusion("a history is that of the call of a number", sentence="the history of the .* call"),
        ),
        settles=("company",),
        needs=("concurrent-calls", "caller-objects"),
        is_called_aside=True,
    ),
    Variation(
        "own limit",
        "The agent is built for one step; each call brings a limit of its own, of more steps than it takes.",
        only=_NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say how the steps end", sentence="max_steps|run out|keeps|limit"),
        ),
        settles=("limit",),
        needs=("call-max-steps",),
        change_episode=changes.limit_to_one_step,
        change_call=changes.give_own_limit,
    ),
    Variation(
        "exhausted",
        "The steps run out where the LM would finish.",
        only=_REACT,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say how they end", sentence=r"max_steps|run out|finish step|LM finished|\"finish\""),
            Exclusion("sentences count the finish step", sentence="exactly the keys"),
            Exclusion("the loop is seen to go on after the error", sentence="the error of .* is the observation"),
        ),
        settles=("limit",),
        change_episode=changes.exhaust_steps,
    ),
    Variation(
        "garbled first",
        "The first step is prose at first, and a step when it is asked for again.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID),
        # How often a reply is asked for again is declared of the default dialect.
        settles=("dialect", "beginning"),
        needs_retries=True,
        begin_script=changes.garble_first,
    ),
    Variation(
        "failing first",
        "The LM's provider refuses the first request, for it is asked too often, and answers when it is asked again.",
        only=_NO_CONVERSATION,
        exclusions=(*EVERYWHERE, Exclusion("sentences say how the LM fails", sentence="fails|the LM was asked")),
        settles=("beginning",),
        needs_repeated_requests=True,
        begin_script=changes.fail_first,
    ),
    Variation(
        "foreign marks",
        "Inputs, thoughts, results and answers end with marks of dialects that the subject doesn't claim.",
        only=_CALLED,
        exclusions=EVERYWHERE,
        has_foreign_marks=True,
    ),
    Variation(
        "given marks",
        "Inputs and results end with marks of all dialects but JSON.",
        only=_CALLED,
        exclusions=EVERYWHERE,
        has_given_marks=True,
    ),
    _add_output("nested output", "counts", "dict[str, list[int]]", {"a": [1, 2], "b": []}),
    _add_output("union output", "found", "dict[str, int] | list[int]", [1, 2]),
    _add_output("null output", "remark", "int | None", None),
    _add_input("optional input", "hint", "list[str] | None", None),
    Variation(
        "image input",
        "The signature, which is a class, has one more input, an image.",
        only=r"^a transcript ReAct over",
        exclusions=(PLAYED_OTHERWISE, LOADED),
        needs=("image-inputs", "class-signature"),
        change_episode=changes.add_image_input("photo"),
        change_call=changes.give_input("photo", changes.RED_DOT),
    ),
)

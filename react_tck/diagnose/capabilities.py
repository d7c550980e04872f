"""Every capability that can be tried in one small episode: what is declared is there."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from react_tck.diagnose.trial import (
    CALL,
    NOTE,
    NOTED,
    OUTPUTS,
    THOUGHT,
    Unconnected,
    build_episode,
    build_script,
    check_connected,
    check_outputs,
    play_accepted,
)
from react_tck.model.case import Invocation, Options, Resumption, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Calls, CallTool, Script, Submit
from react_tck.model.manifest import Capability, Manifest
from react_tck.model.outcome import UnreadableTrace, read_trace
from react_tck.model.signature import Form, parse_arrow
from react_tck.play.concurrent import play_together
from react_tck.play.parsing.properties import not_as_written, read_back
from react_tck.play.session import Session
from react_tck.subjects.api import HarnessBroken, Parser, Subject

#: The dialects that an adapter can be configured for.
_CONFIGURABLE = ("chat", "json", "xml")


class Trial(NamedTuple):
    """How a capability is tried, and what to write if that fails."""

    advice: str
    action: Callable[[Subject], None]


def list_trials(manifest: Manifest) -> Iterator[tuple[Capability, Trial]]:
    """Those of the capabilities that are declared and can be tried so."""
    yield from ((name, _TRIALS[name]) for name in manifest.capabilities if name in _TRIALS)


def list_untried(manifest: Manifest) -> tuple[Capability, ...]:
    """Those that take more than an episode, or the kit's own process."""
    return tuple(name for name in manifest.capabilities if name not in _TRIALS)


def _try_form(form: Form) -> Callable[[Subject], None]:
    def action(subject: Subject) -> None:
        manifest = subject.initialize()
        signature = parse_arrow("question -> answer").model_copy(update={"form": form})
        check_outputs(play_accepted(subject, build_episode(manifest, build_script(manifest), signature=signature)))

    return action


def _try_typed_fields(subject: Subject) -> None:
    manifest = subject.initialize()
    said = build_script(manifest, outputs={"answer": 5})
    record = play_accepted(
        subject, build_episode(manifest, said, signature=manifest.parse_signature("question -> answer: int"))
    )
    check_outputs(record, {"answer": 5})


def _try_history(subject: Subject) -> None:
    manifest = subject.initialize()
    signature = manifest.parse_signature("question, history: dspy.History -> answer")
    call = CALL.model_copy(update={"history": ({"question": "Who founded it?", "answer": "Romulus"},)})
    record = play_accepted(subject, build_episode(manifest, build_script(manifest), call, signature=signature))
    is_shown = any("Who founded it?" in asked.request.text for asked in record.requests)
    check_connected(record, is_shown, "a request shows the earlier turn, 'Who founded it?'", "none does")
    check_outputs(record)


def _try_call_max_steps(subject: Subject) -> None:
    manifest = subject.initialize()
    said = build_script(manifest, *[NOTED] * 3)
    record = play_accepted(subject, build_episode(manifest, said, CALL.model_copy(update={"max_steps": 1})))
    runs = len(record.tool_runs)
    check_connected(record, bool(record.requests), "a request, with `max_steps` 1 for the call", "there was none")
    check_connected(
        record, runs <= 1, "at most one step, with `max_steps` 1 for the call", f"the tool ran {runs} times"
    )


def _try_adapter(option: str) -> Callable[[Subject], None]:
    def action(subject: Subject) -> None:
        manifest = subject.initialize()
        for dialect in filter(_CONFIGURABLE.__contains__, manifest.dialects):
            options = Options.model_validate({option: dialect})
            record = play_accepted(subject, build_episode(manifest, build_script(manifest), options=options))
            asked = next((asked.ask.dialect for asked in record.requests if asked.ask), "nothing it can read")
            check_connected(
                record, asked == dialect, f"with {option} {dialect!r}, requests in that dialect", f"it asks in {asked}"
            )

    return action


def _try_async_call(subject: Subject) -> None:
    manifest = subject.initialize()
    call = CALL.model_copy(update={"mode": "async"})
    check_outputs(play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED), call)))


def _try_tools(**changes: object) -> Callable[[Subject], None]:
    def action(subject: Subject) -> None:
        manifest = subject.initialize()
        tool = NOTE.model_copy(update=changes)
        # Who can be awaited need not wait for coroutines elsewhere.
        is_awaited = tool.is_async and "async" in manifest.capabilities
        call = CALL.model_copy(update={"mode": "async" if is_awaited else "sync"})
        record = play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED), call, tool=tool))
        check_connected(
            record, len(record.tool_runs) == 1, "the tool runs once", f"it ran {len(record.tool_runs)} times"
        )
        check_outputs(record)

    return action


def _try_callable_tools(subject: Subject) -> None:
    for form in ("method", "object"):
        _try_tools(callable_form=form)(subject)


def _try_trajectory(subject: Subject) -> None:
    manifest = subject.initialize()
    record = play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED)))
    try:
        trace = read_trace(record.outcomes[0])
    except UnreadableTrace as unreadable:
        raise Unconnected(record, "a trajectory beside the outputs", str(unreadable)) from unreadable
    check_connected(
        record, bool(trace.steps or trace.text), "a trajectory with the step that was taken", "there is no step in it"
    )


def _try_request(phase: str, expected: str) -> Callable[[Subject], None]:
    def action(subject: Subject) -> None:
        manifest = subject.initialize()
        record = play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED)))
        asked = [each.ask for each in record.requests if each.ask and each.ask.phase == phase]
        check_connected(record, any(ask.fields for ask in asked), expected, "there was none")

    return action


def _try_concurrent_calls(subject: Subject) -> None:
    manifest = subject.initialize()
    episodes = [_build_marked_episode(manifest, mark) for mark in ("~one", "~two")]
    for record in play_together(subject, episodes, "threads").records:
        check_connected(record, bool(record.tool_runs), "two calls at once, each of which runs its tool", "one doesn't")
        check_connected(
            record, record.outcomes[0].status == "ok", "two calls at once, both with status ok", "one isn't"
        )


def _build_marked_episode(manifest: Manifest, mark: str) -> Episode:
    """An episode whose texts all carry the mark, by which its call is known among others."""
    said = build_script(
        manifest,
        CallTool(tool="note", args={"text": mark}, thought=f"See {mark}."),
        outputs={"answer": f"Yes {mark}."},
        finishing=f"Nothing else to do {mark}.",
    )
    call = Invocation(inputs={"question": f"Is anybody there {mark}?"})
    return build_episode(manifest, said, call).model_copy(update={"nonce": mark})


def _try_parse(subject: Subject) -> None:
    if not isinstance(subject, Parser):
        raise HarnessBroken("there is no `parse`")
    reading = read_back(
        subject, subject.initialize().default_dialect, {"answer": "Yes."}, {"answer": {"type": "string"}}
    )
    if wrong := not_as_written(reading):
        raise wrong


def _try_confirmation(subject: Subject) -> None:
    manifest = subject.initialize()
    tool = NOTE.model_copy(update={"confirm": True})
    wanted = build_episode(manifest, build_script(manifest, NOTED), tool=tool)
    call = wanted.case.invocations[0].model_copy(update={"resumptions": (Resumption(response="yes"),)})
    record = play_accepted(
        subject, wanted.model_copy(update={"case": wanted.case.model_copy(update={"invocations": (call,)})})
    )
    first = record.outcomes[0]
    check_connected(
        record, first.status == "suspended", "a call that waits for a person", f"the status is {first.status}"
    )
    runs = len(record.tool_runs)
    check_connected(record, runs == 1, "the tool runs once the answer is `yes`", f"it ran {runs} times")
    check_outputs(record, outcome=-1)


def _try_inspection(subject: Subject) -> None:
    manifest = subject.initialize()
    session = Session(subject, build_episode(manifest, build_script(manifest)), is_watched=False)
    described = session.describe_instance()
    check_connected(
        session.read_record(),
        "note" in described.tools,
        "a description of the tool 'note'",
        f"there is {described.tools}",
    )


def _try_save_load(subject: Subject) -> None:
    manifest = subject.initialize()
    wanted = build_episode(manifest, build_script(manifest))
    state = Session(subject, wanted, is_watched=False).dump_state()
    case = wanted.case.model_copy(update={"state": state})
    check_outputs(play_accepted(subject, wanted.model_copy(update={"case": case})))


def _try_system(name: System) -> Callable[[Subject], None]:
    def action(subject: Subject) -> None:
        manifest = subject.initialize()
        said = (
            build_script(manifest)
            if name == "conversation"
            else Script(steps=(Submit(outputs=OUTPUTS, thought=THOUGHT),))
        )
        record = play_accepted(subject, build_episode(manifest, said, options=Options(system=name)))
        check_outputs(record)
        history = record.outcomes[0].history
        check_connected(record, bool(history), "a history beside the outputs, for the next call", f"it is {history!r}")

    return action


def _try_parallel_calls(subject: Subject) -> None:
    manifest = subject.initialize()
    turn = Calls(calls=(NOTED, CallTool(tool="note", args={"text": "goodbye"}, thought=THOUGHT)), thought="See both.")
    if "transcript" in manifest.capabilities:
        said, options = Script(steps=(turn, Submit(outputs=OUTPUTS, thought=THOUGHT))), Options(system="transcript")
    else:
        said, options = (
            build_script(manifest, turn),
            Options(adapter=None if manifest.default_dialect == "native" else "native"),
        )
    record = play_accepted(subject, build_episode(manifest, said, options=options))
    runs = len(record.tool_runs)
    check_connected(record, runs == 2, "two calls of one reply are two runs of the tool", f"it ran {runs} times")
    check_outputs(record)


_TRIALS: Mapping[Capability, Trial] = {
    "arrow-signature": Trial("Build the signature from `arrow`, or from the field lists.", _try_form(Form.ARROW)),
    "class-signature": Trial("Build a class or a type of the field lists.", _try_form(Form.CLASS)),
    "value-signature": Trial("Build the signature from the field lists.", _try_form(Form.VALUE)),
    "typed-fields": Trial(
        "Give outputs as JSON of the types in `json_schema`; declare the tool that takes them as `answer_tool`.",
        _try_typed_fields,
    ),
    "history": Trial("Show the turns of the call's `history` to the LM.", _try_history),
    "call-max-steps": Trial("Let the `max_steps` of the call limit its steps.", _try_call_max_steps),
    "global-adapter": Trial("Configure the dialect of `options.adapter`.", _try_adapter("adapter")),
    "module-adapter": Trial("Give the module the dialect of `options.module_adapter`.", _try_adapter("module_adapter")),
    "async": Trial("Make the call asynchronously where `mode` is `async`.", _try_async_call),
    "async-tools": Trial("Await tools whose `is_async` is true.", _try_tools(is_async=True)),
    "callable-tools": Trial("Take methods and callable objects as tools.", _try_callable_tools),
    "trajectory": Trial("Give `trajectory` and its `trajectory_format` in the outcome.", _try_trajectory),
    "extraction": Trial(
        "Ask for the outputs in a request of their own, after the loop.",
        _try_request("extraction", "a request for the outputs, after the loop"),
    ),
    "step-signature": Trial(
        "Ask in every step for a thought, a tool name and its args.",
        _try_request("step", "a request for a thought, a tool name and its args"),
    ),
    "concurrent-calls": Trial("Answer `calls`, with all the calls under way at once.", _try_concurrent_calls),
    "parse": Trial("Answer `parse` with the fields of the reply.", _try_parse),
    "confirmation": Trial(
        "Suspend the call before a tool whose `confirm` is true; answer `resume`.", _try_confirmation
    ),
    "inspection": Trial("Answer `describe` with the tools and signatures.", _try_inspection),
    "save-load": Trial("Answer `dump` with a state that `load` takes.", _try_save_load),
    "conversation": Trial("Give the `history` so far in the outcome.", _try_system("conversation")),
    "transcript": Trial("End the run by `submit`, and give the `history` in the outcome.", _try_system("transcript")),
    "parallel-tool-calls": Trial("Run every call of a reply.", _try_parallel_calls),
}

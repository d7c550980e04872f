"""Whole episodes, for a subject of which only dialects and capabilities are known: a strategy for each profile."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.adapter.declare import Capability
from react_tck.fakes.strategies.cases import SMALL, UNENCODABLE, Reach, behaviours, draw_signature, gets_models, tools
from react_tck.fakes.strategies.replies import (
    ANSWERS,
    GOOD_ANSWERS,
    GOOD_STEPS,
    LONG_ANSWERS,
    LONG_STEPS,
    LONG_TURNS,
    STEPS,
    answer_replies,
    asking_replies,
    parallel_calls,
    step_replies,
)
from react_tck.fakes.strategies.scripts import (
    INDENTED_INPUTS,
    MAX_STEPS,
    PLAIN_INPUTS,
    SAID_LONG,
    Talk,
    any_inputs,
    chain_calls,
    draw_invocation,
    draw_resumptions,
    draw_script,
    make_step_talk,
    make_submit_talk,
)
from react_tck.fakes.strategies.texts import among
from react_tck.model.case import Case, Invocation, Options, System
from react_tck.model.episode import Episode, make_nonce
from react_tck.model.intent import Attempts, CallTool, Fault, Script
from react_tck.model.signature import Signature
from react_tck.model.tool import Behaviour, Interrupts, Reads, Tool

CASE_ID = "fuzz"
#: The dialects of the tool loop among which an adapter chooses; others belong to systems of their own.
_ADAPTERS = ("chat", "json", "xml")
_BEHAVIOURS = behaviours()
_ANY_BEHAVIOURS = behaviours(UNENCODABLE)
_SMALL_BEHAVIOURS = behaviours(SMALL, SMALL)
#: Whether a tool is interrupted, in its last runs.
_IS_INTERRUPTED = (False,) * 9 + (True,)
_INTERRUPTIONS = st.sampled_from([Interrupts(by="KeyboardInterrupt"), Interrupts(by="CancelledError")])
#: A conversation may refuse to take no step: from the state in which it begins no way leads to its interruption.
_SOME_STEPS = (None, None, 5, 3, 2, 1) * 2 + (0,)


def _draw_core(draw: st.DrawFn, reach: Reach) -> Episode:
    """Nothing is wrong with what the LM says; there may be earlier turns."""
    asked, offered = _draw_signature(draw, reach), draw(tools(reach.capabilities))
    talk = make_step_talk(asked, step_replies(offered, GOOD_STEPS), answer_replies(asked, GOOD_ANSWERS))
    talk = _call_at_once(talk, reach, offered)
    return _draw_episode(draw, reach, asked, offered, talk, _draw_options(draw, reach), _draw_calls(draw, reach, asked))


def _call_at_once(talk: Talk, reach: Reach, offered: tuple[Tool, ...]) -> Talk:
    """Return the talk with several calls in a reply, where every reply is one that may have them."""
    is_native = reach.dialects == ("native",) and reach.has("parallel-tool-calls")
    return talk.saying_too(parallel_calls(offered)) if is_native and offered else talk


def _draw_robustness(draw: st.DrawFn, reach: Reach) -> Episode:
    """Much may be wrong with it, and with what is to be shown to it; nobody interrupts the call before that is seen."""
    asked, offered = _draw_signature(draw, reach), draw(tools(reach.capabilities))
    talk = _call_at_once(make_step_talk(asked, step_replies(offered), answer_replies(asked)), reach, offered)
    calls = _draw_calls(draw, reach, asked, texts=any_inputs(reach))
    options = _draw_options(draw, reach)
    return _draw_episode(draw, reach, asked, offered, talk, options, calls, _ANY_BEHAVIOURS, interrupts=False)


def _draw_signature(draw: st.DrawFn, reach: Reach) -> Signature:
    """Now and then with earlier turns among the inputs."""
    is_told = reach.has("history") and draw(among((False, False, True)))
    return draw_signature(draw, reach.capabilities, history=draw(among(("history", "talk"))) if is_told else "")


def _draw_conversation(draw: st.DrawFn, reach: Reach) -> Episode:
    """Return turns of one conversation; now and then a new one begins, or an earlier one goes on.

    The signature may name the input by which the history is passed on; what that is, the call before it gave.
    """
    names = ("", "", "history", "talk") if reach.has("history") else ("",)
    asked = draw_signature(draw, reach.capabilities, history=draw(among(names)))
    offered = draw(tools(reach.capabilities))
    options = Options(
        system="conversation",
        max_steps=draw(among(_SOME_STEPS)),
        predictor=draw(among((None, None, "chain-of-thought", "predict"))),
    )
    talk = make_step_talk(asked, step_replies(offered), answer_replies(asked))
    unread = asked.model_copy(update={"inputs": tuple(field for field in asked.inputs if not field.history)})
    calls = chain_calls(draw, _draw_calls(draw, reach, unread, (1, 2, 2, 3), limits=_SOME_STEPS, adapters=()))
    return _draw_episode(draw, reach, asked, offered, talk, options, calls, _SMALL_BEHAVIOURS)


def _draw_transcript(draw: st.DrawFn, reach: Reach) -> Episode:
    """Return runs that submit their outputs, each with the history of one before it."""
    asked, offered = _draw_summary_signature(draw, reach), draw(tools(reach.capabilities))
    options = _draw_options(draw, reach, "transcript", adapters=(*_ADAPTERS, "native"))
    more = draw(among(((), LONG_TURNS))) if reach.has("compaction") else ()
    talk = make_submit_talk(asked, offered, at_once=reach.has("parallel-tool-calls"), more=more)
    calls = chain_calls(draw, _draw_calls(draw, reach, asked, times=(1, 2, 3, 3)))
    return _draw_episode(draw, reach, asked, offered, talk, options, calls, _SMALL_BEHAVIOURS)


def _draw_summary_signature(draw: st.DrawFn, reach: Reach) -> Signature:
    """With an output `summary`, so that whatever is answered can be said to who asks for the summary of a history."""
    return draw_signature(draw, reach.capabilities, outputs=("summary",) if reach.has("compaction") else ())


def _draw_confirmation(draw: st.DrawFn, reach: Reach) -> Episode:
    """Draw an episode in which a person is asked before tools run, or to clarify; and responds, or never does."""
    system = draw(among(tuple(name for name, needed in _SYSTEMS if reach.has(*needed))))
    asked = _draw_confirmation_signature(draw, reach, system)
    # Of two tools each comes again.
    offered = tuple(_draw_confirm(draw, tool) for tool in draw(tools(reach.capabilities, most=2)))
    may_ask = reach.has("clarification") and draw(among((False, False, True)))
    asking = may_ask if reach.has("clarification") else None
    # A transcript's adapter may take calls that have ids of their own; udspy's own does so by itself.
    adapters = (*_ADAPTERS, "native") if system == "transcript" else _ADAPTERS
    options = _draw_options(draw, reach, system, adapters=adapters).model_copy(update={"clarification": asking})
    if system == "transcript":
        # Of the calls of a turn, one that waits leaves what came of the others.
        talk = make_submit_talk(asked, offered, at_once=reach.has("parallel-tool-calls"), more=("calls",) * 6)
    else:
        # Where nothing goes wrong besides, a call gets further: to be suspended once more, to its end.
        may_be_long = reach.has("truncation") and system != "conversation"
        steps, answers = draw(among((*_PACES, _LONG_PACE) if may_be_long else _PACES))
        talk = make_step_talk(asked, step_replies(offered, steps), answer_replies(asked, answers))
        talk = _call_at_once(talk, reach, offered)
    if may_ask:
        talk = talk.saying_too(asking_replies(reach.clarification_tool))
    limits = _SOME_STEPS if system == "conversation" else MAX_STEPS
    # Nobody says which adapter a call is resumed under.
    calls = _draw_calls(draw, reach, asked, (1, 2), limits=limits, adapters=(), texts=INDENTED_INPUTS)
    if system in ("transcript", "conversation"):
        calls = chain_calls(draw, calls)
    last = len(calls) - 1
    resumed = tuple(
        call.model_copy(update={"resumptions": draw_resumptions(draw, reach, offered, elsewhere=number == last)})
        for number, call in enumerate(calls)
    )
    return _draw_episode(draw, reach, asked, offered, talk, options, resumed, _SMALL_BEHAVIOURS)


def _draw_confirmation_signature(draw: st.DrawFn, reach: Reach, system: System | None) -> Signature:
    if system == "transcript":
        return _draw_summary_signature(draw, reach)
    # Of a conversation the earlier turns are its own.
    return draw_signature(draw, reach.capabilities) if system == "conversation" else _draw_signature(draw, reach)


#: Steps and answers with what may go wrong, and without it; and such that prompts don't fit any more.
_PACES = ((STEPS, ANSWERS), (GOOD_STEPS, GOOD_ANSWERS))
_LONG_PACE = (LONG_STEPS, LONG_ANSWERS)
#: The systems in which a person can be asked, the loop's own twice, with what a subject has to claim for them.
_SYSTEMS: tuple[tuple[System | None, tuple[Capability, ...]], ...] = (
    (None, ()),
    (None, ()),
    ("transcript", ("transcript",)),
    ("udspy", ("udspy-surface",)),
    ("conversation", ("conversation",)),
)


def _draw_confirm(draw: st.DrawFn, tool: Tool) -> Tool:
    return tool.model_copy(update={"confirm": draw(among((True, True, False)))})


def _draw_udspy(draw: st.DrawFn, reach: Reach) -> Episode:
    """Return steps by native calls where the adapter takes them."""
    asked, offered = _draw_signature(draw, reach), draw(tools(reach.capabilities))
    steps, answers = draw(among(((STEPS, ANSWERS), _LONG_PACE) if reach.has("truncation") else ((STEPS, ANSWERS),)))
    talk = make_step_talk(asked, step_replies(offered, steps), answer_replies(asked, answers))
    options = _draw_options(draw, reach, "udspy", adapters=("native", "native", *_ADAPTERS))
    return _draw_episode(draw, reach, asked, offered, talk, options, _draw_calls(draw, reach, asked))


def _draw_upstream(draw: st.DrawFn, reach: Reach) -> Episode:
    """Prompts that don't fit, after as many steps as can be left out."""
    asked, offered = _draw_signature(draw, reach), draw(tools(reach.capabilities))
    talk = make_step_talk(asked, step_replies(offered, LONG_STEPS), answer_replies(asked, LONG_ANSWERS))
    talk = replace(talk, said=SAID_LONG)
    calls = _draw_calls(draw, reach, asked, times=(1, 2))
    return _draw_episode(draw, reach, asked, offered, talk, _draw_options(draw, reach), calls)


#: By profile: how its episodes are drawn, and what a subject has to claim for them.
_PROFILES: Mapping[str, tuple[Callable[[st.DrawFn, Reach], Episode], tuple[Capability, ...]]] = {
    "core": (_draw_core, ()),
    "robustness": (_draw_robustness, ()),
    "conversation": (_draw_conversation, ("conversation",)),
    "transcript": (_draw_transcript, ("transcript",)),
    "confirmation": (_draw_confirmation, ("confirmation",)),
    "udspy": (_draw_udspy, ("udspy-surface",)),
    "upstream": (_draw_upstream, ("truncation",)),
}
PROFILES = tuple(_PROFILES)


def list_claimed(reach: Reach) -> tuple[str, ...]:
    """Return the profiles for which there are episodes that a subject of this reach can play."""
    return tuple(profile for profile, (_, needed) in _PROFILES.items() if reach.has(*needed))


@st.composite
def episodes(draw: st.DrawFn, reach: Reach, profiles: tuple[str, ...] = PROFILES) -> Episode:
    """Episodes that every conforming subject of this reach can play to their end, whatever choices it makes.

    Of each of the profiles that it claims, some.
    """
    mixed = tuple(profile for profile in list_claimed(reach) if profile in profiles)
    draw_one, _ = _PROFILES[draw(among(mixed))]
    return draw_one(draw, reach)


def _draw_calls(
    draw: st.DrawFn,
    reach: Reach,
    asked: Signature,
    times: tuple[int, ...] = (1, 1, 2),
    *,
    limits: tuple[int | None, ...] = MAX_STEPS,
    adapters: tuple[str, ...] = _ADAPTERS,
    texts: st.SearchStrategy[JsonValue] = PLAIN_INPUTS,
) -> tuple[Invocation, ...]:
    """Draw calls of one instance, sometimes under one of the adapters configured since its construction."""
    own = _filter_adapters(adapters, reach) if reach.has("global-adapter") else ()
    count = range(draw(among(times)))
    return tuple(draw_invocation(draw, reach, asked, limits, adapters=(None, None, *own), texts=texts) for _ in count)


def _filter_adapters(adapters: tuple[str, ...], reach: Reach) -> tuple[str | None, ...]:
    """Adapters to choose from: None mostly, and those of these whose dialect the subject claims."""
    return (None, None, None, *(dialect for dialect in adapters if dialect in reach.dialects))


def _draw_options(
    draw: st.DrawFn, reach: Reach, system: System | None = None, adapters: tuple[str, ...] = _ADAPTERS
) -> Options:
    own = _filter_adapters(adapters, reach)
    return Options(
        system=system,
        max_steps=draw(among(MAX_STEPS)),
        adapter=draw(among(own)) if reach.has("global-adapter") else None,
        module_adapter=draw(among((None, None, *own))) if reach.has("module-adapter") else None,
    )


def _draw_episode(
    draw: st.DrawFn,
    reach: Reach,
    asked: Signature,
    offered: tuple[Tool, ...],
    talk: Talk,
    options: Options,
    calls: tuple[Invocation, ...],
    behaves: st.SearchStrategy[tuple[Behaviour, ...]] = _BEHAVIOURS,
    *,
    interrupts: bool = True,
) -> Episode:
    options = options.model_copy(update={"callbacks": _draw_callbacks(draw, reach, calls)})
    case = Case(id=CASE_ID, signature=asked, tools=offered, options=options, invocations=calls)
    script = draw_script(draw, talk, len(calls))
    done = {tool.name: (Reads(),) if _reads_models(draw, tool) else draw(behaves) for tool in offered}
    if interrupts and reach.has("tool-interruptions") and offered and draw(among(_IS_INTERRUPTED)):
        done[draw(among(tuple(done)))] += (draw(_INTERRUPTIONS),)
    return Episode(
        case=case,
        script=_answer_by_results(script, done),
        behaviours={name: runs for name, runs in done.items() if runs},
        nonce=make_nonce(CASE_ID, 0),
    )


def _answer_by_results(script: Script, behaves: Mapping[str, tuple[Behaviour, ...]]) -> Script:
    """Return the script with calls before an LM fault said again to who shows nothing of what they returned.

    Only of tools that say which run it is: whether another result is shown, nobody knows for sure.
    """
    replies = [intent.replies[0] if isinstance(intent, Attempts) else intent for intent in script.steps]
    fails = [isinstance(reply, Fault) and reply.fault != "context-window" for reply in replies]
    known = {name for name, runs in behaves.items() if not runs}
    return script.model_copy(
        update={
            "steps": tuple(
                intent.model_copy(update={"until_shown": True})
                if isinstance(intent, CallTool) and intent.tool in known and any(fails[at:]) and not intent.sticky
                else intent
                for at, intent in enumerate(script.steps)
            )
        }
    )


def _reads_models(draw: st.DrawFn, tool: Tool) -> bool:
    return gets_models(tool) and draw(among((True, False)))


def _draw_callbacks(draw: st.DrawFn, reach: Reach, calls: tuple[Invocation, ...]) -> bool | None:
    """Tell whether the framework's callbacks listen, now and then; of another instance's calls they hear nothing."""
    moves = any(resumption.elsewhere for call in calls for resumption in call.resumptions)
    return True if reach.has("callbacks") and not moves and draw(among((False,) * 5 + (True,))) else None

"""Steps that come before those of the scenario, in the same call."""

from collections.abc import Callable

from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Fault, Intent
from react_tck.model.tool import Behaviour, Raises, Reports
from react_tck.variations.exclusions import EVERYWHERE, LOADED, NO_CONVERSATION, PLAYED_OTHERWISE, REACT, TOOLS_SAID
from react_tck.variations.spare import add_spare, call_spare
from react_tck.variations.variation import Declared, Exclusion, Settled, Unvaried, Variation

_STEPS_COUNTED = Exclusion(
    "sentences count the steps", sentence=r"was asked (for|at most)|the iteration|step \d|keys of S3"
)
_STEPS_SAID = (
    _STEPS_COUNTED,
    Exclusion("sentences count the steps that are left out", ("CTX-",)),
    *TOOLS_SAID,
)
_RUNS_SAID = Exclusion("sentences say all tools that ran", sentence="no tool ran|tools ran|no tool call was guessed")

_RESULTS_SAID = Exclusion(
    "each step before has a result", sentence="the result of each step|the steps before it|the observations"
)
_SAME_TEXTS_SAID = Exclusion(
    "what an error says may tell the line of the library's code", sentence="gave the same record as the sync one"
)
_PLACE_SAID = Exclusion("the n-th step is where the n-th tool ran", sentence="the observation of its step")


def step_before(call: CallTool, behaviour: Behaviour) -> Callable[[Episode], Episode]:
    """Have the LM take this step before all that the script says, with a tool of its own, and a step more allowed."""
    return lambda episode: _begin_with(add_spare(episode, behaviour), (call,), 1)


def overflow_before(episode: Episode) -> Episode:
    """Have the LM take two steps before all that the script says, and the next prompt not fit the context window."""
    said = (call_spare(minutes=1), call_spare(minutes=2), Fault(fault="context-window"))
    return _begin_with(add_spare(episode, Reports()), said, 2)


def summarise_before(episode: Episode) -> Episode:
    """The same, of which the LM makes a summary that stands in the place of the first step."""
    changed = overflow_before(episode)
    summary = Answer(outputs={"summary": "Somebody looked out of the window."})
    script = changed.script.model_copy(update={"answers": (summary, *changed.script.answers)})
    return changed.model_copy(update={"script": script})


def _begin_with(episode: Episode, intents: tuple[Intent, ...], steps: int) -> Episode:
    """The episode whose script begins with the intents, which are so many steps more.

    Raises:
        Unvaried: if the LM is asked for no step.
    """
    limit = episode.case.options.max_steps
    if not episode.script.steps or limit == 0:
        raise Unvaried("the LM is asked for no step")
    script = episode.script.model_copy(update={"steps": (*intents, *episode.script.steps)})
    changed = episode.model_copy(update={"script": script})
    if limit is None:
        return changed
    options = changed.case.options.model_copy(update={"max_steps": limit + steps})
    return changed.model_copy(update={"case": changed.case.model_copy(update={"options": options})})


def allow_more(steps: int) -> Callable[[Episode, Invocation], Invocation]:
    """The call with so many steps more, where it has a limit of its own."""

    def change(_episode: Episode, call: Invocation) -> Invocation:
        return call if call.max_steps is None else call.model_copy(update={"max_steps": call.max_steps + steps})

    return change


def _begin_with_step(
    name: str,
    sentence: str,
    call: CallTool,
    behaviour: Behaviour,
    *exclusions: Exclusion,
    needs_choice: Declared | None = None,
    settles: tuple[Settled, ...] = (),
) -> Variation:
    return Variation(
        name,
        f"Each instance's first step is one more, {sentence}.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, *_STEPS_SAID, *exclusions),
        settles=("step", *settles),
        needs_choice=needs_choice,
        change_episode=step_before(call, behaviour),
        change_call=allow_more(1),
    )


VARIATIONS: tuple[Variation, ...] = (
    _begin_with_step("step before", "of a tool that returns a text", call_spare(minutes=1), Reports(), _RUNS_SAID),
    _begin_with_step(
        "failed step before",
        "of a tool that raises",
        call_spare(minutes=1),
        Raises(message="the blinds are down"),
        _RUNS_SAID,
        _RESULTS_SAID,
        _SAME_TEXTS_SAID,
        needs_choice=Declared("tool-error", "observe$", "that it goes on after a tool has failed"),
    ),
    _begin_with_step(
        "unknown tool before",
        "of a tool that there isn't",
        CallTool(tool="listen", args={}, thought="to the wall"),
        Reports(),
        _PLACE_SAID,
        Exclusion("the first unknown tool is meant", ("ERR-028",)),
        needs_choice=Declared("unknown-tool", "observe and continue$", "that it goes on after an unknown tool"),
    ),
    _begin_with_step(
        "unfit args before",
        "of a tool that lacks a required arg",
        call_spare(),
        Reports(),
        _PLACE_SAID,
        _SAME_TEXTS_SAID,
        needs_choice=Declared(
            "schema-mismatch",
            "observe$",
            "that it goes on after args that don't fit",
            beside="coerce when lossless",
        ),
        # A function of args of any name lacks none.
        settles=("args",),
    ),
    Variation(
        "cut prompts",
        "Each instance takes two steps more at first; then a prompt doesn't fit, and the first step is left out of it.",
        only=REACT,
        exclusions=(
            *EVERYWHERE,
            *_STEPS_SAID,
            _RUNS_SAID,
            Exclusion("sentences say that prompts show all steps", sentence="result of each step"),
            Exclusion("that the trajectory has them all is another requirement (TRJ-005)", sentence="trajectory"),
            Exclusion("sentences count requests", sentence="exactly one request|took one request"),
        ),
        settles=("step",),
        needs=("truncation",),
        change_episode=overflow_before,
        change_call=allow_more(2),
    ),
    Variation(
        "summarised steps",
        "Each instance takes two steps more at first; then a prompt doesn't fit, and the LM summarises the first.",
        only="^a transcript ReAct over",
        exclusions=(
            PLAYED_OTHERWISE,
            LOADED,
            _STEPS_COUNTED,
            _RUNS_SAID,
            Exclusion("sentences say which prompt is summarised", ("TRN-014",), "shows the summary"),
            Exclusion("sentences say that all turns are shown", sentence="in order$|so far|shows the image"),
        ),
        settles=("step",),
        needs=("compaction",),
        change_episode=summarise_before,
        change_call=allow_more(2),
    ),
)

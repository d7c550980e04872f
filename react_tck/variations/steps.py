"""Steps that come before those of the scenario, in the same call."""

from collections.abc import Callable

from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool
from react_tck.model.tool import Behaviour, Raises, Reports
from react_tck.variations.exclusions import EVERYWHERE, NO_CONVERSATION, TOOLS_SAID
from react_tck.variations.spare import add_spare, call_spare
from react_tck.variations.variation import Declared, Exclusion, Unvaried, Variation

_STEPS_SAID = (
    Exclusion("sentences count the steps", sentence=r"was asked (for|at most)|the iteration|step \d|keys of S3"),
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

    def change(episode: Episode) -> Episode:
        limit = episode.case.options.max_steps
        if not episode.script.steps or limit == 0:
            raise Unvaried("the LM is asked for no step")
        script = episode.script.model_copy(update={"steps": (call, *episode.script.steps)})
        changed = add_spare(episode, behaviour)
        if limit is None:
            return changed.model_copy(update={"script": script})
        options = changed.case.options.model_copy(update={"max_steps": limit + 1})
        case = changed.case.model_copy(update={"options": options})
        return changed.model_copy(update={"case": case, "script": script})

    return change


def allow_one_more(_episode: Episode, call: Invocation) -> Invocation:
    """The call with a step more, where it has a limit of its own."""
    return call if call.max_steps is None else call.model_copy(update={"max_steps": call.max_steps + 1})


def _begin_with_step(
    name: str,
    sentence: str,
    call: CallTool,
    behaviour: Behaviour,
    *exclusions: Exclusion,
    needs_choice: Declared | None = None,
) -> Variation:
    return Variation(
        name,
        f"Each instance's first step is one more, {sentence}.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, *_STEPS_SAID, *exclusions),
        settles=("step",),
        needs_choice=needs_choice,
        change_episode=step_before(call, behaviour),
        change_call=allow_one_more,
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
    ),
)

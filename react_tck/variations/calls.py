"""How an instance is called, what it is called about before, and who is called beside it."""

from react_tck.model.tool import Reports
from react_tck.variations import changes, earlier
from react_tck.variations.exclusions import (
    CALLED,
    EVERYWHERE,
    INPUTS_SAID,
    LOADED,
    NO_CONVERSATION,
    PLAYED_OTHERWISE,
    REACT,
    TOOLS_SAID,
)
from react_tck.variations.spare import add_spare
from react_tck.variations.variation import Declared, Exclusion, Variation

VARIATIONS: tuple[Variation, ...] = (
    Variation(
        "async",
        "Every call and resumption is asynchronous.",
        only=CALLED,
        exclusions=(*EVERYWHERE, Exclusion("sentences say how it is called", sentence="asynchronously")),
        needs=("async",),
        change_call=changes.call_async,
    ),
    Variation(
        "history",
        "The signature takes a history, and each call follows an earlier turn.",
        only=REACT,
        exclusions=(*EVERYWHERE, INPUTS_SAID, Exclusion("there is a history", ("HIS-",), "turns|istory")),
        needs=("history",),
        change_episode=changes.add_history_input,
        change_call=changes.give_history,
    ),
    Variation(
        "second call",
        "The instance was called before, about something else; the LM finished at once.",
        only=NO_CONVERSATION,
        exclusions=EVERYWHERE,
        settles=("beginning",),
        begin_script=earlier.finish_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
    ),
    Variation(
        "failed before",
        "The instance was called before, and that call failed, for the LM's provider let nobody in.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, Exclusion("there is no step in which it could fail", sentence="max_steps is 0")),
        settles=("beginning",),
        needs_choice=Declared("lm-fault", ".*error$", "that its call ends with an error where the provider fails"),
        begin_script=earlier.fail_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
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
        "loaded",
        "The instance has loaded the state that another one saved.",
        only=NO_CONVERSATION,
        exclusions=EVERYWHERE,
        settles=("state",),
        needs=("save-load",),
        is_loaded=True,
    ),
    Variation(
        "loaded after a call",
        "The instance has loaded the state that another one saved after it was called.",
        only=NO_CONVERSATION,
        exclusions=EVERYWHERE,
        settles=("state",),
        needs=("save-load",),
        is_loaded=True,
        is_saved_after_call=True,
    ),
    Variation(
        "replaced",
        "Before each further call another instance, which loads the state of the one there is, takes its place.",
        only=r"^it is called .*(the history (so far|of the)|after no turns)",
        exclusions=EVERYWHERE,
        settles=("state",),
        needs=("save-load",),
        is_replaced=True,
    ),
    Variation(
        "beside another",
        "Another case is played from beginning to end while the first request waits for its reply.",
        only=CALLED,
        exclusions=EVERYWHERE,
        # Not of a harness, which plays one case at a time.
        needs=("concurrent-calls", "caller-objects"),
        settles=("company",),
        has_company=True,
    ),
    Variation(
        "called aside",
        "The instance is called about something else, and that call ends, while the first request waits for its reply.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion("callbacks hear of each call of the instance", ("OBS-",)),
            Exclusion("there is no step that could finish it", sentence="max_steps is 0"),
            Exclusion("a history is that of the call of a number", sentence="the history of the .* call"),
        ),
        settles=("company",),
        needs=("concurrent-calls", "caller-objects"),
        requests_before_aside=0,
    ),
    Variation(
        "called aside later",
        "The instance is called about something else, which runs a tool and ends, while the second request waits.",
        only=NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            *TOOLS_SAID,
            Exclusion("callbacks hear of each call of the instance", ("OBS-",)),
            Exclusion("the call aside takes two steps", sentence="max_steps"),
            Exclusion("a history is that of the call of a number", sentence="the history of the .* call"),
        ),
        # It runs a tool of its own, which nobody is asked about.
        settles=("company", "step", "person", "limit"),
        needs=("concurrent-calls", "caller-objects"),
        change_episode=lambda episode: add_spare(episode, Reports()),
        requests_before_aside=1,
    ),
)

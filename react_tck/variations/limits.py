"""How many steps a call may take."""

from react_tck.variations import changes
from react_tck.variations.exclusions import EVERYWHERE, NO_CONVERSATION, REACT
from react_tck.variations.variation import Declared, Exclusion, Variation

VARIATIONS: tuple[Variation, ...] = (
    Variation(
        "own limit",
        "The agent is built for one step; each call brings a limit of its own, of more steps than it takes.",
        only=NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say how the steps end", sentence="max_steps|max_iters|run out|keeps|limit"),
        ),
        settles=("limit",),
        needs=("call-max-steps",),
        change_episode=changes.limit_to_one_step,
        change_call=changes.give_own_limit,
    ),
    Variation(
        "exhausted",
        "The steps run out where the LM would finish.",
        only=REACT,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say how they end", sentence=r"max_steps|run out|finish step|LM finished|\"finish\""),
            Exclusion("sentences say that it finishes at once", sentence="no tool ran"),
            Exclusion("sentences count the finish step", sentence="exactly the keys"),
            Exclusion("the loop is seen to go on after the error", sentence="the error of .* is the observation"),
        ),
        settles=("limit",),
        needs_choice=Declared("steps-exhausted", "extract$", "that it asks for the answer where no step is left"),
        change_episode=changes.exhaust_steps,
    ),
)

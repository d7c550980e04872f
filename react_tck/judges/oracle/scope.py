"""Which calls are predicted: all but those of which nobody can say what is due."""

from collections import Counter
from itertools import chain

from react_tck.dialects.fields import FINISH, REASONING, SUBMIT, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.model.case import Case
from react_tck.model.tool import ReturnsOddity
from react_tck.record.evidence import Scene
from react_tck.record.visibility import names_whole_word

#: Fields that the loop has itself.
_LOOPS_OWN = frozenset({"trajectory", THOUGHT, TOOL_NAME, TOOL_ARGS, REASONING})
#: Names that options of a call have; what becomes of an input by one is TOOL-016's affair.
_OPTIONS = frozenset({"max_steps", "max_iters", "config", "signature", "lm", "demos"})


def find_prediction_gap(scene: Scene) -> str | None:
    """Return why nothing is predicted of a call; None where it is."""
    if not has_distinct_names(scene.case):
        return "a name is taken twice (TOOL-005, TOOL-014 to TOOL-016)"
    if scene.invocation.suspension is not None:
        return "another instance suspended the call"
    if not scene.case.signature.takes_inputs(scene.invocation.inputs):
        return "an input is missing or unknown (SIG-007)"
    if refuses_empty_input(scene):
        return "an empty input is refused (ERR-024)"
    behaviours = [*chain.from_iterable(scene.episode.behaviours.values())]
    if any(isinstance(each, ReturnsOddity) and each.is_deferred for each in behaviours):
        return "a run comes to nothing to observe at once (TOOL-006)"
    if ReturnsOddity(oddity="object") in behaviours and "opaque-results" not in scene.manifest.capabilities:
        return "a tool returns what the subject doesn't take (TOOL-003)"
    return None


def has_distinct_names(case: Case) -> bool:
    """Tell whether no tool and no field has a name that is taken (TOOL-005, TOOL-014 to TOOL-016)."""
    ending = SUBMIT if case.options.system == "transcript" else FINISH
    tools = Counter([ending, *(tool.name for tool in case.tools)])
    fields = {field.name for field in (*case.signature.inputs, *case.signature.outputs)}
    return max(tools.values()) == 1 and not fields & (_LOOPS_OWN | _OPTIONS)


def refuses_empty_input(scene: Scene) -> bool:
    """Tell whether the call ended with an error that names an empty input, before the LM was asked for anything."""
    empty = [name for name, value in scene.invocation.inputs.items() if value == ""]
    errors = [outcome.error.message for outcome in scene.record.outcomes if outcome.error]
    return not scene.record.requests and any(names_whole_word(said, name) for said in errors for name in empty)


def is_plain_loop(case: Case) -> bool:
    """Tell whether it is the tool loop of S4, which nobody is asked about, with names that are distinct."""
    is_alone = not case.options.clarification and not any(tool.confirm for tool in case.tools)
    return case.options.system is None and is_alone and has_distinct_names(case)

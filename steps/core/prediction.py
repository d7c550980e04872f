"""Then: the prediction and its outputs."""

from pytest_bdd import parsers, then

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@then(parsers.parse("the prediction has {outputs:Object}", extra_types=TYPES))
def prediction_has(world: World, outputs: JsonObject) -> None:
    """Exactly these outputs, texts marked like the LM's."""
    expected = world.marked_outputs(outputs)
    outcome = world.outcome
    failure = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
    check(outcome.status == "ok", "the call succeeds", f"it ended with status {outcome.status!r} ({failure})")
    check(outcome.outputs == expected, f"the outputs are {expected}", f"they are {outcome.outputs}")

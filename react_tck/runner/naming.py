"""Whether anybody is told of a name that the LM got wrong (ERR-001)."""

from react_tck.model.record import Asked, Returned
from react_tck.runner.aftermath import Aftermath
from react_tck.runner.verdict import Violation
from react_tck.runner.visibility import names


def untold(after: Aftermath, name: str) -> Violation | None:
    """What is wrong if neither the request after that turn shows the name, nor the error does."""
    match after.by:
        case Asked(request=request) if not names(request.text, name):
            return Violation(f"the next request tells of {name!r}", "it does not", after.by)
        case Returned(outcome=outcome) if outcome.error:
            told = f"{outcome.error.type}: {outcome.error.message}"
            if not names(told, name):
                return Violation(f"the error tells of {name!r}", f"it says {told}", after.by)
    return None

"""After which replies a subject takes no further step, as it declares: what it asks for then is the answer.

Where calls are written as text, nothing in a request says that only `submit` is left to call (TRN-006).
"""

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.model.case import Case
from react_tck.model.intent import BadArgs, Calls, CallTool, Fault, Garbled, Reply
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import variants_of


def breaks_off(reply: Reply, case: Case, manifest: Manifest) -> bool:
    """Tell whether nothing but the answer follows such a reply to a step, if no tool has run by it."""
    choice = _find_choice(reply, case, manifest)
    variants = variants_of(manifest.choices.get(choice, "")) if choice else [""]
    return all(variant.endswith(("extract", "error")) for variant in variants)


def _find_choice(reply: Reply, case: Case, manifest: Manifest) -> str | None:
    """Return the choice that says what follows, by its name; None of a reply that can be followed."""
    match reply:
        case Fault(fault=fault) if fault != "context-window":
            return "lm-fault"
        case Garbled():
            return "malformed-reply"
        case BadArgs():
            return "malformed-args"
        case CallTool(tool=tool) | Calls(calls=(CallTool(tool=tool), *_)):
            known = (FINISH, SUBMIT, manifest.clarification_tool, *(each.name for each in case.tools))
            return None if tool in known else "unknown-tool"
    return None

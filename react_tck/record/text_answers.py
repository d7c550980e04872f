"""Replies that a subject which takes any text for an answer may end with, in no form of any kind."""

from react_tck.dialects import classify_answer
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked


def is_text_answer(asked: Asked, manifest: Manifest) -> bool:
    """Whether the reply is a text where whatever text the LM says instead of calling a tool is its answer.

    A call whose args are broken is a call, whatever is said beside it.
    """
    if "extraction" in manifest.capabilities or asked.ask is None or asked.ask.dialect != "native":
        return False
    if asked.completion is None or asked.completion.tool_calls:
        return False
    return asked.ask.phase == "extraction" or _is_free(asked, manifest)


def _is_free(asked: Asked, manifest: Manifest) -> bool:
    answer = classify_answer(asked.request, manifest.dialects, manifest.answer_tool)
    return answer is not None and answer.dialect == "native" and answer.answer_tool is None

"""Tools that the LM is offered though there are none: the one that asks the user, and `finish` beside `submit`."""

from collections.abc import Iterator

from react_tck.dialects.fields import FINISH
from react_tck.judges.verdict import Violation
from react_tck.record.evidence import Scene
from react_tck.record.visibility import names_whole_word


def find_unasked_offers(scene: Scene) -> Iterator[Violation]:
    """Requests that offer what isn't enabled (CNF-011), or another way to end a transcript (TRN-002).

    Of the latter only native tools tell: in a text, `finish` is a word like others.
    """
    name, case = scene.manifest.clarification_tool, scene.case
    # What the LM itself has called is told of in what follows.
    is_called = any(call.tool == name for turn in scene.turns for call in turn.reply_calls)
    is_off = case.options.clarification is False and not is_called
    is_transcript = case.options.system == "transcript" and all(tool.name != FINISH for tool in case.tools)
    for asked in scene.record.requests:
        if is_off and names_whole_word(asked.request.text, name):
            yield Violation(f"{name!r} is not offered unless enabled", "it is", asked, "CNF-011")
        if is_transcript and any(offer.name == FINISH for offer in asked.request.tools):
            yield Violation(f"{FINISH!r} is not offered beside `submit`", "it is", asked, "TRN-002")

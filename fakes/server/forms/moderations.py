"""`POST /v1/moderations`: a text is flagged for the categories that it names in brackets, such as `[violence]`."""

from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import json_object, text_of
from react_tck.fakes.server.wire import Reply, json_reply

_CATEGORIES = (
    *("harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm"),
    *("self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence", "violence/graphic"),
)
_FLAGGED, _HARMLESS = 0.99, 0.0001


def answer_request(body: bytes, model: str = "") -> Reply:
    """Return what is found in the texts in a body, each for itself; parts are one.

    Raises:
        BadRequest: if there are none.
    """
    values = json_object(body)
    given = values.get("input")
    texts = given if isinstance(given, list) and all(isinstance(each, str) for each in given) else [given]
    if not texts or texts == [None]:
        raise BadRequest("`input` is neither a text nor a list of texts or parts")
    results = [_judge_text(text_of(text, "input") or "") for text in texts]
    return json_reply({"id": "modr-1", "model": values.get("model") or model, "results": results})


def _judge_text(text: str) -> dict[str, Any]:
    found = {name: f"[{name}]" in text or f"[{name}/" in text for name in _CATEGORIES}
    return {
        "flagged": any(found.values()),
        "categories": found,
        "category_scores": {name: _FLAGGED if flagged else _HARMLESS for name, flagged in found.items()},
        "category_applied_input_types": {name: ["text"] for name in found},
    }

"""A provider's failure as udspy's own LM sees it: an error of the openai package, or an odd reply."""

from typing import Any

from react_tck.fakes.faults import CUT_TEXT
from react_tck.fakes.lm import LMFault

_STATUS = {"rate-limit": 429, "server-error": 500, "context-window": 400}


def reply(fault: LMFault) -> dict[str, Any]:
    """The reply, if the failure is one.

    Raises:
        OpenAIError: if it isn't.
    """
    if fault.fault in ("finish-length", "empty-choices"):
        message = {"role": "assistant", "content": CUT_TEXT}
        choices = (
            [{"index": 0, "finish_reason": "length", "message": message}] if fault.fault == "finish-length" else []
        )
        return {"id": "tck", "created": 0, "model": "tck", "object": "chat.completion", "choices": choices}
    raise _error(fault) from fault


def _error(fault: LMFault) -> Exception:
    import httpx
    import openai

    request = httpx.Request("POST", "http://tck/v1/chat/completions")
    if fault.fault == "timeout":
        return openai.APITimeoutError(request=request)
    if fault.fault not in _STATUS:
        return openai.APIConnectionError(message=str(fault), request=request)
    response = httpx.Response(_STATUS[fault.fault], request=request)
    kinds = {429: openai.RateLimitError, 500: openai.InternalServerError, 400: openai.BadRequestError}
    return kinds[response.status_code](str(fault), response=response, body=None)

"""What the forms of a reply have in common: chat completions, and responses."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from react_tck.fakes.server.wire import Reply
from react_tck.model.lm import Completion, LMRequest

#: What a provider's clock would say: the same in every run.
CREATED = 1_750_000_000


class Wanted(NamedTuple):
    """What is asked of the LM, and how the reply is to be sent."""

    request: LMRequest
    stream: bool = False
    include_usage: bool = False


class WireForm(Protocol):
    """One completion on its way out, as JSON and as events of the same content."""

    def as_json(self) -> Reply:
        """All at once."""

    def as_events(self) -> Reply:
        """In pieces."""

    def without_choices(self, *, stream: bool) -> Reply:
        """The same with nothing in it."""


Write = Callable[[Completion], WireForm]


def sent(form: WireForm, *, stream: bool) -> Reply:
    """The reply, in the way it is wanted."""
    return form.as_events() if stream else form.as_json()


def usage(request: LMRequest, completion: Completion) -> dict[str, int]:
    """Numbers that depend on nothing but the texts: a token is four characters."""
    prompt = sum([len(message.content or "") for message in request.messages]) // 4
    written = len(completion.content or "") + sum([len(call.arguments) for call in completion.tool_calls])
    return {"prompt_tokens": prompt, "completion_tokens": written // 4, "total_tokens": prompt + written // 4}

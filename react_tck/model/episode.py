"""One episode: the case the subject gets, and what the kit's LM and tools will do."""

from pydantic import Field

from react_tck.model.base import Value
from react_tck.model.case import Case
from react_tck.model.intent import Script
from react_tck.model.tool import Behaviour


class Episode(Value):
    """Everything needed to play an episode again, anywhere."""

    case: Case
    script: Script
    #: By tool name: what each run does, the last one again and again.
    behaviours: dict[str, tuple[Behaviour, ...]] = Field(default_factory=dict)
    nonce: str

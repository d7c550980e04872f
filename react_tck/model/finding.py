"""A finding, as the fuzzer keeps it: enough to see it again anywhere, without Hypothesis."""

import hashlib

from pydantic import ConfigDict

from react_tck.model.base import Value
from react_tck.model.episode import Episode
from react_tck.model.report import KitInfo, SubjectInfo

_LENGTH = 10


class Finding(Value):
    """An episode, and the requirements a subject violated in it."""

    # The schema's name is older than the class's.
    model_config = ConfigDict(title="FoundCase")

    kit: KitInfo
    subject: SubjectInfo
    #: Ids, in the order in which the judges name them; none if the harness broke.
    requirements: tuple[str, ...]
    episode: Episode

    @property
    def name(self) -> str:
        """A name made of the episode alone: the same finding is the same file, whoever has it."""
        digest = hashlib.sha256(self.episode.model_dump_json().encode()).hexdigest()
        return f"case-{digest[:_LENGTH]}"

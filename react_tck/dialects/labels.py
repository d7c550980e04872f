"""The labels of `react-text`, and how a dialect's name sets them: `react-text; action=Tool; final-answer=Answer`.

The parameters of a name are those of a media type; a label that none sets is the one that ReAct was published with.
"""

import re
from functools import lru_cache

from react_tck.model.base import Value

REACT_TEXT = "react-text"


class Labels(Value):
    """What stands before the colon of each line."""

    thought: str = "Thought"
    action: str = "Action"
    action_input: str = "Action Input"
    observation: str = "Observation"
    final_answer: str = "Final Answer"

    @property
    def in_replies(self) -> tuple[str, ...]:
        """All of them, a label before those that it begins."""
        found = (self.thought, self.action, self.action_input, self.observation, self.final_answer)
        return tuple(sorted(found, key=len, reverse=True))


_NAMES = tuple(Labels.model_fields)
_LABEL = re.compile(r"\w[\w ]*")


def plain_name(dialect: str) -> str:
    """Return the dialect's name without its parameters."""
    return dialect.partition(";")[0].strip()


@lru_cache(maxsize=64)
def labels_of(dialect: str) -> Labels:
    """Return the labels that a dialect's name sets.

    Raises:
        ValueError: if it sets one that there isn't, one twice, two to the same, or one that isn't made of words.
    """
    _, *parameters = dialect.split(";")
    if parameters and plain_name(dialect) != REACT_TEXT:
        raise ValueError(f"{dialect!r} sets labels, which only {REACT_TEXT!r} has")
    found: dict[str, str] = {}
    for parameter in parameters:
        name, _, label = (part.strip() for part in parameter.partition("="))
        key = name.replace("-", "_")
        if key not in _NAMES or key in found or not _LABEL.fullmatch(label):
            labels = ", ".join(each.replace("_", "-") for each in _NAMES)
            raise ValueError(
                f"{parameter.strip()!r} sets no label: write NAME=WORDS once, where NAME is one of {labels}"
            )
        found[key] = label
    made = Labels(**found)
    if len({label.lower() for label in made.in_replies}) < len(_NAMES):
        raise ValueError(f"two labels of {dialect!r} are the same")
    return made

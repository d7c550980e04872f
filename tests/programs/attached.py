"""Programs of agents of dspy's whose inputs, results and outputs are no text: sound, files, images."""

from typing import Any

import dspy

from tests.programs.adding import SUM, add

_SOUND = dspy.Audio(data="UklGRg==", audio_format="wav")
_FILE = dspy.File(file_data="data:application/pdf;base64,JVBERg==")
_IMAGE = dspy.Image("data:image/png;base64,iVBORw0KGgo=")


def _shown() -> list[str]:
    """The kinds of parts that are no text, of all requests."""
    asked = (message["content"] for request in dspy.settings.lm.history for message in request["messages"])
    parts = [part["type"] for content in asked if isinstance(content, list) for part in content]
    return sorted({part for part in parts if part != "text"})


def attachments_given(agent: Any) -> Any:
    """Each among the inputs."""
    program = agent("sound: dspy.Audio, paper: dspy.File, picture: dspy.Image, question -> answer", tools=[add])
    return program(sound=_SOUND, paper=_FILE, picture=_IMAGE, question="2+3?").answer, _shown()


def attachments_found(agent: Any) -> Any:
    """Each of them in what a tool gives."""

    def add(a: int, b: int) -> Any:
        """Adds."""
        return [_SOUND, _FILE, _IMAGE]

    return agent(SUM, tools=[add])(question="2+3?").answer, _shown()


def attachment_answered(agent: Any) -> Any:
    """One of them for an output."""
    made = agent("question -> drawing: dspy.Image, answer", tools=[add])(question="2+3?")
    return made.answer, made.drawing.url

"""What several tests need: requests as subjects write them, and an LM and tools that share a journal."""

from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import BUDGET, EpisodeLM
from react_tck.fakes.tools import ScriptedTool
from react_tck.model.intent import Intent, Script
from react_tck.model.lm import LMRequest, Message
from react_tck.model.tool import Behaviour, Tool

NONCE = "n0nce"
STEP_FIELDS = (THOUGHT, TOOL_NAME, TOOL_ARGS)


def request_for(*fields: str, user: str = "2+3?") -> LMRequest:
    """A request for these fields, in the shortest form that reads as the `json` dialect."""
    block = "\n".join(f"{number}. `{name}` (str):" for number, name in enumerate(fields, 1))
    system = Message(role="system", content=f"Your output fields are:\n{block}")
    return LMRequest(messages=(system, Message(role="user", content=user)))


STEP_REQUEST = request_for(*STEP_FIELDS)
#: The request of a later turn: something has happened since.
NEXT_STEP_REQUEST = request_for(*STEP_FIELDS, user="2+3? So far: 5.")


class Stage:
    """A journal, and what writes to it."""

    def __init__(self) -> None:
        self.journal = Journal()

    def lm(
        self,
        *steps: Intent,
        answers: tuple[Intent, ...] = (),
        dialects: tuple[str, ...] = ("chat", "xml", "json"),
        budget: int = BUDGET,
        has_extraction: bool = True,
        answer_tool: str | None = None,
    ) -> EpisodeLM:
        """An LM that says these steps and answers."""
        script = Script(steps=steps, answers=answers)
        return EpisodeLM(
            script,
            dialects,
            self.journal,
            budget=budget,
            has_extraction=has_extraction,
            answer_tool=answer_tool,
        )

    def tool(self, tool: Tool, *behaviours: Behaviour) -> ScriptedTool:
        """A tool that behaves so."""
        return ScriptedTool(tool, behaviours, self.journal, NONCE)

"""What the Given sentences of a scenario have said so far, and the episode that follows from it."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Options
from react_tck.model.episode import Episode, mark_values
from react_tck.model.intent import Intent, Script
from react_tck.model.signature import Field, Signature, parse_arrow
from react_tck.model.tool import Behaviour, Tool

_TEXTS = ({"type": "string"}, {"type": "array", "items": {"type": "string"}})


@dataclass
class Arrangement:
    """The agent, its tools and how they behave, and what the LM will say."""

    signature: Signature = field(default_factory=lambda: parse_arrow("question -> answer"))
    tools: dict[str, Tool] = field(default_factory=dict)
    #: Tools whose names are among `tools` already (TOOL-005).
    namesakes: list[Tool] = field(default_factory=list)
    behaviours: dict[str, tuple[Behaviour, ...]] = field(default_factory=dict)
    steps: list[Intent] = field(default_factory=list)
    answers: list[Intent] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    #: A saved program to load.
    state: JsonValue = None

    def change_signature(self, **changes: Any) -> None:
        """Replace these attributes of the case's signature."""
        self.signature = self.signature.model_copy(update=changes)

    def set_options(self, **options: Any) -> None:
        """Set options of the case."""
        self.options = self.options.model_copy(update=options)

    def change_tool(self, name: str, **changes: Any) -> None:
        """Change a tool there is."""
        self.tools[name] = self.tools[name].model_copy(update=changes)

    def add_behaviour(self, tool: str, behaviour: Behaviour) -> None:
        """One more run of the tool; the last one stays."""
        self.behaviours[tool] = (*self.behaviours.get(tool, ()), behaviour)

    def find_queue(self, phase: str) -> list[Intent]:
        """What the LM will say to requests of a phase, `step` or `extraction`."""
        return {"step": self.steps, "extraction": self.answers}[phase]

    def marked_inputs(self, values: JsonObject, nonce: str) -> JsonObject:
        """Input values with the nonce on their texts."""
        return mark_values(values, nonce, _select_text_fields(self.signature.inputs))

    def marked_outputs(self, values: JsonObject, nonce: str) -> JsonObject:
        """Output values with the nonce on their texts."""
        return mark_values(values, nonce, _select_text_fields(self.signature.outputs))

    def make_episode(self, case_id: str, nonce: str) -> Episode:
        """The episode that is arranged, before any call."""
        case = Case(
            id=case_id,
            signature=self.signature,
            tools=(*self.tools.values(), *self.namesakes),
            options=self.options,
            state=self.state,
        )
        script = Script(steps=tuple(self.steps), answers=tuple(self.answers))
        return Episode(case=case, script=script, behaviours=self.behaviours, nonce=nonce)


def _select_text_fields(fields: tuple[Field, ...]) -> frozenset[str]:
    return frozenset(field.name for field in fields if field.json_schema in _TEXTS)

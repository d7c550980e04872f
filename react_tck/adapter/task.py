"""What an agent is asked to do, in the form in which a user's class gets it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, NamedTuple  # noqa: UP035 - Python 3.9

from react_tck.adapter.functions import annotation_of
from react_tck.adapter.values import as_plain_value

if TYPE_CHECKING:
    from pydantic import BaseModel

#: What the model of the outputs is called, and with it the tool that some libraries make of it.
ANSWER_TOOL = "final_answer"
#: Types of JSON Schema whose values are no objects.
_FLAT = ("string", "integer", "number", "boolean", "null", "array")


@dataclass(frozen=True)
class TaskField:
    """One named input or output, with its type as an annotation and as a JSON Schema.

    Attributes:
        name: what it is called.
        annotation: its type as the arrow text has it.
        json_schema: its type as a JSON Schema.
        description: what it is; often empty.
        history: whether it is the conversation history.
    """

    name: str
    annotation: str = "str"
    json_schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})
    description: str = ""
    history: bool = False

    @property
    def is_text(self) -> bool:
        """Whether its values are plain text."""
        return self.json_schema == {"type": "string"}

    @property
    def is_image(self) -> bool:
        """Whether its values are images, given as data URLs."""
        return str(self.json_schema.get("contentMediaType", "")).startswith("image/")


class TaskDemos(NamedTuple):
    """Examples for the two internal predictors, each a mapping of field name to value."""

    step: list[dict[str, Any]]
    extraction: list[dict[str, Any]]


class Task:
    """What the agent is to turn into what, and the options it is built with.

    An option is None where the kit leaves it to the agent, as it does wherever its capability isn't declared.

    The kit makes it of a scenario's signature, and so can a test of your own class:

    >>> from react_tck import Task
    >>> from react_tck.model.signature import parse_arrow
    >>> task = Task(parse_arrow("question -> answer: int").model_dump(), {"max_steps": 5})
    >>> task.arrow, task.max_steps, [each.json_schema for each in task.outputs]
    ('question -> answer: int', 5, [{'type': 'integer'}])
    >>> task.answer(5)
    {'answer': 5}

    Attributes:
        form: how to give the signature to your library: `arrow`, `class` or `value`.
        arrow: the signature as text, `question, context -> answer: int`, exactly as it was written.
        inputs: its inputs, each with `name`, `annotation`, `json_schema`, `description`, `history`, `is_text` and
            `is_image`.
        outputs: its outputs, likewise.
        instructions: what the signature says besides; often empty.
        max_steps: how many steps a call may take.
        adapter: the dialect that is configured globally.
        module_adapter: the dialect that is configured for this agent alone.
        system: which system is wanted: `conversation`, `transcript` or `udspy`.
        predictor: `predict` or `chain-of-thought`.
        clarification: whether the agent may ask its user.
        callbacks: whether your library's callbacks are to be listened to, for `heard`.
        demos: examples, in `step` and in `extraction`.
    """

    def __init__(
        self,
        signature: Mapping[str, Any],
        options: Mapping[str, Any],
        watch: Callable[[str, Any], None] = lambda _what, _value: None,
    ) -> None:
        self._watch = watch
        self.form: str = str(signature["form"])
        self.arrow: str = signature["arrow"]
        self.inputs: tuple[TaskField, ...] = tuple(_make_field(each) for each in signature["inputs"])
        self.outputs: tuple[TaskField, ...] = tuple(_make_field(each) for each in signature["outputs"])
        self.instructions: str = signature["instructions"]
        self.max_steps: int | None = options.get("max_steps")
        self.adapter: str | None = options.get("adapter")
        self.module_adapter: str | None = options.get("module_adapter")
        self.system: str | None = options.get("system")
        self.predictor: str | None = options.get("predictor")
        self.clarification: bool | None = options.get("clarification")
        self.callbacks: bool | None = options.get("callbacks")
        given = options.get("demos")
        self.demos: TaskDemos | None = given and TaskDemos(list(given["step"]), list(given["extraction"]))

    def watch(self, what: str, value: Any) -> None:
        """Have the kit see that nobody changes an object which your library is handed (capability `caller-objects`).

        The functions of the tools, the inputs and the history are watched in any case; a signature or tools that you
        make of them aren't.

        Args:
            what: what a person calls it, such as `the signature`.
            value: the object, as it is now.
        """
        self._watch(what, value)

    @property
    def is_text(self) -> bool:
        """Whether the answer is one text."""
        return len(self.outputs) == 1 and self.outputs[0].is_text

    @cached_property
    def model(self) -> type[BaseModel]:
        """The outputs as a pydantic model, for libraries that take the type of an answer.

        It is called `final_answer`, and so is the tool that a library makes of it: name that as your `answer_tool`.

        Raises:
            ValueError: if two fields have one name, or there are no outputs.
            ImportError: if pydantic isn't installed.
        """
        from pydantic import Field, create_model

        self.check()
        named: dict[str, Any] = {
            each.name: (annotation_of(each.json_schema), Field(description=each.description or None))
            for each in self.outputs
        }
        return create_model(ANSWER_TOOL, __doc__="The answer.", **named)

    def check(self) -> None:
        """See whether the task can be put into words.

        Raises:
            ValueError: if two fields have one name, or there are no outputs.
        """
        names = Counter(each.name for each in (*self.inputs, *self.outputs))
        if repeated := next((name for name, count in names.items() if count > 1), None):
            raise ValueError(f"two fields are named {repeated!r}")
        if not self.outputs:
            raise ValueError("the signature has no outputs")

    def text(self, inputs: Mapping[str, Any]) -> str:
        """Return the task as a text, for libraries that take one: the inputs, and which outputs are wanted.

        Raises:
            ValueError: if an input is missing or unknown.
        """
        names = {each.name for each in self.inputs}
        if wrong := sorted(names ^ set(inputs)):
            raise ValueError(f"missing or unknown inputs: {', '.join(wrong)}")
        given = [f"{_describe_field(each)}: {_write_value(inputs[each.name])}" for each in self.inputs]
        wanted = [f"- {_describe_field(each)}" for each in self.outputs]
        return "\n".join([*given, "", "Answer with:", *wanted])

    def answer(self, said: Any) -> dict[str, Any]:
        """Read what a library answered, by the names of the outputs: a `model`, an object, or the only one's value.

        Several outputs may be a JSON text too: that is what a library without types gives.
        An object that has the only output's name already isn't put under that name once more, unless the output may be
        such an object itself.

        Raises:
            ValueError: if there are several outputs and the answer isn't made of them.
        """
        if callable(getattr(said, "model_dump", None)):
            return dict(as_plain_value(said))
        names = [each.name for each in self.outputs]
        if len(names) == 1 and not _is_named_already(said, self.outputs[0]):
            return {names[0]: as_plain_value(said)}
        if isinstance(said, str):
            with suppress(ValueError):
                said = json.loads(said)
        if not isinstance(said, dict) or set(said) != set(names):
            raise ValueError(f"the answer doesn't consist of {', '.join(names)}: {said!r}")
        return dict(as_plain_value(said))


def _is_named_already(said: Any, each: TaskField) -> bool:
    """Whether an answer is the object of this only output, and can't be its value."""
    kind, properties = each.json_schema.get("type"), each.json_schema.get("properties") or {}
    is_no_such_object = kind in _FLAT or (
        kind == "object" and isinstance(properties, dict) and bool(properties) and each.name not in properties
    )
    return is_no_such_object and isinstance(said, dict) and set(said) == {each.name}


def _describe_field(each: TaskField) -> str:
    return f"{each.name} ({each.description})" if each.description else each.name


def _make_field(described: Mapping[str, Any]) -> TaskField:
    return TaskField(**{each.name: described[each.name] for each in fields(TaskField)})


def _write_value(value: Any) -> str:
    """Return a field's value as text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

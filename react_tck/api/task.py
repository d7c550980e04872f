"""What an agent is asked to do, in the form in which a user's class gets it."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from pydantic import BaseModel, create_model
from pydantic import Field as Described

from react_tck.dialects.markup import as_text
from react_tck.fakes.annotations import annotation_of
from react_tck.model.case import Demos, Options
from react_tck.model.signature import Field, Signature
from react_tck.subjects.python import as_plain_value

#: What the model of the outputs is called, and with it the tool that some libraries make of it.
ANSWER_TOOL = "final_answer"
#: Types of JSON Schema whose values are no objects.
_FLAT = ("string", "integer", "number", "boolean", "null", "array")


class Task:
    """What the agent is to turn into what, and the options it is built with.

    An option is None where the kit leaves it to the agent, as it does wherever its capability isn't declared.

    The kit makes it of a scenario's signature, and so can a test of your own class:

    >>> from react_tck import Task
    >>> from react_tck.model.case import Options
    >>> from react_tck.model.signature import parse_arrow
    >>> task = Task(parse_arrow("question -> answer: int"), Options(max_steps=5), watch=lambda what, value: None)
    >>> task.arrow, task.max_steps, [field.json_schema for field in task.outputs]
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

    def __init__(self, signature: Signature, options: Options, watch: Callable[[str, Any], None]) -> None:
        self._watch = watch
        self.form: str = signature.form.value
        self.arrow: str = signature.arrow
        self.inputs: tuple[Field, ...] = signature.inputs
        self.outputs: tuple[Field, ...] = signature.outputs
        self.instructions: str = signature.instructions
        self.max_steps: int | None = options.max_steps
        self.adapter: str | None = options.adapter
        self.module_adapter: str | None = options.module_adapter
        self.system: str | None = options.system
        self.predictor: str | None = options.predictor
        self.clarification: bool | None = options.clarification
        self.callbacks: bool | None = options.callbacks
        self.demos: Demos | None = options.demos

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
        """
        self.check()
        fields: dict[str, Any] = {
            field.name: (annotation_of(field.json_schema), Described(description=field.description or None))
            for field in self.outputs
        }
        return create_model(ANSWER_TOOL, __doc__="The answer.", **fields)

    def check(self) -> None:
        """See whether the task can be put into words.

        Raises:
            ValueError: if two fields have one name, or there are no outputs.
        """
        names = Counter(field.name for field in (*self.inputs, *self.outputs))
        if repeated := next((name for name, count in names.items() if count > 1), None):
            raise ValueError(f"two fields are named {repeated!r}")
        if not self.outputs:
            raise ValueError("the signature has no outputs")

    def text(self, inputs: Mapping[str, Any]) -> str:
        """Return the task as a text, for libraries that take one: the inputs, and which outputs are wanted.

        Raises:
            ValueError: if an input is missing or unknown.
        """
        names = {field.name for field in self.inputs}
        if wrong := sorted(names ^ set(inputs)):
            raise ValueError(f"missing or unknown inputs: {', '.join(wrong)}")
        given = [f"{_describe_field(field)}: {as_text(inputs[field.name])}" for field in self.inputs]
        wanted = [f"- {_describe_field(field)}" for field in self.outputs]
        return "\n".join([*given, "", "Answer with:", *wanted])

    def answer(self, said: Any) -> dict[str, Any]:
        """Return what a library answered, by the names of the outputs: a `model`, an object, or the value of the only
        one.

        An object that has the only output's name already isn't put under that name once more, unless the output may be
        such an object itself.

        Raises:
            ValueError: if there are several outputs and the answer isn't made of them.
        """
        if isinstance(said, BaseModel):
            return dict(as_plain_value(said))
        names = [field.name for field in self.outputs]
        if len(names) == 1 and not _is_named_already(said, self.outputs[0]):
            return {names[0]: as_plain_value(said)}
        if not isinstance(said, dict) or set(said) != set(names):
            raise ValueError(f"the answer doesn't consist of {', '.join(names)}: {said!r}")
        return dict(as_plain_value(said))


def _is_named_already(said: Any, field: Field) -> bool:
    """Tell whether an answer is the object of this only output, and can't be its value."""
    kind, properties = field.json_schema.get("type"), field.json_schema.get("properties") or {}
    is_no_such_object = kind in _FLAT or (
        kind == "object" and isinstance(properties, dict) and bool(properties) and field.name not in properties
    )
    return is_no_such_object and isinstance(said, dict) and set(said) == {field.name}


def _describe_field(field: Field) -> str:
    return f"{field.name} ({field.description})" if field.description else field.name

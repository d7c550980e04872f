"""A signature for libraries that have none: they take a text, and an answer is a text or an object.

What is said here is the harness's wording, not the library's.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from pydantic import BaseModel, create_model
from pydantic import Field as Described

from react_tck.dialects.markup import as_text
from react_tck.fakes.annotations import annotation_of
from react_tck.model.base import JsonObject
from react_tck.model.manifest import Capability, Manifest
from react_tck.model.signature import Field, Signature
from react_tck.subjects.python import plain

#: The name of the tool that takes an answer with several parts, where the harness chooses it.
ANSWER_TOOL = "final_answer"


class Task:
    """What is asked, as a text, and what of the answer is which output."""

    def __init__(self, signature: Signature) -> None:
        _check(signature)
        self.instructions = signature.instructions
        self._inputs = signature.inputs
        self._outputs = signature.outputs

    @property
    def is_text(self) -> bool:
        """Whether the answer is one text."""
        return len(self._outputs) == 1 and self._outputs[0].is_text

    @property
    def model(self) -> type[BaseModel]:
        """The outputs as a pydantic model."""
        fields: dict[str, Any] = {
            field.name: (annotation_of(field.json_schema), Described(description=field.description or None))
            for field in self._outputs
        }
        return create_model(ANSWER_TOOL, __doc__="The answer.", **fields)

    def text(self, inputs: JsonObject) -> str:
        """The task for these inputs.

        Raises:
            ValueError: if one is missing or unknown.
        """
        names = {field.name for field in self._inputs}
        if wrong := sorted(names ^ set(inputs)):
            raise ValueError(f"missing or unknown inputs: {', '.join(wrong)}")
        given = [f"{_title(field)}: {as_text(inputs[field.name])}" for field in self._inputs]
        wanted = [f"- {_title(field)}" for field in self._outputs]
        return "\n".join([*given, "", "Answer with:", *wanted])

    def outputs(self, answer: Any) -> JsonObject:
        """The answer by the names of the outputs.

        Raises:
            ValueError: if there are several and the answer isn't made of them.
        """
        if isinstance(answer, BaseModel):
            return dict(plain(answer))
        names = [field.name for field in self._outputs]
        if len(names) == 1:
            return {names[0]: plain(answer)}
        if not isinstance(answer, dict) or set(answer) != set(names):
            raise ValueError(f"the answer doesn't consist of {', '.join(names)}: {answer!r}")
        return dict(plain(answer))


def _title(field: Field) -> str:
    return f"{field.name} ({field.description})" if field.description else field.name


def _check(signature: Signature) -> None:
    """Refuse what can't be put into words."""
    if repeated := _repeated(field.name for field in (*signature.inputs, *signature.outputs)):
        raise ValueError(f"two fields are named {repeated!r}")
    if not signature.outputs:
        raise ValueError("the signature has no outputs")


def _repeated(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)


class AboutLibrary(NamedTuple):
    """Which library a subject is made of."""

    name: str
    distribution: str
    homepage: str


def native_manifest(
    library: AboutLibrary,
    capabilities: tuple[Capability, ...],
    choices: Mapping[str, str],
    *,
    max_steps: int,
    answer_tool: str,
) -> Manifest:
    """What such a library declares: it speaks in tool calls, and has a tool that takes the answer."""
    return Manifest(
        name=library.name,
        version=version(library.distribution),
        homepage=library.homepage,
        dialects=("native",),
        default_dialect="native",
        capabilities=capabilities,
        choices=dict(choices),
        default_max_steps=max_steps,
        answer_tool=answer_tool,
    )

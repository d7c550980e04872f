"""`react-text`: the form in which ReAct was published, a label a line: a thought and an action, or the final answer.

Whoever asks shows the form, in the system message or where the prompt begins; the answer ends the loop.
"""

import re
from collections.abc import Mapping

from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import (
    FINAL_ANSWER,
    STEPS,
    ParseError,
    check_fields,
    fill_fields,
    read_fields,
    strict_json,
)
from react_tck.dialects.labels import labels_of
from react_tck.dialects.markup import find_markup
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest

_STEP = STEPS[0]


class ReactText:
    """The dialect with the labels that its name sets."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels = labels_of(name)
        self._markup = find_markup(name)
        any_label = "|".join(map(re.escape, self.labels.in_replies))
        self._label = re.compile(rf"^({any_label})[^\S\n]*:", re.MULTILINE)

    def classify_request(self, request: LMRequest) -> Ask | None:
        """Return a prompt that shows the label of an action, and behind it that of its input: a step, which may be an
        answer.

        Where it shows no label of an answer, a step selects `finish`; where it shows nothing but that one, it is the
        answer that is asked for.
        """
        if (form := self.find_form(request)) is None:
            return None
        takes_answer = self._has_label(form, self.labels.final_answer)
        if self._takes_action(form):
            fields = (*_STEP, FINAL_ANSWER) if takes_answer else _STEP
            return Ask(phase="step", dialect=self.name, fields=fields)
        return Ask(phase="extraction", dialect=self.name, fields=(_STEP[0], FINAL_ANSWER))

    def find_form(self, request: LMRequest) -> str | None:
        """Return the text that shows the form: the system message, or else the first message of the user."""
        if self._has_form(request.system_text):
            return request.system_text
        first = next((message.content for message in request.messages if message.role == "user"), None)
        return first if first and self._has_form(first) and not output_fields(request.system_text) else None

    def render_reply(self, intent: Move, ask: Ask) -> Completion:
        """Return the thought with the action and its input, or with the answer: a text, or outputs as an object."""
        return Completion(content=self._markup.render_reply(self._markup.render_pieces(fill_fields(intent, ask))))

    def parse_reply(self, completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
        """Return the text behind each label, up to the next one; what stands before the first one is the thought's
        beginning.

        Raises:
            ParseError: if a label is missing or comes twice, there are both an action and an answer, or an observation,
                or a value doesn't fit its schema.
        """
        texts = self._split_labels(completion.content or "")
        given = {name: texts[label] for name, label in self._markup.labels.items() if label in texts}
        outputs = {name: schema for name, schema in schemas.items() if name not in self._markup.labels}
        if not outputs or FINAL_ANSWER not in given:
            return read_fields(given, schemas)
        steps = {name: schema for name, schema in schemas.items() if name not in outputs}
        return check_fields({**read_fields(given, steps), **_parse_answer(given[FINAL_ANSWER], outputs)}, schemas)

    def _split_labels(self, content: str) -> dict[str, str]:
        prologue, *pieces = self._label.split(content)
        names, values = pieces[0::2], [piece.strip() for piece in pieces[1::2]]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ParseError(f"the reply has the label {twice!r} twice")
        if self.labels.observation in names:
            raise ParseError(f"the reply makes up an {self.labels.observation!r}")
        if {self.labels.action, self.labels.final_answer} <= set(names):
            raise ParseError(f"the reply has both {self.labels.action!r} and {self.labels.final_answer!r}")
        texts = dict(zip(names, values, strict=True))
        # The prompt ends with the label of a thought, which is there to be gone on with.
        return texts if names and self.labels.thought in names else {self.labels.thought: prologue.strip(), **texts}

    def _has_form(self, text: str) -> bool:
        return self._takes_action(text) or self._has_label(text, self.labels.final_answer)

    def _takes_action(self, text: str) -> bool:
        labels = self._labels_in(text)
        action, given = self.labels.action, self.labels.action_input
        return action in labels and given in labels[labels.index(action) :]

    def _has_label(self, text: str, label: str) -> bool:
        return label in self._labels_in(text)

    def _labels_in(self, text: str) -> list[str]:
        return [found[1] for found in self._label_pattern.finditer(text)]

    @property
    def _label_pattern(self) -> re.Pattern[str]:
        """A label of a form, which may be indented or a bullet."""
        any_label = "|".join(map(re.escape, self.labels.in_replies))
        return re.compile(rf"^[^\S\n]*(?:[-*•][^\S\n]+)?({any_label})[^\S\n]*:", re.MULTILINE)


def _parse_answer(text: str, outputs: Mapping[str, JsonObject]) -> JsonObject:
    if len(outputs) == 1:
        return read_fields(dict.fromkeys(outputs, text), outputs)
    try:
        values = strict_json(text)
    except ValueError as error:
        raise ParseError(f"the answer is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise ParseError(f"the answer is a JSON {type(values).__name__}, not an object")
    return check_fields(values, outputs)

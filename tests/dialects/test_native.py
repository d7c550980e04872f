"""An answer beside tools: as the text that it is, where nobody asked for fields."""

from react_tck.dialects import native
from react_tck.model.intent import Answer
from react_tck.model.lm import LMRequest, Message

REQUEST = LMRequest(messages=(Message(role="user", content="2+3"),))


def test_an_output_named_like_a_part_of_a_step_is_answered_as_any_other() -> None:
    ask = native.classify_text(REQUEST)
    for name in ("answer", "next_thought"):
        assert native.render_reply(Answer(outputs={name: "five"}), ask).content == "five"

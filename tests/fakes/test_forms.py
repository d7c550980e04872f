"""The forms of API beside chat, responses and messages, by their providers' own clients."""

from collections.abc import Iterator
from typing import Any

import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer, Streaming
from tests.support.cued import QUESTION, sdk


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer(Streaming(chunk_sizes=(4,))) as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def claude(lm: CuedEndpoint) -> Any:
    """Anthropic's client of it."""
    anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")
    return anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key, max_retries=0)


def test_a_prompt_is_a_message_of_the_users_and_the_text_that_follows_it_the_reply(lm: CuedEndpoint) -> None:
    lm.usage(7, 3).says("It is 5.").says("It is six.").calls("add", a=2)
    form = "Use this format:\n\nThought: what to do\nAction: the tool\nAction Input: its input\nObservation: its result"

    said = sdk(lm).completions.create(model="m", prompt="2+3 is")
    assert (said.choices[0].text, said.choices[0].finish_reason, said.usage and said.usage.total_tokens) == (
        *("It is 5.", "stop"),
        10,
    )
    stream = sdk(lm).completions.create(
        model="m", prompt=["3+3 is"], stream=True, stream_options={"include_usage": True}
    )
    pieces = list(stream)
    assert [choice.text for piece in pieces for choice in piece.choices] == ["It i", "s si", "x.", ""]
    assert [piece.usage.completion_tokens for piece in pieces if piece.usage] == [2]
    assert "Action: add\n" in sdk(lm).completions.create(model="m", prompt=form).choices[0].text
    assert [request.messages[0].content for request in lm.requests] == ["2+3 is", "3+3 is", form]
    assert lm.complaints == ()


@pytest.mark.parametrize("options", [{"n": 2}, {"best_of": 3}, {"echo": True}, {"logprobs": 1}, {"prompt": ["a", "b"]}])
def test_what_is_not_given_of_completions_is_refused(lm: CuedEndpoint, options: Any) -> None:
    with pytest.raises(openai.BadRequestError, match=next(iter(options))):
        sdk(lm).completions.create(**{"model": "m", "prompt": "2+3 is", **options})


def test_a_text_is_flagged_for_the_categories_that_it_names_in_brackets(lm: CuedEndpoint) -> None:
    harmless, found = sdk(lm).moderations.create(input=["I hate violence.", "[violence/graphic] boo"]).results

    assert (harmless.flagged, found.flagged) == (False, True)
    assert (found.categories.violence, found.categories.violence_graphic, found.categories.hate) == (True, True, False)
    assert found.category_scores.violence > 0.9 > 0.1 > found.category_scores.hate
    image: Any = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    parts = sdk(lm).moderations.create(input=[image, {"type": "text", "text": "[self-harm]"}]).results
    assert [part.categories.self_harm for part in parts] == [True]
    with pytest.raises(openai.BadRequestError, match="`input` is neither a text nor a list"):
        sdk(lm).moderations.create(input=[])


def test_the_tokens_of_a_message_are_those_that_its_reply_says(lm: CuedEndpoint) -> None:
    anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")
    lm.says("5")
    asked: Any = {"model": "m", "messages": QUESTION, "system": "You add."}

    counted = claude(lm).messages.count_tokens(**asked)
    assert claude(lm).messages.create(max_tokens=9, **asked).usage.input_tokens == counted.input_tokens == 5
    assert len(lm.requests) == 1
    with pytest.raises(anthropic.BadRequestError, match="`messages` is not a list"):
        claude(lm).messages.count_tokens(model="m", messages="2+3?")

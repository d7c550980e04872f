"""Embeddings: the same in every run, of any dimension, in both encodings, and near where the words are the same."""

import math
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.fakes.server.forms.embeddings import embed_text
from tests.support.cued import sdk


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def embedded(lm: CuedEndpoint, texts: Any, **options: Any) -> list[list[float]]:
    """The vectors that the official client reads."""
    return [each.embedding for each in sdk(lm).embeddings.create(model="m", input=texts, **options).data]


def nearness(one: str, other: str) -> float:
    """The cosine of two texts."""
    return math.fsum(a * b for a, b in zip(embed_text(one, 256), embed_text(other, 256), strict=True))


@pytest.mark.parametrize("dimensions", [1, 3, 256, 1536, 3072, 100_000])
def test_a_vector_has_the_dimensions_that_are_asked_for(lm: CuedEndpoint, dimensions: int) -> None:
    [vector] = embedded(lm, "It is 5.", dimensions=dimensions)

    assert len(vector) == dimensions
    assert math.fsum(each * each for each in vector) == pytest.approx(1, abs=1e-6)


def test_the_same_text_has_the_same_vector_in_every_run() -> None:
    assert [round(each, 4) for each in embed_text("It is 5.", 8)] == [
        *(-0.1581, 0.1581, 0.3162, -0.4743),
        *(0.6325, -0.1581, 0.3162, -0.3162),
    ]


def test_texts_are_the_nearer_the_more_words_they_share() -> None:
    question = "How hot is it in Rome?"
    near, far = "In Rome it is hot: 31 degrees.", "The library opens at nine."

    assert nearness(question, question) == pytest.approx(1, abs=1e-6)
    assert nearness(question, near) > nearness(question, far) + 0.3
    assert embed_text("dog bites man", 256) != embed_text("man bites dog", 256)


def test_embeddings_need_no_script_and_are_no_requests_to_the_lm(lm: CuedEndpoint) -> None:
    made = sdk(lm).embeddings.create(model="m", input=["It is 5.", "It is 6."])

    assert (made.model, made.usage.prompt_tokens, [each.index for each in made.data]) == ("m", 4, [0, 1])
    assert (lm.requests, len(lm.bodies), lm.complaints) == ((), 1, ())


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"input": ""}, "`input` is neither a text nor a list of texts, none of them empty"),
        ({"input": []}, "`input` is neither a text nor a list of texts"),
        ({"input": ["a", 5]}, "`input` is neither a text nor a list of texts"),
        ({"input": ["a"] * 2049}, "`input` has 2049 texts; there may be 2048"),
        ({"dimensions": 0}, "`dimensions` is 0; it is 1 or more, and 4194304 at most in all texts"),
        ({"dimensions": 10**9}, "`dimensions` is 1000000000; it is 1 or more"),
        ({"encoding_format": "int8"}, "`encoding_format` is neither float nor base64"),
    ],
)
def test_what_there_is_not_is_refused(lm: CuedEndpoint, options: Any, wrong: str) -> None:
    with pytest.raises(openai.BadRequestError, match=wrong):
        sdk(lm).embeddings.create(**{"model": "m", "input": "a", "encoding_format": "float", **options})
    assert [wrong in complaint for complaint in lm.complaints] == [True]
